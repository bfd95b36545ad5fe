/* Handles that don't write: READ_ONLY creates and changes nothing, IN_MEMORY has no file, and on a file system that
 * can't be written that is said before anything runs. */
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>

/* Records keys in a process that dies without closing, so that they are in the journal. */
static int mark_and_die(const char *path) {
    check_result(firsttime_mark(open_store(path, NULL, 0), "known"), FIRSTTIME_OK);
    _exit(0);
}

/* `flushed`: what a flush says while the journal has what the archive lacks. */
static void check_refused(firsttime_store *store, firsttime_result flushed) {
    firsttime_claim *claim;
    double time;
    int runs = 0;
    check_result(firsttime_execute_once(store, "new", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_READ_ONLY);
    check_text();
    check_result(execute_with(store, "new", FIRSTTIME_BASELINE, must_not_run, NULL), FIRSTTIME_ERROR_READ_ONLY);
    check_result(execute_with(store, "new", FIRSTTIME_AT_MOST_ONCE, must_not_run, NULL), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_begin(store, "new", NULL, &claim), FIRSTTIME_ERROR_READ_ONLY);
    check(claim == NULL);
    check_result(firsttime_mark(store, "new"), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_reset_key(store, "known"), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_reset(store), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_was_executed(store, "new"), FIRSTTIME_NO);
    check_result(firsttime_is_due(store, "new", NULL), FIRSTTIME_YES);
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_YES);
    check_result(firsttime_next_due(store, "known", NULL, &time), FIRSTTIME_NO);
    check(firsttime_count(store, NULL) == 1);
    check_result(firsttime_execute_once(store, "known", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_execute_once(store, "known", must_not_run, count_up, &runs), FIRSTTIME_RAN_AFTER);
    check(runs == 1);
    check_result(firsttime_flush(store), flushed);
}

/* ---- READ_ONLY ---- */

static void read_only(void) {
    firsttime_store *store = open_with("none/below/store", FIRSTTIME_READ_ONLY);
    check_result(firsttime_execute_once(store, "new", must_not_run, NULL, NULL), FIRSTTIME_ERROR_READ_ONLY);
    check_result(firsttime_was_executed(store, "new"), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(access("none", F_OK) != 0);

    check(wait_for(spawn("mark", "store")) == 0);
    check(access("store", F_OK) != 0 && access("store-journal", F_OK) == 0);
    /* With the lock file as it is, without one, and with one that isn't finished. */
    for (int round = 0; round < 3; round++) {
        if (round == 1) check(unlink("store-lock") == 0);
        if (round == 2) write_file("store-lock", "", 0);
        uint64_t before = fingerprint(".");
        store = open_with("store", FIRSTTIME_READ_ONLY);
        check_refused(store, FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        check(fingerprint(".") == before);
    }
    /* Another process's commit is seen. */
    store = open_with("store", FIRSTTIME_READ_ONLY);
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_YES);
    check(wait_for(spawn("forget", "store")) == 0);
    pause_ms(1100);
    check_result(firsttime_was_executed(store, "known"), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    /* Half a record at the end, and a journal whose archive is gone: looked at, and left. */
    check(wait_for(spawn("mark", "store")) == 0);
    append_line("store-journal", "half a record");
    check(unlink("store-lock") == 0);
    uint64_t before = fingerprint(".");
    store = open_with("store", FIRSTTIME_READ_ONLY);
    check_refused(store, FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(fingerprint(".") == before);
    check(unlink("store") == 0);
    before = fingerprint(".");
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "store";
    options.flags = FIRSTTIME_READ_ONLY;
    check_result(firsttime_open(&options, &store), FIRSTTIME_ERROR_CORRUPT);
    check(fingerprint(".") == before);
}

static int forget(const char *path) {
    firsttime_store *store = open_store(path, NULL, 0);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}

/* ---- IN_MEMORY ---- */

static int counted[50], in_memory_threads = 8;

static int count_once(void *context) {
    __atomic_add_fetch((int *)context, 1, __ATOMIC_ACQ_REL);
    pause_ms(1);
    return 0;
}

static void *run_all(void *store) {
    char key[32];
    for (int index = 0; index < 50; index++) {
        snprintf(key, sizeof key, "thread.%d", index);
        firsttime_result result = firsttime_execute_once(store, key, count_once, NULL, &counted[index]);
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
    }
    return NULL;
}

static void in_memory(void) {
    int descriptors = open_descriptors();
    uint64_t before = fingerprint(".");
    firsttime_store *one = open_with("unused", FIRSTTIME_IN_MEMORY), *two = open_with("unused", FIRSTTIME_IN_MEMORY);
    check_result(firsttime_mark(one, "key"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(one, "key"), FIRSTTIME_YES);
    check_result(firsttime_was_executed(two, "key"), FIRSTTIME_NO);
    /* A claim keeps others of this handle away, not those of another. */
    firsttime_claim *claim, *other;
    check_result(firsttime_begin(one, "claim", NULL, &claim), FIRSTTIME_DUE);
    check_result(begin_with(one, "claim", FIRSTTIME_NO_WAIT, &other), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_begin(two, "claim", NULL, &other), FIRSTTIME_DUE);
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
    firsttime_abandon(other);
    check_result(firsttime_was_executed(one, "claim"), FIRSTTIME_YES);
    check_result(firsttime_was_executed(two, "claim"), FIRSTTIME_NO);
    int runs = 0;
    check_result(execute_with(one, "most", FIRSTTIME_AT_MOST_ONCE, refuse, &runs), FIRSTTIME_ERROR_CALLBACK);
    check_result(execute_with(one, "most", FIRSTTIME_AT_MOST_ONCE, count_up, &runs), FIRSTTIME_RAN);
    pthread_t threads[8];
    for (int index = 0; index < in_memory_threads; index++) {
        check(pthread_create(&threads[index], NULL, run_all, one) == 0);
    }
    for (int index = 0; index < in_memory_threads; index++) check(pthread_join(threads[index], NULL) == 0);
    for (int index = 0; index < 50; index++) check(counted[index] == 1);
    check_result(firsttime_flush(one), FIRSTTIME_OK);
    check_result(firsttime_reset(one), FIRSTTIME_OK);
    check(firsttime_count(one, NULL) == 0);
    check(open_descriptors() == descriptors);
    check_result(firsttime_close(one), FIRSTTIME_OK);
    check_result(firsttime_close(two), FIRSTTIME_OK);
    check(fingerprint(".") == before);
}

/* ---- a file system that can't be written ---- */

static void read_only_disk(void) {
    check(mkdir("disk", 0755) == 0);
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "disk", "tmpfs", 0, "size=1m") != 0) {
        printf("not tried: a read-only file system (mount: %s)\n", strerror(errno));
        return;
    }
    check(wait_for(spawn("mark", "disk/store")) == 0);
    check(mount("none", "disk", "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m") == 0);
    uint64_t before = fingerprint("disk");
    for (int flags = 0; flags < 2; flags++) {
        firsttime_store *store = open_with("disk/store", flags ? FIRSTTIME_READ_ONLY : 0);
        check_refused(store, flags ? FIRSTTIME_OK : FIRSTTIME_ERROR_READ_ONLY);
        check_result(firsttime_mark(store, "new"), FIRSTTIME_ERROR_READ_ONLY);
        check_mentions(flags ? "store" : "Read-only file system");
        check_result(firsttime_close(store), FIRSTTIME_OK);
        store = open_with("disk/below/other", flags ? FIRSTTIME_READ_ONLY : 0);
        check_result(firsttime_mark(store, "new"), FIRSTTIME_ERROR_READ_ONLY);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
    /* Who asks for it runs, and hears that it was not recorded. */
    int runs = 0;
    firsttime_store *store = open_with("disk/store", FIRSTTIME_RUN_IF_UNWRITABLE);
    check_result(firsttime_execute_once(store, "new", count_up, NULL, &runs), FIRSTTIME_ERROR_NOT_RECORDED);
    check_result(firsttime_execute_once(store, "new", count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check(runs == 1);
    check(fingerprint("disk") == before);
    /* Writable again, it is recorded after all. */
    check(mount("none", "disk", "tmpfs", MS_REMOUNT, "size=1m") == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("disk/store", NULL, 0);
    check_result(firsttime_was_executed(store, "new"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3 && strcmp(argv[1], "mark") == 0) return mark_and_die(argv[2]);
    if (argc == 3 && strcmp(argv[1], "forget") == 0) return forget(argv[2]);
    in_memory();
    read_only();
    read_only_disk();
    return 0;
}
