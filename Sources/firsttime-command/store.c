/* Owns what every command does around its own work: opening the store, saying what failed, ending the output. */
#include "command.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    return true;
}

firsttime_store *store_open(const struct request *request, uint32_t flags) {
    firsttime_options options;
    firsttime_store *store = NULL;
    if (!request_path(request, &options)) return NULL;
    options.flags = flags;
    firsttime_result result = firsttime_open(&options, &store);
    if (result == FIRSTTIME_OK) return store;
    fail_last(NULL);
    if (result == FIRSTTIME_ERROR_CORRUPT)
        fprintf(stderr, "firsttime verify FILE shows what is wrong; firsttime repair FILE saves what can be saved\n");
    return NULL;
}

int output_end(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return fail("can't write to standard output: %s", strerror(errno));
}
