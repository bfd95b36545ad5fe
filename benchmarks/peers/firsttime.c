/* FirstTime, through its header. */
#include "../driver/peer.h"

#include <firsttime.h>

#include <stdio.h>

static int check(int result) {
    if (result < 0) bench_fail("%s", firsttime_last_error());
    return result;
}

static void *open_with(const char *directory, uint32_t flags) {
    char path[600];
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    snprintf(path, sizeof path, "%s/firsttime.archive", directory);
    options.path = path;
    options.flags = flags;
    check(firsttime_open(&options, &store));
    return store;
}

static void *ours_open(const char *directory) { return open_with(directory, 0); }

static double ours_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    size_t found = 0;
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++) {
        found += firsttime_was_executed(handle, keys[index]) == FIRSTTIME_YES;
    }
    double time = bench_seconds() - start;
    *found_out = found;
    return time;
}

static int run(void *context) {
    (void)context;
    return 0;
}

static double ours_record(void *handle, const char *key) {
    double start = bench_seconds();
    int result = check(firsttime_execute_once(handle, key, run, NULL, NULL));
    double time = bench_seconds() - start;
    if (result != FIRSTTIME_RAN) bench_fail("%s had run", key);
    return time;
}

static void *ours_join(void *store) { return store; }
static void ours_leave(void *handle) { (void)handle; }
static void ours_close(void *store) { check(firsttime_close(store)); }

static void ours_settings(void *store, char *text, size_t size) {
    (void)store;
    snprintf(text, size, "%s; flags 0: each record waits for the disk", firsttime_library_version());
}

static void ours_fill(const char *directory, size_t keys) {
    firsttime_store *store = open_with(directory, FIRSTTIME_RELAXED);
    for (size_t number = 0; number < keys; number++) {
        bench_key key;
        bench_name(key, number);
        check(firsttime_mark(store, key));
    }
    check(firsttime_close(store));
}

const peer peer_firsttime = {
    .name = "FirstTime",
    .most_keys = (size_t)-1,
    .threads = true,
    .open = ours_open,
    .ask = ours_ask,
    .record = ours_record,
    .join = ours_join,
    .leave = ours_leave,
    .close = ours_close,
    .settings = ours_settings,
    .fill = ours_fill,
};
