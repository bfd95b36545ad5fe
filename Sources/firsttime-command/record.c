/* Owns the JSON of records and events, and when a record is due under the policy that was asked for. */
#include "record.h"

#include <math.h>

bool record_ask(const struct request *request, struct asked *asked_out) {
    *asked_out = (struct asked){.is_asked = request->policy != NULL, .policy.size = sizeof asked_out->policy};
    if (!asked_out->is_asked) return true;
    if (!policy_parse(request->policy, &asked_out->policy)) return false;
    if (asked_out->policy.flags == FIRSTTIME_PER_VERSION && request->app_version == NULL)
        return fail("--policy per-version: which version runs? Give it with --app-version V"), false;
    return true;
}

bool record_due(const struct asked *asked, const char *key, struct due *due_out) {
    *due_out = (struct due){.is_asked = asked->is_asked, .time = NAN};
    if (!asked->is_asked) return true;
    firsttime_result result = firsttime_next_due(asked->store, key, &asked->policy, &due_out->time);
    due_out->is_due = result == FIRSTTIME_YES;
    return result >= 0;
}

static void add_history(struct text *out, double last_time, const char *last_version, double first_time,
                        const char *first_version, uint64_t count) {
    text_print(out, ", \"count\": %llu, \"lastTime\": ", (unsigned long long)count);
    text_add_json_number(out, last_time);
    text_add(out, ", \"lastVersion\": ");
    text_add_json(out, last_version);
    text_add(out, ", \"firstTime\": ");
    text_add_json_number(out, first_time);
    text_add(out, ", \"firstVersion\": ");
    text_add_json(out, first_version);
}

void record_add_json(struct text *out, const firsttime_record *record, const struct due *due) {
    text_add(out, "{\"key\": ");
    text_add_json(out, record->key);
    add_history(out, record->last_time, record->last_version, record->first_time, record->first_version, record->count);
    if (due != NULL) {
        text_print(out, ", \"due\": %s, \"nextDue\": ", due->is_due ? "true" : "false");
        text_add_json_number(out, due->time);
    }
    text_add(out, "}");
}

void donations_add_json(struct text *out, const firsttime_donations *donations) {
    text_add(out, "{\"event\": ");
    text_add_json(out, donations->event);
    add_history(out, donations->last_time, donations->last_version, donations->first_time, donations->first_version,
                donations->count);
    text_add(out, "}");
}
