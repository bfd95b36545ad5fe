/* Owns the commands that look at one thing: show, due, path. They open the store for reading and change nothing. */
#include "command.h"
#include "record.h"
#include "terminal.h"
#include "when.h"

#include <math.h>
#include <stdio.h>

int look_path(const struct request *request) {
    firsttime_store *store = store_open(request, FIRSTTIME_READ_ONLY);
    if (store == NULL) return STATUS_FAILED;
    puts(firsttime_path(store));
    firsttime_close(store);
    return output_end(STATUS_OK);
}

int look_due(const struct request *request) {
    firsttime_policy policy = {.size = sizeof policy};
    if (request->operand_count > 1 && !policy_parse(request->operands[1], &policy)) return STATUS_FAILED;
    if (policy.flags == FIRSTTIME_PER_VERSION && request->app_version == NULL)
        return fail("per-version: which version runs? Give it with --app-version V");
    firsttime_store *store = store_open(request, FIRSTTIME_READ_ONLY);
    if (store == NULL) return STATUS_FAILED;
    firsttime_result result = firsttime_is_due(store, request->operands[0], &policy);
    int status = result == FIRSTTIME_YES ? STATUS_OK : result == FIRSTTIME_NO ? STATUS_NO : fail_last(NULL);
    firsttime_close(store);
    return status;
}

static void print_time(const char *label, double time, double now) {
    struct text value = TEXT_EMPTY;
    if (isnan(time)) return;
    when_add_local(&value, time);
    text_add(&value, " (");
    when_add_relative(&value, time, now);
    text_add(&value, ")");
    line_print(label, value.bytes);
    text_free(&value);
}

static void print_text(const char *label, const char *text) {
    struct text value = TEXT_EMPTY;
    if (text == NULL) return;
    text_add_bytes(&value, "", 0);
    text_add_escaped(&value, text, TEXT_NAME);
    line_print(label, value.bytes);
    text_free(&value);
}

struct showing {
    const struct request *request;
    struct asked asked;
    bool has_failed;
};

static int show(const firsttime_record *record, void *context) {
    struct showing *showing = context;
    struct due due;
    if (!record_due(&showing->asked, record->key, &due)) return showing->has_failed = true;
    if (showing->request->json) {
        struct text out = TEXT_EMPTY;
        record_add_json(&out, record, due.is_asked ? &due : NULL);
        puts(out.bytes);
        text_free(&out);
        return 0;
    }
    double now = when_now();
    print_text("key", record->key);
    print_time("last run", record->last_time, now);
    print_text("version", record->last_version);
    print_time("first run", record->first_time, now);
    print_text("first version", record->first_version);
    char count[32];
    snprintf(count, sizeof count, "%llu", (unsigned long long)record->count);
    line_print("count", count);
    if (due.is_asked && !due.is_due && isfinite(due.time))
        print_time("next due", due.time, now);
    else if (due.is_asked)
        line_print("next due", due.is_due ? "now" : "never");
    return 0;
}

int look_show(const struct request *request) {
    struct showing showing = {.request = request};
    if (!record_ask(request, &showing.asked)) return STATUS_FAILED;
    firsttime_store *store = showing.asked.store = store_open(request, FIRSTTIME_READ_ONLY);
    if (store == NULL) return STATUS_FAILED;
    firsttime_result result = firsttime_find(store, request->operands[0], show, &showing);
    int status = STATUS_OK;
    if (result < 0 || showing.has_failed) status = fail_last(NULL);
    if (result == FIRSTTIME_NO) {
        fail("%s has no record in %s", request->operands[0], firsttime_path(store));
        status = STATUS_NO;
    }
    firsttime_close(store);
    return output_end(status);
}
