/* Opening a store that exists, with one question, since some read nothing before that; and what it then takes of memory. */
#include "field.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double patience = 30;

static bool can_be_asked(const peer *peer) { return peer->ask != NULL; }

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
    size_t peers = field_open(field, keys, false, can_be_asked);
    field_close(field, peers);
    for (size_t index = 0; index < peers; index++) {
        rows[index] = (bench_row){.section = "opening", .what = "open, ask", .peer = field[index].peer->name, .unit = "ms",
                                  .keys = keys, .threads = 1};
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (size_t index = 0; index < peers; index++) {
            if (round > 0 && rows[index].rounds[0] > patience * 1e3) continue;
            bench_add(&rows[index], open_and_ask(&field[index], keys));
        }
    }
    for (size_t index = 0; index < peers; index++) bench_write_row(&rows[index]);
}

/* Bytes of this process that are its own: neither of a file nor shared. */
static double own_memory(void) {
    char line[256];
    unsigned long kilobytes = 0, found;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (!file) bench_fail("/proc/self/smaps_rollup can't be read");
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "Anonymous: %lu kB", &found) == 1) kilobytes = found;
    }
    fclose(file);
    return (double)kilobytes * 1024;
}

/* In a child, whose heap nobody has used yet. Bytes a key, beyond the key's own. */
static double memory_of(const entrant *entrant, size_t keys) {
    int result[2];
    double bytes = 0;
    if (pipe(result) != 0) bench_fail("pipe failed");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bench_key key;
        size_t found;
        bench_name(key, 0);
        double before = own_memory();
        void *store = entrant->peer->open(entrant->directory);
        entrant->peer->ask(store, &key, 1, &found);
        double each = (own_memory() - before) / (double)keys - (double)strlen(key);
        if (write(result[1], &each, sizeof each) != sizeof each) _exit(1);
        _exit(0);
    }
    close(result[1]);
    if (read(result[0], &bytes, sizeof bytes) != sizeof bytes) bench_fail("%s failed in a child", entrant->peer->name);
    close(result[0]);
    waitpid(child, NULL, 0);
    return bytes;
}

/* Those whose data lie in this process's own memory: databases keep them in files' pages. */
static bool keeps_in_memory(const peer *peer) { return peer == &peer_firsttime || strcmp(peer->name, "GKeyFile") == 0; }

void measure_memory(size_t keys) {
    for (const peer *const *peer = peers; *peer; peer++) {
        entrant entrant;
        if (!keeps_in_memory(*peer) || keys > (*peer)->most_keys) continue;
        field_prepare(&entrant, *peer, keys, false);
        bench_row row = {.section = "memory", .what = "beyond the key", .peer = (*peer)->name, .unit = "bytes", .keys = keys,
                         .threads = 1};
        for (int round = 0; round < bench_rounds; round++) bench_add(&row, memory_of(&entrant, keys));
        bench_write_row(&row);
    }
}
