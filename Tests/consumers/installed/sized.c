/* A program that was compiled against an older, a newer, or the same version of the header as the library's
 * (sized_header.py); -DNEWER: the newer. It uses members only that all of them have. Prints the sizes of its structs. */
#include <firsttime.h>

#include <string.h>

#include "../check.h"

static int count_up(void *context) {
    ++*(int *)context;
    return 0;
}

static int see(const firsttime_record *record, void *context) {
    /* A visitor's record is the library's: it says how much of it there is. */
    check(record->size >= sizeof(size_t) && record->size % 8 == 0);
    check(strcmp(record->key, "sized") == 0);
    ++*(int *)context;
    return 0;
}

/* Bytes behind a struct of ours that the library must leave alone. */
#define GUARDED(type)                                                                                                  \
    struct {                                                                                                           \
        type value;                                                                                                    \
        unsigned char guard[64];                                                                                       \
    }
#define check_guard(guarded)                                                                                           \
    for (size_t at = 0; at < sizeof guarded.guard; at++) check(guarded.guard[at] == 0xA5)

int main(int count, char **arguments) {
    check(count == 2);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = arguments[1];
    options.app_version = "1.0";
    firsttime_store *store;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);

    int runs = 0, seen = 0;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_PER_VERSION};
    firsttime_result result = firsttime_execute(store, "sized", &policy, count_up, NULL, &runs);
    check(result == (runs == 1 ? FIRSTTIME_RAN : FIRSTTIME_NOT_DUE));
    check_result(firsttime_find(store, "sized", see, &seen), FIRSTTIME_YES);
    check(seen == 1);

    GUARDED(firsttime_record) record;
    memset(&record, 0xA5, sizeof record);
    record.value.size = sizeof record.value;
    char buffer[64];
    size_t needed;
    check_result(firsttime_read(store, "sized", &record.value, buffer, sizeof buffer, &needed), FIRSTTIME_YES);
    check(record.value.size == sizeof record.value);
    check(strcmp(record.value.key, "sized") == 0 && strcmp(record.value.last_version, "1.0") == 0);
    check_guard(record);

    GUARDED(firsttime_import_report) report;
    memset(&report, 0xA5, sizeof report);
    report.value.size = sizeof report.value;
    firsttime_import_options import_options = {.size = sizeof import_options, .format = 0};
    check(firsttime_import_bytes(store, "no archive", 10, &import_options, &report.value) < 0);
    check(report.value.size == sizeof report.value && report.value.records_added == 0);
    check_guard(report);

#ifdef NEWER
    /* What this library doesn't know must not be asked of it in silence. */
    check(record.value.added_later == 0 && record.value.and_this == NULL);
    options.added_later = 1;
    firsttime_store *refused;
    check_result(firsttime_open(&options, &refused), FIRSTTIME_ERROR_ARGUMENT);
    policy.and_this = "more";
    check_result(firsttime_is_due(store, "sized", &policy), FIRSTTIME_ERROR_ARGUMENT);
#endif
    check_result(firsttime_close(store), FIRSTTIME_OK);
    printf("%zu %zu %zu %zu %zu, %d\n", sizeof options, sizeof policy, sizeof record.value, sizeof import_options,
           sizeof report.value, runs);
    return 0;
}
