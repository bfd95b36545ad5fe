/* GLib's GKeyFile, written whole after each change, with the durable way to replace a file. */
#include "../driver/peer.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct key_file {
    GKeyFile *keys;
    char path[600];
} key_file;

static void check(GError *error) {
    if (error) bench_fail("GLib: %s", error->message);
}

static void *gkeyfile_open(const char *directory) {
    GError *error = NULL;
    key_file *opened = calloc(1, sizeof *opened);
    opened->keys = g_key_file_new();
    snprintf(opened->path, sizeof opened->path, "%s/runs.ini", directory);
    if (bench_exists(opened->path)) g_key_file_load_from_file(opened->keys, opened->path, G_KEY_FILE_NONE, &error);
    check(error);
    return opened;
}

static double gkeyfile_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    key_file *opened = handle;
    size_t found = 0;
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++) {
        found += (size_t)g_key_file_has_key(opened->keys, "runs", keys[index], NULL);
    }
    double time = bench_seconds() - start;
    *found_out = found;
    return time;
}

static void save(key_file *opened) {
    GError *error = NULL;
    gsize length;
    gchar *text = g_key_file_to_data(opened->keys, &length, &error);
    check(error);
    g_file_set_contents_full(opened->path, text, (gssize)length,
                             G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, &error);
    check(error);
    g_free(text);
}

static double gkeyfile_record(void *handle, const char *key) {
    key_file *opened = handle;
    double start = bench_seconds();
    g_key_file_set_int64(opened->keys, "runs", key, (gint64)time(NULL));
    save(opened);
    return bench_seconds() - start;
}

static void gkeyfile_close(void *store) {
    key_file *opened = store;
    g_key_file_free(opened->keys);
    free(opened);
}

static void gkeyfile_settings(void *store, char *text, size_t size) {
    (void)store;
    snprintf(text, size, "GLib %u.%u.%u; the whole file by g_file_set_contents_full(CONSISTENT | DURABLE)",
             glib_major_version, glib_minor_version, glib_micro_version);
}

static void gkeyfile_fill(const char *directory, size_t keys) {
    key_file *opened = gkeyfile_open(directory);
    for (size_t number = 0; number < keys; number++) {
        bench_key key;
        bench_name(key, number);
        g_key_file_set_int64(opened->keys, "runs", key, (gint64)time(NULL));
    }
    save(opened);
    gkeyfile_close(opened);
}

const peer peer_gkeyfile = {
    .name = "GKeyFile",
    .most_keys = 100000,
    .threads = false,
    .open = gkeyfile_open,
    .ask = gkeyfile_ask,
    .record = gkeyfile_record,
    .close = gkeyfile_close,
    .settings = gkeyfile_settings,
    .fill = gkeyfile_fill,
};
