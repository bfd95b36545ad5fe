/* The physical limit: a few bytes appended to a file, and one fdatasync(). No question can be asked of it. */
#define _GNU_SOURCE
#include "../driver/peer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As many as a record of ours takes for a key of 14 bytes. */
enum { bytes = 72 };

typedef struct bare {
    int file;
    bool owns;
    off_t end;
    char directory[512];
} bare;

static bare *open_file(const char *directory, const char *name) {
    char path[600];
    bare *opened = calloc(1, sizeof *opened);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    snprintf(opened->directory, sizeof opened->directory, "%s", directory);
    opened->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (opened->file < 0) bench_fail("%s can't be opened", path);
    opened->end = lseek(opened->file, 0, SEEK_END);
    return opened;
}

static void *bare_open(const char *directory) { return open_file(directory, "bare"); }

static double bare_record(void *handle, const char *key) {
    bare *opened = handle;
    char content[bytes] = "";
    snprintf(content, sizeof content, "%s", key);
    double start = bench_seconds();
    if (pwrite(opened->file, content, bytes, opened->end) != bytes || fdatasync(opened->file) != 0) {
        bench_fail("the bare file can't be written");
    }
    opened->end += bytes;
    return bench_seconds() - start;
}

/* Each thread has a file of its own: nobody waits for anybody but the disk. */
static void *bare_join(void *store) {
    static int threads;
    char name[32];
    snprintf(name, sizeof name, "bare.%d", __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED));
    return open_file(((bare *)store)->directory, name);
}

static void bare_close(void *store) {
    bare *opened = store;
    close(opened->file);
    free(opened);
}

static void bare_settings(void *store, char *text, size_t size) {
    (void)store;
    snprintf(text, size, "pwrite() of %d bytes at the end of a file, fdatasync(); threads: a file each", bytes);
}

const peer peer_bare = {
    .name = "append+sync",
    .most_keys = (size_t)-1,
    .threads = true,
    .open = bare_open,
    .record = bare_record,
    .join = bare_join,
    .leave = bare_close,
    .close = bare_close,
    .settings = bare_settings,
};
