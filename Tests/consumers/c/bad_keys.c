/* NULL stores and keys that are none, in every function: FIRSTTIME_ERROR_ARGUMENT, nothing runs, nothing changes. */
#include "program.h"

typedef firsttime_result function(firsttime_store *store, const char *key);

static int no_record(const firsttime_record *record, void *context) {
    (void)record, (void)context;
    check(!"a visitor was called");
    return 0;
}

static firsttime_result execute_once(firsttime_store *store, const char *key) {
    return firsttime_execute_once(store, key, must_not_run, must_not_run, NULL);
}
static firsttime_result per_version(firsttime_store *store, const char *key) {
    return firsttime_execute_once_per_version(store, key, must_not_run, must_not_run, NULL);
}
static firsttime_result per_interval(firsttime_store *store, const char *key) {
    return firsttime_execute_once_per_interval(store, key, firsttime_days(1), must_not_run, must_not_run, NULL);
}
static firsttime_result execute(firsttime_store *store, const char *key) {
    return firsttime_execute(store, key, NULL, must_not_run, must_not_run, NULL);
}
static firsttime_result is_due(firsttime_store *store, const char *key) { return firsttime_is_due(store, key, NULL); }
static firsttime_result next_due(firsttime_store *store, const char *key) {
    double time = 1;
    firsttime_result result = firsttime_next_due(store, key, NULL, &time);
    check(result >= 0 || isnan(time));
    return result;
}
static firsttime_result last_execution(firsttime_store *store, const char *key) {
    double time = 1;
    firsttime_result result = firsttime_last_execution(store, key, &time);
    check(result == FIRSTTIME_YES || isnan(time));
    return result;
}
static firsttime_result find(firsttime_store *store, const char *key) {
    return firsttime_find(store, key, no_record, NULL);
}
static firsttime_result read_record(firsttime_store *store, const char *key) {
    firsttime_record record = {.size = sizeof record, .key = "x", .last_version = "x", .last_time = 1, .count = 1};
    size_t needed = 1;
    char buffer[8];
    firsttime_result result = firsttime_read(store, key, &record, buffer, sizeof buffer, &needed);
    check(record.size == sizeof record && record.key == NULL && record.last_version == NULL);
    check(record.first_version == NULL && isnan(record.last_time) && isnan(record.first_time) && record.count == 0);
    check(needed == 0);
    return result;
}

static function *const functions[] = {
    execute_once, per_version, per_interval, execute, firsttime_was_executed, is_due, next_due,
    last_execution, find, read_record, firsttime_mark, firsttime_reset_key,
};
enum { function_count = sizeof functions / sizeof *functions };

static char *long_key(size_t length) {
    char *key = malloc(length + 1);
    check(key != NULL);
    memset(key, 'k', length);
    key[length] = 0;
    return key;
}

static void keys(firsttime_store *store) {
    static const char *const bad[] = {
        NULL,
        "",
        "\xC0\x80",         /* overlong */
        "\xC1\xBF",         /* overlong */
        "\xE0\x80\xAF",     /* overlong */
        "\xE0\x9F\xBF",     /* overlong */
        "\xF0\x80\x80\xAF", /* overlong */
        "\xF0\x8F\xBF\xBF", /* overlong */
        "\xED\xA0\x80",     /* a surrogate */
        "\xED\xBF\xBF",     /* a surrogate */
        "\xED\xA0\xBD\xED\xB8\x80", /* a pair of them */
        "\xF4\x90\x80\x80", /* above U+10FFFF */
        "\xF5\x80\x80\x80",
        "\xF8\x88\x80\x80\x80",
        "a\xC3", /* cut short */
        "\xE2\x82",
        "\xF0\x9F\x98",
        "\xE2\x82z",
        "\x80", /* without a beginning */
        "ok\xBF",
        "\xFF",
        "\xFE\xFF",
    };
    char *longer[] = {long_key(65536), long_key(70000)};
    for (int index = 0; index < function_count; index++) {
        for (size_t key = 0; key < sizeof bad / sizeof *bad; key++) check_argument(functions[index](store, bad[key]));
        for (int key = 0; key < 2; key++) check_argument(functions[index](store, longer[key]));
        check_argument(functions[index](NULL, "key"));
        check_argument(functions[index](NULL, NULL));
    }
    free(longer[0]);
    free(longer[1]);
}

static int releases = 0;
static void release(void *context) {
    check(context == &releases);
    releases++;
}
static double no_clock(void *context) {
    (void)context;
    check(!"the clock was asked");
    return 0;
}
static const char *no_version(void *context) {
    (void)context;
    check(!"the version was asked for");
    return NULL;
}

static void other_arguments(firsttime_store *store) {
    check_argument(firsttime_flush(NULL));
    check_argument(firsttime_each(NULL, NULL, no_record, NULL));
    check_argument(firsttime_each(store, NULL, NULL, NULL));
    check_argument(firsttime_reset_prefix(NULL, "a"));
    check_argument(firsttime_reset_prefix(store, NULL));
    check_argument(firsttime_reset_prefix(store, ""));
    check_argument(firsttime_reset(NULL));
    check_argument((firsttime_result)firsttime_count(NULL, NULL));
    check_argument((firsttime_result)firsttime_count(NULL, "a"));
    check_argument(firsttime_next_due(store, "key", NULL, NULL));
    check_argument(firsttime_last_execution(store, "key", NULL));
    size_t needed = 1;
    check_argument(firsttime_read(store, "key", NULL, NULL, 0, &needed));
    check(needed == 0);
    check_argument(firsttime_import(NULL, "file", NULL, NULL));
    check_argument(firsttime_import(store, NULL, NULL, NULL));
    check_argument(firsttime_import(store, "", NULL, NULL));
    check_argument(firsttime_import_bytes(NULL, "x", 1, NULL, NULL));
    check_argument(firsttime_import_bytes(store, NULL, 1, NULL, NULL));
    check_argument(firsttime_import_bytes(store, NULL, SIZE_MAX, NULL, NULL));
    check_argument(firsttime_import_bytes(store, "x", SIZE_MAX, NULL, NULL));
    check_argument(firsttime_open(NULL, NULL));

    check(firsttime_path(NULL) == NULL);
    check_text();
    check_result(firsttime_close(NULL), FIRSTTIME_OK);
    firsttime_set_clock(NULL, no_clock, &releases, release);
    check(releases == 1);
    firsttime_set_version_provider(NULL, no_version, &releases, release);
    check(releases == 2);
    firsttime_set_clock(NULL, NULL, &releases, release);
    firsttime_set_version_provider(NULL, NULL, &releases, release);
    check(releases == 4);
    firsttime_set_clock(NULL, no_clock, NULL, NULL);
}

/* The longest key there is works everywhere. */
static void longest(firsttime_store *store) {
    char *key = long_key(65535);
    int runs = 0;
    check_result(firsttime_execute_once(store, key, count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once(store, key, count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check_result(firsttime_was_executed(store, key), FIRSTTIME_YES);
    check(firsttime_count(store, key) == 1);
    check_result(firsttime_find(store, key, NULL, NULL), FIRSTTIME_YES);
    firsttime_record record = {.size = sizeof record};
    char *buffer = malloc(65536);
    size_t needed = 0;
    check_result(firsttime_read(store, key, &record, buffer, 65536, &needed), FIRSTTIME_YES);
    check(needed == 65536 && strcmp(record.key, key) == 0);
    free(buffer);
    check_result(firsttime_reset_key(store, key), FIRSTTIME_YES);
    key[65534] = 0;
    check_result(firsttime_was_executed(store, key), FIRSTTIME_NO);
    free(key);
    /* What may look odd but is a key like any other. */
    static const char *const odd[] = {"$null", " ", "\n", "\x01", "a/b", "..", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF", "\x7F"};
    for (size_t index = 0; index < sizeof odd / sizeof *odd; index++) {
        check_result(firsttime_execute_once(store, odd[index], count_up, NULL, &runs), FIRSTTIME_RAN);
    }
    firsttime_store *again = open_store("store.archive", NULL, 0);
    for (size_t index = 0; index < sizeof odd / sizeof *odd; index++) {
        check_result(firsttime_was_executed(again, odd[index]), FIRSTTIME_YES);
    }
    check_result(firsttime_close(again), FIRSTTIME_OK);
}

int main(void) {
    firsttime_store *store = open_store("store.archive", NULL, 0);
    check_result(firsttime_mark(store, "known"), FIRSTTIME_OK);
    firsttime_set_clock(store, no_clock, NULL, NULL);
    firsttime_set_version_provider(store, no_version, NULL, NULL);
    uint64_t before = fingerprint(".");
    keys(store);
    other_arguments(store);
    check(fingerprint(".") == before);
    check(firsttime_count(store, NULL) == 1);
    firsttime_set_clock(store, NULL, NULL, NULL);
    firsttime_set_version_provider(store, NULL, NULL, NULL);
    longest(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
