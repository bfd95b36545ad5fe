/* field.h: the peers side by side, each on a store of its own with the same keys. */
#ifndef FIELD_H
#define FIELD_H

#include "peer.h"

enum { field_most = 16 };

typedef struct entrant {
    const peer *peer;
    void *store; /* NULL: not open */
    char directory[600];
} entrant;

/* Where stores are: made once, and kept from run to run; and copied to, when a section writes. */
extern const char *field_cache, *field_work;

/* The entrant's directory, a store of `keys` keys in it; for_writing: a copy. */
void field_prepare(entrant *entrant, const peer *peer, size_t keys, bool for_writing);
/* How many keys a peer is measured with at most, in this run. */
size_t field_limit(const peer *peer);
/* All peers that go as far as that many keys, open; returns their number. `takes` decides by what they can do. */
size_t field_open(entrant *field, size_t keys, bool for_writing, bool (*takes)(const peer *peer));
void field_close(entrant *field, size_t count);
/* The archive of a store of ours, of `keys` keys. */
void field_archive(char *path, size_t size, size_t keys);
/* Seconds to put that many bytes in a file's place as safely as a checkpoint does: write, fsync, rename, fsync. */
double field_write_bare(const void *bytes, size_t length);

/* The parts of the program, a file each. */
void measure_asking(size_t keys);
void measure_committing(size_t keys);
void measure_committing_together(size_t keys, int threads);
void measure_opening(size_t keys);
void measure_decoding(size_t keys);
void measure_memory(size_t keys);
void report_memory(const char *name, const char *directory, size_t keys);
void measure_archive_writing(size_t keys);
void measure_pauses(size_t keys);

#endif
