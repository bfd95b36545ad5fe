/* bench.h: what every part of the benchmark program shares: the clock, keys, statistics, and the file of results.
 * Nothing here knows what is measured. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

/* Keys lie side by side, so that reading the key costs all peers the same, little. */
typedef char bench_key[32];

enum { bench_most_rounds = 32 };

/* How much is done: the default is quick; BENCH=full in the environment does everything. */
extern bool bench_full;
extern int bench_rounds;

double bench_seconds(void);
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Key `number` of the stores; one that no store has; a fresh one, never given before in this directory's life. */
void bench_name(bench_key key, size_t number);
void bench_absent(bench_key key, size_t number);
void bench_fresh(bench_key key);
size_t bench_random(size_t below);

/* `count` keys in random order of a store of `keys`; owned by the caller, who frees them. */
bench_key *bench_pick(size_t keys, size_t count, bool present);

/* One line of the table: what was measured, of whom, at how many keys, by how many threads. Smaller is better. */
typedef struct bench_row {
    const char *section, *what, *peer, *unit;
    size_t keys;
    int threads;
    double rounds[bench_most_rounds]; /* one figure a round, in `unit` */
    int count;
    double p99;   /* of single calls; 0: not looked at */
    double bytes; /* of the file that is read or written; 0: none */
} bench_row;

void bench_add(bench_row *row, double value);
double bench_median(const double *values, size_t count);
double bench_quantile(double *values, size_t count, double quantile); /* sorts them */

/* Lines of JSON, one an object: a row; what a peer says of its settings; what was left out, and why. */
void bench_results(const char *path);
void bench_write_row(const bench_row *row);
void bench_write_settings(const char *peer, const char *text);
void bench_write_skipped(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Files. Each ends the program on failure. */
void bench_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool bench_exists(const char *path);
void *bench_read_file(const char *path, size_t *length_out); /* owned by the caller, who frees it */

#endif
