/* firsttime_was_executed() takes no lock while nothing changes. Threads ask on and on, while others mark, reset,
 * donate, import and flush, another process marks, and children of a fork ask at once: a key that was acknowledged as
 * marked and is never reset is YES from then on, a key that nobody marks is NO. */
#include "program.h"

#include <sys/mman.h>

static firsttime_store *store, *reader;
static bool is_over;
/* How many of each writer's keys are acknowledged; in memory that processes share. */
enum { writers = 3, askers = 3 };
struct shared {
    int marked[writers];
};
static struct shared *shared;
static int keys;

static int marked(int writer) { return __atomic_load_n(&shared->marked[writer], __ATOMIC_ACQUIRE); }

static const char *name(char *key, int writer, int number) {
    snprintf(key, 64, "key.%d.%04d%s", writer, number, number % 3 ? "" : ", which has a longer name than the others");
    return key;
}

/* Each key just after it was marked, too. */
static void mark_all(firsttime_store *own, int writer) {
    char key[64];
    for (int number = 0; number < keys; number++) {
        check_result(firsttime_mark(own, name(key, writer, number)), FIRSTTIME_OK);
        __atomic_store_n(&shared->marked[writer], number + 1, __ATOMIC_RELEASE);
        check_result(firsttime_was_executed(own, key), FIRSTTIME_YES);
    }
}

static void ask(firsttime_store *own, unsigned *random) {
    char key[64];
    *random = *random * 1664525 + 1013904223;
    int writer = (int)(*random >> 16) % writers;
    int known = marked(writer);
    if (known > 0)
        check_result(firsttime_was_executed(own, name(key, writer, (int)(*random >> 8) % known)), FIRSTTIME_YES);
    if (known > 0) check_result(firsttime_was_executed(own, name(key, writer, known - 1)), FIRSTTIME_YES);
    check_result(firsttime_was_executed(own, name(key, writer, keys + known)), FIRSTTIME_NO);
    firsttime_result result = firsttime_was_executed(own, "again");
    check(result == FIRSTTIME_YES || result == FIRSTTIME_NO);
}

static void *ask_on(void *context) {
    unsigned random = (unsigned)(intptr_t)context * 977;
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
        for (int turn = 0; turn < 64; turn++)
            ask(turn % 2 ? reader : store, &random);
    }
    return NULL;
}

static void *mark_on(void *context) {
    mark_all(store, (int)(intptr_t)context);
    return NULL;
}

/* Records come and go, so that the table is made anew and its index is mended. */
static void *change_on(void *context) {
    (void)context;
    char key[64];
    for (int round = 0; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); round++) {
        check_result(firsttime_mark(store, "again"), FIRSTTIME_OK);
        check_result(firsttime_was_executed(store, "again"), FIRSTTIME_YES);
        for (int number = 0; number < 20; number++) {
            snprintf(key, sizeof key, "gone.%d", (round * 7 + number) % 40);
            check_result(firsttime_mark(store, key), FIRSTTIME_OK);
        }
        check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
        check_result(firsttime_reset_key(store, "again"), FIRSTTIME_YES);
        check_result(firsttime_was_executed(store, "again"), FIRSTTIME_NO);
        check(firsttime_count(store, "key.") >= marked(0));
        check_result(firsttime_reset_prefix(store, "gone."), FIRSTTIME_OK);
        check_result(firsttime_was_executed(store, key), FIRSTTIME_NO);
        if (round % 4 == 0) check_result(firsttime_flush(store), FIRSTTIME_OK);
        if (round % 8 == 0) import_legacy(store, "5");
        if (round % 8 == 4) check_result(firsttime_close(open_with("store", 0)), FIRSTTIME_OK);
    }
    return NULL;
}

/* ---- while threads look, processes are made of which some looks are in the middle ---- */

static void fork_and_ask(void) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        alarm(60);
        unsigned random = (unsigned)getpid();
        for (int turn = 0; turn < 20; turn++)
            ask(turn % 2 ? reader : store, &random);
        char key[64];
        snprintf(key, sizeof key, "child.%d", (int)getpid());
        check_result(firsttime_mark(store, key), FIRSTTIME_OK);
        check_result(firsttime_was_executed(reader, key), FIRSTTIME_YES);
        _exit(0);
    }
    check(wait_for(child) == 0);
    char key[64];
    snprintf(key, sizeof key, "child.%d", (int)child);
    check_result(firsttime_was_executed(reader, key), FIRSTTIME_YES);
}

static int mark_elsewhere(void) {
    firsttime_store *own = open_with("store", FIRSTTIME_RELAXED);
    int file = open("shared", O_RDWR | O_CLOEXEC);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    check(shared != MAP_FAILED && close(file) == 0);
    mark_all(own, 2);
    check_result(firsttime_close(own), FIRSTTIME_OK);
    return 0;
}

/* The thread sanitizer's library is a debug build, whose constants are made at their first use: a fork in the middle of
 * that leaves a child that waits for ever. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define MAY_FORK false
#endif
#endif
#ifndef MAY_FORK
#define MAY_FORK true
#endif

static void everything_at_once(int forks) {
    pthread_t asking[askers], marking[2], changing;
    struct shared none = {{0}};
    write_file("shared", &none, sizeof none);
    int file = open("shared", O_RDWR | O_CLOEXEC);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    check(shared != MAP_FAILED && close(file) == 0);
    store = open_with("store", FIRSTTIME_RELAXED);
    reader = open_with("store", FIRSTTIME_READ_ONLY);
    char count[16];
    snprintf(count, sizeof count, "%d", keys);
    pid_t other = spawn("mark", count);
    for (intptr_t number = 0; number < askers; number++) {
        check(pthread_create(&asking[number], NULL, ask_on, (void *)(number + 1)) == 0);
    }
    for (intptr_t number = 0; number < 2; number++) {
        check(pthread_create(&marking[number], NULL, mark_on, (void *)number) == 0);
    }
    check(pthread_create(&changing, NULL, change_on, NULL) == 0);
    for (int number = 0; MAY_FORK && number < forks; number++)
        fork_and_ask();
    for (int number = 0; number < 2; number++)
        check(pthread_join(marking[number], NULL) == 0);
    check(wait_for(other) == 0);
    __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
    check(pthread_join(changing, NULL) == 0);
    for (int number = 0; number < askers; number++)
        check(pthread_join(asking[number], NULL) == 0);
    check(firsttime_count(store, "key.") == writers * keys);
    check_result(firsttime_was_executed(store, "old"), FIRSTTIME_YES);
    check_result(firsttime_close(reader), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- answers are those that are given under the lock ---- */

static int is_unrecorded(void *context) {
    (void)context;
    check_result(firsttime_was_executed(store, "at-most-once"), FIRSTTIME_NO);
    check_result(firsttime_was_executed(reader, "at-most-once"), FIRSTTIME_NO);
    return 0;
}

static void started(void) {
    store = open_with("started", 0);
    reader = open_with("started", FIRSTTIME_READ_ONLY);
    check_result(execute_with(store, "at-most-once", FIRSTTIME_AT_MOST_ONCE, is_unrecorded, NULL), FIRSTTIME_RAN);
    check_result(firsttime_was_executed(reader, "at-most-once"), FIRSTTIME_YES);
    firsttime_store *another = open_with("started", 0);
    check_result(firsttime_mark(another, "another's"), FIRSTTIME_OK);
    check_result(firsttime_close(another), FIRSTTIME_OK);
    check_result(firsttime_was_executed(reader, "another's"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check_result(firsttime_was_executed(reader, "another's"), FIRSTTIME_YES);
    check_result(firsttime_was_executed(reader, "nobody's"), FIRSTTIME_NO);
    check_result(firsttime_close(reader), FIRSTTIME_OK);
}

/* The files go, or others come in their places: a second later it shows. */
static void replaced(void) {
    store = open_with("replaced", FIRSTTIME_READ_ONLY);
    firsttime_store *writer = open_with("replaced-new", 0);
    check_result(firsttime_mark(writer, "new"), FIRSTTIME_OK);
    check_result(firsttime_close(writer), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "new"), FIRSTTIME_NO);
    check(rename("replaced-new", "replaced") == 0);
    for (double limit = seconds() + 10; firsttime_was_executed(store, "new") != FIRSTTIME_YES; pause_ms(20)) {
        check(seconds() < limit);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* The lock file goes while the store is open here: another process makes a new one, and counts in that. */
static int mark_new(const char *key) {
    firsttime_store *own = open_with("unlocked", 0);
    check_result(firsttime_mark(own, key), FIRSTTIME_OK);
    check_result(firsttime_close(own), FIRSTTIME_OK);
    return 0;
}

static void lock_file_replaced(void) {
    store = open_with("unlocked", 0);
    check_result(firsttime_mark(store, "own"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "own"), FIRSTTIME_YES);
    check(unlink("unlocked-lock") == 0);
    check(wait_for(spawn("new", "theirs")) == 0);
    for (double limit = seconds() + 10; firsttime_was_executed(store, "theirs") != FIRSTTIME_YES; pause_ms(20)) {
        check(seconds() < limit);
    }
    /* Found once, the new one is looked at like the old. */
    check(wait_for(spawn("new", "theirs, too")) == 0);
    check_result(firsttime_was_executed(store, "theirs, too"), FIRSTTIME_YES);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(int argc, char **argv) {
    alarm(250);
    if (argc == 3 && strcmp(argv[1], "mark") == 0) {
        keys = atoi(argv[2]);
        return mark_elsewhere();
    }
    if (argc == 3 && strcmp(argv[1], "new") == 0) return mark_new(argv[2]);
    bool is_quick = getenv("FIRSTTIME_LONG") == NULL;
    keys = is_quick ? 400 : 1500;
    started();
    everything_at_once(is_quick ? 8 : 30);
    if (!is_quick) replaced();
    if (!is_quick) lock_file_replaced();
    return 0;
}
