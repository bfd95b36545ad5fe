/* firsttime-c-demo: what FirstTime does, in one small program. Run it twice.
 *
 *   firsttime-c-demo [--store PATH] [--version V] [--reset]
 */
#include <firsttime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "legacy_archive.h"

/* Every negative result has its words. */
static firsttime_result check(firsttime_result result) {
    if (result < 0) {
        fflush(stdout);
        fprintf(stderr, "firsttime-c-demo: %s\n", firsttime_last_error());
        exit(1);
    }
    return result;
}

static int migrate(void *store) {
    firsttime_import_report report = {.size = sizeof report};
    check(firsttime_import_bytes(store, legacy_archive, sizeof legacy_archive, NULL, &report));
    printf("Migration: took %d records over from a YCFirstTime archive.\n", (int)report.records_added);
    return 0;
}

static int onboarding(void *context) {
    (void)context;
    puts("Onboarding: welcome! This is shown once per install.");
    return 0;
}

static int tutorial(void *context) {
    (void)context;
    puts("Tutorial: a long explanation, the first time.");
    return 0;
}

static int tip(void *context) {
    (void)context;
    puts("Tip: a short reminder, every time after.");
    return 0;
}

static int whats_new(void *version) {
    printf("What's new in %s: shown once per version.\n", (const char *)version);
    return 0;
}

static int daily_check(void *context) {
    (void)context;
    puts("Daily check: looking for updates. Once a day at most, whatever the hour.");
    return 0;
}

static void print_last_run(firsttime_store *store, const char *what, const char *key) {
    double last;
    if (check(firsttime_last_execution(store, key, &last)) == FIRSTTIME_NO) return;
    double seconds = difftime(time(NULL), (time_t)last);
    if (seconds < 120)
        printf("%s last run just now.\n", what);
    else if (seconds < 2 * 86400)
        printf("%s last run %.0f minutes ago.\n", what, seconds / 60);
    else
        printf("%s last run %.0f days ago.\n", what, seconds / 86400);
}

/* Ask, do, mark: for what needs no callback. */
static void ask_for_review(firsttime_store *store) {
    if (check(firsttime_should_run(store, "reviewPrompt", FIRSTTIME_MONTHLY)) == FIRSTTIME_NO) return;
    puts("Review prompt: do you like it? You are asked once in a month.");
    check(firsttime_mark_run(store, "reviewPrompt"));
}

static void thank_you(const char *rule, void *context) {
    (void)rule, (void)context;
    puts("Thank you: this was the third start. A rule over counted events says so, once.");
}

/* A rule, and the events that it counts. */
static void count_starts(firsttime_store *store) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.limit = 1;
    check(firsttime_set_rule(store, "thankYou", firsttime_rule_parse("event(\"appStarted\") >= 3"), thank_you, NULL, &options));
    check(firsttime_donate(store, "appStarted"));
}

static void print_next_run(firsttime_store *store, const char *key, uint32_t flags, firsttime_interval interval) {
    firsttime_policy policy = {sizeof policy, flags, interval};
    double next;
    char text[64] = "never again";
    if (check(firsttime_next_due(store, key, &policy, &next)) == FIRSTTIME_YES) {
        strcpy(text, "now");
    } else if (flags == FIRSTTIME_PER_VERSION) {
        strcpy(text, "with the next version");
    } else if (next < 1e12) { /* +INFINITY: never */
        time_t seconds = (time_t)next;
        strftime(text, sizeof text, "%a %Y-%m-%d %H:%M:%S %Z", localtime(&seconds));
    }
    printf("  %-22s %s\n", key, text);
}

int main(int argc, char **argv) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    const char *version = "1.0";
    int reset = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--store") && i + 1 < argc)
            options.path = argv[++i];
        else if (!strcmp(argv[i], "--version") && i + 1 < argc)
            version = argv[++i];
        else if (!strcmp(argv[i], "--reset"))
            reset = 1;
        else {
            fputs("usage: firsttime-c-demo [--store PATH] [--version V] [--reset]\n", stderr);
            return 2;
        }
    }
    options.app_version = version;

    firsttime_store *store;
    check(firsttime_open(&options, &store));
    if (reset) {
        check(firsttime_reset(store));
        check(firsttime_reset_donations(store, NULL));
        check(firsttime_reset_trigger(store, NULL));
        puts("Everything is forgotten: the next run is the first.");
        check(firsttime_close(store));
        return 0;
    }

    check(firsttime_execute_once(store, "migration.v1", migrate, NULL, store));
    check(firsttime_execute_once(store, "onboarding.v1", onboarding, NULL, NULL));
    check(firsttime_execute_once(store, "tutorial", tutorial, tip, NULL));
    check(firsttime_execute_once_per_version(store, "whats-new.panel", whats_new, NULL, (void *)version));
    if (check(firsttime_execute_once_per_interval(store, "daily-check", FIRSTTIME_DAILY, daily_check, NULL, NULL)) ==
        FIRSTTIME_NOT_DUE)
        print_last_run(store, "Daily check: not due;", "daily-check");
    ask_for_review(store);
    count_starts(store);
    print_last_run(store, "Rating prompt (from the old archive):", "rate.prompt");

    const firsttime_interval none = {0};
    puts("Due next:");
    print_next_run(store, "onboarding.v1", 0, none);
    print_next_run(store, "whats-new.panel", FIRSTTIME_PER_VERSION, none);
    print_next_run(store, "daily-check", FIRSTTIME_PER_INTERVAL, FIRSTTIME_DAILY);
    print_next_run(store, "interval.reviewPrompt", FIRSTTIME_PER_INTERVAL, FIRSTTIME_MONTHLY);
    print_next_run(store, "rate.prompt", FIRSTTIME_PER_INTERVAL, firsttime_calendar(6, FIRSTTIME_MONTH));
    printf("%lld keys are recorded in %s\n", (long long)firsttime_count(store, NULL), firsttime_path(store));

    check(firsttime_close(store));
    return 0;
}
