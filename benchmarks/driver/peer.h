/* peer.h: what each way to remember what ran is measured through: ours, and what users would pick instead. One file of
 * peers/ for each. A function that fails ends the program: a benchmark of failures says nothing. */
#ifndef PEER_H
#define PEER_H

#include "bench.h"

typedef struct peer {
    const char *name;
    size_t most_keys;  /* beyond which nobody would use it, and nothing is measured */
    size_t quick_keys; /* the same for a quick run, of one that takes its time; 0: no other */
    bool threads;      /* whether `join` works */

    /* Opens what is in the directory, made if there is nothing; every later record waits for the disk. */
    void *(*open)(const char *directory);
    /* Seconds that asking for each of the keys takes; *found_out receives how many have a record. NULL: can't be
     * asked. */
    double (*ask)(void *handle, const bench_key *keys, size_t count, size_t *found_out);
    /* Seconds that one record takes until it is on disk: the key wasn't there before. */
    double (*record)(void *handle, const char *key);
    /* A handle for another thread on the same data, given back with leave. */
    void *(*join)(void *store);
    void (*leave)(void *handle);
    void (*close)(void *store);
    /* Its version and what decides of durability, as it says itself. */
    void (*settings)(void *store, char *text, size_t size);
    /* Makes a store of the first `keys` keys, as fast as it can be done. NULL: none is needed. */
    void (*fill)(const char *directory, size_t keys);
    /* Seconds that opening took, by the clock of the process that did it. NULL: whoever calls open measures it. */
    double (*opening)(void *store);
} peer;

extern const peer peer_bare, peer_loop, peer_firsttime, peer_sqlite, peer_lmdb, peer_stamp, peer_gkeyfile,
    peer_foundation;

/* All that were built, the physical limits first and ours next; ends with NULL. */
extern const peer *const peers[];

/* The process that a peer in another language runs in: a line each way (pipe.c). */
typedef struct pipe_process pipe_process;
pipe_process *pipe_start(const char *variable); /* the command is in that environment variable */
void pipe_send(pipe_process *process, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads "SECONDS NUMBER TEXT": gives the seconds; the others may be NULL. */
double pipe_receive(pipe_process *process, size_t *number_out, char *text, size_t size);
void pipe_stop(pipe_process *process);

#endif
