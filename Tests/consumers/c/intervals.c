/* Interval keys and calendar intervals as C programs use them: the ready-made ones, names, resets, the zone that the
 * environment names from call to call, fixed offsets, and the import of legacy keys. */
#include "program.h"

#include <pthread.h>

/* 2024-12-31 23:59:59 UTC, a Tuesday. */
static double now = 1735689599;

static firsttime_store *open_calendar(uint32_t flags, int offset, int weekday) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.flags = FIRSTTIME_IN_MEMORY | flags;
    options.utc_offset_minutes = offset;
    options.first_weekday = weekday;
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    firsttime_set_clock(store, read_clock, &now, NULL);
    return store;
}

static double next_due(firsttime_store *store, const char *key, firsttime_interval interval) {
    firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, interval};
    double time = 0;
    check_result(firsttime_next_due(store, key, &policy, &time), FIRSTTIME_NO);
    return time;
}

static void ask_do_mark(void) {
    firsttime_store *store = open_calendar(FIRSTTIME_FIXED_OFFSET, 0, 0);
    const firsttime_interval ready[] = {FIRSTTIME_HOURLY,  FIRSTTIME_DAILY,     FIRSTTIME_WEEKLY,
                                        FIRSTTIME_MONTHLY, FIRSTTIME_QUARTERLY, FIRSTTIME_YEARLY};
    const double newYear = now + 1;
    for (size_t index = 0; index < sizeof ready / sizeof *ready; index++) {
        check_result(firsttime_should_run(store, "prompt", ready[index]), FIRSTTIME_YES);
        check_result(firsttime_mark_run(store, "prompt"), FIRSTTIME_OK);
        check_result(firsttime_should_run(store, "prompt", ready[index]), FIRSTTIME_NO);
        double end = ready[index].unit == FIRSTTIME_WEEK ? newYear + 5 * 86400 : newYear;
        check(next_due(store, "interval.prompt", ready[index]) == end);
        now = end;
        check_result(firsttime_should_run(store, "prompt", ready[index]), FIRSTTIME_YES);
        now = newYear - 1;
        check_result(firsttime_reset_interval(store, "prompt"), FIRSTTIME_YES);
        check_result(firsttime_reset_interval(store, "prompt"), FIRSTTIME_NO);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void names(void) {
    firsttime_store *store = open_calendar(0, 0, 0);
    char *name = calloc(65528, 1);
    memset(name, 'n', 65527);
    const char *bad[] = {NULL, "", "\xFF", name};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        check_argument(firsttime_should_run(store, bad[index], FIRSTTIME_DAILY));
        check_mentions("name");
        check_argument(firsttime_mark_run(store, bad[index]));
        check_argument(firsttime_reset_interval(store, bad[index]));
    }
    check_argument(firsttime_should_run(store, "n", firsttime_period(0, FIRSTTIME_DAY)));
    check_argument(firsttime_should_run(NULL, "n", FIRSTTIME_DAILY));
    check_argument(firsttime_mark_run(NULL, "n"));
    check_argument(firsttime_reset_interval(NULL, "n"));
    check_argument(firsttime_reset_all_intervals(NULL));

    name[65526] = 0;
    check_result(firsttime_mark_run(store, name), FIRSTTIME_OK);
    check_result(firsttime_mark_run(store, "a.b"), FIRSTTIME_OK);
    const char *others[] = {"interval", "interval_x", "Interval.x", "x.interval.y"};
    for (size_t index = 0; index < 4; index++) check_result(firsttime_mark(store, others[index]), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "interval.a.b"), FIRSTTIME_YES);
    check(firsttime_count(store, "interval.") == 2);
    check_result(firsttime_reset_all_intervals(store), FIRSTTIME_OK);
    check(firsttime_count(store, "interval.") == 0 && firsttime_count(store, NULL) == 4);
    free(name);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void zones(void) {
    static const struct { const char *zone; double midnight; } cases[] = {
        {"UTC", 1735689600},      {"JST-9", 1735743600},   {"GMT+5", 1735707600},
        {"<-03>3", 1735700400},   {"UTC0", 1735689600},    {":No/Such", 1735689600},
        {"EST5EDT", 1735707600},  {"JST-9", 1735743600},   {NULL, 0},
    };
    firsttime_store *store = open_calendar(0, 0, 0);
    firsttime_store *fixed = open_calendar(FIRSTTIME_FIXED_OFFSET, -300, 0);
    check_result(firsttime_mark(store, "k"), FIRSTTIME_OK);
    check_result(firsttime_mark(fixed, "k"), FIRSTTIME_OK);
    for (int round = 0; round < 2; round++) {
        for (size_t index = 0; cases[index].zone; index++) {
            setenv("TZ", cases[index].zone, 1);
            check(next_due(store, "k", FIRSTTIME_DAILY) == cases[index].midnight);
            check(next_due(fixed, "k", FIRSTTIME_DAILY) == 1735707600);
        }
        /* Without TZ it is what localtime() has then. */
        unsetenv("TZ");
        double midnight = next_due(store, "k", FIRSTTIME_DAILY);
        time_t second = (time_t)midnight;
        struct tm *local = localtime(&second);
        check(local->tm_hour + local->tm_min + local->tm_sec == 0 && midnight - now <= 86400);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check_result(firsttime_close(fixed), FIRSTTIME_OK);
}

static void weeks(void) {
    for (int weekday = 0; weekday <= 7; weekday++) {
        firsttime_store *store = open_calendar(FIRSTTIME_FIXED_OFFSET, 0, weekday);
        check_result(firsttime_mark(store, "k"), FIRSTTIME_OK);
        int days = ((weekday ? weekday : 1) - 3 + 7) % 7; /* from Wednesday, 1 January */
        check(next_due(store, "k", FIRSTTIME_WEEKLY) == now + 1 + days * 86400);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

/* libc keeps a lock while it converts times; a forked child must not find it taken. */
static volatile bool stop;
static void *ask_until_stopped(void *store) {
    while (!stop) check_result(firsttime_should_run(store, "k", FIRSTTIME_DAILY), FIRSTTIME_NO);
    return NULL;
}

static void forks(void) {
    firsttime_store *store = open_calendar(0, 0, 0);
    check_result(firsttime_mark_run(store, "k"), FIRSTTIME_OK);
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) check(pthread_create(&threads[index], NULL, ask_until_stopped, store) == 0);
    for (int round = 0; round < 200; round++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(firsttime_should_run(store, "k", FIRSTTIME_DAILY) == FIRSTTIME_NO ? 0 : 1);
        }
        int status;
        check(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    stop = true;
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static int count_problem(const firsttime_problem *problem, void *context) {
    check(problem->size == sizeof *problem && problem->text && problem->offset == 3);
    return count_up(context) != 0;
}

static void legacy(void) {
    static const char text[] = "<plist><dict>\n<key>interval.review</key><integer>12</integer>\n"
                               "<key>interval.bad</key><integer>13</integer>\n"
                               "<key>interval.other</key><integer>1</integer></dict></plist>";
    const char *const names[] = {"review", "bad", "missing"};
    const firsttime_interval intervals[] = {FIRSTTIME_MONTHLY, FIRSTTIME_MONTHLY, FIRSTTIME_DAILY};
    int problems = 0;
    firsttime_import_options options = {.size = sizeof options, .interval_names = names, .intervals = intervals,
                                        .interval_count = 3, .skipped = count_problem, .context = &problems};
    firsttime_import_report report = {.size = sizeof report};
    firsttime_store *store = open_calendar(FIRSTTIME_FIXED_OFFSET, 0, 0);
    now += 20 * 86400; /* in January: December was last year */
    check_result(firsttime_import_bytes(store, text, strlen(text), &options, &report), FIRSTTIME_OK);
    check(report.records_added == 1 && report.skipped == 1 && problems == 1);
    check(report.format == FIRSTTIME_FORMAT_DEFAULTS && firsttime_count(store, NULL) == 1);
    double last;
    check_result(firsttime_last_execution(store, "interval.review", &last), FIRSTTIME_YES);
    check(last == 1733011200); /* 1 December 2024 */
    check_result(firsttime_should_run(store, "review", FIRSTTIME_MONTHLY), FIRSTTIME_YES);
    check_result(firsttime_should_run(store, "review", firsttime_period(2, FIRSTTIME_MONTH)), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(void) {
    ask_do_mark();
    names();
    zones();
    weeks();
    /* In a child valgrind takes for lost what the threads had. */
    if (!getenv("FIRSTTIME_QUICK")) forks();
    legacy();
    return 0;
}
