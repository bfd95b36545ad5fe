/* Triggers: rules that are set fire when they hold, as often as their options let them; who owns what; notifications. */
#include "program.h"

#include <stdlib.h>

static int fired, released, asked;
static char last_name[64];

static void fire(const char *name, void *context) {
    (void)context;
    snprintf(last_name, sizeof last_name, "%s", name);
    fired++;
}

static void release(void *context) {
    check(context == &released);
    released++;
}

static int ask(void *context) {
    (void)context;
    asked++;
    return 1;
}

static firsttime_rule_options options_of(firsttime_interval frequency) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.frequency = frequency;
    options.release = release;
    return options;
}

static firsttime_result set(firsttime_store *store, const char *name, firsttime_rule *rule,
                            const firsttime_rule_options *options) {
    return firsttime_set_rule(store, name, rule, fire, &released, options);
}

static int donate(firsttime_store *store, const char *event) {
    fired = 0;
    check_result(firsttime_donate(store, event), FIRSTTIME_OK);
    return fired;
}

static int keep(const firsttime_trigger_record *record, void *context) {
    check(record->size == sizeof *record && record->name != NULL);
    *(firsttime_trigger_record *)context = *record;
    return 0;
}

static uint64_t count_of(firsttime_store *store, const char *name) {
    firsttime_trigger_record record = {0};
    firsttime_result result = firsttime_find_trigger(store, name, keep, &record);
    check(result == (record.size > 0 ? FIRSTTIME_YES : FIRSTTIME_NO));
    return record.count;
}

/* The README's example of RuleKit, over a history. */
static int is_other_version(const firsttime_donations *donations, void *context) {
    return donations->last_version == NULL || strcmp(donations->last_version, context) != 0;
}

static int has_entities(void *context) { return *(int *)context >= 5; }
static int has_some_entities(void *context) { return *(int *)context >= 3; }

static void review_prompt(void) {
    double now = 1769904000; /* 2026-02-01 00:00 UTC */
    int entities = 0;
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "review.archive";
    options.app_version = "1.0";
    options.flags = FIRSTTIME_FIXED_OFFSET;
    firsttime_store *store;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    firsttime_set_clock(store, read_clock, &now, NULL);

    firsttime_rule *few[] = {firsttime_rule_event_at_least("appStarted", 3),
                             firsttime_rule_condition(has_some_entities, &entities, NULL)};
    firsttime_rule *ready[] = {firsttime_rule_condition(has_entities, &entities, NULL), firsttime_rule_all_of(few, 2)};
    firsttime_rule *all[] = {firsttime_rule_event("promptAttempt", is_other_version, "1.0", NULL),
                             firsttime_rule_any_of(ready, 2)};
    firsttime_rule_options rule_options = options_of(FIRSTTIME_MONTHLY);
    rule_options.release = NULL;
    check_result(firsttime_set_rule(store, "requestReview", firsttime_rule_all_of(all, 2), fire, NULL, &rule_options),
                 FIRSTTIME_OK);

    check(donate(store, "appStarted") == 0);
    entities = 3;
    check(donate(store, "itemCreated") == 0);
    check(donate(store, "appStarted") == 0);
    check(donate(store, "appStarted") == 1); /* the third start, with three items */
    check(donate(store, "appStarted") == 0); /* once a month */
    now += 27 * 86400;
    check(donate(store, "appStarted") == 0); /* 28 February */
    now += 86400;
    check(donate(store, "appStarted") == 1); /* 1 March */
    check_result(firsttime_donate(store, "promptAttempt"), FIRSTTIME_OK);
    now += 40 * 86400;
    entities = 10;
    check(donate(store, "itemCreated") == 0); /* asked in this version already */
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void options(void) {
    double now = start;
    firsttime_store *store = open_store("options.archive", "1.0", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    released = 0;
    firsttime_rule_options hourly = options_of(firsttime_elapsed(1, FIRSTTIME_HOUR));
    hourly.throttle_name = "prompts";
    check_result(set(store, "a", firsttime_rule_always(), &hourly), FIRSTTIME_OK);
    check_result(set(store, "b", firsttime_rule_always(), &hourly), FIRSTTIME_OK);
    check(donate(store, "x") == 1 && strcmp(last_name, "a") == 0 && donate(store, "x") == 0);
    check_result(firsttime_remove_rule(store, "a"), FIRSTTIME_OK);
    check(released == 1 && donate(store, "x") == 0);
    now += 3600;
    check(donate(store, "x") == 1 && strcmp(last_name, "b") == 0);
    check(count_of(store, "a") == 1 && count_of(store, "b") == 1 && count_of(store, "prompts") == 2);
    check_result(firsttime_reset_trigger(store, "prompts"), FIRSTTIME_OK);
    check(donate(store, "x") == 1 && count_of(store, "b") == 2);

    firsttime_rule_options limited = FIRSTTIME_RULE_OPTIONS_INIT;
    limited.limit = 2;
    check_result(set(store, "b", firsttime_rule_always(), &limited), FIRSTTIME_OK);
    check(released == 2 && donate(store, "x") == 0);
    check_result(firsttime_reset_trigger(store, NULL), FIRSTTIME_OK);
    check(donate(store, "x") == 1 && donate(store, "x") == 1 && donate(store, "x") == 0);
    check_result(firsttime_is_rule_registered(store, "b"), FIRSTTIME_YES);
    check_result(firsttime_is_rule_registered(store, "a"), FIRSTTIME_NO);
    check_result(firsttime_remove_rule(store, "a"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(released == 2);
}

/* Everything that is passed on is let go of once, whatever comes of it. */
static void ownership(void) {
    firsttime_store *store = open_store("ownership.archive", "1.0", 0);
    released = 0;
    firsttime_rule_options good = FIRSTTIME_RULE_OPTIONS_INIT;
    good.release = release;
    int expected = 0;
    struct {
        const char *name;
        bool has_rule;
        double count, delay;
        const char *throttle;
    } bad[] = {{NULL, true, 0, 0, NULL}, {"", true, 0, 0, NULL},        {"x", false, 0, 0, NULL},
               {"x", true, -1, 0, NULL}, {"x", true, NAN, 0, NULL},     {"x", true, 0, -1, NULL},
               {"x", true, 0, NAN, NULL}, {"x", true, 0, INFINITY, NULL}, {"x", true, 0, 0, ""},
               {"x", true, 0, 0, "\xFF"}};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        firsttime_rule_options options = good;
        options.frequency.count = bad[index].count;
        options.delay_seconds = bad[index].delay;
        options.throttle_name = bad[index].throttle;
        firsttime_rule *rule = bad[index].has_rule ? firsttime_rule_condition(ask, &released, release) : NULL;
        check_argument(set(store, bad[index].name, rule, &options));
        expected += bad[index].has_rule ? 2 : 1;
        check(released == expected);
    }
    check_argument(set(NULL, "x", firsttime_rule_condition(ask, &released, release), &good));
    check(released == (expected += 2));
    firsttime_rule_options newer[2] = {good, good};
    newer[0].size = sizeof newer;
    check_argument(set(store, "x", firsttime_rule_condition(ask, &released, release), newer));
    check(released == (expected += 2));
    newer[0].size = 3;
    check_argument(set(store, "x", firsttime_rule_condition(ask, &released, release), newer));
    check(released == (expected += 1)); /* without a size there is no release to be found */
    check_result(firsttime_is_rule_registered(store, "x"), FIRSTTIME_NO);

    check_result(set(store, "x", firsttime_rule_condition(ask, &released, release), &good), FIRSTTIME_OK);
    check(donate(store, "x") == 1 && asked == 1 && released == expected);
    check_result(set(store, "x", firsttime_rule_never(), &good), FIRSTTIME_OK);
    check(released == (expected += 2));
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(released == expected + 1);
}

/* ---- executors and delays ---- */

static firsttime_work queued_work;
static void *queued_argument;

static void enqueue(void *queue, firsttime_work work, void *argument) {
    check(queue == &queued_work && queued_work == NULL);
    queued_work = work;
    queued_argument = argument;
}

static int run_queue(void) {
    fired = 0;
    check(queued_work != NULL);
    queued_work(queued_argument);
    queued_work = NULL;
    return fired;
}

static void executors(void) {
    firsttime_store *store = open_store("executors.archive", NULL, 0);
    released = 0;
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.executor = enqueue;
    options.queue = &queued_work;
    options.release = release;
    check_result(set(store, "x", firsttime_rule_always(), &options), FIRSTTIME_OK);
    check(donate(store, "x") == 0 && run_queue() == 1 && count_of(store, "x") == 1);
    /* Removed, replaced or closed before its work comes: that frees itself, and the context with it. */
    check(donate(store, "x") == 0);
    check_result(firsttime_remove_rule(store, "x"), FIRSTTIME_OK);
    check(released == 0 && run_queue() == 0 && released == 1);
    options.delay_seconds = 0.001;
    check_result(set(store, "y", firsttime_rule_always(), &options), FIRSTTIME_OK);
    check(donate(store, "x") == 0);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(released == 1 && run_queue() == 0 && released == 2);
}

static void delays(void) {
    firsttime_store *store = open_store("delays.archive", NULL, 0);
    firsttime_rule_options later = FIRSTTIME_RULE_OPTIONS_INIT;
    later.delay_seconds = 0.02;
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check_result(set(store, "later", firsttime_rule_always(), &later), FIRSTTIME_OK);
    check_result(set(store, "now", firsttime_rule_always(), NULL), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "x"), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "x"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(strcmp(last_name, "later") == 0 && count_of(store, "later") == 1 && count_of(store, "now") == 2);
    later.delay_seconds = 1e300;
    check_result(set(store, "later", firsttime_rule_always(), &later), FIRSTTIME_OK);
    check_result(firsttime_evaluate_rules(store), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- notifications ---- */

static firsttime_store *posting;
static firsttime_observer itself;

static void end_itself(const char *name, void *context) {
    fire(name, context);
    check_result(firsttime_remove_observer(posting, itself), FIRSTTIME_OK);
}

static void notifications(void) {
    firsttime_store *store = posting = open_store("notifications.archive", NULL, 0);
    released = fired = 0;
    firsttime_observer first = 7, second = 7;
    check_result(firsttime_observe(store, "n", fire, &released, release, &first), FIRSTTIME_OK);
    check_result(firsttime_observe(store, "n", end_itself, &released, release, &itself), FIRSTTIME_OK);
    check_result(firsttime_observe(store, "n", fire, &released, release, NULL), FIRSTTIME_OK);
    check(first != 0 && itself != 0 && first != itself);
    check_result(firsttime_post(store, "n"), FIRSTTIME_OK);
    check(fired == 3 && released == 1);
    check_result(firsttime_post(store, "other"), FIRSTTIME_OK);
    check_result(firsttime_remove_observer(store, first), FIRSTTIME_OK);
    check_result(firsttime_remove_observer(store, first), FIRSTTIME_OK);
    check_result(firsttime_remove_observer(store, 0), FIRSTTIME_OK);
    check_result(firsttime_set_rule(store, "n", firsttime_rule_always(), NULL, NULL, NULL), FIRSTTIME_OK);
    check(donate(store, "x") == 1 && strcmp(last_name, "n") == 0 && released == 2);

    check_argument(firsttime_observe(store, "n", NULL, &released, release, &second));
    check(second == 0 && released == 3);
    check_argument(firsttime_observe(store, "", fire, &released, release, &second));
    check_argument(firsttime_observe(NULL, "n", fire, &released, release, NULL));
    check(released == 5);
    check_argument(firsttime_post(store, NULL));
    check_argument(firsttime_post(NULL, "n"));
    check_argument(firsttime_remove_observer(NULL, first));
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(released == 6);
}

static int collect(const char *name, void *context) {
    strcat(context, name);
    return strcmp(name, "b") == 0;
}

static void names(void) {
    firsttime_store *store = open_store("names.archive", NULL, 0);
    char all[64] = "";
    check_result(firsttime_each_rule(store, collect, all), FIRSTTIME_NO);
    for (const char *name = "abc"; *name; name++) {
        const char one[2] = {*name, 0};
        check_result(firsttime_set_rule(store, one, firsttime_rule_never(), NULL, NULL, NULL), FIRSTTIME_OK);
    }
    check_result(firsttime_each_rule(store, collect, all), FIRSTTIME_YES);
    check(strcmp(all, "ab") == 0);
    check_argument(firsttime_each_rule(store, NULL, NULL));
    check_argument(firsttime_each_rule(NULL, collect, all));
    check_argument(firsttime_is_rule_registered(store, ""));
    check_argument(firsttime_remove_rule(store, NULL));
    check_argument(firsttime_find_trigger(store, NULL, NULL, NULL));
    check_argument(firsttime_reset_trigger(store, ""));
    check_argument(firsttime_evaluate_rules(NULL));
    check_argument(firsttime_wait_for_delayed_rules(NULL));
    check_result(firsttime_find_trigger(store, "a", NULL, NULL), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(void) {
    review_prompt();
    options();
    ownership();
    executors();
    delays();
    notifications();
    names();
    return 0;
}
