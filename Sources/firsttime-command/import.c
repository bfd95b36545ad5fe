/* Owns `import`: taking old state into the store, and saying what that did. */
#include "command.h"
#include "input.h"
#include "when.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct importing {
    const char *name;
    double began, shown; /* When the progress line appeared last; 0: never. */
    bool is_on_terminal;
};

static void hide_progress(struct importing *importing) {
    if (importing->shown != 0) fprintf(stderr, "\r\033[K");
    importing->shown = 0;
}

static int show_progress(uint64_t done, uint64_t total, void *context) {
    struct importing *importing = context;
    double now = importing->is_on_terminal ? when_now() : 0;
    /* A line that comes and goes within a moment only flickers. */
    if (!importing->is_on_terminal || now - importing->began < 0.5 || now - importing->shown < 0.1) return 0;
    importing->shown = now;
    fprintf(stderr, "\r%llu of %llu\033[K", (unsigned long long)done, (unsigned long long)total);
    return 0;
}

static int tell_skipped(const firsttime_problem *problem, void *context) {
    struct importing *importing = context;
    hide_progress(importing);
    fail("%s: left out: %s (at %llu)", importing->name, problem->text, (unsigned long long)problem->offset);
    return 0;
}

static const char *format_name(int32_t format) {
    switch (format) {
    case FIRSTTIME_FORMAT_ARCHIVE: return "a keyed archive";
    case FIRSTTIME_FORMAT_ARCHIVE_XML: return "a keyed archive in XML";
    case FIRSTTIME_FORMAT_DEFAULTS: return "preferences";
    case FIRSTTIME_FORMAT_RULEKIT: return "RuleKit's events";
    default: return "a file";
    }
}

static void print_counts(const char *what, uint64_t added, uint64_t updated, uint64_t kept, bool is_dry) {
    printf(is_dry ? "%-8s %llu to add, %llu to update, %llu to keep\n" : "%-8s %llu added, %llu updated, %llu kept\n",
           what, (unsigned long long)added, (unsigned long long)updated, (unsigned long long)kept);
}

static void print_report(const struct request *request, const char *name, const firsttime_import_report *report) {
    struct text line = TEXT_EMPTY;
    text_add_escaped(&line, name, TEXT_MESSAGE);
    printf("%s: %s\n", line.bytes, format_name(report->format));
    text_free(&line);
    print_counts("records", report->records_added, report->records_updated, report->records_kept, request->dry_run);
    if (report->events_added + report->events_updated + report->events_kept > 0)
        print_counts("events", report->events_added, report->events_updated, report->events_kept, request->dry_run);
    if (report->skipped > 0) printf("%-8s %llu\n", "left out", (unsigned long long)report->skipped);
    if (report->format == FIRSTTIME_FORMAT_DEFAULTS &&
        report->skipped + report->records_added + report->records_updated + report->records_kept +
                report->events_added + report->events_updated + report->events_kept ==
            0)
        fail("%s: no records were found under \"%s\"; --defaults-key NAME names another key", name,
             request->defaults_key != NULL ? request->defaults_key : "YCFirstTime");
    if (request->dry_run) puts("Nothing was changed.");
}

/* The NAME=SPEC of --interval; the names go to `names`, which they fill. */
static bool parse_intervals(const struct request *request, struct text *names, const char **starts,
                            firsttime_interval *intervals) {
    size_t offsets[MOST_INTERVALS];
    for (size_t index = 0; index < request->interval_count; index++) {
        const char *text = request->intervals[index], *equals = strrchr(text, '=');
        if (equals == NULL || equals == text) {
            fail("--interval %s: NAME=SPEC is needed, such as reviewPrompt=monthly", text);
            return false;
        }
        if (!interval_parse(equals + 1, &intervals[index])) return false;
        offsets[index] = names->length;
        text_add_bytes(names, text, (size_t)(equals - text));
        text_add_bytes(names, "", 1);
    }
    for (size_t index = 0; index < request->interval_count; index++) starts[index] = names->bytes + offsets[index];
    return true;
}

int archive_import(const struct request *request) {
    struct text bytes, names = TEXT_EMPTY;
    const char *starts[MOST_INTERVALS];
    firsttime_interval intervals[MOST_INTERVALS];
    struct importing importing = {
        .name = input_name(request->operands[0]), .began = when_now(), .is_on_terminal = isatty(STDERR_FILENO)};
    if (!parse_intervals(request, &names, starts, intervals)) return STATUS_FAILED;
    if (!input_read(request->operands[0], &bytes)) return STATUS_FAILED;
    firsttime_store *store = store_open(request, request->dry_run ? FIRSTTIME_READ_ONLY : 0);
    if (store == NULL) return STATUS_FAILED;

    firsttime_import_report report = {.size = sizeof report};
    firsttime_import_options options = {
        .size = sizeof options,
        .defaults_key = request->defaults_key,
        .interval_names = starts,
        .intervals = intervals,
        .interval_count = request->interval_count,
        .flags = request->dry_run ? FIRSTTIME_IMPORT_DRY_RUN : 0,
        .skipped = tell_skipped,
        .progress = show_progress,
        .context = &importing,
    };
    firsttime_result result = firsttime_import_bytes(store, bytes.bytes, bytes.length, &options, &report);
    hide_progress(&importing);
    int status = result < 0 ? fail_last(importing.name) : STATUS_OK;
    if (result >= 0) print_report(request, importing.name, &report);
    firsttime_close(store);
    text_free(&bytes);
    text_free(&names);
    return output_end(status);
}
