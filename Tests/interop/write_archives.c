/* Writes archives through the public C functions, and beside each the records a reader must find in it.
 * usage: write_archives DIRECTORY [--long]     makes NAME.archive and NAME.json, one pair for each table below
 * Times are chosen so that seconds since 1970 and since 2001 are both exact. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <firsttime.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../consumers/check.h"

typedef struct entry {
    const char *key;
    const char *version; /* NULL: none */
    double time;         /* seconds since 1970 */
} entry;

static const double reference_date = 978307200; /* 2001-01-01 in seconds since 1970 */

static double clock_now(void *context) { return ((const entry *)context)->time; }
static const char *current_version(void *context) { return ((const entry *)context)->version; }
static int nothing(void *context) {
    (void)context;
    return 0;
}

/* ---- the expected records ---- */

/* Writes UTF-8 as it is; only what JSON can't hold is escaped. */
static void write_json_text(FILE *file, const char *text) {
    putc('"', file);
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
        if (*byte < 0x20 || *byte == '"' || *byte == '\\') {
            fprintf(file, "\\u%04x", *byte);
        } else {
            putc(*byte, file);
        }
    }
    putc('"', file);
}

static void write_json(const char *path, const entry *entries, size_t count) {
    FILE *file = fopen(path, "w");
    check(file != NULL);
    putc('{', file);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_json_text(file, entries[i].key);
        fputs(": {\"lastVersion\": ", file);
        if (entries[i].version) {
            write_json_text(file, entries[i].version);
        } else {
            fputs("null", file);
        }
        fprintf(file, ", \"lastTime\": %.17g}", entries[i].time - reference_date);
    }
    fputs("\n}\n", file);
    check(fclose(file) == 0);
}

/* ---- the archives ---- */

static void write_uids(FILE *file, const char *key, size_t first, size_t step, size_t count) {
    fprintf(file, "<key>%s</key><array>", key);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "<dict><key>CF$UID</key><integer>%zu</integer></dict>", first + i * step);
    fputs("</array>", file);
}

/* An object's coder key whose value is the object with that UID. */
static void write_uid(FILE *file, const char *key, size_t uid) {
    fprintf(file, "<key>%s</key><dict><key>CF$UID</key><integer>%zu</integer></dict>", key, uid);
}

/* Imports entries, whose texts need no escapes, as the keyed archive in XML that YCFirstTime would have made. */
static void import(firsttime_store *store, const entry *entries, size_t count) {
    enum { root = 1, group, group_key, dictionary, record, date, first }; /* UIDs; four objects for each entry follow */
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    check(file != NULL);
    fputs("<plist version=\"1.0\"><dict><key>$version</key><integer>100000</integer><key>$archiver</key>"
          "<string>NSKeyedArchiver</string><key>$top</key><dict>", file);
    write_uid(file, "root", root);
    fputs("</dict><key>$objects</key><array><string>$null</string><dict>", file);
    write_uids(file, "NS.keys", group_key, 1, 1);
    write_uids(file, "NS.objects", group, 1, 1);
    write_uid(file, "$class", dictionary);
    fputs("</dict><dict>", file);
    write_uids(file, "NS.keys", first, 4, count);
    write_uids(file, "NS.objects", first + 1, 4, count);
    write_uid(file, "$class", dictionary);
    fputs("</dict><string>sharedGroup</string>", file);
    static const char *const classes[] = {"NSMutableDictionary", "YCFirstTimeObject", "NSDate"};
    for (size_t i = 0; i < 3; i++) fprintf(file, "<dict><key>$classname</key><string>%s</string></dict>", classes[i]);
    for (size_t i = 0; i < count; i++) {
        const size_t uid = first + 4 * i;
        fprintf(file, "<string>%s</string><dict>", entries[i].key);
        write_uid(file, "lastVersion", entries[i].version ? uid + 2 : 0);
        write_uid(file, "lastTime", uid + 3);
        write_uid(file, "$class", record);
        fprintf(file, "</dict><string>%s</string><dict><key>NS.time</key><real>%.17g</real>",
                entries[i].version ? entries[i].version : "", entries[i].time - reference_date);
        write_uid(file, "$class", date);
        fputs("</dict>", file);
    }
    fputs("</array></dict></plist>", file);
    check(fclose(file) == 0);
    firsttime_import_report report = {.size = sizeof report};
    check_result(firsttime_import_bytes(store, text, length, NULL, &report), FIRSTTIME_OK);
    check(report.records_added == count && report.skipped == 0);
    free(text);
}

static void make(const char *directory, const char *name, const entry *entries, size_t count) {
    char path[4096];
    check((size_t)snprintf(path, sizeof path, "%s/%s.archive", directory, name) < sizeof path);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    entry now = {NULL, NULL, 0};
    firsttime_set_clock(store, clock_now, &now, NULL);
    firsttime_set_version_provider(store, current_version, &now, NULL);
    /* All but the last few come in at once: each commit of one rewrites the whole file. */
    size_t recorded = 0;
    if (count > 100) {
        recorded = count - 10;
        import(store, entries, recorded);
    }
    for (size_t i = recorded; i < count; i++) {
        now = entries[i];
        if (i % 2) {
            check_result(firsttime_mark(store, now.key), FIRSTTIME_OK);
        } else {
            check_result(firsttime_execute_once(store, now.key, nothing, NULL, NULL), FIRSTTIME_RAN);
        }
    }
    if (count == 0) { /* an archive that has been emptied: one that never held anything has no file */
        check_result(firsttime_mark(store, "forgotten"), FIRSTTIME_OK);
        check_result(firsttime_reset_key(store, "forgotten"), FIRSTTIME_YES);
    }
    check(firsttime_count(store, NULL) == (int64_t)count);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    check((size_t)snprintf(path, sizeof path, "%s/%s.json", directory, name) < sizeof path);
    write_json(path, entries, count);
}

/* What a crash leaves of AT_MOST_ONCE: records with a dictionary `started`, of a key's first run and of its second. */
static void make_started(const char *directory) {
    static const entry entries[] = {{"first", "1.0", 1700000000.25}, {"second", "1.1", 1700000001}};
    char path[4096];
    check((size_t)snprintf(path, sizeof path, "%s/started.archive", directory) < sizeof path);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_AT_MOST_ONCE | FIRSTTIME_PER_VERSION};
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    entry now = {NULL, "1.0", 1600000000.5};
    firsttime_set_clock(store, clock_now, &now, NULL);
    firsttime_set_version_provider(store, current_version, &now, NULL);
    check_result(firsttime_mark(store, "second"), FIRSTTIME_OK);
    firsttime_claim *claims[2];
    for (size_t i = 0; i < 2; i++) {
        now = entries[i];
        check_result(firsttime_begin(store, now.key, &policy, &claims[i]), FIRSTTIME_DUE);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
    for (size_t i = 0; i < 2; i++) firsttime_abandon(claims[i]);
    check((size_t)snprintf(path, sizeof path, "%s/started.json", directory) < sizeof path);
    write_json(path, entries, 2);
}

#define MAKE(directory, name, entries) make(directory, name, entries, sizeof(entries) / sizeof *(entries))

static void make_many(const char *directory, const char *name, size_t count) {
    entry *entries = calloc(count, sizeof *entries);
    char(*keys)[32] = calloc(count, sizeof *keys);
    static const char *const versions[] = {"1.0", "1.1", NULL, "2.0-\xce\xb2"};
    check(entries != NULL && keys != NULL);
    for (size_t i = 0; i < count; i++) {
        snprintf(keys[i], sizeof keys[i], "feature.%04zu", i);
        entries[i] = (entry){keys[i], versions[i % 4], 1700000000.0 + (double)i / 8};
    }
    make(directory, name, entries, count);
    free(entries);
    free(keys);
}

#define T20 "tttttttttttttttttttt"

int main(int argc, char **argv) {
    const bool is_long = argc == 3 && strcmp(argv[2], "--long") == 0;
    check(argc == 2 || is_long);
    const char *directory = argv[1];

    static const entry single[] = {{"onboarding", "1.0", 1700000000.25}};
    MAKE(directory, "single", single);

    static const entry nil_version[] = {{"setup", NULL, 1700000000}, {"other", "1.0", 1700000001}};
    MAKE(directory, "nil_version", nil_version);

    static const entry times[] = {
        {"now", "1", 1700000000.125},        {"fraction", "1", 978307200.0 + 1.0 / 1048576},
        {"reference", "1", 978307200},       {"before reference", "1", 978307199.5},
        {"unix epoch", "1", 0},              {"before 1970", "1", -1.5},
        {"year 1900", "1", -2208988800.0},   {"year 9000", "1", 221845392000.75},
        {"far", "1", 978307200.0 + 1e12},    {"quarter", "1", 1700000000.25},
    };
    MAKE(directory, "times", times);

    static const entry odd_keys[] = {
        {" ", "1.0", 1700000001},
        {"two words ", "1.0", 1700000002},
        {"a.b.c", "1.0", 1700000003},
        {"\"quotes\" 'single' <&> \\", "1.0 \"beta\"", 1700000004},
        {"tab\tand\nnewline", "1.0", 1700000005},
        {"\xf0\x9f\x8e\x89", "\xf0\x9f\x9a\x80", 1700000006},
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 family", "1.0", 1700000007},
        {"k\xc3\xa9y", "1.0", 1700000008},
        {"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "1.0", 1700000009},
        {"Key", "1", 1700000010},
        {"key", "2", 1700000011},
        {"KEY", "", 1700000012},
        {"$class", "$class", 1700000013},
        {"$objects", "1.0", 1700000014},
        {"CF$UID", "1.0", 1700000015},
        {"NS.keys", "1.0", 1700000016},
        {"sharedGroup", "sharedGroup", 1700000017},
        {"YCFirstTimeObject", "NSDate", 1700000018},
        {"0", "0", 1700000019},
        {"fourteen chars", "1.0", 1700000020},
        {"fifteen of them", "1.0", 1700000021},
        {T20 T20 T20 T20 T20 T20 T20 T20 T20 T20 T20 T20 T20 T20 T20, "1.0", 1700000022},
    };
    MAKE(directory, "odd_keys", odd_keys);

    static const entry version_equals_key[] = {
        {"1.0", "1.0", 1700000001}, {"onboarding", "1.0", 1700000002}, {"1.1", "onboarding", 1700000003}};
    MAKE(directory, "version_equals_key", version_equals_key);

    /* Decoders take an inline "$null" for nil, so these texts need another spelling in the file. */
    static const entry dollar_null_key[] = {{"$null", "1.0", 1700000001}, {"normal", "2.0", 1700000002}};
    MAKE(directory, "dollar_null_key", dollar_null_key);
    static const entry dollar_null_version[] = {{"setup", "$null", 1700000001}, {"normal", "2.0", 1700000002}};
    MAKE(directory, "dollar_null_version", dollar_null_version);

    static const entry normalization_pair[] = {
        {"caf\xc3\xa9", "1.0", 1700000001}, {"cafe\xcc\x81", "1.1", 1700000002}};
    MAKE(directory, "normalization_pair", normalization_pair);

    make_started(directory);
    make_many(directory, "keys_300", 300);
    make_many(directory, "keys_3000", 3000);
    make(directory, "empty", NULL, 0);
    if (is_long) {
        /* Below and above the 65,536 objects from which on UIDs are wider than 2 bytes. */
        make_many(directory, "keys_21000", 21000);
        make_many(directory, "keys_33000", 33000);
    }
    return 0;
}
