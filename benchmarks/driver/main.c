/* What is measured, and at which sizes.
 *
 *   driver RESULTS CACHE WORK [SECTION...]
 *
 * With --memory PEER DIRECTORY KEYS it is the process that measure_memory() starts.
 *
 * Both directories must be there, on the file system to judge by. Without sections, all. From the environment:
 * BENCH=full, BENCH_ROUNDS, BENCH_KEYS (of the sizes only these), BENCH_FOUNDATION and BENCH_PLISTLIB (commands of
 * peers in other languages). */
#include "field.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct section {
    const char *name;
    void (*measure)(size_t keys);
    size_t quick[5], full[7]; /* end with 0 */
} section;

static void two_threads(size_t keys) { measure_committing_together(keys, 2); }
static void sixteen_threads(size_t keys) { measure_committing_together(keys, 16); }

static const section sections[] = {
    {"asking", measure_asking, {1, 1000, 100000}, {1, 10, 1000, 10000, 100000, 1000000}},
    {"durable", measure_committing, {10, 1000, 100000}, {10, 1000, 10000, 100000, 1000000}},
    {"group", two_threads, {1000}, {1000}},
    {"group", sixteen_threads, {1000}, {1000}},
    {"opening", measure_opening, {10, 1000, 10000, 100000}, {10, 100, 1000, 10000, 100000, 1000000}},
    {"decoding", measure_decoding, {1000, 10000}, {1000, 10000, 100000}},
    {"memory", measure_memory, {100000}, {1000, 100000, 1000000}},
    {"archive", measure_archive_writing, {1000, 10000, 100000}, {10, 1000, 10000, 100000, 1000000}},
    {"pauses", measure_pauses, {10000, 100000}, {10000, 100000, 1000000}},
};

static bool wanted(const char *name, int count, char **names) {
    for (int index = 0; index < count; index++) {
        if (strcmp(names[index], name) == 0) return true;
    }
    return count == 0;
}

/* BENCH_KEYS: numbers with spaces between. */
static bool measured(size_t keys) {
    const char *text = getenv("BENCH_KEYS");
    bool is_there = !text || !*text;
    while (text && *text) {
        char *end;
        is_there |= strtoul(text, &end, 10) == keys;
        text = end + (*end != 0);
    }
    return is_there;
}

int main(int count, char **arguments) {
    if (count == 5 && strcmp(arguments[1], "--memory") == 0) {
        report_memory(arguments[2], arguments[3], strtoul(arguments[4], NULL, 10));
        return 0;
    }
    if (count < 4) {
        fprintf(stderr, "usage: %s RESULTS CACHE WORK [SECTION...]\n", arguments[0]);
        return 2;
    }
    const char *mode = getenv("BENCH"), *rounds = getenv("BENCH_ROUNDS");
    bench_full = mode && strcmp(mode, "full") == 0;
    if (rounds) bench_rounds = atoi(rounds);
    if (bench_rounds < 1 || bench_rounds > bench_most_rounds) bench_fail("BENCH_ROUNDS is 1 to %d", bench_most_rounds);
    signal(SIGPIPE, SIG_IGN); /* a peer's process that ends is told of when its answer is read */
    bench_results(arguments[1]);
    field_cache = arguments[2];
    field_work = arguments[3];
    for (size_t index = 0; index < sizeof sections / sizeof *sections; index++) {
        const section *section = &sections[index];
        if (!wanted(section->name, count - 4, arguments + 4)) continue;
        double start = bench_seconds();
        for (const size_t *keys = bench_full ? section->full : section->quick; *keys; keys++) {
            if (measured(*keys)) section->measure(*keys);
        }
        fprintf(stderr, "%s: %.0f s\n", section->name, bench_seconds() - start);
    }
    return 0;
}
