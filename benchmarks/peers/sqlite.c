/* SQLite as its manual advises for durable writes: WAL, synchronous=FULL, prepared statements. */
#include "../driver/peer.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct database {
    sqlite3 *connection;
    sqlite3_stmt *ask, *record;
    char path[600];
} database;

static void check(sqlite3 *connection, int result) {
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW) {
        bench_fail("SQLite: %s", sqlite3_errmsg(connection));
    }
}

static void run(sqlite3 *connection, const char *text) { check(connection, sqlite3_exec(connection, text, 0, 0, 0)); }

static database *connect(const char *path) {
    database *opened = calloc(1, sizeof *opened);
    snprintf(opened->path, sizeof opened->path, "%s", path);
    check(NULL, sqlite3_open(path, &opened->connection));
    sqlite3_busy_timeout(opened->connection, 60000);
    run(opened->connection,
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, version TEXT, time REAL) WITHOUT ROWID");
    check(opened->connection,
          sqlite3_prepare_v2(opened->connection, "SELECT 1 FROM runs WHERE key = ?", -1, &opened->ask, 0));
    check(opened->connection,
          sqlite3_prepare_v2(opened->connection, "INSERT OR IGNORE INTO runs VALUES (?, NULL, unixepoch())", -1,
                             &opened->record, 0));
    return opened;
}

static void *sqlite_open(const char *directory) {
    char path[600];
    snprintf(path, sizeof path, "%s/runs.sqlite", directory);
    return connect(path);
}

static double sqlite_ask(void *handle, const bench_key *keys, size_t count, size_t *found_out) {
    database *opened = handle;
    size_t found = 0;
    double start = bench_seconds();
    for (size_t index = 0; index < count; index++) {
        sqlite3_bind_text(opened->ask, 1, keys[index], -1, SQLITE_STATIC);
        int result = sqlite3_step(opened->ask);
        check(opened->connection, result);
        found += result == SQLITE_ROW;
        sqlite3_reset(opened->ask);
    }
    double time = bench_seconds() - start;
    *found_out = found;
    return time;
}

static void insert(database *opened, const char *key) {
    sqlite3_bind_text(opened->record, 1, key, -1, SQLITE_STATIC);
    check(opened->connection, sqlite3_step(opened->record));
    check(opened->connection, sqlite3_reset(opened->record));
}

static double sqlite_record(void *handle, const char *key) {
    double start = bench_seconds();
    insert(handle, key);
    return bench_seconds() - start;
}

static void *sqlite_join(void *store) { return connect(((database *)store)->path); }

static void sqlite_close_database(void *store) {
    database *opened = store;
    sqlite3_finalize(opened->ask);
    sqlite3_finalize(opened->record);
    check(opened->connection, sqlite3_close(opened->connection));
    free(opened);
}

static void setting(database *opened, const char *text, char *value, size_t size) {
    sqlite3_stmt *statement;
    check(opened->connection, sqlite3_prepare_v2(opened->connection, text, -1, &statement, 0));
    check(opened->connection, sqlite3_step(statement));
    snprintf(value, size, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

static void sqlite_settings(void *store, char *text, size_t size) {
    char mode[32], synchronous[32], page[32], pages[32];
    setting(store, "PRAGMA journal_mode", mode, sizeof mode);
    setting(store, "PRAGMA synchronous", synchronous, sizeof synchronous);
    setting(store, "PRAGMA page_size", page, sizeof page);
    setting(store, "PRAGMA wal_autocheckpoint", pages, sizeof pages);
    snprintf(text, size, "%s; journal_mode=%s, synchronous=%s (2: FULL), page_size=%s, wal_autocheckpoint=%s",
             sqlite3_libversion(), mode, synchronous, page, pages);
}

static void sqlite_fill(const char *directory, size_t keys) {
    database *opened = sqlite_open(directory);
    run(opened->connection, "PRAGMA synchronous=OFF; BEGIN");
    for (size_t number = 0; number < keys; number++) {
        bench_key key;
        bench_name(key, number);
        insert(opened, key);
    }
    run(opened->connection, "COMMIT");
    sqlite_close_database(opened);
}

const peer peer_sqlite = {
    .name = "SQLite",
    .most_keys = (size_t)-1,
    .threads = true,
    .open = sqlite_open,
    .ask = sqlite_ask,
    .record = sqlite_record,
    .join = sqlite_join,
    .leave = sqlite_close_database,
    .close = sqlite_close_database,
    .settings = sqlite_settings,
    .fill = sqlite_fill,
};
