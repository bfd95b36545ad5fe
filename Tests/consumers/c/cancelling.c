/* pthread_cancel of a thread that is inside the library: it waits for a key, commits, or runs a callback. The call ends
 * as if nothing had been asked, or with its thread; either way nobody else is held up, and what was acknowledged is
 * there. */
#include "program.h"

#include <pthread.h>

static firsttime_store *store;
static int acknowledged, has_begun;

static void check_free(const char *key) {
    double begin = seconds();
    firsttime_claim *claim;
    firsttime_result result = firsttime_begin(store, key, NULL, &claim);
    check(result == FIRSTTIME_DUE || result == FIRSTTIME_NOT_DUE);
    firsttime_abandon(claim);
    check(begin_elsewhere(key) == result);
    check(seconds() - begin < 2);
}

static void begin(void) { __atomic_store_n(&has_begun, 1, __ATOMIC_RELEASE); }

static void cancel_soon(pthread_t thread, long milliseconds) {
    while (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE)) pause_ms(1);
    pause_ms(milliseconds);
    check(pthread_cancel(thread) == 0);
}

/* ---- waiting for a key ---- */

static void *wait_for_key(void *key) {
    begin();
    int runs = 0;
    firsttime_result result = firsttime_execute_once(store, key, count_up, NULL, &runs);
    check(result == FIRSTTIME_RAN && runs == 1);
    return NULL;
}

static int hold(const char *key) {
    firsttime_store *own = open_store("store", NULL, 0);
    firsttime_claim *claim;
    check_result(firsttime_begin(own, key, NULL, &claim), FIRSTTIME_DUE);
    append_line("held", key);
    pause_ms(400);
    firsttime_abandon(claim);
    check_result(firsttime_close(own), FIRSTTIME_OK);
    return 0;
}

static void while_waiting(void) {
    pthread_t thread;
    firsttime_claim *claim;
    check_result(firsttime_begin(store, "threads", NULL, &claim), FIRSTTIME_DUE);
    check(pthread_create(&thread, NULL, wait_for_key, "threads") == 0);
    cancel_soon(thread, 50);
    pause_ms(50);
    firsttime_abandon(claim);
    check(pthread_join(thread, NULL) == 0);
    check_free("threads");

    pid_t child = spawn("hold", "processes");
    wait_for_file("held");
    has_begun = 0;
    check(pthread_create(&thread, NULL, wait_for_key, "processes") == 0);
    cancel_soon(thread, 50);
    check(pthread_join(thread, NULL) == 0 && wait_for(child) == 0);
    check_free("processes");
}

/* ---- committing ---- */

static void *mark_on(void *first) {
    char key[32];
    begin();
    for (int index = *(int *)first;; index++) {
        snprintf(key, sizeof key, "marked.%d", index);
        check_result(firsttime_mark(store, key), FIRSTTIME_OK);
        __atomic_store_n(&acknowledged, index + 1, __ATOMIC_RELEASE);
        pthread_testcancel();
    }
}

static void while_committing(void) {
    const int rounds = getenv("FIRSTTIME_QUICK") ? 8 : 40;
    for (int round = 0; round < rounds; round++) {
        pthread_t thread;
        void *result;
        int first = acknowledged;
        has_begun = 0;
        check(pthread_create(&thread, NULL, mark_on, &first) == 0);
        cancel_soon(thread, round % 4);
        check(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
        check_result(firsttime_mark(store, "after"), FIRSTTIME_OK);
        if (round % 8 == 0) check_result(firsttime_flush(store), FIRSTTIME_OK);
    }
    check(firsttime_count(store, "marked.") == acknowledged);
    char key[32];
    snprintf(key, sizeof key, "marked.%d", acknowledged - 1);
    check(acknowledged > 0 && begin_elsewhere(key) == FIRSTTIME_NOT_DUE);
}

/* Threads that ask are waited for, by a thread that was cancelled, too. */
static bool is_asked;

static void *ask_on(void *context) {
    (void)context;
    while (__atomic_load_n(&is_asked, __ATOMIC_ACQUIRE)) check(firsttime_was_executed(store, "unknown") == FIRSTTIME_NO);
    return NULL;
}

static void while_others_ask(void) {
    pthread_t threads[4];
    __atomic_store_n(&is_asked, true, __ATOMIC_RELEASE);
    for (int index = 0; index < 4; index++) check(pthread_create(&threads[index], NULL, ask_on, NULL) == 0);
    while_committing();
    __atomic_store_n(&is_asked, false, __ATOMIC_RELEASE);
    for (int index = 0; index < 4; index++) check(pthread_join(threads[index], NULL) == 0);
}

/* ---- in a callback, which may well end its thread ---- */

static int sleep_long(void *context) {
    (void)context;
    begin();
    pause_ms(60000);
    return 0;
}

static void *run_long(void *key) {
    firsttime_execute_once(store, key, sleep_long, NULL, NULL);
    check(!"it came back");
    return NULL;
}

static void in_callback(void) {
    pthread_t thread;
    void *result;
    has_begun = 0;
    check(pthread_create(&thread, NULL, run_long, "callback") == 0);
    cancel_soon(thread, 10);
    check(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    check_result(firsttime_was_executed(store, "callback"), FIRSTTIME_NO);
    check_free("callback");
}

/* ---- the first recording of all: random numbers are asked for, and files made ---- */

static void *mark_first(void *context) {
    firsttime_mark(context, "first");
    return NULL;
}

/* In a process of its own, which has asked for no random number yet. */
static int record_first(const char *microseconds) {
    char path[64];
    snprintf(path, sizeof path, "first.%s", microseconds);
    store = open_store(path, NULL, 0);
    pthread_t thread;
    check(pthread_create(&thread, NULL, mark_first, store) == 0);
    struct timespec time = {0, atol(microseconds) * 1000};
    nanosleep(&time, NULL);
    pthread_cancel(thread);
    check(pthread_join(thread, NULL) == 0);
    int runs = 0;
    check_result(firsttime_execute_once(store, "second", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}

static void while_recording_first(void) {
    static const char *const times[] = {"0", "50", "100", "200", "300", "500", "800", "1500", "3000"};
    for (size_t index = 0; index < sizeof times / sizeof *times; index++) check(wait_for(spawn("first", times[index])) == 0);
}

int main(int argc, char **argv) {
    alarm(60);
    if (argc == 3 && strcmp(argv[1], "hold") == 0) return hold(argv[2]);
    if (argc == 3 && strcmp(argv[1], "first") == 0) return record_first(argv[2]);
    if (argc == 3 && strcmp(argv[1], "begin") == 0) return answer_elsewhere(argv[2]);
    store = open_store("store", NULL, 0);
    while_recording_first();
    while_waiting();
    while_committing();
    while_others_ask();
    in_callback();
    double begun = seconds();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(seconds() - begun < 2);
    return 0;
}
