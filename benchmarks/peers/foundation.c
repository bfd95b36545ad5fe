/* Foundation's way on Linux, YCFirstTime's: the whole dictionary archived after each success. In a process of its own
 * (foundation/main.swift), which measures itself. */
#include "../driver/peer.h"

#include <stdlib.h>

typedef struct archive {
    pipe_process *process;
    double opening;
} archive;

static void *foundation_open(const char *directory) {
    archive *opened = malloc(sizeof *opened);
    opened->process = pipe_start("BENCH_FOUNDATION");
    pipe_send(opened->process, "open %s/runs.archive\n", directory);
    opened->opening = pipe_receive(opened->process, NULL, NULL, 0);
    return opened;
}

static double foundation_opening(void *store) { return ((archive *)store)->opening; }
static pipe_process *process(void *store) { return ((archive *)store)->process; }

static double foundation_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    pipe_send(process(handle), "ask %zu\n", count);
    for (size_t index = 0; index < count; index++)
        pipe_send(process(handle), "%s\n", keys[index]);
    return pipe_receive(process(handle), found_out, NULL, 0);
}

static double foundation_record(void *handle, const char *key) {
    pipe_send(process(handle), "record %s\n", key);
    return pipe_receive(process(handle), NULL, NULL, 0);
}

static void foundation_close(void *store) {
    pipe_stop(process(store));
    free(store);
}

static void foundation_settings(void *store, char *text, size_t size) {
    pipe_send(process(store), "settings\n");
    pipe_receive(process(store), NULL, text, size);
}

static void foundation_fill(const char *directory, size_t keys) {
    archive *opened = foundation_open(directory);
    pipe_send(opened->process, "fill %zu\n", keys);
    pipe_receive(opened->process, NULL, NULL, 0);
    foundation_close(opened);
}

const peer peer_foundation = {
    .name = "Foundation",
    .most_keys = 100000,
    .quick_keys = 10000,
    .threads = false,
    .open = foundation_open,
    .ask = foundation_ask,
    .record = foundation_record,
    .close = foundation_close,
    .settings = foundation_settings,
    .fill = foundation_fill,
    .opening = foundation_opening,
};
