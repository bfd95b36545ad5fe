/* Whether a checkpoint that becomes due during commits is a pause for those who commit or ask. */
#define _GNU_SOURCE
#include "field.h"

#include <firsttime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int check(int result) {
    if (result < 0) bench_fail("%s", firsttime_last_error());
    return result;
}

typedef struct reader {
    firsttime_store *store;
    size_t keys;
    bool stop;
    double longest;
} reader;

/* The longest question that a thread sees which does nothing but ask. */
static void *read_on(void *context) {
    reader *reader = context;
    bench_key *keys = bench_pick(reader->keys, 1024, true);
    for (size_t index = 0; !__atomic_load_n(&reader->stop, __ATOMIC_RELAXED); index++) {
        double start = bench_seconds();
        check(firsttime_was_executed(reader->store, keys[index % 1024]));
        double time = bench_seconds() - start;
        if (time > reader->longest) reader->longest = time;
    }
    free(keys);
    return NULL;
}

static ino_t inode(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) bench_fail("%s is gone", path);
    return status.st_ino;
}

/* Milliseconds: the longest commit until the archive was replaced, and the longest question meanwhile. It takes a
 * journal that is longer than the archive: so the keys are long, of which there are few, and recording is RELAXED. */
static void until_replaced(firsttime_store *store, const char *path, size_t keys, double *commit_out,
                           double *question_out) {
    reader reader = {store, keys, false, 0};
    pthread_t thread;
    double longest = 0;
    ino_t before = inode(path);
    if (pthread_create(&thread, NULL, read_on, &reader) != 0) bench_fail("no thread");
    for (int call = 0; inode(path) == before; call++) {
        static char key[60001];
        memset(key, 'a' + call % 16, sizeof key - 1);
        double start = bench_seconds();
        check(firsttime_mark(store, key));
        double time = bench_seconds() - start;
        if (time > longest) longest = time;
    }
    __atomic_store_n(&reader.stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    *commit_out = longest * 1e3;
    *question_out = reader.longest * 1e3;
}

/* The longest question while the other thread is as busy for as long, and commits nothing: what the scheduler does. */
static double without_commits(firsttime_store *store, size_t keys, double seconds) {
    reader reader = {store, keys, false, 0};
    pthread_t thread;
    double start = bench_seconds();
    if (pthread_create(&thread, NULL, read_on, &reader) != 0) bench_fail("no thread");
    while (bench_seconds() - start < seconds)
        continue;
    __atomic_store_n(&reader.stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return reader.longest * 1e3;
}

void measure_pauses(size_t keys) {
    char path[700];
    size_t length;
    entrant copy;
    field_prepare(&copy, &peer_firsttime, keys, true);
    snprintf(path, sizeof path, "%s/firsttime.archive", copy.directory);
    void *bytes = bench_read_file(path, &length);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    options.path = path;
    options.flags = FIRSTTIME_RELAXED;
    check(firsttime_open(&options, &store));
    bench_row rows[] = {
        {.section = "pauses", .what = "longest commit", .peer = "FirstTime RELAXED", .unit = "ms"},
        {.section = "pauses", .what = "longest question", .peer = "FirstTime", .unit = "ms"},
        {.section = "pauses", .what = "longest commit", .peer = "write+sync", .unit = "ms", .bytes = (double)length},
        {.section = "pauses", .what = "longest question", .peer = "no commits", .unit = "ms"},
    };
    for (int round = 0; round < bench_rounds; round++) {
        double commit, question, start = bench_seconds();
        until_replaced(store, path, keys, &commit, &question);
        bench_add(&rows[0], commit);
        bench_add(&rows[1], question);
        bench_add(&rows[3], without_commits(store, keys, bench_seconds() - start));
        bench_add(&rows[2], field_write_bare(bytes, length) * 1e3);
    }
    for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
        rows[index].keys = keys;
        rows[index].threads = 2;
        bench_write_row(&rows[index]);
    }
    check(firsttime_close(store));
    free(bytes);
}
