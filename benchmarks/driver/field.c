#include "field.h"

#include <stdio.h>
#include <string.h>

const char *field_cache, *field_work;

void field_prepare(entrant *entrant, const peer *peer, size_t keys, bool for_writing) {
    char kept[600], partial[640];
    snprintf(kept, sizeof kept, "%s/%s-%zu", field_cache, peer->name, keys);
    for (char *letter = kept + strlen(field_cache); *letter; letter++) {
        if (*letter == ' ') *letter = '_';
    }
    *entrant = (struct entrant){.peer = peer};
    if (peer->fill && !bench_exists(kept)) {
        snprintf(partial, sizeof partial, "%s.partial", kept);
        bench_shell("rm -rf '%s' && mkdir -p '%s'", partial, partial);
        double start = bench_seconds();
        peer->fill(partial, keys);
        fprintf(stderr, "  made a store of %zu keys for %s in %.1f s\n", keys, peer->name, bench_seconds() - start);
        bench_shell("mv '%s' '%s'", partial, kept);
    }
    if (peer->fill && !for_writing) {
        snprintf(entrant->directory, sizeof entrant->directory, "%s", kept);
        return;
    }
    snprintf(entrant->directory, sizeof entrant->directory, "%s/%s", field_work, strrchr(kept, '/') + 1);
    bench_shell("rm -rf '%s' && mkdir -p '%s'", entrant->directory, entrant->directory);
    if (peer->fill) bench_shell("cp -r --sparse=always '%s/.' '%s'", kept, entrant->directory);
}

size_t field_limit(const peer *peer) {
    return bench_full || peer->quick_keys == 0 ? peer->most_keys : peer->quick_keys;
}

size_t field_open(entrant *field, size_t keys, bool for_writing, bool (*takes)(const peer *peer)) {
    size_t count = 0;
    for (const peer *const *peer = peers; *peer; peer++) {
        if (!takes(*peer)) continue;
        if (keys > field_limit(*peer)) {
            char what[64];
            snprintf(what, sizeof what, "%s at %zu keys", (*peer)->name, keys);
            bench_write_skipped(what, "is measured up to %zu keys%s", field_limit(*peer),
                                bench_full ? "" : " in a quick run");
            continue;
        }
        field_prepare(&field[count], *peer, keys, for_writing);
        field[count].store = (*peer)->open(field[count].directory);
        count++;
    }
    /* What copying left to be written would be written by the first who syncs. */
    if (for_writing) bench_shell("sync");
    return count;
}

void field_close(entrant *field, size_t count) {
    for (size_t index = 0; index < count; index++) {
        field[index].peer->close(field[index].store);
        field[index].store = NULL;
    }
}

void field_archive(char *path, size_t size, size_t keys) {
    entrant ours;
    field_prepare(&ours, &peer_firsttime, keys, false);
    snprintf(path, size, "%s/firsttime.archive", ours.directory);
}
