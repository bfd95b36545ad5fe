/* Asking whether a key has a record: hit and miss, by one thread and by two at once. */
#include "field.h"

#include <pthread.h>
#include <stdlib.h>

static const double budget = 0.03; /* seconds for a peer in a round */

typedef struct asker {
    const peer *peer;
    void *handle;
    const bench_key *keys;
    size_t count, found;
    double seconds;
    pthread_barrier_t *start;
} asker;

static void *ask(void *context) {
    asker *asker = context;
    if (asker->start) pthread_barrier_wait(asker->start);
    asker->seconds = asker->peer->ask(asker->handle, asker->keys, asker->count, &asker->found);
    return NULL;
}

/* Nanoseconds a question for each of `threads` threads. The slowest counts. */
static double round_of(const entrant *entrant, const bench_key *keys, size_t count, int threads, bool present) {
    asker askers[2];
    pthread_t others[2];
    pthread_barrier_t start;
    double seconds = 0;
    if (threads > 2) bench_fail("two threads at most");
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int thread = 0; thread < threads; thread++) {
        bool own = threads > 1;
        askers[thread] =
            (asker){entrant->peer,      own ? entrant->peer->join(entrant->store) : entrant->store, keys, count, 0, 0,
                    own ? &start : NULL};
        if (!own) {
            ask(&askers[thread]);
        } else if (pthread_create(&others[thread], NULL, ask, &askers[thread]) != 0) {
            bench_fail("no thread");
        }
    }
    for (int thread = 0; thread < threads; thread++) {
        if (threads > 1) {
            pthread_join(others[thread], NULL);
            entrant->peer->leave(askers[thread].handle);
        }
        if (askers[thread].found != (present ? count : 0)) {
            bench_fail("%s found %zu of %zu keys", entrant->peer->name, askers[thread].found, count);
        }
        if (askers[thread].seconds > seconds) seconds = askers[thread].seconds;
    }
    pthread_barrier_destroy(&start);
    return seconds / (double)count * 1e9;
}

static bool can_be_asked(const peer *peer) { return peer->ask != NULL; }

static void measure(const entrant *field, size_t peers, size_t keys, bool present, int threads) {
    enum { most = 200000, trial = 500 };
    bench_row rows[field_most];
    size_t counts[field_most];
    bench_key *names = bench_pick(keys, most, present);
    for (size_t index = 0; index < peers; index++) {
        const peer *peer = field[index].peer;
        rows[index] = (bench_row){.section = "asking",
                                  .what = present ? "hit" : "miss",
                                  .peer = peer->name,
                                  .unit = "ns",
                                  .keys = keys,
                                  .threads = threads};
        counts[index] = 0;
        if (threads > 1 && !peer->threads) continue;
        double once = round_of(&field[index], names, trial, 1, present) / 1e9;
        double fits = budget / once;
        counts[index] = fits > most ? most : fits < trial ? trial : (size_t)fits;
        round_of(&field[index], names, counts[index], threads, present); /* warms up */
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (size_t index = 0; index < peers; index++) {
            if (counts[index] == 0) continue;
            bench_add(&rows[index], round_of(&field[index], names, counts[index], threads, present));
        }
    }
    for (size_t index = 0; index < peers; index++)
        bench_write_row(&rows[index]);
    free(names);
}

void measure_asking(size_t keys) {
    entrant field[field_most];
    size_t peers = field_open(field, keys, false, can_be_asked);
    for (int threads = 1; threads <= 2; threads++) {
        measure(field, peers, keys, true, threads);
        measure(field, peers, keys, false, threads);
    }
    field_close(field, peers);
}
