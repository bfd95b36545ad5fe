/* The archive as a whole: written by a checkpoint, read by an import; beside the same bytes written bare. */
#define _GNU_SOURCE
#include "field.h"

#include <firsttime.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int check(int result) {
    if (result < 0) bench_fail("%s", firsttime_last_error());
    return result;
}

double field_write_bare(const void *bytes, size_t length) {
    char path[600], final[600];
    snprintf(path, sizeof path, "%s/bare-new", field_work);
    snprintf(final, sizeof final, "%s/bare-file", field_work);
    double start = bench_seconds();
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;
    while (file >= 0 && done < length) {
        ssize_t written = write(file, (const char *)bytes + done, length - done);
        if (written <= 0) break;
        done += (size_t)written;
    }
    int directory = open(field_work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (done != length || fsync(file) != 0 || rename(path, final) != 0 || fsync(directory) != 0) {
        bench_fail("%s can't be written", path);
    }
    double time = bench_seconds() - start;
    close(file);
    close(directory);
    return time;
}

static firsttime_store *open_store(const char *path) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    options.path = path;
    check(firsttime_open(&options, &store));
    return store;
}

void measure_archive_writing(size_t keys) {
    char archive[700], path[700];
    size_t length;
    field_archive(archive, sizeof archive, keys);
    void *bytes = bench_read_file(archive, &length);
    entrant copy;
    field_prepare(&copy, &peer_firsttime, keys, true);
    snprintf(path, sizeof path, "%s/firsttime.archive", copy.directory);
    firsttime_store *store = open_store(path);
    bench_row rows[3] = {
        {.section = "archive", .what = "checkpoint", .peer = "FirstTime", .unit = "ms"},
        {.section = "archive", .what = "checkpoint", .peer = "write+sync", .unit = "ms"},
        {.section = "archive", .what = "import", .peer = "FirstTime", .unit = "ms"},
    };
    for (int round = 0; round < bench_rounds; round++) {
        bench_key key;
        bench_fresh(key);
        check(firsttime_mark(store, key));
        double start = bench_seconds();
        check(firsttime_flush(store));
        bench_add(&rows[0], (bench_seconds() - start) * 1e3);
        bench_add(&rows[1], field_write_bare(bytes, length) * 1e3);

        snprintf(path, sizeof path, "%s/imported.archive", copy.directory);
        bench_shell("rm -f '%s'*", path);
        firsttime_store *empty = open_store(path);
        start = bench_seconds();
        check(firsttime_import(empty, archive, NULL, NULL));
        bench_add(&rows[2], (bench_seconds() - start) * 1e3);
        if (firsttime_count(empty, NULL) != (int64_t)keys) bench_fail("an import lost keys");
        check(firsttime_close(empty));
    }
    for (int index = 0; index < 3; index++) {
        rows[index].keys = keys;
        rows[index].threads = 1;
        rows[index].bytes = (double)length;
        bench_write_row(&rows[index]);
    }
    check(firsttime_close(store));
    free(bytes);
}
