/* Owns the commands that list: keys and events, as a table, as JSON, or as names alone. */
#include "command.h"
#include "record.h"
#include "terminal.h"
#include "when.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct listing {
    const struct request *request;
    struct asked asked;
    struct table table;
    struct text out;
    double now;
    size_t count;
    bool has_failed;
};

static void add_cells(struct text *cells, const struct listing *listing, const char *name, double last_time,
                      const char *version, uint64_t count) {
    text_add_escaped(&cells[0], name, TEXT_NAME);
    when_add_relative(&cells[1], last_time, listing->now);
    if (version != NULL) text_add_escaped(&cells[2], version, TEXT_NAME);
    text_print(&cells[3], "%llu", (unsigned long long)count);
}

static void add_json(struct listing *listing) { text_add(&listing->out, listing->count++ == 0 ? "[\n  " : ",\n  "); }

static int add_record(const firsttime_record *record, void *context) {
    struct listing *listing = context;
    struct text cells[MOST_COLUMNS] = {TEXT_EMPTY};
    struct due due;
    if (listing->request->keys) {
        /* As they are for a script, but for a terminal without what it would obey. */
        text_add_escaped(&cells[0], record->key, TEXT_NAME);
        puts(isatty(STDOUT_FILENO) ? cells[0].bytes : record->key);
        text_free(&cells[0]);
        return 0;
    }
    if (!record_due(&listing->asked, record->key, &due)) return listing->has_failed = true;
    if (listing->request->json) {
        add_json(listing);
        record_add_json(&listing->out, record, due.is_asked ? &due : NULL);
        return 0;
    }
    add_cells(cells, listing, record->key, record->last_time, record->last_version, record->count);
    if (due.is_due)
        text_add(&cells[4], "now");
    else if (due.is_asked && isinf(due.time))
        text_add(&cells[4], "never");
    else
        when_add_relative(&cells[4], due.time, listing->now);
    table_add(&listing->table, cells);
    for (size_t index = listing->table.columns; index < MOST_COLUMNS; index++) text_free(&cells[index]);
    return 0;
}

static int add_event(const firsttime_donations *donations, void *context) {
    struct listing *listing = context;
    struct text cells[MOST_COLUMNS] = {TEXT_EMPTY};
    const char *prefix = listing->request->prefix;
    if (prefix != NULL && strncmp(donations->event, prefix, strlen(prefix)) != 0) return 0;
    if (listing->request->json) {
        add_json(listing);
        donations_add_json(&listing->out, donations);
        return 0;
    }
    add_cells(cells, listing, donations->event, donations->last_time, donations->last_version, donations->count);
    when_add_relative(&cells[4], donations->first_time, listing->now);
    table_add(&listing->table, cells);
    return 0;
}

static int end(struct listing *listing, firsttime_result result, const char *nothing) {
    int status = STATUS_OK;
    if (result < 0 || listing->has_failed) {
        status = fail_last(NULL);
    } else if (listing->request->json) {
        text_add(&listing->out, listing->count == 0 ? "[]\n" : "\n]\n");
        fwrite(listing->out.bytes, 1, listing->out.length, stdout);
    } else if (!listing->request->keys && listing->table.count == 0) {
        fprintf(stderr, "firsttime: %s in %s\n", nothing, firsttime_path(listing->asked.store));
    } else if (!listing->request->keys) {
        table_print(&listing->table);
    }
    text_free(&listing->out);
    firsttime_close(listing->asked.store);
    return output_end(status);
}

int look_list(const struct request *request) {
    struct listing listing = {
        .request = request,
        .now = when_now(),
        .table = {.columns = 4,
                  .headings = {"KEY", "LAST RUN", "VERSION", "COUNT", "NEXT DUE"},
                  .is_right = {[3] = true}},
    };
    if (!record_ask(request, &listing.asked)) return STATUS_FAILED;
    if (listing.asked.is_asked) listing.table.columns = 5;
    listing.asked.store = store_open(request, FIRSTTIME_READ_ONLY);
    if (listing.asked.store == NULL) return STATUS_FAILED;
    return end(&listing, firsttime_each(listing.asked.store, request->prefix, add_record, &listing), "no key");
}

int look_events(const struct request *request) {
    struct listing listing = {
        .request = request,
        .now = when_now(),
        .table = {.columns = 5,
                  .headings = {"EVENT", "LAST TIME", "VERSION", "COUNT", "FIRST TIME"},
                  .is_right = {[3] = true}},
    };
    listing.asked.store = store_open(request, FIRSTTIME_READ_ONLY);
    if (listing.asked.store == NULL) return STATUS_FAILED;
    return end(&listing, firsttime_each_donations(listing.asked.store, add_event, &listing), "no event");
}
