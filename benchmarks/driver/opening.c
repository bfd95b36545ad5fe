/* Opening a store that exists, with one question, since some read nothing before that. */
#include "field.h"

static const double patience = 30;

static bool can_be_opened(const peer *peer) { return peer->ask && peer->fill; }

/* Milliseconds. */
static double open_and_ask(const entrant *entrant, size_t keys) {
    bench_key key;
    size_t found;
    bench_name(key, keys / 2);
    double start = bench_seconds();
    void *store = entrant->peer->open(entrant->directory);
    entrant->peer->ask(store, &key, 1, &found);
    double time = entrant->peer->opening ? entrant->peer->opening(store) : bench_seconds() - start;
    if (found != 1) bench_fail("%s lost %s", entrant->peer->name, key);
    entrant->peer->close(store);
    return time * 1e3;
}

void measure_opening(size_t keys) {
    entrant field[field_most];
    bench_row rows[field_most];
    size_t peers = field_open(field, keys, false, can_be_opened);
    field_close(field, peers);
    for (size_t index = 0; index < peers; index++) {
        rows[index] = (bench_row){.section = "opening",
                                  .what = "open, ask",
                                  .peer = field[index].peer->name,
                                  .unit = "ms",
                                  .keys = keys,
                                  .threads = 1};
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (size_t index = 0; index < peers; index++) {
            if (round > 0 && rows[index].rounds[0] > patience * 1e3) continue;
            bench_add(&rows[index], open_and_ask(&field[index], keys));
        }
    }
    for (size_t index = 0; index < peers; index++)
        bench_write_row(&rows[index]);
}
