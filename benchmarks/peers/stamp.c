/* What scripts and small programs do: an empty file for each key, made under flock(), synced with its directory. */
#define _GNU_SOURCE
#include "../driver/peer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

typedef struct stamps {
    int directory;
    char path[600];
} stamps;

static void *stamp_open(const char *directory) {
    stamps *opened = calloc(1, sizeof *opened);
    snprintf(opened->path, sizeof opened->path, "%s", directory);
    opened->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened->directory < 0) bench_fail("%s can't be opened", directory);
    return opened;
}

static double stamp_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    stamps *opened = handle;
    size_t found = 0;
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++)
        found += faccessat(opened->directory, keys[index], F_OK, 0) == 0;
    double time = bench_seconds() - start;
    *found_out = found;
    return time;
}

static double stamp_record(void *handle, const char *key) {
    stamps *opened = handle;
    double start = bench_seconds();
    int file = openat(opened->directory, key, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || flock(file, LOCK_EX) != 0 || write(file, "done\n", 5) != 5 || fsync(file) != 0 ||
        fsync(opened->directory) != 0) {
        bench_fail("the stamp %s can't be made", key);
    }
    close(file);
    return bench_seconds() - start;
}

static void *stamp_join(void *store) { return stamp_open(((stamps *)store)->path); }

static void stamp_close(void *store) {
    stamps *opened = store;
    close(opened->directory);
    free(opened);
}

static void stamp_settings(void *store, char *text, size_t size) {
    (void)store;
    snprintf(text, size,
             "a file a key: openat(), flock(), write(), fsync() of file and directory; asked by faccessat()");
}

static void stamp_fill(const char *directory, size_t keys) {
    stamps *opened = stamp_open(directory);
    for (size_t number = 0; number < keys; number++) {
        bench_key key;
        bench_name(key, number);
        int file = openat(opened->directory, key, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0 || write(file, "done\n", 5) != 5) bench_fail("the stamp %s can't be made", key);
        close(file);
    }
    stamp_close(opened);
}

const peer peer_stamp = {
    .name = "stamp files",
    .most_keys = 10000,
    .threads = true,
    .open = stamp_open,
    .ask = stamp_ask,
    .record = stamp_record,
    .join = stamp_join,
    .leave = stamp_close,
    .close = stamp_close,
    .settings = stamp_settings,
    .fill = stamp_fill,
};
