/* What two threads do to each other on this machine that share nothing: a loop over the keys' bytes. No peer; the row
 * beside which the others' two threads are judged, since cores may be hyperthreads, or busy. */
#include "../driver/peer.h"

#include <stdint.h>

static int nothing;

static void *loop_open(const char *directory) {
    (void)directory;
    return &nothing;
}

static double loop_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    (void)handle;
    size_t found = 0;
    uint64_t hash = 14695981039346656037u;
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++) {
        const char *letter = keys[index];
        for (; *letter; letter++)
            hash = (hash ^ (unsigned char)*letter) * 1099511628211u;
        found += letter[-1] != '?';
    }
    double time = bench_seconds() - start;
    *found_out = hash == 0 ? 0 : found; /* so that the compiler can't leave it out */
    return time;
}

static void loop_close(void *handle) { (void)handle; }

static void *loop_join(void *store) { return store; }

const peer peer_loop = {
    .name = "bare loop",
    .most_keys = (size_t)-1,
    .threads = true,
    .open = loop_open,
    .ask = loop_ask,
    .join = loop_join,
    .leave = loop_close,
    .close = loop_close,
};
