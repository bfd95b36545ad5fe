/* due: what firsttime_is_due() costs with each kind of interval, at 1,000 keys, beside the fixed lengths and beside
 * firsttime_was_executed(). Prints nanoseconds a call, the best of several rounds. Measures, and judges nothing. */
#define _GNU_SOURCE
#include "alone.h"

enum { keys = 1000, calls = 200000, rounds = 7 };

static char names[keys][24];

/* Nanoseconds a call. NULL: whether the keys were executed. */
static double measure(firsttime_store *store, const firsttime_policy *policy) {
    double best = 1e9;
    for (int round = 0; round < rounds; round++) {
        double start = seconds();
        for (int call = 0; call < calls; call++) {
            const char *name = names[call % keys];
            check(policy ? firsttime_is_due(store, name, policy) : firsttime_was_executed(store, name));
        }
        double time = (seconds() - start) / calls * 1e9;
        if (time < best) best = time;
    }
    return best;
}

int main(void) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "due.archive";
    options.flags = FIRSTTIME_RELAXED;
    firsttime_store *store;
    check(firsttime_open(&options, &store));
    for (int key = 0; key < keys; key++) {
        snprintf(names[key], sizeof names[key], "benchmark.%04d", key);
        check(firsttime_mark(store, names[key]));
    }
    static const struct { const char *name; firsttime_unit unit; } units[] = {
        {"second", FIRSTTIME_SECOND}, {"minute", FIRSTTIME_MINUTE}, {"hour", FIRSTTIME_HOUR},
        {"day", FIRSTTIME_DAY}, {"week", FIRSTTIME_WEEK}, {"month", FIRSTTIME_MONTH},
        {"quarter", FIRSTTIME_QUARTER}, {"year", FIRSTTIME_YEAR},
    };
    const char *zone = getenv("TZ");
    printf("is_due at %d keys, TZ %s: ns a call\n", keys, zone ? zone : "unset");
    printf("  %-14s %8.0f\n", "was_executed", measure(store, NULL));
    firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, firsttime_days(1)};
    printf("  %-14s %8.0f\n", "ELAPSED day", measure(store, &policy));
    printf("  %-14s %8s %8s\n", "1 of", "CALENDAR", "PERIOD");
    for (size_t index = 0; index < sizeof units / sizeof *units; index++) {
        policy.interval = firsttime_calendar(1, units[index].unit);
        double calendar = measure(store, &policy);
        policy.interval = firsttime_period(1, units[index].unit);
        printf("  %-14s %8.0f %8.0f\n", units[index].name, calendar, measure(store, &policy));
    }
    return check(firsttime_close(store));
}
