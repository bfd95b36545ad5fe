/* Events: donations are counted, kept, shown and forgotten; wrong arguments and stores that can't be written. */
#include "program.h"

#include <stdlib.h>

typedef struct found {
    int calls;
    uint64_t count;
    double first_time, last_time;
    char first_version[32], last_version[32], names[256];
} found;

static int look(const firsttime_donations *donations, void *context) {
    found *found = context;
    check(donations->size == sizeof *donations && donations->event != NULL);
    found->calls++;
    found->count = donations->count;
    found->first_time = donations->first_time;
    found->last_time = donations->last_time;
    snprintf(found->first_version, sizeof found->first_version, "%s", donations->first_version ? donations->first_version : "-");
    snprintf(found->last_version, sizeof found->last_version, "%s", donations->last_version ? donations->last_version : "-");
    strncat(found->names, donations->event, sizeof found->names - strlen(found->names) - 1);
    strncat(found->names, " ", sizeof found->names - strlen(found->names) - 1);
    return 0;
}

static int look_once(const firsttime_donations *donations, void *context) {
    look(donations, context);
    return 1;
}

static found find(firsttime_store *store, const char *event) {
    found found = {0};
    firsttime_result result = firsttime_find_donations(store, event, look, &found);
    check(result == (found.calls == 1 ? FIRSTTIME_YES : FIRSTTIME_NO));
    return found;
}

static void counting(void) {
    double now = start;
    firsttime_store *store = open_store("events.archive", "1.0", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    check(find(store, "open").calls == 0);
    check_result(firsttime_donate(store, "open"), FIRSTTIME_OK);
    now += 60;
    check_result(firsttime_donate(store, "open"), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "\xC3\xA9v\xC3\xA9nement"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    /* Another version goes on. */
    store = open_store("events.archive", "2.0", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    now += 60;
    check_result(firsttime_donate(store, "open"), FIRSTTIME_OK);
    found open = find(store, "open");
    check(open.count == 3 && open.first_time == start && open.last_time == start + 120);
    check(strcmp(open.first_version, "1.0") == 0 && strcmp(open.last_version, "2.0") == 0);

    /* All of them, in order; stopped after one; without a visitor. */
    check_result(firsttime_donate(store, "a"), FIRSTTIME_OK);
    found all = {0};
    check_result(firsttime_each_donations(store, look, &all), FIRSTTIME_NO);
    check(strcmp(all.names, "a open \xC3\xA9v\xC3\xA9nement ") == 0);
    found first = {0};
    check_result(firsttime_each_donations(store, look_once, &first), FIRSTTIME_YES);
    check(first.calls == 1);
    check_result(firsttime_find_donations(store, "open", NULL, NULL), FIRSTTIME_YES);

    /* Keys don't share names with events, and resetting one leaves the other. */
    check_result(firsttime_was_executed(store, "open"), FIRSTTIME_NO);
    check_result(firsttime_mark(store, "open"), FIRSTTIME_OK);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    check(find(store, "open").count == 3);
    check_result(firsttime_reset_donations(store, "open"), FIRSTTIME_OK);
    check_result(firsttime_reset_donations(store, "open"), FIRSTTIME_OK);
    check(find(store, "open").calls == 0 && find(store, "a").count == 1);
    check_result(firsttime_reset_donations(store, NULL), FIRSTTIME_OK);
    check(find(store, "a").calls == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void arguments(void) {
    char long_name[65537];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[65536] = 0;
    firsttime_store *store = open_store("arguments.archive", NULL, 0);
    const char *bad[] = {NULL, "", "\xFF", "a\xED\xA0\x80", long_name};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        check_argument(firsttime_donate(store, bad[index]));
        check_argument(firsttime_find_donations(store, bad[index], look, NULL));
        if (bad[index]) check_argument(firsttime_reset_donations(store, bad[index]));
    }
    check_argument(firsttime_each_donations(store, NULL, NULL));
    check_argument(firsttime_donate(NULL, "x"));
    check_argument(firsttime_find_donations(NULL, "x", NULL, NULL));
    check_argument(firsttime_each_donations(NULL, look, NULL));
    check_argument(firsttime_reset_donations(NULL, NULL));
    check(access("arguments.archive-journal", F_OK) != 0);
    long_name[65535] = 0;
    check_result(firsttime_donate(store, long_name), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void unwritable(void) {
    firsttime_store *store = open_store("read.archive", "1", 0);
    check_result(firsttime_donate(store, "x"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_with("read.archive", FIRSTTIME_READ_ONLY);
    check_result(firsttime_donate(store, "x"), FIRSTTIME_ERROR_READ_ONLY);
    check_mentions("read.archive");
    check_result(firsttime_reset_donations(store, "x"), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_reset_donations(store, "y"), FIRSTTIME_OK);
    check(find(store, "x").count == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_with(NULL, FIRSTTIME_IN_MEMORY);
    for (int count = 0; count < 5; count++) check_result(firsttime_donate(store, "x"), FIRSTTIME_OK);
    check(find(store, "x").count == 5);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(void) {
    counting();
    arguments();
    unwritable();
    return 0;
}
