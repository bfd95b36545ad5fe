/* Reading an archive of ours: by us, and by general readers of property lists, which make values of it and no
 * records. */
#include "field.h"

#include <firsttime.h>
#ifdef HAVE_PLIST
#include <plist/plist.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double patience = 20;

typedef struct decoder {
    const char *name, *variable; /* the process that decodes; NULL: this one */
    double (*decode)(const char *path, const void *bytes, size_t length);
    pipe_process *process;
} decoder;

static double open_ours(const char *path, const void *bytes, size_t length) {
    (void)bytes, (void)length;
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    options.path = path;
    options.flags = FIRSTTIME_READ_ONLY;
    double start = bench_seconds();
    if (firsttime_open(&options, &store) < 0) bench_fail("%s", firsttime_last_error());
    double time = bench_seconds() - start;
    firsttime_close(store);
    return time;
}

#ifdef HAVE_PLIST
static double libplist(const char *path, const void *bytes, size_t length) {
    (void)path;
    plist_t root = NULL;
    double start = bench_seconds();
    plist_from_bin(bytes, (uint32_t)length, &root);
    double time = bench_seconds() - start;
    if (!root) bench_fail("libplist can't read the archive");
    plist_free(root);
    return time;
}
#endif

static decoder decoders[] = {
    {.name = "FirstTime", .decode = open_ours},
#ifdef HAVE_PLIST
    {.name = "libplist", .decode = libplist},
#endif
#ifdef HAVE_FOUNDATION
    {.name = "Foundation", .variable = "BENCH_FOUNDATION"},
#endif
    {.name = "plistlib", .variable = "BENCH_PLISTLIB"},
};

void measure_decoding(size_t keys) {
    enum { count = sizeof decoders / sizeof *decoders };
    char archive[700];
    size_t length;
    bench_row rows[count];
    field_archive(archive, sizeof archive, keys);
    void *bytes = bench_read_file(archive, &length);
    for (int index = 0; index < count; index++) {
        decoder *decoder = &decoders[index];
        rows[index] = (bench_row){.section = "decoding",
                                  .what = "archive",
                                  .peer = decoder->name,
                                  .unit = "ms",
                                  .keys = keys,
                                  .threads = 1,
                                  .bytes = (double)length};
        if (decoder->variable) decoder->process = pipe_start(decoder->variable);
    }
    for (int round = 0; round < bench_rounds; round++) {
        for (int index = 0; index < count; index++) {
            decoder *decoder = &decoders[index];
            if (round > 0 && rows[index].rounds[0] > patience * 1e3) continue;
            double time;
            if (decoder->process) {
                pipe_send(decoder->process, "decode %s\n", archive);
                time = pipe_receive(decoder->process, NULL, NULL, 0);
            } else {
                time = decoder->decode(archive, bytes, length);
            }
            bench_add(&rows[index], time * 1e3);
        }
    }
    for (int index = 0; index < count; index++) {
        bench_write_row(&rows[index]);
        if (decoders[index].process) pipe_stop(decoders[index].process);
        decoders[index].process = NULL;
    }
    free(bytes);
}
