/* Structs, options, flags and intervals: wrong ones are refused and change nothing; what an older or a newer program
 * passes is taken. */
#include "program.h"

/* Room for any struct and for what a later version may add. */
typedef union {
    firsttime_options options;
    firsttime_policy policy;
    firsttime_import_options import_options;
    firsttime_import_report report;
    firsttime_record record;
    unsigned char bytes[8192];
} any_struct;

typedef firsttime_result user(firsttime_store *store, any_struct *any);

static firsttime_result use_options(firsttime_store *store, any_struct *any) {
    (void)store;
    firsttime_store *opened = (firsttime_store *)&any;
    firsttime_result result = firsttime_open(&any->options, &opened);
    check((result == FIRSTTIME_OK) == (opened != NULL));
    if (opened) check_result(firsttime_close(opened), FIRSTTIME_OK);
    return result;
}
static firsttime_result use_policy(firsttime_store *store, any_struct *any) {
    double time = 1;
    firsttime_result result = firsttime_next_due(store, "known", &any->policy, &time);
    check((result < 0) == isnan(time));
    firsttime_result due = firsttime_is_due(store, "known", &any->policy);
    check(due == result);
    /* Nothing is due, so nothing runs on good policies either. */
    firsttime_result executed = firsttime_execute(store, "known", &any->policy, must_not_run, NULL, NULL);
    check((executed < 0) == (result < 0));
    return executed;
}
static firsttime_result use_import_options(firsttime_store *store, any_struct *any) {
    static const char list[] = "<plist><dict/></plist>";
    firsttime_import_report report = {.size = sizeof report, .skipped = 1, .format = 1};
    firsttime_result result = firsttime_import_bytes(store, list, sizeof list - 1, &any->import_options, &report);
    check(report.size == sizeof report && report.skipped == 0);
    check(report.format == (result == FIRSTTIME_OK ? FIRSTTIME_FORMAT_DEFAULTS : 0));
    return result;
}
static firsttime_result use_report(firsttime_store *store, any_struct *any) {
    static const char list[] = "<plist><dict/></plist>";
    return firsttime_import_bytes(store, list, sizeof list - 1, NULL, &any->report);
}
static firsttime_result use_record(firsttime_store *store, any_struct *any) {
    char buffer[64];
    firsttime_result result = firsttime_read(store, "known", &any->record, buffer, sizeof buffer, NULL);
    return result == FIRSTTIME_YES ? FIRSTTIME_OK : result;
}

static void sizes(firsttime_store *store, user *use, size_t size, bool is_output) {
    static const size_t bad[] = {0, 1, 7, 9, 4096, 4097, 8192, 1u << 20, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};
    any_struct any;
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        memset(&any, 0, sizeof any);
        memcpy(&any, &bad[index], sizeof(size_t));
        check_argument(use(store, &any));
    }
    size_t odd = size + 4;
    memset(&any, 0, sizeof any);
    memcpy(&any, &odd, sizeof odd);
    check_argument(use(store, &any));

    /* An older program's and a newer one's. */
    for (size_t good = sizeof(size_t); good <= size + 64; good += 8) {
        memset(&any, 0, sizeof any);
        memset(any.bytes + good, 0xA5, sizeof any - good);
        memcpy(&any, &good, sizeof good);
        check_result(use(store, &any), FIRSTTIME_OK);
        for (size_t beyond = good; beyond < sizeof any; beyond++) check(any.bytes[beyond] == 0xA5);
        check(memcmp(&any, &good, sizeof good) == 0);
    }
    /* Content that this version doesn't know: an input can't be understood; an output is cleared. */
    for (size_t at = size; at < size + 16; at++) {
        size_t longer = size + 16;
        memset(&any, 0, sizeof any);
        memcpy(&any, &longer, sizeof longer);
        any.bytes[at] = 1;
        if (is_output) {
            check_result(use(store, &any), FIRSTTIME_OK);
            check(any.bytes[at] == 0);
        } else {
            check_argument(use(store, &any));
        }
    }
}

static void flags(firsttime_store *store) {
    for (int bit = 0; bit < 32; bit++) {
        any_struct any;
        memset(&any, 0, sizeof any);
        any.options = (firsttime_options)FIRSTTIME_OPTIONS_INIT;
        any.options.flags = 1u << bit;
        if (bit < 6) check_result(use_options(store, &any), FIRSTTIME_OK);
        else check_argument(use_options(store, &any));

        memset(&any, 0, sizeof any);
        any.policy.size = sizeof any.policy;
        any.policy.flags = 1u << bit | (bit > 1 ? FIRSTTIME_PER_VERSION : 0);
        if (bit > 4) check_argument(use_policy(store, &any));
        else if (bit > 1) check_result(use_policy(store, &any), FIRSTTIME_NOT_DUE);

        memset(&any, 0, sizeof any);
        any.import_options.size = sizeof any.import_options;
        any.import_options.flags = 1u << bit;
        if (bit > 0) check_argument(use_import_options(store, &any));
    }
}

static void options(void) {
    static const char *const app_ids[] = {"",     ".",      "..",     "a/b",    "/",       "a/",     "a\nb",
                                          "\x01", "\x1F",   "tab\t",  "\x7F",   "a\xC2\x80", "\xC2\x9F", "\xFF"};
    firsttime_store *store;
    for (size_t index = 0; index < sizeof app_ids / sizeof *app_ids; index++) {
        firsttime_options options = FIRSTTIME_OPTIONS_INIT;
        options.app_id = app_ids[index];
        check_argument(firsttime_open(&options, &store));
        check(store == NULL);
        options.path = "elsewhere.archive";
        check_argument(firsttime_open(&options, &store));
    }
    static const int weekdays[] = {-1, 8, 100, INT32_MIN, INT32_MAX};
    for (size_t index = 0; index < sizeof weekdays / sizeof *weekdays; index++) {
        firsttime_options options = FIRSTTIME_OPTIONS_INIT;
        options.first_weekday = weekdays[index];
        check_argument(firsttime_open(&options, &store));
    }
    static const int offsets[] = {-1441, 1441, INT32_MIN, INT32_MAX};
    for (size_t index = 0; index < sizeof offsets / sizeof *offsets; index++) {
        firsttime_options options = FIRSTTIME_OPTIONS_INIT;
        options.flags = FIRSTTIME_FIXED_OFFSET;
        options.utc_offset_minutes = offsets[index];
        check_argument(firsttime_open(&options, &store));
    }
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "";
    check_argument(firsttime_open(&options, &store));
    options.path = "x.archive";
    options.app_version = "\xC3";
    check_argument(firsttime_open(&options, &store));
    char *version = calloc(65537, 1);
    memset(version, '1', 65536);
    options.app_version = version;
    check_argument(firsttime_open(&options, &store));
    check_argument(firsttime_open(&options, NULL));

    version[65535] = 0;
    options.first_weekday = 7;
    options.utc_offset_minutes = INT32_MIN; /* not read without its flag */
    options.wait_ms = INT32_MIN;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    free(version);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* `words`: what the failure's text must say. */
static void bad_interval(firsttime_store *store, firsttime_interval interval, const char *words) {
    any_struct any;
    memset(&any, 0, sizeof any);
    any.policy = (firsttime_policy){sizeof any.policy, FIRSTTIME_PER_INTERVAL, interval};
    check_argument(use_policy(store, &any));
    check_mentions(words);
    any.policy.flags |= FIRSTTIME_PER_VERSION;
    check_argument(use_policy(store, &any));
    check_argument(firsttime_execute_once_per_interval(store, "new", interval, must_not_run, must_not_run, NULL));
    check_mentions(words);
    check_argument(firsttime_execute(store, "new", &any.policy, must_not_run, must_not_run, NULL));
    /* Without the flag it isn't read. */
    any.policy.flags = 0;
    check_result(use_policy(store, &any), FIRSTTIME_NOT_DUE);
}

static void intervals(firsttime_store *store) {
    static const double counts[] = {NAN, -NAN, 0.0, -0.0, -1, -5e-324, INFINITY, -INFINITY};
    for (size_t index = 0; index < sizeof counts / sizeof *counts; index++) {
        bad_interval(store, firsttime_days(counts[index]), "");
        for (int unit = FIRSTTIME_SECOND; unit <= FIRSTTIME_YEAR; unit++) {
            bad_interval(store, firsttime_elapsed(counts[index], (firsttime_unit)unit), "");
        }
    }
    static const int unknown[] = {-1, 100, INT32_MIN, INT32_MAX};
    for (size_t index = 0; index < sizeof unknown / sizeof *unknown; index++) {
        bad_interval(store, (firsttime_interval){1, unknown[index], FIRSTTIME_ELAPSED}, "unit");
        bad_interval(store, (firsttime_interval){1, FIRSTTIME_DAY, unknown[index]}, "kind");
        bad_interval(store, firsttime_elapsed(1, (firsttime_unit)unknown[index]), "unit");
    }
    bad_interval(store, (firsttime_interval){1, FIRSTTIME_YEAR + 1, FIRSTTIME_ELAPSED}, "unit");
    bad_interval(store, (firsttime_interval){1, FIRSTTIME_DAY, FIRSTTIME_PERIOD + 1}, "kind");
    for (int unit = FIRSTTIME_SECOND; unit <= FIRSTTIME_YEAR; unit++) {
        bad_interval(store, firsttime_calendar(1.5, (firsttime_unit)unit), "whole");
        bad_interval(store, firsttime_period(0.5, (firsttime_unit)unit), "whole");
        for (size_t index = 0; index < sizeof counts / sizeof *counts; index++) {
            bad_interval(store, firsttime_calendar(counts[index], (firsttime_unit)unit), "count");
            bad_interval(store, firsttime_period(counts[index], (firsttime_unit)unit), "count");
        }
    }
    bad_interval(store, (firsttime_interval){1, FIRSTTIME_YEAR + 1, FIRSTTIME_CALENDAR}, "unit");
    bad_interval(store, (firsttime_interval){1, -1, FIRSTTIME_PERIOD}, "unit");
    bad_interval(store, firsttime_elapsed(1, FIRSTTIME_MONTH), "ELAPSED");
    bad_interval(store, firsttime_elapsed(1, FIRSTTIME_QUARTER), "ELAPSED");
    bad_interval(store, firsttime_elapsed(1, FIRSTTIME_YEAR), "ELAPSED");

    firsttime_interval made = firsttime_elapsed(2.5, FIRSTTIME_WEEK);
    check(made.count == 2.5 && made.unit == FIRSTTIME_WEEK && made.kind == FIRSTTIME_ELAPSED);
    made = firsttime_days(0.5);
    check(made.count == 0.5 && made.unit == FIRSTTIME_DAY && made.kind == FIRSTTIME_ELAPSED);
    made = firsttime_calendar(3, FIRSTTIME_MONTH);
    check(made.count == 3 && made.unit == FIRSTTIME_MONTH && made.kind == FIRSTTIME_CALENDAR);
    made = firsttime_period(4, FIRSTTIME_YEAR);
    check(made.count == 4 && made.unit == FIRSTTIME_YEAR && made.kind == FIRSTTIME_PERIOD);
    check(isnan(firsttime_days(NAN).count));
}

static void import_options(firsttime_store *store) {
    static const int formats[] = {-1, FIRSTTIME_FORMAT_JSON, 6, INT32_MIN, INT32_MAX};
    any_struct any;
    for (size_t index = 0; index < sizeof formats / sizeof *formats; index++) {
        memset(&any, 0, sizeof any);
        any.import_options.size = sizeof any.import_options;
        any.import_options.format = formats[index];
        check_argument(use_import_options(store, &any));
    }
    memset(&any, 0, sizeof any);
    any.import_options.size = sizeof any.import_options;
    any.import_options.interval_count = 1;
    check_argument(use_import_options(store, &any));
    any.import_options.interval_count = SIZE_MAX;
    check_argument(use_import_options(store, &any));
    const char *names[] = {"good", NULL};
    firsttime_interval lengths[] = {FIRSTTIME_DAILY, FIRSTTIME_DAILY};
    any.import_options.interval_names = names;
    any.import_options.intervals = lengths;
    check_argument(use_import_options(store, &any));
    any.import_options.interval_count = 2;
    check_argument(use_import_options(store, &any));
    names[1] = "";
    check_argument(use_import_options(store, &any));
    names[1] = "\xFF";
    check_argument(use_import_options(store, &any));
    names[1] = "good, too";
    lengths[1].count = 0.5;
    check_argument(use_import_options(store, &any));
    lengths[1].count = 1;
    check_result(use_import_options(store, &any), FIRSTTIME_OK);
    any.import_options.interval_names = NULL;
    check_argument(use_import_options(store, &any));
}

int main(void) {
    firsttime_store *store = open_store("store.archive", NULL, 0);
    check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
    uint64_t before = fingerprint(".");
    sizes(store, use_options, sizeof(firsttime_options), false);
    sizes(store, use_policy, sizeof(firsttime_policy), false);
    sizes(store, use_import_options, sizeof(firsttime_import_options), false);
    sizes(store, use_report, sizeof(firsttime_import_report), true);
    sizes(store, use_record, sizeof(firsttime_record), true);
    flags(store);
    options();
    intervals(store);
    import_options(store);
    check(fingerprint(".") == before);
    check(firsttime_count(store, NULL) == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
