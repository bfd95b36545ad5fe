/* Asking: records, in what order, into whose buffers; counts; when a key is due. */
#include "program.h"

static double now;

static void make_records(firsttime_store *store) {
    static const char *const keys[] = {"b", "a.b", "a", "a.", "ab", "a.\xC3\xA9", "a.e\xCC\x81", "\xF0\x9F\x8E\x89", "B"};
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
        check_result(firsttime_mark(store, keys[index]), FIRSTTIME_OK);
    }
}

typedef struct {
    char text[512];
    int shown, stop_after;
    firsttime_store *store;
} list;

static int add_to_list(const firsttime_record *record, void *context) {
    list *this = context;
    check(record->size == sizeof *record && record->key != NULL);
    strcat(this->text, record->key);
    strcat(this->text, " ");
    return ++this->shown == this->stop_after;
}

static int forget_all(const firsttime_record *record, void *context) {
    list *this = context;
    check_result(firsttime_reset(this->store), FIRSTTIME_OK);
    check_result(firsttime_mark(this->store, "zzz"), FIRSTTIME_OK);
    check_result(firsttime_mark(this->store, "a.a"), FIRSTTIME_OK);
    check_result(firsttime_close(this->store), FIRSTTIME_ERROR_REENTRANT);
    return add_to_list(record, context);
}

static void each(firsttime_store *store) {
    list all = {.text = ""};
    check_result(firsttime_each(store, NULL, add_to_list, &all), FIRSTTIME_NO);
    check(strcmp(all.text, "B a a. a.b a.e\xCC\x81 a.\xC3\xA9 ab b \xF0\x9F\x8E\x89 ") == 0);
    check(firsttime_count(store, NULL) == 9 && firsttime_count(store, "") == 9);
    list empty = {.text = ""};
    check_result(firsttime_each(store, "", add_to_list, &empty), FIRSTTIME_NO);
    check(strcmp(all.text, empty.text) == 0);
    list dotted = {.text = ""};
    check_result(firsttime_each(store, "a.", add_to_list, &dotted), FIRSTTIME_NO);
    check(strcmp(dotted.text, "a. a.b a.e\xCC\x81 a.\xC3\xA9 ") == 0);
    check(firsttime_count(store, "a.") == 4);
    list none = {.text = ""};
    check_result(firsttime_each(store, "x", add_to_list, &none), FIRSTTIME_NO);
    check(none.shown == 0 && firsttime_count(store, "x") == 0);
    /* A prefix is bytes, and may end inside a letter. */
    check(firsttime_count(store, "a.\xC3") == 1 && firsttime_count(store, "\xF0\x9F") == 1);
    list two = {.text = "", .stop_after = 2};
    check_result(firsttime_each(store, NULL, add_to_list, &two), FIRSTTIME_YES);
    check(strcmp(two.text, "B a ") == 0);
    list last = {.text = "", .stop_after = 9};
    check_result(firsttime_each(store, NULL, add_to_list, &last), FIRSTTIME_YES);

    list changing = {.text = "", .store = store};
    check_result(firsttime_each(store, NULL, forget_all, &changing), FIRSTTIME_NO);
    check(strcmp(changing.text, all.text) == 0);
    check(firsttime_count(store, NULL) == 2);
}

static int compare(const firsttime_record *record, void *context) {
    const firsttime_record *expected = context;
    check(record->size == sizeof *record);
    check(strcmp(record->key, expected->key) == 0);
    check(expected->last_version ? strcmp(record->last_version, expected->last_version) == 0 : !record->last_version);
    check(expected->first_version ? strcmp(record->first_version, expected->first_version) == 0 : !record->first_version);
    check(record->last_time == expected->last_time && record->first_time == expected->first_time);
    check(record->count == expected->count);
    return 1; /* ignored */
}

static void find_and_read(const char *path) {
    now = start;
    firsttime_store *store = open_store(path, "1.0", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    check_result(firsttime_mark(store, "rec"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store(path, "2.0.1", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    now = start + 5;
    check_result(firsttime_mark(store, "rec"), FIRSTTIME_OK);
    firsttime_record expected = {sizeof expected, "rec", "2.0.1", start + 5, "1.0", start, 2};
    check_result(firsttime_find(store, "rec", compare, &expected), FIRSTTIME_YES);
    check_result(firsttime_find(store, "rec", NULL, NULL), FIRSTTIME_YES);
    check_result(firsttime_find(store, "none", compare, NULL), FIRSTTIME_NO);

    enum { exact = 4 + 6 + 4 };
    char buffer[exact + 1];
    size_t needed = 0;
    firsttime_record record = {.size = sizeof record};
    for (size_t capacity = 0; capacity < exact; capacity++) {
        memset(buffer, 0x5A, sizeof buffer);
        record = (firsttime_record){.size = sizeof record, .key = "x", .last_version = "x", .first_version = "x"};
        check_argument(firsttime_read(store, "rec", &record, capacity ? buffer : NULL, capacity, &needed));
        check(needed == exact);
        check(record.key == NULL && record.last_version == NULL && record.first_version == NULL);
        check(record.last_time == start + 5 && record.first_time == start && record.count == 2);
        for (size_t index = 0; index < sizeof buffer; index++) check(buffer[index] == 0x5A);
    }
    check_result(firsttime_read(store, "rec", &record, buffer, exact, &needed), FIRSTTIME_YES);
    check(needed == exact && buffer[exact] == 0x5A);
    compare(&record, &expected);
    check(record.key >= buffer && record.key < buffer + exact);
    check(record.first_version >= buffer && record.first_version < buffer + exact);
    check_result(firsttime_read(store, "rec", &record, buffer, SIZE_MAX, NULL), FIRSTTIME_YES);
    check_argument(firsttime_read(store, "rec", &record, NULL, exact, &needed));
    check(needed == exact);
    check_result(firsttime_read(store, "none", &record, NULL, 0, &needed), FIRSTTIME_NO);
    check(needed == 0 && record.key == NULL && isnan(record.last_time) && isnan(record.first_time) && record.count == 0);

    /* An older program's record ends earlier. */
    union {
        firsttime_record record;
        unsigned char bytes[sizeof(firsttime_record) + 16];
    } other;
    memset(&other, 0xEE, sizeof other);
    other.record.size = offsetof(firsttime_record, first_version);
    check_result(firsttime_read(store, "rec", &other.record, buffer, exact, &needed), FIRSTTIME_YES);
    check(strcmp(other.record.last_version, "2.0.1") == 0 && other.record.last_time == start + 5);
    for (size_t index = other.record.size; index < sizeof other; index++) check(other.bytes[index] == 0xEE);
    /* A newer one's goes on. */
    other.record.size = sizeof other;
    check_result(firsttime_read(store, "rec", &other.record, buffer, exact, &needed), FIRSTTIME_YES);
    check(other.record.size == sizeof other && other.record.count == 2);
    for (size_t index = sizeof(firsttime_record); index < sizeof other; index++) check(other.bytes[index] == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* A record of YCFirstTime's, which has neither a beginning nor a count. */
static void legacy_record(firsttime_store *store) {
    import_legacy(store, NULL);
    double time = 1;
    check_result(firsttime_last_execution(store, "old", &time), FIRSTTIME_NO);
    check(isnan(time));
    check_result(firsttime_was_executed(store, "old"), FIRSTTIME_YES);
    firsttime_record record = {.size = sizeof record};
    char buffer[4];
    size_t needed;
    check_result(firsttime_read(store, "old", &record, buffer, 4, &needed), FIRSTTIME_YES);
    check(needed == 4 && record.last_version == NULL && record.first_version == NULL && record.count == 0);
    check(isnan(record.last_time) && isnan(record.first_time));
    const firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, firsttime_days(1e9)};
    check_result(firsttime_is_due(store, "old", &policy), FIRSTTIME_YES);
    check_result(firsttime_is_due(store, "old", NULL), FIRSTTIME_NO);
}

static void due(firsttime_store *store) {
    double time = 0;
    now = start;
    check_result(firsttime_is_due(store, "due", NULL), FIRSTTIME_YES);
    check_result(firsttime_next_due(store, "due", NULL, &time), FIRSTTIME_YES);
    check(time == now);
    check_result(firsttime_mark(store, "due"), FIRSTTIME_OK);
    check_result(firsttime_is_due(store, "due", NULL), FIRSTTIME_NO);
    check_result(firsttime_next_due(store, "due", NULL, &time), FIRSTTIME_NO);
    check(time == INFINITY);
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_PER_VERSION};
    check_result(firsttime_next_due(store, "due", &policy, &time), FIRSTTIME_NO);
    check(time == INFINITY);
    policy.flags = FIRSTTIME_PER_INTERVAL;
    policy.interval = firsttime_elapsed(90, FIRSTTIME_MINUTE);
    check_result(firsttime_next_due(store, "due", &policy, &time), FIRSTTIME_NO);
    check(time == start + 5400);
}

int main(void) {
    now = start;
    firsttime_store *store = open_store("store.archive", NULL, 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    /* Questions alone make no file. */
    check_result(firsttime_was_executed(store, "a"), FIRSTTIME_NO);
    check(firsttime_count(store, NULL) == 0);
    check(access("store.archive", F_OK) != 0 && access("store.archive-lock", F_OK) != 0);
    make_records(store);
    each(store);
    legacy_record(store);
    due(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    find_and_read("read.archive");
    return 0;
}
