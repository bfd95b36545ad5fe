/* Owns what every command does around its own work: opening the store, saying what failed, ending the output. */
#define _GNU_SOURCE
#include "command.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { INNER_WAIT_MS = 60000 };

int fail(const char *format, ...) {
    struct text message = TEXT_EMPTY, line = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, format);
    text_add_formatted(&message, format, arguments);
    va_end(arguments);
    text_add(&line, "firsttime: ");
    text_add_escaped(&line, message.bytes, TEXT_MESSAGE);
    text_add(&line, "\n");
    fflush(stdout);
    fwrite(line.bytes, 1, line.length, stderr);
    text_free(&message);
    text_free(&line);
    return STATUS_FAILED;
}

int fail_last(const char *what) {
    /* Where the library has bytes alone, the tool knows the file. */
    static const char unnamed[] = "the bytes: ";
    const char *words = firsttime_last_error();
    if (what == NULL) return fail("%s", words);
    return fail("%s: %s", what, strncmp(words, unnamed, strlen(unnamed)) == 0 ? words + strlen(unnamed) : words);
}

bool request_path(const struct request *request, firsttime_options *options) {
    *options = (firsttime_options)FIRSTTIME_OPTIONS_INIT;
    if (request->store != NULL && request->app != NULL) {
        fail("--store and --app both say which store; give one of them");
        return false;
    }
    if (request->store != NULL && *request->store == 0) return fail("--store is empty"), false;
    options->path = request->store;
    options->app_id = request->app != NULL ? request->app : "firsttime";
    options->app_version = request->app_version;
    options->wait_ms = request->wait_ms;
    /* Two that each wait for the other's key would wait for ever: the library sees no further than its process. */
    if (!request->waits && held_exists()) options->wait_ms = INNER_WAIT_MS;
    return true;
}

static bool ends_with(const char *text, size_t length, const char *end) {
    return length >= strlen(end) && memcmp(text + length - strlen(end), end, strlen(end)) == 0;
}

/* Whether `import` takes the file: it is whole, but no archive. A store that isn't there is asked; nothing is made. */
static bool can_be_imported(const char *path) {
    struct text none = TEXT_EMPTY;
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_import_options import = {.size = sizeof import, .flags = FIRSTTIME_IMPORT_DRY_RUN};
    firsttime_import_report report = {.size = sizeof report};
    firsttime_store *store = NULL;
    text_print(&none, "%s.no-store", path);
    options.path = none.bytes;
    options.flags = FIRSTTIME_READ_ONLY;
    bool can = firsttime_open(&options, &store) == FIRSTTIME_OK &&
               firsttime_import(store, path, &import, &report) >= 0 &&
               (report.format == FIRSTTIME_FORMAT_DEFAULTS || report.format == FIRSTTIME_FORMAT_RULEKIT);
    firsttime_close(store);
    text_free(&none);
    return can;
}

/* After a store could not be decoded: what helps. The library's words begin with the file's path. */
static void hint(void) {
    struct text path = TEXT_EMPTY, shown = TEXT_EMPTY;
    const char *words = firsttime_last_error(), *end = strstr(words, ": ");
    size_t length = end != NULL ? (size_t)(end - words) : 0;
    bool is_lock = ends_with(words, length, "-lock"), is_journal = ends_with(words, length, "-journal");
    if (length == 0 || is_lock) return;
    text_add_bytes(&path, words, is_journal ? length - strlen("-journal") : length);
    text_add_escaped(&shown, path.bytes, TEXT_MESSAGE);
    if (!is_journal && can_be_imported(path.bytes))
        fprintf(stderr, "It is no archive: firsttime import %s takes over what it holds\n", shown.bytes);
    else
        fprintf(stderr, "firsttime repair %s saves what can be saved%s\n", shown.bytes,
                is_journal ? "" : "; firsttime verify shows what is wrong");
    text_free(&path);
    text_free(&shown);
}

firsttime_store *store_open(const struct request *request, uint32_t flags) {
    firsttime_options options;
    firsttime_store *store = NULL;
    if (!request_path(request, &options)) return NULL;
    options.flags = flags;
    firsttime_result result = firsttime_open(&options, &store);
    if (result == FIRSTTIME_OK) return store;
    if (result == FIRSTTIME_ERROR_ARGUMENT && request->app != NULL) {
        static const char field[] = "app_id ";
        const char *words = firsttime_last_error();
        bool is_named = strncmp(words, field, strlen(field)) == 0;
        fail("--app %s: %s%s", request->app, is_named ? "it " : "", is_named ? words + strlen(field) : words);
        return NULL;
    }
    fail_last(NULL);
    if (result == FIRSTTIME_ERROR_CORRUPT) hint();
    return NULL;
}

int output_end(int status) {
    /* Some file systems tell of a failed write only when a descriptor is closed. */
    int copy = -1;
    bool is_written = fflush(stdout) == 0 && !ferror(stdout);
    if (is_written) copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (is_written && (copy < 0 || close(copy) == 0)) return status;
    return fail("can't write to standard output: %s", strerror(errno));
}
