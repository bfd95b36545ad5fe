#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool bench_full;
int bench_rounds = 7;
static FILE *results;

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void bench_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("benchmarks: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    exit(1);
}

void bench_name(bench_key key, size_t number) { snprintf(key, sizeof(bench_key), "feature.%08zu", number); }
void bench_absent(bench_key key, size_t number) { snprintf(key, sizeof(bench_key), "feature.%08zu?", number); }

void bench_fresh(bench_key key) {
    static size_t given;
    snprintf(key, sizeof(bench_key), "fresh.%08zu", __atomic_fetch_add(&given, 1, __ATOMIC_RELAXED));
}

/* SplitMix64, with the same seed each time. */
size_t bench_random(size_t below) {
    static uint64_t state = 2026;
    uint64_t bits = state += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return (size_t)((bits ^ (bits >> 31)) % below);
}

bench_key *bench_pick(size_t keys, size_t count, bool present) {
    bench_key *picked = malloc(count * sizeof *picked);
    if (!picked) bench_fail("no memory");
    for (size_t index = 0; index < count; index++) {
        (present ? bench_name : bench_absent)(picked[index], bench_random(keys));
    }
    return picked;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

double bench_quantile(double *values, size_t count, double quantile) {
    if (count == 0) return NAN;
    qsort(values, count, sizeof *values, compare);
    size_t index = (size_t)(quantile * (double)count);
    return values[index < count ? index : count - 1];
}

double bench_median(const double *values, size_t count) {
    double copy[bench_most_rounds];
    if (count > bench_most_rounds) count = bench_most_rounds;
    memcpy(copy, values, count * sizeof *copy);
    return bench_quantile(copy, count, 0.5);
}

void bench_add(bench_row *row, double value) {
    if (row->count < bench_most_rounds) row->rounds[row->count++] = value;
}

void bench_results(const char *path) {
    results = fopen(path, "a");
    if (!results) bench_fail("%s: %s", path, strerror(errno));
}

/* Text in JSON. */
static void quoted(const char *text) {
    fputc('"', results);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', results);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, results);
    }
    fputc('"', results);
}

void bench_write_row(const bench_row *row) {
    if (row->count == 0) return;
    const char *names[] = {"section", "what", "peer", "unit"},
               *texts[] = {row->section, row->what, row->peer, row->unit};
    fputs("{\"kind\": \"row\"", results);
    for (int index = 0; index < 4; index++) {
        fprintf(results, ", \"%s\": ", names[index]);
        quoted(texts[index]);
    }
    fprintf(results, ", \"keys\": %zu, \"threads\": %d, \"median\": %.6g, \"rounds\": [", row->keys, row->threads,
            bench_median(row->rounds, (size_t)row->count));
    for (int index = 0; index < row->count; index++)
        fprintf(results, "%s%.6g", index ? ", " : "", row->rounds[index]);
    fputc(']', results);
    if (row->p99 > 0) fprintf(results, ", \"p99\": %.6g", row->p99);
    if (row->bytes > 0) fprintf(results, ", \"bytes\": %.0f", row->bytes);
    fputs("}\n", results);
    fflush(results);
    fprintf(stderr, "  %-10s %-22s %-12s %8zu keys %2d threads %12.4g %s\n", row->section, row->what, row->peer,
            row->keys, row->threads, bench_median(row->rounds, (size_t)row->count), row->unit);
}

void bench_write_settings(const char *peer, const char *text) {
    fputs("{\"kind\": \"settings\", \"peer\": ", results);
    quoted(peer);
    fputs(", \"text\": ", results);
    quoted(text);
    fputs("}\n", results);
    fflush(results);
}

void bench_write_skipped(const char *what, const char *format, ...) {
    char why[256];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    fputs("{\"kind\": \"skipped\", \"what\": ", results);
    quoted(what);
    fputs(", \"why\": ", results);
    quoted(why);
    fputs("}\n", results);
    fflush(results);
    fprintf(stderr, "  SKIPPED %s: %s\n", what, why);
}

void bench_shell(const char *format, ...) {
    char command[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    if (system(command) != 0) bench_fail("%s failed", command);
}

bool bench_exists(const char *path) { return access(path, F_OK) == 0; }

void *bench_read_file(const char *path, size_t *length_out) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) bench_fail("%s: %s", path, strerror(errno));
    size_t length = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(length + 1);
    if (!bytes || fread(bytes, 1, length, file) != length) bench_fail("%s can't be read", path);
    fclose(file);
    *length_out = length;
    return bytes;
}
