/* Showing and checking bytes, whatever they are, and repairing stores that can't be opened. FT_IMPORT is the directory of
 * Tests/Fixtures/import; what is beside it is tried, too. */
#include "program.h"

static char fixtures[4096];

/* ---- output and problems ---- */

typedef struct {
    char text[65536];
    size_t count;   /* of all text */
    int calls, stop_at;
    const char *path; /* what to open, or to repair, inside */
    uint32_t flags;
    firsttime_result inside;
} told;

static int append(const void *bytes, size_t length, void *context) {
    told *this = context;
    check(length > 0);
    if (++this->calls == this->stop_at) return -1;
    size_t room = this->count < sizeof this->text ? sizeof this->text - 1 - this->count : 0;
    memcpy(this->text + this->count, bytes, length < room ? length : room);
    this->count += length;
    return 0;
}

static int problem(const firsttime_problem *problem, void *context) {
    told *this = context;
    check(problem->size == sizeof *problem && problem->text != NULL && *problem->text != 0);
    char line[4096];
    int length = snprintf(line, sizeof line, "%llu %s\n", (unsigned long long)problem->offset, problem->text);
    check(length > 0 && length < (int)sizeof line);
    if (this->path && this->flags == UINT32_MAX) {
        this->inside = firsttime_repair(this->path, NULL, NULL);
        this->path = NULL;
    } else if (this->path) {
        firsttime_options options = {.size = sizeof options, .path = this->path, .flags = this->flags};
        firsttime_store *store;
        this->inside = firsttime_open(&options, &store);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        this->path = NULL;
    }
    return append(line, (size_t)length, context);
}

static void check_told(const told *this, const char *words) {
    if (strstr(this->text, words) == NULL) fprintf(stderr, "'%s' is not in '%s'\n", words, this->text);
    check(strstr(this->text, words) != NULL);
}

static firsttime_result dump(const void *bytes, size_t count, uint32_t flags, told *output) {
    memset(output, 0, sizeof *output);
    return firsttime_dump_bytes(bytes, count, flags, append, output);
}

static firsttime_result verify(const void *bytes, size_t count, told *output) {
    memset(output, 0, sizeof *output);
    return firsttime_verify_bytes(bytes, count, problem, output);
}

/* ---- bytes of any kind ---- */

/* Whatever the bytes are: an answer, and not too much of it. */
static void check_any(const char *bytes, size_t count) {
    static told output;
    size_t most = 4096 + 2048 * count;
    for (uint32_t flags = 0; flags < 4; flags++) {
        firsttime_result result = dump(bytes, count, flags, &output);
        check(result == FIRSTTIME_OK ? output.count > 0 : result == FIRSTTIME_ERROR_CORRUPT && output.calls == 0);
        check(output.count <= most);
    }
    bool is_list = dump(bytes, count, 0, &output) == FIRSTTIME_OK;
    firsttime_result result = verify(bytes, count, &output);
    check(result == FIRSTTIME_OK || result == FIRSTTIME_ERROR_CORRUPT || result == FIRSTTIME_ERROR_FORMAT);
    check((result == FIRSTTIME_ERROR_CORRUPT) == (output.calls > 0));
    check((size_t)output.calls <= 16 + 4 * count);
    check(is_list || result == FIRSTTIME_ERROR_CORRUPT);
    if (result != FIRSTTIME_OK) check_text();
    check(firsttime_verify_bytes(bytes, count, NULL, NULL) == result);
}

static uint64_t random_state = 42;
static size_t below(size_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % limit;
}

static int tried;

/* A file as it is, cut off, and with bytes changed. */
static void try_file(const char *path) {
    size_t count;
    char *bytes = read_file(path, &count);
    check_any(bytes, count);
    int rounds = count > 20000 ? 2 : getenv("FIRSTTIME_QUICK") ? 5 : 60;
    for (int round = 0; round < rounds && count > 0; round++) {
        char *copy = malloc(count);
        check(copy != NULL);
        memcpy(copy, bytes, count);
        for (size_t change = 1 + below(3); change > 0; change--) copy[below(count)] ^= (char)(1 << below(8));
        check_any(copy, count);
        check_any(bytes, below(count));
        free(copy);
    }
    free(bytes);
    tried++;
}

static void try_all(const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    check(count >= 0);
    for (int index = 0; index < count; index++) {
        char path[8192];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", directory, entries[index]->d_name);
        check(stat(path, &status) == 0);
        if (entries[index]->d_name[0] != '.') S_ISDIR(status.st_mode) ? try_all(path) : try_file(path);
        free(entries[index]);
    }
    free(entries);
}

static void arguments(void) {
    told output = {0};
    check_argument(firsttime_dump_bytes("a", 1, 0, NULL, NULL));
    check_argument(firsttime_dump_bytes("a", 1, 4, append, &output));
    check_argument(firsttime_dump_bytes(NULL, 1, 0, append, &output));
    check_argument(firsttime_dump_bytes("a", SIZE_MAX, 0, append, &output));
    check_argument(firsttime_verify_bytes(NULL, 1, problem, &output));
    check_argument(firsttime_verify_bytes("a", SIZE_MAX, problem, &output));
    check_argument(firsttime_repair(NULL, problem, &output));
    check_argument(firsttime_repair("", problem, &output));
    check_result(firsttime_dump_bytes(NULL, 0, 0, append, &output), FIRSTTIME_ERROR_CORRUPT);
    check(output.calls == 0);
    check_result(firsttime_verify_bytes(NULL, 0, problem, &output), FIRSTTIME_ERROR_CORRUPT);
    check(output.calls == 1);
    check_mentions("byte 0");
}

/* ---- what is shown and found ---- */

static void expect_dump(const char *xml, uint32_t flags, const char *expected) {
    told output;
    check_result(dump(xml, strlen(xml), flags, &output), FIRSTTIME_OK);
    if (strcmp(output.text, expected) != 0) fprintf(stderr, "%s\nis not\n%s\n", output.text, expected);
    check(strcmp(output.text, expected) == 0);
}

static void shown(void) {
    static const char plain[] =
        "<plist><array><string>a\"\x7F\xC2\x85&#10;</string><true/><integer>-5</integer><real>2</real><real>nan</real>"
        "<data>AQID</data><date>2001-01-01T00:00:00Z</date><dict/><dict><key>CF$UID</key><integer>7</integer></dict>"
        "<dict><key>$uid</key><false/></dict></array></plist>";
    expect_dump(plain, 0,
                "[\n  0 => \"a\\\"\\u007f\\u0085\\n\"\n  1 => true\n  2 => -5\n  3 => 2.0\n  4 => nan\n"
                "  5 => data of 3 bytes: 010203\n  6 => 2001-01-01T00:00:00Z\n  7 => {}\n  8 => UID 7\n"
                "  9 => {\n    \"$uid\" => false\n  }\n]\n");
    expect_dump(plain, FIRSTTIME_DUMP_JSON,
                "[\n  \"a\\\"\\u007f\\u0085\\n\",\n  true,\n  -5,\n  2.0,\n  {\"$real\": \"nan\"},\n"
                "  {\"$data\": \"AQID\"},\n  {\"$date\": \"2001-01-01T00:00:00Z\"},\n  {},\n  {\"$uid\": 7},\n"
                "  {\"$entries\": [\n    [\"$uid\", false]\n  ]}\n]\n");
    static told output;
    output = (told){.stop_at = 1};
    check_result(firsttime_dump_bytes(plain, sizeof plain - 1, 0, append, &output), FIRSTTIME_ERROR_CALLBACK);
    check_mentions("writer");
}

/* An archive whose objects refer to each other. */
static void graph(void) {
#define UID(number) "<dict><key>CF$UID</key><integer>" #number "</integer></dict>"
#define CLASS(name) "<dict><key>$classname</key><string>" name "</string></dict>"
    static const char circle[] =
        "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
        "<key>$top</key><dict><key>root</key>" UID(1) "</dict><key>$objects</key><array><string>$null</string>"
        "<dict><key>$class</key>" UID(2) "<key>me</key>" UID(1) "<key>both</key>" UID(3) "<key>again</key>" UID(3)
        "<key>none</key>" UID(0) "<key>far</key>" UID(99) "</dict>" CLASS("Node") "<dict><key>$class</key>" UID(4)
        "<key>NS.objects</key><array>" UID(5) "</array></dict>" CLASS("NSSet") "<string>text</string></array></dict></plist>";
    expect_dump(circle, 0,
                "{\n  \"$archiver\" => \"NSKeyedArchiver\"\n  \"$version\" => 100000\n  \"$top\" => {\n"
                "    \"root\" => #1 Node {\n      \"me\" => #1\n      \"both\" => #2 NSSet [\n        \"text\"\n      ]\n"
                "      \"again\" => #2\n      \"none\" => null\n      \"far\" => UID 99\n    }\n  }\n}\n");
    expect_dump(circle, FIRSTTIME_DUMP_JSON,
                "{\n  \"$archiver\": \"NSKeyedArchiver\",\n  \"$version\": 100000,\n  \"$top\": {\n"
                "    \"root\": {\"$id\": 1, \"$class\": \"Node\",\n      \"me\": {\"$ref\": 1},\n"
                "      \"both\": {\"$id\": 2, \"$class\": \"NSSet\", \"$set\": [\n        \"text\"\n      ]},\n"
                "      \"again\": {\"$ref\": 2},\n      \"none\": null,\n      \"far\": {\"$uid\": 99}\n    }\n  }\n}\n");
    static told output;
    check_result(verify(circle, sizeof circle - 1, &output), FIRSTTIME_ERROR_CORRUPT);
    check(output.calls == 1);
    check_told(&output, "1 a UID beyond the end of $objects\n");
}

/* Changes text in a file's bytes, all of the same length. */
static int replace_in(char *bytes, size_t count, const char *old, const char *new) {
    size_t length = strlen(old);
    int found = 0;
    for (size_t index = 0; index + length <= count; index++) {
        if (memcmp(bytes + index, old, length) != 0) continue;
        memcpy(bytes + index, new, length);
        found++;
    }
    return found;
}

static void found(void) {
    static told output;
    char path[8192];
    size_t count;
    snprintf(path, sizeof path, "%s/import/three_plain.xml.plist", fixtures);
    char *bytes = read_file(path, &count);
    check_result(verify(bytes, count, &output), FIRSTTIME_OK);
    /* All three records are looked at, not the first alone. */
    check(replace_in(bytes, count, "<key>lastTime</key>", "<key>lostTime</key>") == 3);
    check_result(verify(bytes, count, &output), FIRSTTIME_ERROR_CORRUPT);
    check(output.calls == 3);
    check_mentions("line");
    output = (told){.stop_at = 2};
    check_result(firsttime_verify_bytes(bytes, count, problem, &output), FIRSTTIME_ERROR_CALLBACK);
    check(output.calls == 2);
    check_mentions("visitor");
    free(bytes);

    bytes = read_file(path, &count);
    check(replace_in(bytes, count, "<real>", "<date>") > 0 || replace_in(bytes, count, "NS.time", "NS.tame") > 0);
    check_result(verify(bytes, count, &output), FIRSTTIME_ERROR_CORRUPT);
    free(bytes);

    snprintf(path, sizeof path, "%s/archive/events_and_triggers.bplist", fixtures);
    bytes = read_file(path, &count);
    check(replace_in(bytes, count, "count", "tnuoc") > 0);
    check_result(verify(bytes, count, &output), FIRSTTIME_ERROR_CORRUPT);
    check_told(&output, "an event or trigger without a count");
    check(output.calls >= 7);
    free(bytes);
    /* Two broken objects: a kind that there isn't. */
    bytes = read_file(path, &count);
    check(replace_in(bytes, count, "\x59" "sequence", "\xF9" "sequence") >= 0);
    check(replace_in(bytes, count, "itemCreated", "\0temCreated") >= 0);
    free(bytes);
    snprintf(path, sizeof path, "%s/import/nil_key.bplist", fixtures);
    bytes = read_file(path, &count);
    check_result(verify(bytes, count, &output), FIRSTTIME_ERROR_CORRUPT);
    check_told(&output, "its key is nil");
    free(bytes);
    static const char *const sound[] = {"import/preferences.plist",  "import/preferences.xml.plist", "import/no_archive.plist",
                                        "import/RuleKitEvents.plist", "legacy/special/v30_gap.bplist"};
    for (int index = 0; index < 5; index++) {
        snprintf(path, sizeof path, "%s/%s", fixtures, sound[index]);
        bytes = read_file(path, &count);
        firsttime_result result = verify(bytes, count, &output);
        if (result != FIRSTTIME_OK) fprintf(stderr, "%s: %s", path, output.text);
        check_result(result, FIRSTTIME_OK);
        free(bytes);
    }
    /* What is wrong inside a preferences list is found, and where in the file that is. */
    snprintf(path, sizeof path, "%s/import/preferences.plist", fixtures);
    bytes = read_file(path, &count);
    check(replace_in(bytes, count, "lastTime", "lostTime") == 1);
    check_result(verify(bytes, count, &output), FIRSTTIME_ERROR_CORRUPT);
    check(strtoul(output.text, NULL, 10) > 8);
    free(bytes);
    snprintf(path, sizeof path, "%s/import/three_plain.xml.plist", fixtures);
    bytes = read_file(path, &count);
    static const char newer[] = "<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict>";
    char *with = malloc(count + sizeof newer), *at = strstr(bytes, "<key>$archiver");
    check(with != NULL && at != NULL);
    size_t size = (size_t)sprintf(with, "%.*s%s%s", (int)(at - bytes), bytes, newer, at);
    check_result(verify(with, size, &output), FIRSTTIME_ERROR_FORMAT);
    check(output.calls == 0);
    check_mentions("format 9");
    free(with);
    free(bytes);
}

/* ---- repairing ---- */

enum { keys = 41 };

/* A store of its own, complete in its archive, which is then damaged: cut off, or with zeros in it. */
static void damaged(const char *path, bool is_cut) {
    char name[64];
    static const char *const suffixes[] = {"", "-journal", "-lock"};
    for (int index = 0; index < 3; index++) {
        snprintf(name, sizeof name, "%s%s", path, suffixes[index]);
        unlink(name);
    }
    firsttime_store *store = open_with(path, FIRSTTIME_RELAXED);
    for (int index = 0; index < keys; index++) {
        snprintf(name, sizeof name, "key.%d", index);
        check_result(firsttime_mark(store, name), FIRSTTIME_OK);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
    struct stat status;
    check(stat(path, &status) == 0);
    if (is_cut) {
        check(truncate(path, status.st_size - 40) == 0);
    } else {
        int file = open(path, O_WRONLY | O_CLOEXEC);
        check(file >= 0 && pwrite(file, "\0\0\0\0\0\0\0\0", 8, status.st_size - 8) == 8 && close(file) == 0);
    }
    check(open_result(path) == FIRSTTIME_ERROR_CORRUPT);
}

static int count_aside(const char *beginning) {
    DIR *directory = opendir("repair");
    check(directory != NULL);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        count += strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    }
    closedir(directory);
    return count;
}

static firsttime_result repair(const char *path, told *output) {
    return firsttime_repair(path, problem, output);
}

static void repairing(void) {
    static told output;
    check(mkdir("repair", 0700) == 0);
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        const char *path = is_cut ? "repair/cut" : "repair/zeros";
        damaged(path, is_cut);
        uint64_t before = fingerprint("repair");
        output = (told){.stop_at = 1};
        check_result(repair(path, &output), FIRSTTIME_ERROR_CALLBACK);
        check_mentions("nothing was changed");
        check(fingerprint("repair") == before);
        output = (told){0};
        check_result(repair(path, &output), FIRSTTIME_YES);
        check_told(&output, path);
        check_told(&output, ".corrupt-");
        check_told(&output, "41 records saved\n");
        check(output.calls >= 3 && count_aside(is_cut ? "cut.corrupt-" : "zeros.corrupt-") == 1);
        firsttime_store *store = open_store(path, NULL, 0);
        check(firsttime_count(store, NULL) == keys);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        before = fingerprint("repair");
        output = (told){0};
        check_result(repair(path, &output), FIRSTTIME_NO);
        check(output.calls == 0 && fingerprint("repair") == before);
    }
    set_other_error();
    check_result(repair("repair/none", &output), FIRSTTIME_ERROR_IO);
    check_mentions("repair/none");
    check_result(repair("repair", &output), FIRSTTIME_ERROR_IO);
    /* Nobody has to be told. */
    damaged("repair/quiet", true);
    check_result(firsttime_repair("repair/quiet", NULL, NULL), FIRSTTIME_YES);
    /* A journal whose archive is gone. */
    damaged("repair/gone", true);
    check(unlink("repair/gone") == 0);
    output = (told){0};
    check_result(repair("repair/gone", &output), FIRSTTIME_YES);
    check_told(&output, "gone-journal: ");
    check(open_result("repair/gone") == FIRSTTIME_OK);
}

static void journal(void) {
    static told output;
    firsttime_store *store = open_store("repair/journal", NULL, 0);
    check_result(firsttime_mark(store, "a"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check_result(firsttime_mark(store, "b"), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check(rename("repair/journal-journal", "repair/kept") == 0 && link("repair/kept", "repair/journal-journal") == 0);
    size_t count;
    char *bytes = read_file("repair/kept", &count);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    bytes[count - 1] ^= 1;
    bytes[0] ^= 1;
    write_file("repair/journal-journal", bytes, count);
    free(bytes);
    check(open_result("repair/journal") == FIRSTTIME_ERROR_CORRUPT);
    output = (told){0};
    check_result(repair("repair/journal", &output), FIRSTTIME_YES);
    check_told(&output, "journal-journal.corrupt-");
    check_told(&output, "2 records saved, 1 event\n");
    check(count_aside("journal-journal.corrupt-") == 1 && count_aside("journal.corrupt-") == 0);
    check(open_result("repair/journal") == FIRSTTIME_OK);
}

/* Whoever has the store open is left alone; the visitor may do what it likes. */
/* Files that are no stores stay what they are. */
static void not_stores(void) {
    static const char preferences[] = "<plist><dict><key>a</key><string>b</string></dict></plist>";
    static told output;
    write_file("repair/preferences", preferences, sizeof preferences - 1);
    write_file("repair/notes", "Milk, bread", 11);
    uint64_t before = fingerprint("repair");
    output = (told){0};
    check_result(repair("repair/preferences", &output), FIRSTTIME_ERROR_CORRUPT);
    check_mentions("not a store, and nothing in it could be saved");
    check_result(repair("repair/notes", &output), FIRSTTIME_ERROR_CORRUPT);
    check_mentions("not a store, and nothing in it could be saved");
    check(output.calls == 0);
    check(fingerprint("repair") == before);

    /* The same bytes where a store was. */
    damaged("repair/was", true);
    write_file("repair/was", "Milk, bread", 11);
    check_result(repair("repair/was", &output), FIRSTTIME_YES);
    check_result(open_result("repair/was"), FIRSTTIME_OK);

    /* A lock file that is none, beside a sound archive and a damaged one. */
    damaged("repair/locked", true);
    write_file("repair/locked-lock", "Milk, bread", 11);
    before = fingerprint("repair");
    output = (told){0};
    check_result(repair("repair/locked", &output), FIRSTTIME_ERROR_CORRUPT);
    check_mentions("repair/locked-lock");
    check(output.calls == 0);
    check(fingerprint("repair") == before);
}

static void alone(void) {
    static told output;
    firsttime_store *store = open_with("repair/open", 0);
    check_result(firsttime_mark(store, "a"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    write_file("repair/open", "garbage", 7);
    output = (told){0};
    check_result(repair("repair/open", &output), FIRSTTIME_ERROR_BUSY);
    check_text();
    check(output.calls == 0);
    int ready[2];
    check(pipe(ready) == 0);
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        firsttime_store *own = open_with("repair/other", 0);
        check_result(firsttime_mark(own, "a"), FIRSTTIME_OK);
        check(write(ready[1], "r", 1) == 1);
        pause();
        _exit(0);
    }
    char byte;
    check(read(ready[0], &byte, 1) == 1);
    check_result(repair("repair/other", &output), FIRSTTIME_ERROR_BUSY);
    close(ready[0]);
    close(ready[1]);
    check(kill(child, SIGKILL) == 0 && wait_for(child) == 128 + SIGKILL);
    check_result(repair("repair/other", &output), FIRSTTIME_NO);
    check(unlink("repair/open") == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    /* Opened inside: it can't be, unless by who recovers, and then nothing is left to be done. */
    damaged("repair/inside", true);
    output = (told){.path = "repair/inside"};
    check_result(repair("repair/inside", &output), FIRSTTIME_YES);
    check_result(output.inside, FIRSTTIME_ERROR_CORRUPT);
    damaged("repair/inside", true);
    output = (told){.path = "repair/inside", .flags = FIRSTTIME_RECOVER};
    check_result(repair("repair/inside", &output), FIRSTTIME_ERROR_BUSY);
    check_result(output.inside, FIRSTTIME_OK);
    check_result(repair("repair/inside", &output), FIRSTTIME_NO);
    damaged("repair/inside", true);
    output = (told){.path = "repair/inside", .flags = UINT32_MAX};
    check_result(repair("repair/inside", &output), FIRSTTIME_ERROR_BUSY);
    check_result(output.inside, FIRSTTIME_YES);

    /* What a newer version wrote is left as it is. */
    static const char newer[] = "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key>"
                                "<integer>100000</integer><key>$top</key><dict/><key>$objects</key><array/>"
                                "<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict></dict></plist>";
    write_file("repair/newer", newer, sizeof newer - 1);
    uint64_t before = fingerprint("repair");
    check_result(repair("repair/newer", &output), FIRSTTIME_ERROR_FORMAT);
    check(fingerprint("repair") == before);
}

int main(void) {
    check(getenv("FT_IMPORT") != NULL);
    snprintf(fixtures, sizeof fixtures, "%s/..", getenv("FT_IMPORT"));
    int descriptors = open_descriptors();
    arguments();
    shown();
    graph();
    found();
    repairing();
    journal();
    not_stores();
    alone();
    try_all(fixtures);
    check(tried > 60);
    check(open_descriptors() == descriptors);
    return 0;
}
