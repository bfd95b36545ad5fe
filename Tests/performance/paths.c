/* paths: the main paths, one after the other, for callgrind to count the instructions of each.
 *
 *   paths prepare DIRECTORY KEYS   makes a store of that many keys, and an empty directory beside it
 *   paths measure DIRECTORY KEYS   under callgrind: a dump for each path; prints the path and its units of work
 *
 * Recording is RELAXED: waiting for the disk is no instruction. Nothing here looks at a clock. */
#include <firsttime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

/* Few enough records that the journal doesn't ask for a checkpoint of its own. */
enum { questions = 2000, records = 256, donations = 128 };

static char hits[questions][24], misses[questions][24], fresh[records][24];

static int check(int result) {
    if (result < 0) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        exit(1);
    }
    return result;
}

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

/* The count of a path is what lies between these two. */
static void begin(void) { CALLGRIND_ZERO_STATS; }
#define END(path, units)                                                                                               \
    do {                                                                                                               \
        CALLGRIND_DUMP_STATS_AT(path);                                                                                 \
        printf("%s\t%ld\n", path, (long)(units));                                                                      \
    } while (0)

static firsttime_store *open_store(const char *directory, const char *name) {
    char path[1024];
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    options.path = path;
    options.app_version = "1.0";
    options.flags = FIRSTTIME_RELAXED;
    check(firsttime_open(&options, &store));
    return store;
}

static int run(void *context) {
    ++*(int *)context;
    return 0;
}

static void never_called(const char *name, void *context) {
    (void)context;
    expect(0, name);
}

static void prepare(const char *directory, int keys) {
    firsttime_store *store = open_store(directory, "store.archive");
    for (int number = 0; number < keys; number++) {
        char key[24];
        snprintf(key, sizeof key, "feature.%06d", number);
        check(firsttime_mark(store, key));
    }
    check(firsttime_close(store));
}

static void name_keys(int keys) {
    for (int index = 0; index < questions; index++) {
        unsigned number = (unsigned)index * 7919u % (unsigned)keys;
        snprintf(hits[index], sizeof *hits, "feature.%06u", number);
        snprintf(misses[index], sizeof *misses, "feature.%06u?", number);
    }
    for (int index = 0; index < records; index++)
        snprintf(fresh[index], sizeof *fresh, "fresh.%04d", index);
}

static void ask(firsttime_store *store) {
    int found = 0, due = 0;
    firsttime_policy policy = {sizeof policy, FIRSTTIME_PER_INTERVAL, firsttime_days(1)};
    check(firsttime_was_executed(store, hits[0])); /* what the first question does besides isn't asking */
    begin();
    for (int index = 0; index < questions; index++)
        found += check(firsttime_was_executed(store, hits[index]));
    END("ask-hit", questions);
    expect(found == questions, "every key is there");
    begin();
    for (int index = 0; index < questions; index++)
        found += check(firsttime_was_executed(store, misses[index]));
    END("ask-miss", questions);
    expect(found == questions, "no other key is there");
    check(firsttime_is_due(store, hits[0], &policy));
    begin();
    for (int index = 0; index < questions; index++)
        due += check(firsttime_is_due(store, hits[index], &policy));
    END("is-due", questions);
    expect(due == 0, "nothing is due the day it ran");
}

static void record(firsttime_store *store) {
    int runs = 0;
    firsttime_rule *terms[] = {firsttime_rule_event_at_least("appStarted", 1),
                               firsttime_rule_event_at_least("neverDonated", 1)};
    check(firsttime_execute_once(store, "first", run, NULL, &runs)); /* makes the files */
    begin();
    for (int index = 0; index < records; index++) {
        check(firsttime_execute_once(store, fresh[index], run, NULL, &runs));
    }
    END("first-run", records);
    expect(runs == records + 1, "every fresh key ran");
    begin();
    for (int index = 0; index < records; index++) {
        check(firsttime_execute_once(store, fresh[index], run, NULL, &runs));
    }
    END("not-due", records);
    expect(runs == records + 1, "none ran twice");
    check(firsttime_set_rule(store, "prompt", firsttime_rule_all_of(terms, 2), never_called, NULL, NULL));
    check(firsttime_donate(store, "appStarted"));
    begin();
    for (int index = 0; index < donations; index++)
        check(firsttime_donate(store, "appStarted"));
    END("donate", donations);
}

static void measure(const char *directory, int keys) {
    char archive[1024];
    snprintf(archive, sizeof archive, "%s/store.archive", directory);
    name_keys(keys);
    begin();
    firsttime_store *store = open_store(directory, "store.archive");
    END("open", keys);
    expect(firsttime_count(store, NULL) == keys, "the store was prepared");

    firsttime_store *imported = open_store(directory, "imported.archive");
    begin();
    check(firsttime_import(imported, archive, NULL, NULL));
    END("import", keys);
    expect(firsttime_count(imported, NULL) == keys, "all keys are imported");

    ask(store);
    record(store);
    begin();
    check(firsttime_flush(store));
    END("checkpoint", keys + records);
    begin();
    check(firsttime_close(store));
    END("close", 1);
}

int main(int count, char **arguments) {
    int keys = count == 4 ? atoi(arguments[3]) : 0;
    if (keys < 1) return 2;
    if (strcmp(arguments[1], "prepare") == 0) {
        prepare(arguments[2], keys);
    } else {
        measure(arguments[2], keys);
    }
    return 0;
}
