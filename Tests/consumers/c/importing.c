/* Taking in old files: FT_IMPORT is the directory of Tests/Fixtures/import; FT_LEGACY, when set, one with many more. */
#include "program.h"

static const double epoch = 978307200;
static const char *directory;

static const char *fixture(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static firsttime_store *fresh(void) {
    unlink("store.archive");
    unlink("store.archive-journal");
    return open_store("store.archive", "9", 0);
}

static void check_report(const firsttime_import_report *report, int added, int updated, int kept, int skipped, int format) {
    check(report->size == sizeof *report);
    check(report->records_added == (uint64_t)added && report->records_updated == (uint64_t)updated);
    check(report->records_kept == (uint64_t)kept && report->skipped == (uint64_t)skipped);
    check(report->events_added == 0 && report->events_updated == 0 && report->events_kept == 0);
    check(report->format == format);
}

static void check_three(firsttime_store *store) {
    static const struct {
        const char *key, *version;
        double time;
    } table[] = {{"onboarding", "1.0", 700000000.125}, {"rate.prompt", "1.2.3", 701000000.5}, {"whats-new", "2.1.0", 702000000.75}};
    check(firsttime_count(store, NULL) == 3);
    for (int index = 0; index < 3; index++) {
        firsttime_record record = {.size = sizeof record};
        char buffer[64];
        check_result(firsttime_read(store, table[index].key, &record, buffer, sizeof buffer, NULL), FIRSTTIME_YES);
        check(strcmp(record.last_version, table[index].version) == 0 && record.last_time == table[index].time + epoch);
        check(record.first_version == NULL && isnan(record.first_time) && record.count == 0);
    }
}

static void formats(void) {
    static const struct {
        const char *file;
        int format;
    } table[] = {{"three_plain.bplist", FIRSTTIME_FORMAT_ARCHIVE},
                 {"three_plain.xml.plist", FIRSTTIME_FORMAT_ARCHIVE_XML},
                 {"preferences.plist", FIRSTTIME_FORMAT_DEFAULTS},
                 {"preferences.xml.plist", FIRSTTIME_FORMAT_DEFAULTS}};
    for (int index = 0; index < 4; index++) {
        const char *path = fixture(table[index].file);
        firsttime_import_report report = {.size = sizeof report};
        firsttime_import_options options = {.size = sizeof options, .flags = FIRSTTIME_IMPORT_DRY_RUN};
        firsttime_store *store = fresh();
        uint64_t before = fingerprint(".");
        check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_OK);
        check_report(&report, 3, 0, 0, 0, table[index].format);
        check(firsttime_count(store, NULL) == 0 && fingerprint(".") == before);

        options.flags = 0;
        options.format = table[index].format;
        check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_OK);
        check_report(&report, 3, 0, 0, 0, table[index].format);
        check_three(store);
        before = fingerprint(".");
        check_result(firsttime_import(store, path, NULL, &report), FIRSTTIME_OK);
        check_report(&report, 0, 0, 3, 0, table[index].format);
        check_three(store);
        check(fingerprint(".") == before);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        store = open_store("store.archive", NULL, 0);
        check_three(store);

        /* Asked for as what it isn't. */
        for (int format = FIRSTTIME_FORMAT_ARCHIVE; format <= FIRSTTIME_FORMAT_DEFAULTS; format++) {
            options.format = format;
            if (format == table[index].format) continue;
            check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_ERROR_CORRUPT);
            check_report(&report, 0, 0, 0, 0, 0);
            check_mentions(table[index].file);
        }
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

static void merging(void) {
    double now = start; /* later than all in the file */
    firsttime_import_report report = {.size = sizeof report};
    firsttime_store *store = fresh();
    firsttime_set_clock(store, read_clock, &now, NULL);
    now = 702000000.75 + epoch;
    check_result(firsttime_mark(store, "whats-new"), FIRSTTIME_OK);
    now = 701000000 + epoch;
    check_result(firsttime_mark(store, "rate.prompt"), FIRSTTIME_OK);
    check_result(firsttime_import(store, fixture("three_plain.bplist"), NULL, &report), FIRSTTIME_OK);
    check_report(&report, 1, 1, 1, 0, FIRSTTIME_FORMAT_ARCHIVE);
    firsttime_record record = {.size = sizeof record};
    char buffer[64];
    check_result(firsttime_read(store, "rate.prompt", &record, buffer, sizeof buffer, NULL), FIRSTTIME_YES);
    check(strcmp(record.last_version, "1.2.3") == 0 && record.last_time == 701000000.5 + epoch);
    check(strcmp(record.first_version, "9") == 0 && record.first_time == now && record.count == 1);
    check_result(firsttime_read(store, "whats-new", &record, buffer, sizeof buffer, NULL), FIRSTTIME_YES);
    check(strcmp(record.last_version, "9") == 0);
    check_result(firsttime_flush(store), FIRSTTIME_OK);

    /* Our own archive is an archive, too. */
    firsttime_store *copy = open_store("copy.archive", NULL, 0);
    check_result(firsttime_import(copy, "store.archive", NULL, NULL), FIRSTTIME_OK);
    check(firsttime_count(copy, NULL) == 3);
    check_result(firsttime_read(copy, "rate.prompt", &record, buffer, sizeof buffer, NULL), FIRSTTIME_YES);
    check(record.count == 1 && strcmp(record.first_version, "9") == 0);
    check_result(firsttime_close(copy), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    store = fresh();
    check_result(firsttime_import(store, fixture("no_archive.plist"), NULL, &report), FIRSTTIME_OK);
    check_report(&report, 0, 0, 0, 0, FIRSTTIME_FORMAT_DEFAULTS);
    firsttime_import_options options = {.size = sizeof options, .defaults_key = "Other"};
    check_result(firsttime_import(store, fixture("preferences.plist"), &options, &report), FIRSTTIME_OK);
    check_report(&report, 0, 0, 0, 0, FIRSTTIME_FORMAT_DEFAULTS);
    check(access("store.archive", F_OK) != 0);
    options.defaults_key = "YCFirstTime";
    check_result(firsttime_import(store, fixture("preferences.plist"), &options, NULL), FIRSTTIME_OK);
    check_three(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- what is left out, and progress ---- */

typedef struct {
    firsttime_store *store;
    int problems, steps, stop_at;
    uint64_t offset, done, total;
} told;

static int problem(const firsttime_problem *problem, void *context) {
    told *this = context;
    check(problem->size == sizeof *problem && problem->text != NULL && strlen(problem->text) > 0);
    check_result(firsttime_was_executed(this->store, "normal"), FIRSTTIME_NO);
    check_result(firsttime_close(this->store), FIRSTTIME_ERROR_REENTRANT);
    this->offset = problem->offset;
    return ++this->problems == this->stop_at;
}

static int progress(uint64_t done, uint64_t total, void *context) {
    told *this = context;
    check(done <= total && (this->steps == 0 ? done == 0 : done >= this->done && total == this->total));
    check(firsttime_count(this->store, NULL) >= 0);
    this->done = done;
    this->total = total;
    return ++this->steps == this->stop_at;
}

static void telling(void) {
    size_t size;
    char *xml = read_file(fixture("three_plain.xml.plist"), &size), *at;
    firsttime_store *store = fresh();
    firsttime_import_report report = {.size = sizeof report};
    told seen = {.store = store};
    firsttime_import_options options = {.size = sizeof options, .skipped = problem, .context = &seen};
    /* Records of a class that is not ours are left out; in XML the place is a line. */
    while ((at = strstr(xml, "YCFirstTimeObject"))) memcpy(at, "XX", 2);
    check_result(firsttime_import_bytes(store, xml, size, &options, &report), FIRSTTIME_OK);
    check_report(&report, 0, 0, 0, 3, FIRSTTIME_FORMAT_ARCHIVE_XML);
    int lines = 1;
    for (at = xml; *at; at++) lines += *at == '\n';
    check(seen.problems == 3 && seen.offset > 1 && seen.offset <= (uint64_t)lines);
    free(xml);

    seen = (told){.store = store, .stop_at = 1};
    free(read_file(fixture("nil_key.bplist"), &size));
    uint64_t before = fingerprint(".");
    check_result(firsttime_import(store, fixture("nil_key.bplist"), &options, &report), FIRSTTIME_ERROR_CALLBACK);
    check_report(&report, 0, 0, 0, 0, 0);
    check_text();
    check_mentions("skipped");
    check(seen.problems == 1 && seen.offset > 8 && seen.offset < size);
    options.skipped = NULL;
    options.progress = progress;
    for (int stop = 1; stop <= 2; stop++) {
        seen = (told){.store = store, .stop_at = stop};
        check_result(firsttime_import(store, fixture("three_plain.bplist"), &options, &report), FIRSTTIME_ERROR_CALLBACK);
        check_report(&report, 0, 0, 0, 0, 0);
        check_mentions("progress");
        check(seen.steps == stop && seen.total == 3);
    }
    check(firsttime_count(store, NULL) == 0 && fingerprint(".") == before);
    seen = (told){.store = store};
    options.skipped = problem;
    check_result(firsttime_import(store, fixture("nil_key.bplist"), &options, &report), FIRSTTIME_OK);
    check_report(&report, 1, 0, 0, 1, FIRSTTIME_FORMAT_ARCHIVE);
    check(seen.problems == 1 && seen.done == 1 && seen.total == 1);
    check_result(firsttime_was_executed(store, "normal"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- what can't be imported ---- */

static void check_refused(firsttime_store *store, const void *bytes, size_t count, firsttime_result expected,
                          const char *words) {
    firsttime_import_report report = {.size = sizeof report, .records_added = 1, .format = 1};
    set_other_error();
    check_result(firsttime_import_bytes(store, bytes, count, NULL, &report), expected);
    check_report(&report, 0, 0, 0, 0, 0);
    check_text();
    check_mentions(words);
}

static void refused(void) {
    size_t size;
    firsttime_store *store = fresh();
    check_result(firsttime_mark(store, "own"), FIRSTTIME_OK);
    uint64_t before = fingerprint(".");
    check_refused(store, NULL, 0, FIRSTTIME_ERROR_CORRUPT, "byte 0");
    check_refused(store, "", 0, FIRSTTIME_ERROR_CORRUPT, "byte 0");
    check_refused(store, "garbage", 7, FIRSTTIME_ERROR_CORRUPT, "byte");
    check_refused(store, "{\"a\": 1}", 8, FIRSTTIME_ERROR_CORRUPT, "byte");
    check_refused(store, "<plist>\n<dict>\n<key>a</key>\n", 27, FIRSTTIME_ERROR_CORRUPT, "line");
    check_refused(store, "<plist><array/></plist>", 23, FIRSTTIME_ERROR_CORRUPT, "line 1");
    char *bytes = read_file(fixture("three_plain.bplist"), &size);
    for (size_t count = 0; count < size; count++) check_refused(store, bytes, count, FIRSTTIME_ERROR_CORRUPT, "byte");
    free(bytes);
    /* A newer format than this library's. */
    bytes = read_file(fixture("three_plain.xml.plist"), &size);
    static const char newer[] = "<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer>"
                                "<key>readableFrom</key><integer>9</integer></dict>";
    char *with = malloc(size + sizeof newer), *at = strstr(bytes, "<key>$archiver");
    check(with != NULL && at != NULL);
    size_t count = (size_t)sprintf(with, "%.*s%s%s", (int)(at - bytes), bytes, newer, at);
    check_refused(store, with, count, FIRSTTIME_ERROR_FORMAT, "format 9");
    free(with);
    free(bytes);

    firsttime_import_report report = {.size = sizeof report};
    check_result(firsttime_import(store, "missing.plist", NULL, &report), FIRSTTIME_ERROR_IO);
    check_mentions("missing.plist: open: No such file or directory");
    check_report(&report, 0, 0, 0, 0, 0);
    check_result(firsttime_import(store, ".", NULL, NULL), FIRSTTIME_ERROR_IO);
    check_result(firsttime_import(store, "/dev/null", NULL, NULL), FIRSTTIME_ERROR_IO);
    check(fingerprint(".") == before);
    check(mkfifo("fifo", 0644) == 0);
    check_result(firsttime_import(store, "fifo", NULL, NULL), FIRSTTIME_ERROR_IO);
    /* Reading stops at 4 GiB. */
    int file = open("huge", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (ftruncate(file, (off_t)1 << 32) == 0) {
        check_result(firsttime_import(store, "huge", NULL, NULL), FIRSTTIME_ERROR_CORRUPT);
        check_text();
    }
    close(file);
    check(unlink("huge") == 0);
    check(firsttime_count(store, NULL) == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static int show_donations(const firsttime_donations *donations, void *context) {
    check(strcmp(donations->event, "app.open") == 0 && donations->count == 12);
    check(strcmp(donations->first_version, "1.0") == 0 && strcmp(donations->last_version, "1.2.3") == 0);
    check(donations->first_time == 700000000.25 + epoch && donations->last_time == 710000000.5 + epoch);
    return count_up(context);
}

static int show_trigger(const firsttime_trigger_record *record, void *context) {
    check(record->count == 0 && record->last_time == 705000000.125 + epoch);
    return count_up(context);
}

/* RuleKit's events and last triggers; the format may be asked for, and others then are refused. */
static void rulekit(void) {
    firsttime_store *store = fresh();
    firsttime_import_report report = {.size = sizeof report};
    firsttime_import_options options = {.size = sizeof options, .flags = FIRSTTIME_IMPORT_DRY_RUN};
    const char *path = fixture("RuleKitEvents.plist");
    check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_OK);
    check(report.format == FIRSTTIME_FORMAT_RULEKIT && report.events_added == 4 && report.skipped == 0);
    check_result(firsttime_find_donations(store, "app.open", NULL, NULL), FIRSTTIME_NO);
    options.flags = 0;
    options.format = FIRSTTIME_FORMAT_RULEKIT;
    check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_OK);
    check(report.events_added == 4 && report.events_updated == 0 && report.records_added == 0);
    int seen = 0;
    check_result(firsttime_find_donations(store, "app.open", show_donations, &seen), FIRSTTIME_YES);
    check_result(firsttime_find_trigger(store, "com.apple.requestReview", show_trigger, &seen), FIRSTTIME_YES);
    check(seen == 2 && firsttime_count(store, NULL) == 0);
    check_result(firsttime_import(store, fixture("three_plain.bplist"), &options, &report), FIRSTTIME_ERROR_CORRUPT);
    check(report.events_added == 0 && report.format == 0);
    options.format = FIRSTTIME_FORMAT_ARCHIVE;
    path = fixture("RuleKitEvents.plist");
    check_result(firsttime_import(store, path, &options, &report), FIRSTTIME_ERROR_CORRUPT);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* Every file of the collection beside the checkout: it is taken, and taking it again changes nothing. */
static void legacy(const char *collection) {
    char path[4096], line[65536];
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", collection);
    FILE *manifest = fopen(path, "r");
    check(manifest != NULL);
    int files = 0;
    bool is_start = true;
    while (fgets(line, sizeof line, manifest)) {
        bool is_whole = strchr(line, '\n') != NULL;
        bool is_file = is_start && strncmp(line, "file\t", 5) != 0;
        is_start = is_whole;
        if (!is_file) continue;
        char *fields[4] = {line};
        for (int index = 1; index < 4; index++) {
            fields[index] = strchr(fields[index - 1], '\t');
            check(fields[index] != NULL);
            *fields[index]++ = 0;
        }
        snprintf(path, sizeof path, "%s/%.500s", collection, fields[0]);
        firsttime_store *store = fresh();
        firsttime_import_report report = {.size = sizeof report};
        firsttime_result result = firsttime_import(store, path, NULL, &report);
        if (strncmp(fields[0], "rulekit/", 8) == 0) {
            check_result(result, FIRSTTIME_OK);
            check(report.format == FIRSTTIME_FORMAT_RULEKIT && report.records_added == 0 && report.skipped == 0);
            uint64_t added = report.events_added;
            check((added == 0) == (strstr(fields[0], "empty") != NULL));
            check_result(firsttime_import(store, path, NULL, &report), FIRSTTIME_OK);
            check(report.events_added == 0 && report.events_updated == 0 && report.events_kept == added);
        } else {
            if (result != FIRSTTIME_OK) fprintf(stderr, "%s\n", path);
            check_result(result, FIRSTTIME_OK);
            check((report.records_added == 0) == (strncmp(fields[3], "{}", 2) == 0));
            uint64_t added = report.records_added;
            check_result(firsttime_import(store, path, NULL, &report), FIRSTTIME_OK);
            check(report.records_added == 0 && report.records_updated == 0 && report.records_kept == added);
            check(firsttime_count(store, NULL) == (int64_t)added);
        }
        check_result(firsttime_close(store), FIRSTTIME_OK);
        files++;
    }
    fclose(manifest);
    check(files > 50);
}

int main(void) {
    directory = getenv("FT_IMPORT");
    check(directory != NULL);
    formats();
    rulekit();
    merging();
    telling();
    refused();
    const char *collection = getenv("FT_LEGACY");
    if (collection && *collection) legacy(collection);
    return 0;
}
