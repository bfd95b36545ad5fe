/* donate: what a donation costs beside a bare commit (firsttime_mark() of one key): with no rules, with one, and with
 * 100, each of three terms, of which the last doesn't hold. In each round all are measured one after the other, on a
 * store that waits for the disk and on one that doesn't; what is shown is the median of the rounds' ratios. Measures,
 * and judges nothing. */
#define _GNU_SOURCE
#include "alone.h"

#include <fcntl.h>
#include <unistd.h>

enum { rounds = 9, kinds = 4, syncs = 200 };

static const int rule_counts[kinds] = {0, 0, 1, 100}; /* the first kind is the bare commit */

static void never_called(const char *name, void *context) {
    (void)context;
    fprintf(stderr, "%s fires\n", name);
    exit(1);
}

static void set_rules(firsttime_store *store, int count) {
    char name[32];
    for (int index = 0; index < count; index++) {
        firsttime_rule *terms[] = {
            firsttime_rule_event_at_least("appStarted", 1),
            firsttime_rule_event_within("appStarted", 86400),
            firsttime_rule_event_at_least("neverDonated", 1),
        };
        snprintf(name, sizeof name, "rule.%03d", index);
        check(firsttime_set_rule(store, name, firsttime_rule_all_of(terms, 3), never_called, NULL, NULL));
    }
}

/* Microseconds a call. */
static double measure(firsttime_store *store, int kind, int calls) {
    double start = seconds();
    for (int call = 0; call < calls; call++) {
        check(kind == 0 ? firsttime_mark(store, "key") : firsttime_donate(store, "appStarted"));
    }
    return (seconds() - start) / calls * 1e6;
}

static void compare_on(const char *title, const char *path, uint32_t flags, int calls) {
    firsttime_store *stores[kinds];
    double times[kinds][rounds], ratios[kinds][rounds];
    for (int kind = 0; kind < kinds; kind++) {
        firsttime_options options = FIRSTTIME_OPTIONS_INIT;
        options.path = path;
        options.flags = flags;
        check(firsttime_open(&options, &stores[kind]));
        set_rules(stores[kind], rule_counts[kind]);
        measure(stores[kind], kind, calls / 4 + 1);
    }
    for (int round = 0; round < rounds; round++) {
        for (int kind = 0; kind < kinds; kind++) times[kind][round] = measure(stores[kind], kind, calls);
        for (int kind = 0; kind < kinds; kind++) ratios[kind][round] = times[kind][round] / times[0][round];
    }
    printf("%s, medians of %d rounds of %d calls\n", title, rounds, calls);
    printf("  %-24s %10.2f us\n", "mark, a bare commit", median(times[0], rounds));
    for (int kind = 1; kind < kinds; kind++) {
        char name[32];
        snprintf(name, sizeof name, "donate, %d rule%s", rule_counts[kind], rule_counts[kind] == 1 ? "" : "s");
        printf("  %-24s %10.2f us %8.2f x\n", name, median(times[kind], rounds), median(ratios[kind], rounds));
    }
    for (int kind = 0; kind < kinds; kind++) check(firsttime_close(stores[kind]));
}

/* What a sync of a few appended bytes takes here, without any library. */
static void sync_alone(void) {
    double times[syncs];
    char bytes[64] = "";
    int file = open("donate.bare", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) exit(1);
    for (int index = 0; index < syncs; index++) {
        double start = seconds();
        if (write(file, bytes, sizeof bytes) != sizeof bytes || fdatasync(file) != 0) exit(1);
        times[index] = (seconds() - start) * 1e6;
    }
    close(file);
    printf("append and fdatasync of %zu bytes, median of %d: %.2f us\n", sizeof bytes, syncs, median(times, syncs));
}

int main(void) {
    sync_alone();
    compare_on("durable", "donate.archive", 0, 100);
    compare_on("RELAXED", "donate-relaxed.archive", FIRSTTIME_RELAXED, 2000);
    sync_alone();
    return 0;
}
