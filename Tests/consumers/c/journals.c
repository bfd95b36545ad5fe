/* Journal and lock file under other processes' hands: a record that is half there, one that is damaged, a checkpoint in
 * the midst of commits, a lock file that was replaced. With a part's name as its argument, only that. */
#include "program.h"

#include <pthread.h>

static const char journal[] = "store-journal", lock[] = "store-lock";

/* A process that marks a key and dies without closing: what it recorded is in the journal. */
static int mark_and_die(const char *key) {
    firsttime_store *store = open_store("store", NULL, 0);
    check_result(firsttime_mark(store, key), FIRSTTIME_OK);
    _exit(0);
}

static void mark_elsewhere(const char *key) { check(wait_for(spawn("mark", key)) == 0); }

static off_t size_of(const char *path) {
    struct stat status;
    check(stat(path, &status) == 0);
    return status.st_size;
}

static void remove_store(void) {
    static const char *const names[] = {"store", "store-journal", "store-lock"};
    for (int index = 0; index < 3; index++) check(unlink(names[index]) == 0 || errno == ENOENT);
}

/* ---- a record that is half there ---- */

/* Who only asks leaves it alone: it is being written. */
static void tail(void) {
    size_t size;
    mark_elsewhere("one");
    off_t end = size_of(journal);
    mark_elsewhere("two");
    char *bytes = read_file(journal, &size);
    check(truncate(journal, end) == 0);
    firsttime_store *before = open_store("store", NULL, 0);
    check_result(firsttime_was_executed(before, "one"), FIRSTTIME_YES);

    int file = open(journal, O_WRONLY | O_CLOEXEC);
    check(file >= 0 && pwrite(file, bytes + end, 30, end) == 30);
    firsttime_store *after = open_store("store", NULL, 0);
    /* Longer than the shared page is believed, which this writer doesn't count in. */
    pause_ms(1200);
    for (int round = 0; round < 2; round++) {
        check_result(firsttime_was_executed(before, "one"), FIRSTTIME_YES);
        check_result(firsttime_was_executed(before, "two"), FIRSTTIME_NO);
        check_result(firsttime_was_executed(after, "two"), FIRSTTIME_NO);
        check(size_of(journal) == end + 30);
        pause_ms(round == 0 ? 1200 : 0);
    }
    check(pwrite(file, bytes + end + 30, size - (size_t)end - 30, end + 30) == (ssize_t)size - end - 30);
    pause_ms(1200);
    check_result(firsttime_was_executed(before, "two"), FIRSTTIME_YES);
    check_result(begin_elsewhere("two"), FIRSTTIME_NOT_DUE);

    /* Who commits cuts it off: nobody was told of it, and whoever wrote it doesn't hold the lock. */
    end = size_of(journal);
    check(pwrite(file, bytes, 30, end) == 30);
    check_result(firsttime_mark(before, "three"), FIRSTTIME_OK);
    check_result(begin_elsewhere("three"), FIRSTTIME_NOT_DUE);
    check(close(file) == 0);
    check_result(firsttime_close(before), FIRSTTIME_OK);
    check_result(firsttime_close(after), FIRSTTIME_OK);
    free(bytes);
}

/* ---- a record that is damaged ---- */

/* Finds a text in a file, and changes a bit of its last byte. */
static void damage(const char *path, const char *text) {
    size_t size;
    char *bytes = read_file(path, &size), *found = memmem(bytes, size, text, strlen(text));
    check(found != NULL);
    found[strlen(text) - 1] ^= 1;
    int file = open(path, O_WRONLY | O_CLOEXEC);
    check(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size && close(file) == 0);
    free(bytes);
}

static void checksum(void) {
    mark_elsewhere("one");
    mark_elsewhere("two");
    mark_elsewhere("last");
    /* The last one: as if it had never been written. */
    damage(journal, "last");
    firsttime_store *store = open_store("store", NULL, 0);
    check(firsttime_count(store, NULL) == 2);
    check_result(firsttime_was_executed(store, "last"), FIRSTTIME_NO);
    for (int index = 0; index < 3; index++) check_result(firsttime_mark(store, "more"), FIRSTTIME_OK);
    /* Amidst others, one of which says that it was on disk: that is a loss, and nothing is changed. */
    damage(journal, "two");
    size_t size = (size_t)size_of(journal);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "store";
    firsttime_store *other;
    check(wait_for(spawn("corrupt", "store")) == 0);
    check((size_t)size_of(journal) == size);
    damage(journal, "tw\x6e");
    check_result(firsttime_open(&options, &other), FIRSTTIME_OK);
    check_result(firsttime_close(other), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static int find_corrupt(const char *path) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_store *store;
    check_result(firsttime_open(&options, &store), FIRSTTIME_ERROR_CORRUPT);
    check_mentions("store-journal");
    check_mentions(" byte ");
    return 0;
}

/* ---- a checkpoint in the midst of commits ---- */

static int marked, is_over;

/* Commits without a pause, but for one that keeps the journal below the size that calls for a checkpoint. */
static void *mark_on(void *store) {
    char key[64];
    for (int index = 1; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); index++) {
        snprintf(key, sizeof key, "new.%d", index);
        check_result(firsttime_mark(store, key), FIRSTTIME_OK);
        __atomic_store_n(&marked, index, __ATOMIC_RELEASE);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return NULL;
}

/* After each checkpoint a new process finds the last commit, and so all before it: none that came while the archive was
 * written is missing from the journal. */
static void carry(void) {
    enum { old_count = 1500, rounds = 12 };
    char key[64];
    firsttime_store *store = open_with("store", FIRSTTIME_RELAXED);
    /* An archive that takes a while to write. */
    for (int index = 0; index < old_count; index++) {
        snprintf(key, sizeof key, "old.%d", index);
        check_result(firsttime_mark(store, key), FIRSTTIME_OK);
    }
    pthread_t thread;
    check(pthread_create(&thread, NULL, mark_on, store) == 0);
    for (int round = 0; round < rounds; round++) {
        int before = __atomic_load_n(&marked, __ATOMIC_ACQUIRE);
        while (__atomic_load_n(&marked, __ATOMIC_ACQUIRE) == before) pause_ms(1);
        check_result(firsttime_flush(store), FIRSTTIME_OK);
        snprintf(key, sizeof key, "new.%d", __atomic_load_n(&marked, __ATOMIC_ACQUIRE));
        check_result(begin_elsewhere(key), FIRSTTIME_NOT_DUE);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    check(pthread_join(thread, NULL) == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("store", NULL, 0);
    check(firsttime_count(store, NULL) == old_count + marked);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- a lock file that was replaced ---- */

static int hold_a_while(void *context) {
    (void)context;
    append_line("held", "held");
    pause_ms(400);
    return 0;
}

static int hold(const char *key) {
    firsttime_store *store = open_store("store", NULL, 0);
    check_result(firsttime_execute_once(store, key, hold_a_while, NULL, NULL), FIRSTTIME_RAN);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}

/* One process has the old file open, another makes a new one: they still take turns. */
static void replaced(void) {
    int runs = 0;
    firsttime_store *store = open_store("store", NULL, 0);
    check_result(firsttime_execute_once(store, "first", count_up, NULL, &runs), FIRSTTIME_RAN);
    check(unlink(lock) == 0);
    pid_t child = spawn("hold", "key");
    wait_for_file("held");
    check_result(firsttime_execute_once(store, "key", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    check(wait_for(child) == 0 && unlink("held") == 0);
    /* A stale one, of a process that is gone, is gone on with. */
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(unlink("store") == 0 && unlink(journal) == 0);
    check_result(begin_elsewhere("key"), FIRSTTIME_DUE);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*body)(void);
    } parts[] = {{"tail", tail}, {"checksum", checksum}, {"carry", carry}, {"replaced", replaced}};
    static const struct {
        const char *name;
        int (*body)(const char *argument);
    } others[] = {{"mark", mark_and_die}, {"corrupt", find_corrupt}, {"hold", hold}, {"begin", answer_elsewhere}};
    alarm(120);
    for (int index = 0; argc == 3 && index < 4; index++) {
        if (strcmp(argv[1], others[index].name) == 0) return others[index].body(argv[2]);
    }
    for (int index = 0; index < 4; index++) {
        if (argc == 2 && strcmp(argv[1], parts[index].name) != 0) continue;
        parts[index].body();
        remove_store();
    }
    return 0;
}
