/* Forks with an open handle: the child goes on with it, and nothing of the parent's is recorded or released by it. */
#include "program.h"

#include <pthread.h>

static firsttime_store *store;
static char directory[1024];

/* Runs a part in a forked child, which must return. */
static pid_t fork_into(void (*part)(void *), void *context) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        alarm(60);
        part(context);
        exit(0);
    }
    return child;
}

static void in_child(void (*part)(void *), void *context) { check(wait_for(fork_into(part, context)) == 0); }

/* ---- a server: preloads, then forks workers; threads of its own are busy meanwhile ---- */

enum { worker_count = 8 };
static bool is_busy;

static int append_run(void *context) {
    append_line("runs.txt", context);
    pause_ms(20);
    return 0;
}

static void work(void *context) {
    /* Another handle of the child's own, before the inherited one is used. */
    firsttime_store *another = open_store("store", NULL, 0);
    check_result(firsttime_was_executed(another, "preloaded"), FIRSTTIME_YES);
    check_result(firsttime_close(another), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "preloaded"), FIRSTTIME_YES);
    firsttime_result result = firsttime_execute_once(store, context, append_run, NULL, context);
    if (result != FIRSTTIME_RAN) check_result(result, FIRSTTIME_NOT_DUE);
    append_line(result == FIRSTTIME_RAN ? "ran.txt" : "not-due.txt", context);
    check_result(firsttime_mark(store, "worked"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void *keep_busy(void *context) {
    int runs = 0;
    char key[64];
    for (int number = 0; __atomic_load_n(&is_busy, __ATOMIC_SEQ_CST); number++) {
        snprintf(key, sizeof key, "busy.%s.%d", (const char *)context, number % 50);
        firsttime_result result = firsttime_execute_once(store, key, count_up, NULL, &runs);
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
        firsttime_claim *claim;
        if (firsttime_begin(store, "busy.claim", NULL, &claim) == FIRSTTIME_DUE) firsttime_abandon(claim);
    }
    return NULL;
}

static void server(void) {
    pid_t workers[worker_count];
    pthread_t threads[3];
    check_result(firsttime_mark(store, "preloaded"), FIRSTTIME_OK);
    __atomic_store_n(&is_busy, true, __ATOMIC_SEQ_CST);
    static const char *const names[] = {"0", "1", "2"};
    for (int index = 0; index < 3; index++) {
        check(pthread_create(&threads[index], NULL, keep_busy, (void *)names[index]) == 0);
    }
    for (int round = 0; round < 3; round++) {
        char key[32];
        snprintf(key, sizeof key, "work.%d", round);
        for (int index = 0; index < worker_count; index++) workers[index] = fork_into(work, key);
        for (int index = 0; index < worker_count; index++) check(wait_for(workers[index]) == 0);
        check(count_lines("runs.txt", key) == 1 && count_lines("ran.txt", key) == 1);
        check(count_lines("not-due.txt", key) == worker_count - 1);
        check_result(firsttime_execute_once(store, key, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    }
    __atomic_store_n(&is_busy, false, __ATOMIC_SEQ_CST);
    for (int index = 0; index < 3; index++) check(pthread_join(threads[index], NULL) == 0);
}

/* ---- a daemon: the parent is gone, the child goes on ---- */

/* A child of a child. */
static int become_daemon(const char *where) {
    check(chdir(where) == 0);
    firsttime_store *own = open_store("store", NULL, 0);
    int runs = 0;
    check_result(firsttime_execute_once(own, "daemon.before", count_up, NULL, &runs), FIRSTTIME_RAN);
    if (fork() > 0) _exit(0);
    setsid();
    check(chdir("/") == 0);
    check_result(firsttime_execute_once(own, "daemon.before", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_execute_once(own, "daemon.after", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_close(own), FIRSTTIME_OK);
    check(chdir(where) == 0);
    append_line("daemon", "");
    return 0;
}

static void daemonize(void) {
    check(wait_for(spawn("daemon", directory)) == 0);
    wait_for_file("daemon");
    check_result(firsttime_was_executed(store, "daemon.after"), FIRSTTIME_YES);
}

/* ---- open claims ---- */

static void end_claims(void *context) {
    firsttime_claim **claims = context, *other;
    double begin = seconds();
    check_result(firsttime_begin(store, "claim.0", NULL, &other), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin >= 0.29);
    check_result(firsttime_begin(store, "claim.2", NULL, &other), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_commit(claims[0]), FIRSTTIME_ERROR_FORKED);
    check_text();
    check_mentions("parent");
    firsttime_abandon(claims[1]);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    firsttime_abandon(claims[2]);
}

static void claims(void) {
    static const char *const keys[] = {"claim.0", "claim.1", "claim.2"};
    firsttime_claim *open[3];
    for (int index = 0; index < 3; index++) {
        check_result(begin_with(store, keys[index], index ? 0 : FIRSTTIME_AT_MOST_ONCE, &open[index]), FIRSTTIME_DUE);
    }
    in_child(end_claims, open);
    for (int index = 0; index < 3; index++) {
        check_result(firsttime_was_executed(store, keys[index]), FIRSTTIME_NO);
        check_result(begin_elsewhere(keys[index]), FIRSTTIME_ERROR_BUSY);
        check_result(firsttime_commit(open[index]), FIRSTTIME_OK);
        check_result(begin_elsewhere(keys[index]), FIRSTTIME_NOT_DUE);
    }
}

/* ---- inside a callback ---- */

static pid_t own_child;

static int fork_and_return(void *context) {
    own_child = fork();
    check(own_child >= 0);
    if (own_child > 0) {
        check_result(firsttime_begin(store, "callback", NULL, &(firsttime_claim *){NULL}), FIRSTTIME_ERROR_REENTRANT);
        check(wait_for(own_child) == 0);
        return count_up(context);
    }
    /* Still inside it. */
    double begin = seconds();
    check_result(firsttime_execute_once(store, "callback", must_not_run, NULL, NULL), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_close(store), FIRSTTIME_ERROR_REENTRANT);
    check(seconds() - begin < 0.2);
    int runs = 0;
    check_result(firsttime_execute_once(store, "callback.child", count_up, NULL, &runs), FIRSTTIME_RAN);
    return 0;
}

static void callback(uint32_t flags, const char *key) {
    int runs = 0;
    own_child = -1;
    firsttime_result result = execute_with(store, key, flags, fork_and_return, &runs);
    if (own_child == 0) {
        check_result(result, FIRSTTIME_ERROR_FORKED);
        check_text();
        /* Outside it now: the parent's run is another's. */
        check_result(firsttime_execute_once(store, key, must_not_run, NULL, NULL), FIRSTTIME_ERROR_BUSY);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        _exit(0);
    }
    check_result(result, FIRSTTIME_RAN);
    check(runs == 1);
    check_result(begin_elsewhere(key), FIRSTTIME_NOT_DUE);
}

/* A fork in another thread's callbacks and visitors: they don't go on in the child, and nothing there waits for them. */
static void *run_long(void *context) {
    check_result(firsttime_execute_once(store, context, meet_twice, NULL, NULL), FIRSTTIME_RAN);
    return NULL;
}

static void close_in_child(void *context) {
    check_result(firsttime_execute_once(store, context, must_not_run, NULL, NULL), FIRSTTIME_ERROR_BUSY);
    check_mentions("process");
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void other_threads(void) {
    pthread_t thread;
    check(pthread_barrier_init(&barrier, NULL, 2) == 0);
    check(pthread_create(&thread, NULL, run_long, "long") == 0);
    pthread_barrier_wait(&barrier);
    in_child(close_in_child, "long");
    check_result(begin_elsewhere("long"), FIRSTTIME_ERROR_BUSY);
    pthread_barrier_wait(&barrier);
    check(pthread_join(thread, NULL) == 0);
}

/* ---- descriptors ---- */

/* The child's own files get the numbers that the library's had: they stay open. */
static void reuse_numbers(void *context) {
    int files[40];
    for (int index = 0; index < 40; index++) check((files[index] = open("/dev/null", O_RDONLY)) >= 0);
    firsttime_abandon(context);
    check_result(firsttime_mark(store, "reused"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    for (int index = 0; index < 40; index++) check(fcntl(files[index], F_GETFD) >= 0);
}

static void numbers(void) {
    firsttime_claim *claim;
    int descriptors = open_descriptors();
    check_result(firsttime_begin(store, "numbers", NULL, &claim), FIRSTTIME_DUE);
    in_child(reuse_numbers, claim);
    check_result(begin_elsewhere("numbers"), FIRSTTIME_ERROR_BUSY);
    firsttime_abandon(claim);
    check_result(firsttime_was_executed(store, "reused"), FIRSTTIME_YES);
    check(open_descriptors() <= descriptors + 1);
}

/* ---- generations ---- */

static void again(void *context) {
    int depth = *(int *)context - 1;
    char key[32];
    snprintf(key, sizeof key, "depth.%d", depth);
    firsttime_claim *claim;
    check_result(firsttime_begin(store, key, NULL, &claim), FIRSTTIME_DUE);
    if (depth > 0) in_child(again, &depth);
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void generations(void) {
    int depth = 4;
    in_child(again, &depth);
    check(firsttime_count(store, "depth.") == 4);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3) return strcmp(argv[1], "daemon") == 0 ? become_daemon(argv[2]) : answer_elsewhere(argv[2]);
    check(getcwd(directory, sizeof directory) != NULL);
    store = open_store("store", NULL, elsewhere_wait);
    claims();
    callback(0, "callback");
    check_result(firsttime_reset_prefix(store, "callback"), FIRSTTIME_OK);
    callback(FIRSTTIME_AT_MOST_ONCE, "callback");
    other_threads();
    numbers();
    generations();
    daemonize();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_store("store", NULL, 0);
    server();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
