/* A first run that is on disk when the call returns, beside a bare append and sync: one thread, and several at once. */
#include "field.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for a peer in a round, and calls at most: 7 rounds are enough of them for a 99th percentile. A peer whose one
 * call takes longer than `patience` is left out. */
static const double budget = 0.1;
enum { most_calls = 60, together_calls = 128 };
static double patience(void) { return bench_full ? 60 : 2; }

static bool records(const peer *peer) { return peer->record != NULL; }

void measure_committing(size_t keys) {
    entrant field[field_most];
    bench_row rows[field_most];
    size_t counts[field_most], done[field_most] = {0};
    double(*times)[bench_most_rounds * most_calls] = calloc(field_most, sizeof *times);
    size_t peers = field_open(field, keys, true, records);
    for (size_t index = 0; index < peers; index++) {
        const peer *peer = field[index].peer;
        char settings[512];
        bench_key key;
        peer->settings(field[index].store, settings, sizeof settings);
        bench_write_settings(peer->name, settings);
        rows[index] = (bench_row){
            .section = "durable", .what = "first run", .peer = peer->name, .unit = "us", .keys = keys, .threads = 1};
        double once = 0;
        for (int call = 0; call < 3 && once < budget; call++) { /* the first makes files */
            bench_fresh(key);
            once = peer->record(field[index].store, key);
        }
        double fits = budget / once;
        counts[index] = fits > most_calls ? most_calls : fits < 1 ? 1 : (size_t)fits;
        if (once > patience()) {
            char what[64];
            snprintf(what, sizeof what, "%s recording at %zu keys", peer->name, keys);
            bench_write_skipped(what, "one takes %.1f s", once);
            counts[index] = 0;
        }
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (size_t index = 0; index < peers; index++) {
            double *these = &times[index][done[index]], copy[most_calls];
            if (counts[index] == 0) continue;
            for (size_t call = 0; call < counts[index]; call++) {
                bench_key key;
                bench_fresh(key);
                these[call] = field[index].peer->record(field[index].store, key) * 1e6;
                done[index]++;
            }
            memcpy(copy, these, counts[index] * sizeof *copy);
            bench_add(&rows[index], bench_quantile(copy, counts[index], 0.5));
        }
    }
    for (size_t index = 0; index < peers; index++) {
        rows[index].p99 = done[index] >= 100 ? bench_quantile(times[index], done[index], 0.99) : 0;
        bench_write_row(&rows[index]);
    }
    free(times);
    field_close(field, peers);
}

typedef struct committer {
    const peer *peer;
    void *handle;
    int calls;
    pthread_barrier_t *start, *end;
} committer;

static void *commit(void *context) {
    committer *committer = context;
    pthread_barrier_wait(committer->start);
    for (int call = 0; call < committer->calls; call++) {
        bench_key key;
        bench_fresh(key);
        committer->peer->record(committer->handle, key);
    }
    pthread_barrier_wait(committer->end);
    return NULL;
}

/* Microseconds from one record to the next, of all threads together. */
static double together(const entrant *entrant, int threads) {
    committer committers[16];
    pthread_t others[16];
    pthread_barrier_t start, end;
    int calls = together_calls / threads;
    pthread_barrier_init(&start, NULL, (unsigned)threads + 1);
    pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
    for (int thread = 0; thread < threads; thread++) {
        committers[thread] = (committer){entrant->peer, entrant->peer->join(entrant->store), calls, &start, &end};
        if (pthread_create(&others[thread], NULL, commit, &committers[thread]) != 0) bench_fail("no thread");
    }
    pthread_barrier_wait(&start);
    double begun = bench_seconds();
    pthread_barrier_wait(&end);
    double time = bench_seconds() - begun;
    for (int thread = 0; thread < threads; thread++) {
        pthread_join(others[thread], NULL);
        entrant->peer->leave(committers[thread].handle);
    }
    pthread_barrier_destroy(&start);
    pthread_barrier_destroy(&end);
    return time / (calls * threads) * 1e6;
}

static bool records_together(const peer *peer) { return peer->record && peer->threads; }

void measure_committing_together(size_t keys, int threads) {
    entrant field[field_most];
    bench_row rows[field_most];
    size_t peers = field_open(field, keys, true, records_together);
    for (size_t index = 0; index < peers; index++) {
        rows[index] = (bench_row){.section = "durable",
                                  .what = "group commit",
                                  .peer = field[index].peer->name,
                                  .unit = "us",
                                  .keys = keys,
                                  .threads = threads};
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (size_t index = 0; index < peers; index++)
            bench_add(&rows[index], together(&field[index], threads));
    }
    for (size_t index = 0; index < peers; index++)
        bench_write_row(&rows[index]);
    field_close(field, peers);
}
