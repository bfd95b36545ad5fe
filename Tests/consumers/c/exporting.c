/* Copies of a store: what they hold, where they are written, and what becomes of them when that fails. FT_IMPORT is the
 * directory of Tests/Fixtures/import; FT_LEGACY, when set, one with many more old archives. */
#include "program.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

static const int formats[] = {FIRSTTIME_FORMAT_ARCHIVE, FIRSTTIME_FORMAT_ARCHIVE_XML, FIRSTTIME_FORMAT_DEFAULTS};

/* ---- text in memory ---- */

typedef struct {
    char *bytes;
    size_t count, pieces, stop_at;
    firsttime_store *store;
} text;

static int append(const void *bytes, size_t length, void *context) {
    text *this = context;
    check(length > 0);
    if (++this->pieces == this->stop_at) return 1;
    this->bytes = realloc(this->bytes, this->count + length + 1);
    check(this->bytes != NULL);
    memcpy(this->bytes + this->count, bytes, length);
    this->count += length;
    this->bytes[this->count] = 0;
    return 0;
}

static text export_bytes(firsttime_store *store, int format) {
    text result = {0};
    check_result(firsttime_export_to(store, format, append, &result), FIRSTTIME_OK);
    check(result.bytes != NULL);
    return result;
}

/* Both hold the same, as JSON shows it. */
static void check_same(firsttime_store *store, firsttime_store *other) {
    text left = export_bytes(store, FIRSTTIME_FORMAT_JSON), right = export_bytes(other, FIRSTTIME_FORMAT_JSON);
    if (strcmp(left.bytes, right.bytes) != 0) fprintf(stderr, "%s\nis not\n%s\n", left.bytes, right.bytes);
    check(strcmp(left.bytes, right.bytes) == 0);
    free(left.bytes);
    free(right.bytes);
}

static firsttime_store *in_memory(void) { return open_with(NULL, FIRSTTIME_IN_MEMORY); }

/* ---- what is in it ---- */

static firsttime_store *filled(const char *path, double *now) {
    firsttime_store *store = open_store(path, "1.0\"\n", 0);
    *now = start;
    firsttime_set_clock(store, read_clock, now, NULL);
    check_result(firsttime_mark(store, "b"), FIRSTTIME_OK);
    check_result(firsttime_mark(store, "a \xC3\xA9\\"), FIRSTTIME_OK);
    *now += 1;
    check_result(firsttime_mark(store, "b"), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "opened"), FIRSTTIME_OK);
    return store;
}

static void content(void) {
    double now;
    firsttime_store *store = filled("store.archive", &now);
    text json = export_bytes(store, FIRSTTIME_FORMAT_JSON);
    static const char expected[] =
        "{\n\"format\": \"FirstTime JSON\",\n\"version\": 1,\n\"records\": [\n"
        "{\"key\": \"a \xC3\xA9\\\\\", \"count\": 1, \"firstTime\": 1700000000.25, \"firstVersion\": \"1.0\\\"\\n\", "
        "\"lastTime\": 1700000000.25, \"lastVersion\": \"1.0\\\"\\n\"},\n"
        "{\"key\": \"b\", \"count\": 2, \"firstTime\": 1700000000.25, \"firstVersion\": \"1.0\\\"\\n\", "
        "\"lastTime\": 1700000001.25, \"lastVersion\": \"1.0\\\"\\n\"}\n],\n\"events\": [\n"
        "{\"name\": \"opened\", \"count\": 1, \"firstTime\": 1700000001.25, \"firstVersion\": \"1.0\\\"\\n\", "
        "\"lastTime\": 1700000001.25, \"lastVersion\": \"1.0\\\"\\n\"}\n],\n\"triggers\": [\n]\n}\n";
    check(strcmp(json.bytes, expected) == 0);
    free(json.bytes);

    firsttime_store *empty = in_memory();
    json = export_bytes(empty, FIRSTTIME_FORMAT_JSON);
    check(strstr(json.bytes, "\"records\": [\n],") != NULL);
    free(json.bytes);
    /* A store in memory is exported like any other, and so is one that is opened only for reading. */
    firsttime_store *reader = open_with("store.archive", FIRSTTIME_READ_ONLY);
    firsttime_store *const stores[] = {store, reader, empty};
    for (int which = 0; which < 3; which++) {
        for (int index = 0; index < 3; index++) {
            text archive = export_bytes(stores[which], formats[index]);
            firsttime_store *copy = in_memory();
            firsttime_import_report report = {.size = sizeof report};
            check_result(firsttime_import_bytes(copy, archive.bytes, archive.count, NULL, &report), FIRSTTIME_OK);
            check(report.format == formats[index] && report.skipped == 0);
            check_same(copy, stores[which]);
            check_result(firsttime_verify_bytes(archive.bytes, archive.count, NULL, NULL), FIRSTTIME_OK);
            check_result(firsttime_close(copy), FIRSTTIME_OK);
            free(archive.bytes);
        }
    }
    check_result(firsttime_close(reader), FIRSTTIME_OK);
    check_result(firsttime_close(empty), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* While AT_MOST_ONCE runs a key, JSON says what others see: that it was not run yet. */
static int export_inside(void *context) {
    firsttime_store *store = context;
    text json = export_bytes(store, FIRSTTIME_FORMAT_JSON);
    check(strstr(json.bytes, "running") == NULL);
    free(json.bytes);
    text archive = export_bytes(store, FIRSTTIME_FORMAT_AUTO);
    check(memmem(archive.bytes, archive.count, "running", 7) != NULL);
    free(archive.bytes);
    return 0;
}

/* What could not be recorded is in a copy; nothing of the store is written for it. */
static void pending(void) {
    double now;
    firsttime_store *store = filled("pending.archive", &now);
    struct rlimit limit = {0, RLIM_INFINITY};
    int runs = 0;
    check(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    check_result(firsttime_execute_once(store, "lost", count_up, NULL, &runs), FIRSTTIME_ERROR_NOT_RECORDED);
    check(runs == 1);
    uint64_t before = fingerprint(".");
    text json = export_bytes(store, FIRSTTIME_FORMAT_JSON);
    check(strstr(json.bytes, "\"lost\"") != NULL);
    free(json.bytes);
    check_result(firsttime_export(store, "copy", 0), FIRSTTIME_ERROR_IO);
    check_mentions("copy");
    check_mentions("File too large");
    check(fingerprint(".") == before);
    limit.rlim_cur = RLIM_INFINITY;
    check(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    check_result(firsttime_export(store, "copy", 0), FIRSTTIME_OK);
    firsttime_store *copy = open_store("copy", NULL, 0);
    check_result(firsttime_was_executed(copy, "lost"), FIRSTTIME_YES);
    check_same(copy, store);
    check_result(firsttime_close(copy), FIRSTTIME_OK);
    check_result(execute_with(store, "running", FIRSTTIME_AT_MOST_ONCE, export_inside, store), FIRSTTIME_RAN);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- where it goes ---- */

static void check_own(firsttime_store *store, const char *path) {
    uint64_t before = fingerprint("own");
    check_argument(firsttime_export(store, path, FIRSTTIME_FORMAT_ARCHIVE));
    check_argument(firsttime_export(store, path, FIRSTTIME_FORMAT_JSON));
    check(fingerprint("own") == before);
}

static void replacing(firsttime_store *store) {
    struct stat status;
    size_t size;
    /* The file of a name that a temporary file could have stays. */
    write_file("out/a-new", "mine", 4);
    check_result(firsttime_export(store, "out/a", FIRSTTIME_FORMAT_ARCHIVE), FIRSTTIME_OK);
    char *bytes = read_file("out/a-new", &size);
    check(size == 4 && memcmp(bytes, "mine", 4) == 0);
    free(bytes);
    check(stat("out/a", &status) == 0 && (status.st_mode & 07777) == 0600);
    check(chmod("out/a", 0644) == 0 && symlink("a", "out/alias") == 0);
    if (geteuid() == 0) check(chown("out/a", 65534, 65533) == 0);
    check_result(firsttime_export(store, "out/alias", FIRSTTIME_FORMAT_JSON), FIRSTTIME_OK);
    check(lstat("out/alias", &status) == 0 && S_ISLNK(status.st_mode));
    check(lstat("out/a", &status) == 0 && (status.st_mode & 07777) == 0644);
    if (geteuid() == 0) check(status.st_uid == 65534 && status.st_gid == 65533);
    bytes = read_file("out/a", &size);
    check(bytes[0] == '{');
    free(bytes);
    check(unlink("out/a-new") == 0 && unlink("out/a") == 0);
    /* A link to nothing yet. */
    check_result(firsttime_export(store, "out/alias", 0), FIRSTTIME_OK);
    check(lstat("out/a", &status) == 0 && S_ISREG(status.st_mode));
    check(unlink("out/a") == 0 && unlink("out/alias") == 0);
}

static void places(void) {
    double now;
    check(mkdir("own", 0700) == 0 && mkdir("out", 0700) == 0);
    firsttime_store *store = filled("own/store", &now);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check_result(firsttime_mark(store, "c"), FIRSTTIME_OK);
    static const char *const names[] = {"own/store",     "own/store-journal",     "own/store-lock",
                                        "own/store-new", "own/store-journal-new", "own/../own/./store",
                                        "link",          "out/hard"};
    check(symlink("own/store-journal", "link") == 0 && link("own/store", "out/hard") == 0);
    for (int index = 0; index < 8; index++) check_own(store, names[index]);
    check(unlink("out/hard") == 0);
    uint64_t own = fingerprint("own");
    replacing(store);

    check(mkfifo("out/fifo", 0600) == 0);
    uint64_t before = fingerprint("out");
    static const char *const impossible[] = {"out", "out/", "out/fifo", "/dev/full", "out/none/a"};
    for (int index = 0; index < 5; index++) {
        set_other_error();
        check_result(firsttime_export(store, impossible[index], 0), FIRSTTIME_ERROR_IO);
        check_text();
    }
    check_argument(firsttime_export(NULL, "out/a", 0));
    check_argument(firsttime_export(store, NULL, 0));
    check_argument(firsttime_export(store, "", 0));
    check_argument(firsttime_export(store, "out/a", FIRSTTIME_FORMAT_RULEKIT));
    check_argument(firsttime_export(store, "out/a", 6));
    check_argument(firsttime_export(store, "out/a", -1));
    check_argument(firsttime_export_to(NULL, 0, append, NULL));
    check_argument(firsttime_export_to(store, 0, NULL, NULL));
    check_argument(firsttime_export_to(store, 99, append, NULL));
    check(fingerprint("own") == own);
    /* Nothing of this is said in XML. */
    check_result(firsttime_mark(store, "\x01"), FIRSTTIME_OK);
    check_argument(firsttime_export(store, "out/a", FIRSTTIME_FORMAT_ARCHIVE_XML));
    check_mentions("XML");
    check(fingerprint("out") == before);
    check_result(firsttime_export(store, "out/a", FIRSTTIME_FORMAT_DEFAULTS), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void full_disk(void) {
    double now;
    check(mkdir("small", 0755) == 0);
    firsttime_store *store = filled("large.archive", &now);
    static char key[60001];
    memset(key, 'k', sizeof key - 1);
    check_result(firsttime_mark(store, key), FIRSTTIME_OK);
    /* A namespace of its own, so that the mount goes with this process. */
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "small", "tmpfs", 0, "size=32k") != 0) {
        printf("not tried: a full disk (mount: %s)\n", strerror(errno));
    } else {
        write_file("small/there", "before", 6);
        uint64_t before = fingerprint("small");
        for (int format = 0; format <= FIRSTTIME_FORMAT_JSON; format++) {
            if (format == FIRSTTIME_FORMAT_RULEKIT) continue;
            check_result(firsttime_export(store, "small/there", format), FIRSTTIME_ERROR_IO);
            check_mentions("No space left on device");
            check_result(firsttime_export(store, "small/new", format), FIRSTTIME_ERROR_IO);
        }
        check(fingerprint("small") == before);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- writers ---- */

static int call_library(const void *bytes, size_t length, void *context) {
    text *this = context;
    check_result(firsttime_mark(this->store, "inside"), FIRSTTIME_OK);
    check_result(firsttime_close(this->store), FIRSTTIME_ERROR_REENTRANT);
    text inner = export_bytes(this->store, FIRSTTIME_FORMAT_JSON);
    check(strstr(inner.bytes, "inside") != NULL);
    free(inner.bytes);
    return append(bytes, length, context);
}

static void writers(void) {
    firsttime_store *store = in_memory();
    char key[32];
    for (int index = 0; index < 3000; index++) {
        snprintf(key, sizeof key, "key.%d", index);
        check_result(firsttime_mark(store, key), FIRSTTIME_OK);
    }
    for (int format = 0; format <= FIRSTTIME_FORMAT_JSON; format++) {
        if (format == FIRSTTIME_FORMAT_RULEKIT) continue;
        text whole = export_bytes(store, format);
        check(whole.pieces > 3 && whole.pieces < whole.count / 1024);
        for (size_t stop = 1; stop < 3; stop++) {
            text part = {.stop_at = stop};
            check_result(firsttime_export_to(store, format, append, &part), FIRSTTIME_ERROR_CALLBACK);
            check_mentions("writer");
            check(part.pieces == stop);
            free(part.bytes);
        }
        free(whole.bytes);
    }
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    text nested = {.store = store};
    check_result(firsttime_export_to(store, FIRSTTIME_FORMAT_JSON, call_library, &nested), FIRSTTIME_OK);
    check(nested.pieces == 1 && strstr(nested.bytes, "inside") == NULL);
    free(nested.bytes);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- while others record ---- */

static int recorded;

static void *record(void *context) {
    char key[32];
    int count = getenv("FIRSTTIME_QUICK") ? 50 : 400;
    for (int index = 0; index < count; index++) {
        snprintf(key, sizeof key, "%05d", index);
        check_result(firsttime_mark(context, key), FIRSTTIME_OK);
        __atomic_store_n(&recorded, index + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&recorded, -1, __ATOMIC_RELEASE);
    return NULL;
}

/* Each copy has all that was recorded before it began, and nothing without what was recorded before that. */
static void recording(void) {
    firsttime_store *store = open_with("busy.archive", FIRSTTIME_RELAXED);
    pthread_t thread;
    check(pthread_create(&thread, NULL, record, store) == 0);
    for (int before = 0, round = 0; before >= 0; round++) {
        before = __atomic_load_n(&recorded, __ATOMIC_ACQUIRE);
        firsttime_store *copy = in_memory();
        if (round % 8 == 0) {
            check_result(firsttime_export(store, "busy.copy", 0), FIRSTTIME_OK);
            check_result(firsttime_import(copy, "busy.copy", NULL, NULL), FIRSTTIME_OK);
        } else {
            text bytes = export_bytes(store, formats[round % 3]);
            check_result(firsttime_import_bytes(copy, bytes.bytes, bytes.count, NULL, NULL), FIRSTTIME_OK);
            free(bytes.bytes);
        }
        int64_t count = firsttime_count(copy, NULL);
        check(count >= before);
        if (count > 0) {
            char key[32];
            snprintf(key, sizeof key, "%05d", (int)count - 1);
            check_result(firsttime_was_executed(copy, key), FIRSTTIME_YES);
        }
        check_result(firsttime_close(copy), FIRSTTIME_OK);
    }
    check(pthread_join(thread, NULL) == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- old archives ---- */

static void round_trip(const char *path) {
    firsttime_store *store = in_memory();
    check_result(firsttime_import(store, path, NULL, NULL), FIRSTTIME_OK);
    for (int index = 0; index < 3; index++) {
        unlink("trip");
        unlink("trip-journal");
        firsttime_result result = firsttime_export(store, "trip", formats[index]);
        if (result == FIRSTTIME_ERROR_ARGUMENT) {
            check(formats[index] == FIRSTTIME_FORMAT_ARCHIVE_XML);
            check_mentions("XML");
            continue;
        }
        check_result(result, FIRSTTIME_OK);
        firsttime_store *copy = in_memory();
        check_result(firsttime_import(copy, "trip", NULL, NULL), FIRSTTIME_OK);
        check_same(copy, store);
        check_result(firsttime_close(copy), FIRSTTIME_OK);
        if (formats[index] == FIRSTTIME_FORMAT_DEFAULTS) continue;
        /* It is an archive that can be opened, too. */
        copy = open_store("trip", NULL, 0);
        check_same(copy, store);
        check_result(firsttime_close(copy), FIRSTTIME_OK);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void collection(const char *directory, int at_least) {
    char path[4096], line[65536];
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", directory);
    FILE *manifest = fopen(path, "r");
    check(manifest != NULL);
    int files = 0;
    bool is_start = true;
    while (fgets(line, sizeof line, manifest)) {
        bool is_file = is_start && strncmp(line, "file\t", 5) != 0;
        is_start = strchr(line, '\n') != NULL;
        if (!is_file) continue;
        line[strcspn(line, "\t")] = 0;
        snprintf(path, sizeof path, "%s/%.500s", directory, line);
        struct stat status;
        check(stat(path, &status) == 0);
        if (status.st_size > 200000 && getenv("FIRSTTIME_QUICK")) continue;
        round_trip(path);
        files++;
    }
    fclose(manifest);
    check(files >= at_least);
}

/* For suite failing-writes, which has system calls of this fail. */
static int export_once(const char *path, const char *copy) {
    firsttime_store *store = open_store(path, NULL, 0);
    firsttime_result result = firsttime_export(store, copy, FIRSTTIME_FORMAT_ARCHIVE);
    if (result != FIRSTTIME_OK) fprintf(stderr, "%s: %s\n", firsttime_result_name(result), firsttime_last_error());
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return result != FIRSTTIME_OK;
}

int main(int count, char **arguments) {
    if (count == 3) return export_once(arguments[1], arguments[2]);
    content();
    pending();
    places();
    writers();
    recording();
    char path[4096];
    check(getenv("FT_IMPORT") != NULL);
    snprintf(path, sizeof path, "%s/../legacy", getenv("FT_IMPORT"));
    collection(path, 30);
    const char *more = getenv("FT_LEGACY");
    if (more && *more) collection(more, 50);
    full_disk();
    return 0;
}
