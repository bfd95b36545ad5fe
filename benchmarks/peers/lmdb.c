/* LMDB with its default flags, which sync each commit. A question is a read transaction of its own, renewed rather than
 * begun: it sees what others have committed, as ours do. */
#include "../driver/peer.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct environment {
    MDB_env *shared;
    MDB_dbi table;
    MDB_txn *reader;
    bool owns;
} environment;

static void check(int result) {
    if (result != 0) bench_fail("LMDB: %s", mdb_strerror(result));
}

/* A reader belongs to the thread that first uses it. */
static environment *attach(MDB_env *shared, MDB_dbi table, bool owns) {
    environment *opened = calloc(1, sizeof *opened);
    *opened = (environment){shared, table, NULL, owns};
    return opened;
}

static void *open_with(const char *directory, unsigned flags) {
    MDB_env *shared;
    MDB_txn *transaction;
    MDB_dbi table;
    check(mdb_env_create(&shared));
    check(mdb_env_set_mapsize(shared, (size_t)1 << 30));
    check(mdb_env_open(shared, directory, flags, 0600));
    check(mdb_txn_begin(shared, NULL, 0, &transaction));
    check(mdb_dbi_open(transaction, NULL, 0, &table));
    check(mdb_txn_commit(transaction));
    return attach(shared, table, true);
}

static void *lmdb_open(const char *directory) { return open_with(directory, 0); }

static double lmdb_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    environment *opened = handle;
    size_t found = 0;
    if (!opened->reader) {
        check(mdb_txn_begin(opened->shared, NULL, MDB_RDONLY, &opened->reader));
        mdb_txn_reset(opened->reader);
    }
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++) {
        MDB_val key = {strlen(keys[index]), (void *)keys[index]}, value;
        check(mdb_txn_renew(opened->reader));
        found += mdb_get(opened->reader, opened->table, &key, &value) == 0;
        mdb_txn_reset(opened->reader);
    }
    double time = bench_seconds() - start;
    *found_out = found;
    return time;
}

static void put(environment *opened, MDB_txn *transaction, const char *text) {
    double now = (double)time(NULL);
    MDB_val key = {strlen(text), (void *)text}, value = {sizeof now, &now};
    int result = mdb_put(transaction, opened->table, &key, &value, MDB_NOOVERWRITE);
    if (result != MDB_KEYEXIST) check(result);
}

static double lmdb_record(void *handle, const char *key) {
    environment *opened = handle;
    MDB_txn *transaction;
    double start = bench_seconds();
    check(mdb_txn_begin(opened->shared, NULL, 0, &transaction));
    put(opened, transaction, key);
    check(mdb_txn_commit(transaction));
    return bench_seconds() - start;
}

static void *lmdb_join(void *store) {
    environment *opened = store;
    return attach(opened->shared, opened->table, false);
}

static void lmdb_close(void *store) {
    environment *opened = store;
    if (opened->reader) mdb_txn_abort(opened->reader);
    if (opened->owns) mdb_env_close(opened->shared);
    free(opened);
}

static void lmdb_settings(void *store, char *text, size_t size) {
    unsigned flags;
    MDB_envinfo info;
    check(mdb_env_get_flags(((environment *)store)->shared, &flags));
    check(mdb_env_info(((environment *)store)->shared, &info));
    snprintf(text, size, "%d.%d.%d; flags 0x%x (MDB_NOSYNC %s, MDB_NOMETASYNC %s, MDB_WRITEMAP %s), map of %zu MiB",
             MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH, flags & 0xfffffff,
             flags & MDB_NOSYNC ? "on" : "off", flags & MDB_NOMETASYNC ? "on" : "off",
             flags & MDB_WRITEMAP ? "on" : "off", info.me_mapsize >> 20);
}

static void lmdb_fill(const char *directory, size_t keys) {
    environment *opened = open_with(directory, MDB_NOSYNC);
    MDB_txn *transaction;
    check(mdb_txn_begin(opened->shared, NULL, 0, &transaction));
    for (size_t number = 0; number < keys; number++) {
        bench_key key;
        bench_name(key, number);
        put(opened, transaction, key);
    }
    check(mdb_txn_commit(transaction));
    check(mdb_env_sync(opened->shared, 1));
    lmdb_close(opened);
}

const peer peer_lmdb = {
    .name = "LMDB",
    .most_keys = (size_t)-1,
    .threads = true,
    .open = lmdb_open,
    .ask = lmdb_ask,
    .record = lmdb_record,
    .join = lmdb_join,
    .leave = lmdb_close,
    .close = lmdb_close,
    .settings = lmdb_settings,
    .fill = lmdb_fill,
};
