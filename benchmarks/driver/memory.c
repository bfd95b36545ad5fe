/* What an open store takes of memory for each key. In a process of its own, whose heap nobody has used yet. */
#define _GNU_SOURCE
#include "field.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* Bytes a key, beyond the key's own, of the process that this is. */
void report_memory(const char *name, const char *directory, size_t keys) {
    for (const peer *const *peer = peers; *peer; peer++) {
        bench_key key;
        size_t found;
        if (strcmp((*peer)->name, name) != 0) continue;
        bench_name(key, 0);
        double before = own_memory();
        void *store = (*peer)->open(directory);
        (*peer)->ask(store, &key, 1, &found);
        printf("%f\n", (own_memory() - before) / (double)keys - (double)strlen(key));
    }
}

static double memory_of(const entrant *entrant, size_t keys) {
    char command[1024];
    double bytes;
    snprintf(command, sizeof command, "exec '%s' --memory '%s' '%s' %zu", program_invocation_name, entrant->peer->name,
             entrant->directory, keys);
    FILE *process = popen(command, "r");
    if (!process || fscanf(process, "%lf", &bytes) != 1 || pclose(process) != 0) bench_fail("%s failed", command);
    return bytes;
}

/* Those whose data lie in this process's own memory: databases keep them in files' pages. */
static bool keeps_in_memory(const peer *peer) { return peer == &peer_firsttime || strcmp(peer->name, "GKeyFile") == 0; }

void measure_memory(size_t keys) {
    for (const peer *const *peer = peers; *peer; peer++) {
        entrant entrant;
        if (!keeps_in_memory(*peer) || keys > field_limit(*peer)) continue;
        field_prepare(&entrant, *peer, keys, false);
        bench_row row = {.section = "memory",
                         .what = "beyond the key",
                         .peer = (*peer)->name,
                         .unit = "bytes",
                         .keys = keys,
                         .threads = 1};
        for (int round = 0; round < bench_rounds; round++)
            bench_add(&row, memory_of(&entrant, keys));
        bench_write_row(&row);
    }
}
