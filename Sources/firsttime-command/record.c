/* Owns the JSON of records and events, and when a record is due under the policy that was asked for. */
#include "record.h"

#include <math.h>

/* The end of the year 9999: no calendar of today says when what comes later is. */
static const double LAST_TIME = 253402300799;

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
    if (due_out->time > LAST_TIME) due_out->time = INFINITY;
    due_out->is_due = result == FIRSTTIME_YES;
    return result >= 0;
}

/* The members are those of `export --format json`: what isn't known is absent. */
static void add_time(struct text *out, const char *name, double time) {
    if (!isfinite(time)) return;
    text_print(out, ", \"%s\": ", name);
    text_add_json_number(out, time);
}

static void add_version(struct text *out, const char *name, const char *version) {
    if (version == NULL) return;
    text_print(out, ", \"%s\": ", name);
    text_add_json(out, version);
}

/* What is told of a key and of an event alike. */
static void add_history(struct text *out, uint64_t count, double first_time, const char *first_version,
                        double last_time, const char *last_version) {
    text_print(out, ", \"count\": %llu", (unsigned long long)count);
    add_time(out, "firstTime", first_time);
    add_version(out, "firstVersion", first_version);
    add_time(out, "lastTime", last_time);
    add_version(out, "lastVersion", last_version);
}

void record_add_json(struct text *out, const firsttime_record *record, const struct due *due) {
    text_add(out, "{\"key\": ");
    text_add_json(out, record->key);
    add_history(out, record->count, record->first_time, record->first_version, record->last_time,
                record->last_version);
    if (due != NULL) {
        text_print(out, ", \"due\": %s", due->is_due ? "true" : "false");
        add_time(out, "nextDue", due->time);
    }
    text_add(out, "}");
}

void donations_add_json(struct text *out, const firsttime_donations *donations) {
    text_add(out, "{\"name\": ");
    text_add_json(out, donations->event);
    add_history(out, donations->count, donations->first_time, donations->first_version, donations->last_time,
                donations->last_version);
    text_add(out, "}");
}
