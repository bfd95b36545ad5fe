/* An archive that another program changes and saves: its change counts, and every other record stays.
 * usage: change_elsewhere CHANGE     CHANGE FILE KEY VERSION TIME changes one record (gnustep/change.m), in an empty
 * directory */
#define _GNU_SOURCE /* asprintf */
#include <firsttime.h>
#include <stdbool.h>
#include <string.h>

#include "../consumers/check.h"

static const char *const keys[] = {"onboarding.v1", "prompt.rating", "cl\303\251", "\360\237\232\200", "whats-new"};
enum { key_count = sizeof keys / sizeof *keys };
static const double first_time = 1700000000.25;

static double now;
static double clock_now(void *context) { return *(double *)context; }

static firsttime_store *open_archive(void) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "changed.archive";
    options.app_version = "1.0";
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    firsttime_set_clock(store, clock_now, &now, NULL);
    return store;
}

/* A record of the time that stands for key number `index`. */
typedef struct expectation {
    const char *version;
    double time;
    bool seen;
} expectation;

static int look(const firsttime_record *record, void *context) {
    expectation *expected = context;
    check(strcmp(record->last_version, expected->version) == 0);
    check(record->last_time == expected->time);
    expected->seen = true;
    return 0;
}

/* All keys have what they were made with, but `changed` has what another program gave it. */
static void check_records(firsttime_store *store, const char *changed, double time) {
    check(firsttime_count(store, NULL) == key_count);
    for (int index = 0; index < key_count; index++) {
        expectation expected = {"1.0", first_time + index, false};
        if (strcmp(keys[index], changed) == 0) expected = (expectation){"2.0", time, false};
        check_result(firsttime_find(store, keys[index], look, &expected), FIRSTTIME_YES);
        check(expected.seen);
    }
}

static void change(const char *program, const char *key, double time) {
    char *command = NULL;
    check(asprintf(&command, "'%s' changed.archive '%s' 2.0 %.17g", program, key, time) > 0);
    check(system(command) == 0);
    free(command);
}

int main(int argc, char **argv) {
    check(argc == 2);
    firsttime_store *store = open_archive();
    for (int index = 0; index < key_count; index++) {
        now = first_time + index;
        check_result(firsttime_mark(store, keys[index]), FIRSTTIME_OK);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);

    /* While no program has it open. */
    change(argv[1], "prompt.rating", first_time + 1000);
    store = open_archive();
    check_records(store, "prompt.rating", first_time + 1000);

    /* While it is open: what may run or record sees it at once. */
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    change(argv[1], "prompt.rating", first_time + 2000);
    now = first_time + 2001;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_PER_INTERVAL};
    policy.interval = firsttime_elapsed(1000, FIRSTTIME_SECOND);
    firsttime_claim *claim = NULL;
    check_result(firsttime_begin(store, "prompt.rating", &policy, &claim), FIRSTTIME_NOT_DUE);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_archive();
    check_records(store, "prompt.rating", first_time + 2000);

    /* And on: a version that another program recorded decides. */
    policy.flags = FIRSTTIME_PER_VERSION;
    check_result(firsttime_is_due(store, "prompt.rating", &policy), FIRSTTIME_YES);
    check_result(firsttime_is_due(store, "onboarding.v1", &policy), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
