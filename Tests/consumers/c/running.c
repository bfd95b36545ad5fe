/* Running: once, per version, per interval; what is due when, what is recorded, and what is not. */
#include "program.h"

static double now;

static firsttime_store *open_here(const char *version) {
    firsttime_store *store = open_store("store.archive", version, 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    return store;
}

static void once(firsttime_store *store) {
    int runs = 0, after = 0;
    check_result(firsttime_execute_once(store, "once", NULL, must_not_run, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_was_executed(store, "once"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "once", NULL, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_execute_once(store, "once", refuse, must_not_run, &runs), FIRSTTIME_ERROR_CALLBACK);
    check_text();
    check_mentions("7");
    check_result(firsttime_was_executed(store, "once"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "once", count_up, must_not_run, &runs), FIRSTTIME_RAN);
    check(runs == 2);
    check_result(firsttime_execute_once(store, "once", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_execute_once(store, "once", must_not_run, count_up, &after), FIRSTTIME_RAN_AFTER);
    check_result(firsttime_execute_once(store, "once", NULL, count_up, &after), FIRSTTIME_RAN_AFTER);
    check_result(firsttime_execute_once(store, "once", NULL, refuse, &after), FIRSTTIME_ERROR_CALLBACK);
    check_result(firsttime_was_executed(store, "once"), FIRSTTIME_YES);
    check(after == 3);
    check_result(firsttime_execute_once(store, "once", NULL, NULL, NULL), FIRSTTIME_NOT_DUE);
    /* Neither a version nor a thousand years make it due. */
    now += 1000 * 365.25 * 86400;
    check_result(firsttime_execute(store, "once", NULL, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    now = start;
    check_result(firsttime_reset_key(store, "once"), FIRSTTIME_YES);
    check_result(firsttime_reset_key(store, "once"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "once", count_up, NULL, &runs), FIRSTTIME_RAN);
}

static firsttime_result per_version(const char *version, firsttime_callback first) {
    firsttime_store *store = open_here(version);
    int count = 0;
    firsttime_result result = firsttime_execute_once_per_version(store, "news", first, NULL, &count);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return result;
}

static void versions(void) {
    check_result(per_version("1.0", count_up), FIRSTTIME_RAN);
    check_result(per_version("1.0", must_not_run), FIRSTTIME_NOT_DUE);
    check_result(per_version("1.0.0", refuse), FIRSTTIME_ERROR_CALLBACK);
    check_result(per_version("1.0", must_not_run), FIRSTTIME_NOT_DUE);
    check_result(per_version("1.0.0", count_up), FIRSTTIME_RAN);
    check_result(per_version("1.0", count_up), FIRSTTIME_RAN);
    check_result(per_version(NULL, count_up), FIRSTTIME_RAN);
    check_result(per_version(NULL, must_not_run), FIRSTTIME_NOT_DUE);
    check_result(per_version("", count_up), FIRSTTIME_RAN);
    check_result(per_version("", must_not_run), FIRSTTIME_NOT_DUE);
    check_result(per_version("\xC3\xA9", count_up), FIRSTTIME_RAN);
    check_result(per_version("e\xCC\x81", count_up), FIRSTTIME_RAN);
    check_result(per_version("$null", count_up), FIRSTTIME_RAN);
    check_result(per_version("$null", must_not_run), FIRSTTIME_NOT_DUE);
    check_result(per_version(NULL, count_up), FIRSTTIME_RAN);
}

/* At the very moment that next_due names it is due, and one step of a double before it isn't. */
static void boundary(firsttime_store *store, double begin, firsttime_interval interval) {
    int runs = 0;
    double due = 0;
    const firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, interval};
    now = begin;
    check(firsttime_reset_key(store, "backup") >= 0);
    check_result(firsttime_next_due(store, "backup", &policy, &due), FIRSTTIME_YES);
    check(due == now);
    check_result(firsttime_execute_once_per_interval(store, "backup", interval, count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_next_due(store, "backup", &policy, &due), FIRSTTIME_NO);
    check(due > begin);
    now = nextafter(due, -INFINITY);
    check_result(firsttime_is_due(store, "backup", &policy), FIRSTTIME_NO);
    check_result(firsttime_execute(store, "backup", &policy, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    now = due;
    check_result(firsttime_is_due(store, "backup", &policy), FIRSTTIME_YES);
    double again = 0;
    check_result(firsttime_next_due(store, "backup", &policy, &again), FIRSTTIME_YES);
    check(again == now);
    check_result(firsttime_execute(store, "backup", &policy, count_up, NULL, &runs), FIRSTTIME_RAN);
    check(runs == 2);
}

static void intervals(firsttime_store *store) {
    boundary(store, start, firsttime_days(2));
    boundary(store, start + 0.1, firsttime_days(0.3));
    boundary(store, 0, firsttime_elapsed(1.0 / 3, FIRSTTIME_SECOND));
    boundary(store, -12345.678, firsttime_elapsed(7, FIRSTTIME_MINUTE));
    boundary(store, 978307200.7, firsttime_elapsed(1e6, FIRSTTIME_HOUR));
    boundary(store, 1e11 + 0.1, firsttime_elapsed(0.7, FIRSTTIME_WEEK));

    /* A day is 86400 s. */
    int runs = 0;
    now = start;
    check_result(firsttime_execute_once_per_interval(store, "day", firsttime_days(1), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    now = start + 86399.75;
    check_result(firsttime_execute_once_per_interval(store, "day", firsttime_days(1), must_not_run, count_up, &runs),
                 FIRSTTIME_RAN_AFTER);
    now = start + 86400;
    check_result(firsttime_execute_once_per_interval(store, "day", firsttime_days(1), count_up, NULL, &runs),
                 FIRSTTIME_RAN);

    /* A last run in the future is believed for one interval, and no longer. */
    now = start;
    check_result(firsttime_execute_once_per_interval(store, "day", firsttime_days(1), must_not_run, NULL, NULL),
                 FIRSTTIME_NOT_DUE);
    now = start - 0.25;
    check_result(firsttime_execute_once_per_interval(store, "day", firsttime_days(1), count_up, NULL, &runs),
                 FIRSTTIME_RAN);

    /* More than can be counted: never again. */
    double due = 0;
    const firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, firsttime_elapsed(1e308, FIRSTTIME_WEEK)};
    check_result(firsttime_next_due(store, "day", &policy, &due), FIRSTTIME_NO);
    check(due == INFINITY);
    now = 1e300;
    check_result(firsttime_is_due(store, "day", &policy), FIRSTTIME_NO);
    now = start;
}

static void both_flags(void) {
    const firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_VERSION | FIRSTTIME_PER_INTERVAL, firsttime_days(1)};
    int runs = 0;
    firsttime_store *store = open_here("1");
    check_result(firsttime_execute(store, "both", &policy, count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute(store, "both", &policy, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    now += 86400;
    check_result(firsttime_execute(store, "both", &policy, count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_here("2");
    double due = 0;
    check_result(firsttime_next_due(store, "both", &policy, &due), FIRSTTIME_YES);
    check(due == now);
    check_result(firsttime_execute(store, "both", &policy, count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_next_due(store, "both", &policy, &due), FIRSTTIME_NO);
    check(due == now + 86400);
    check(runs == 3);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* What counts is when `first` returned. */
static int take_time(void *context) {
    now += 100;
    return count_up(context);
}

static int mark_itself(void *context) {
    check_result(firsttime_mark(context, "itself"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(context, "itself"), FIRSTTIME_YES);
    check_result(firsttime_reset_key(context, "itself"), FIRSTTIME_YES);
    check_result(firsttime_flush(context), FIRSTTIME_OK);
    return 0;
}

static void marking(firsttime_store *store) {
    int runs = 0;
    double time = 0;
    now = start;
    check_result(firsttime_execute_once(store, "slow", take_time, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_last_execution(store, "slow", &time), FIRSTTIME_YES);
    check(time == start + 100);

    check_result(firsttime_mark(store, "marked"), FIRSTTIME_OK);
    check_result(firsttime_execute_once(store, "marked", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    now += 1;
    check_result(firsttime_mark(store, "marked"), FIRSTTIME_OK);
    check_result(firsttime_last_execution(store, "marked", &time), FIRSTTIME_YES);
    check(time == now);
    check_result(firsttime_execute_once(store, "itself", mark_itself, NULL, store), FIRSTTIME_RAN);
    check_result(firsttime_was_executed(store, "itself"), FIRSTTIME_YES);

    check_result(firsttime_mark(store, "group.a"), FIRSTTIME_OK);
    check_result(firsttime_mark(store, "group.b"), FIRSTTIME_OK);
    check_result(firsttime_mark(store, "groups"), FIRSTTIME_OK);
    check_result(firsttime_reset_prefix(store, "nothing"), FIRSTTIME_OK);
    check_result(firsttime_reset_prefix(store, "group."), FIRSTTIME_OK);
    check(firsttime_count(store, "group") == 1);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    check(firsttime_count(store, NULL) == 0);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    check_result(firsttime_execute_once(store, "marked", count_up, NULL, &runs), FIRSTTIME_RAN);
}

int main(void) {
    now = start;
    firsttime_store *store = open_here(NULL);
    once(store);
    versions();
    intervals(store);
    both_flags();
    marking(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
