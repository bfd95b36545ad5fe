/* Owns the commands over files that others wrote or shall read: verify, repair, dump, export. import is in import.c. */
#include "command.h"
#include "input.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int write_out(const void *bytes, size_t length, void *context) {
    (void)context;
    return fwrite(bytes, 1, length, stdout) != length;
}

struct checked {
    const char *name, *place; /* "offset" or "line". */
    size_t count;
};

struct repairing {
    const char *name;
    struct text lines;
};

static int print_problem(const firsttime_problem *problem, void *context) {
    struct checked *checked = context;
    struct text line = TEXT_EMPTY;
    checked->count++;
    text_add_escaped(&line, checked->name, TEXT_MESSAGE);
    if (checked->place != NULL && (problem->offset > 0 || strcmp(checked->place, "offset") == 0))
        text_print(&line, ": %s %llu", checked->place, (unsigned long long)problem->offset);
    text_add(&line, ": ");
    text_add_escaped(&line, problem->text, TEXT_MESSAGE);
    puts(line.bytes);
    text_free(&line);
    return ferror(stdout);
}

/* Before the repair, so that nothing is said of what then fails. */
static int keep_problem(const firsttime_problem *problem, void *context) {
    struct repairing *repairing = context;
    size_t length = strlen(repairing->name);
    /* Most begin with the path of a file. */
    if (strncmp(problem->text, repairing->name, length) != 0 && problem->text[0] != '/') {
        text_add_escaped(&repairing->lines, repairing->name, TEXT_MESSAGE);
        text_add(&repairing->lines, ": ");
    }
    text_add_escaped(&repairing->lines, problem->text, TEXT_MESSAGE);
    text_add(&repairing->lines, "\n");
    return 0;
}

static const char *place_of(const struct text *bytes) {
    return bytes->length >= 6 && memcmp(bytes->bytes, "bplist", 6) == 0 ? "offset" : "line";
}

int archive_verify(const struct request *request) {
    struct text bytes;
    if (!input_read(request->operands[0], &bytes)) return STATUS_FAILED;
    struct checked checked = {.name = input_name(request->operands[0]), .place = place_of(&bytes)};
    firsttime_result result = firsttime_verify_bytes(bytes.bytes, bytes.length, print_problem, &checked);
    text_free(&bytes);
    int status = result == FIRSTTIME_OK ? STATUS_OK : STATUS_NO;
    if (result == FIRSTTIME_ERROR_CORRUPT && checked.count > 0)
        printf("%zu %s\n", checked.count, checked.count == 1 ? "problem" : "problems");
    else if (result == FIRSTTIME_ERROR_CORRUPT || result == FIRSTTIME_ERROR_FORMAT)
        fail_last(checked.name);
    else if (result < 0)
        status = fail_last(checked.name);
    return output_end(status);
}

int archive_dump(const struct request *request) {
    struct text bytes;
    if (!input_read(request->operands[0], &bytes)) return STATUS_FAILED;
    uint32_t flags = (request->json ? FIRSTTIME_DUMP_JSON : 0) | (request->raw ? FIRSTTIME_DUMP_RAW : 0);
    firsttime_result result = firsttime_dump_bytes(bytes.bytes, bytes.length, flags, write_out, NULL);
    text_free(&bytes);
    if (result == FIRSTTIME_OK || result == FIRSTTIME_ERROR_CALLBACK) return output_end(STATUS_OK);
    return fail_last(input_name(request->operands[0]));
}

int archive_repair(const struct request *request) {
    struct repairing repairing = {.name = request->operands[0], .lines = TEXT_EMPTY};
    if (*repairing.name == 0) return fail("repair: the path is empty");
    if (strcmp(repairing.name, "-") == 0) return fail("repair: a file is needed; standard input can't be mended");
    firsttime_result result = firsttime_repair(repairing.name, keep_problem, &repairing);
    if (result == FIRSTTIME_NO) text_print(&repairing.lines, "%s: nothing to repair\n", repairing.name);
    if (result >= 0) fwrite(repairing.lines.bytes, 1, repairing.lines.length, stdout);
    text_free(&repairing.lines);
    return output_end(result < 0 ? fail_last(NULL) : STATUS_OK);
}

static bool parse_format(const char *name, int32_t *format_out) {
    static const struct {
        const char *name;
        int32_t format;
    } formats[] = {
        {"archive", FIRSTTIME_FORMAT_ARCHIVE},
        {"xml", FIRSTTIME_FORMAT_ARCHIVE_XML},
        {"defaults", FIRSTTIME_FORMAT_DEFAULTS},
        {"json", FIRSTTIME_FORMAT_JSON},
    };
    for (size_t index = 0; index < sizeof formats / sizeof formats[0]; index++) {
        *format_out = formats[index].format;
        if (name == NULL || strcmp(name, formats[index].name) == 0) return true;
    }
    fail("--format %s: the formats are archive, xml, defaults and json", name);
    return false;
}

int archive_export(const struct request *request) {
    int32_t format;
    const char *path = request->operands[0];
    bool is_standard = path == NULL || strcmp(path, "-") == 0;
    if (path != NULL && *path == 0) return fail("export: the path is empty");
    if (!parse_format(request->format, &format)) return STATUS_FAILED;
    if (is_standard && format == FIRSTTIME_FORMAT_ARCHIVE && isatty(STDOUT_FILENO))
        return fail("an archive is binary, nothing for a terminal; give a FILE, or --format xml");
    firsttime_store *store = store_open(request, FIRSTTIME_READ_ONLY);
    if (store == NULL) return STATUS_FAILED;
    firsttime_result result =
        is_standard ? firsttime_export_to(store, format, write_out, NULL) : firsttime_export(store, path, format);
    int status = result < 0 && result != FIRSTTIME_ERROR_CALLBACK ? fail_last(NULL) : STATUS_OK;
    firsttime_close(store);
    return output_end(status);
}
