/* Threads: every key runs once whoever asks; different keys run side by side; nobody waits for himself. */
#include "program.h"

#include <pthread.h>

enum { thread_count = 16, key_count = 100 };
static firsttime_store *handles[2];

static int append_key(void *context) {
    append_line("runs.txt", context);
    return 0;
}

static void *run_all(void *context) {
    int number = (int)(intptr_t)context;
    int keys = getenv("FIRSTTIME_QUICK") ? 10 : key_count;
    pthread_barrier_wait(&barrier);
    for (int index = 0; index < keys; index++) {
        char key[32];
        snprintf(key, sizeof key, "key.%03d", (index + number % 4) % keys);
        firsttime_result result =
            firsttime_execute_once(handles[(index + number) % 2], key, append_key, NULL, key);
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
        /* Whoever waited finds it done. */
        check_result(firsttime_was_executed(handles[index % 2], key), FIRSTTIME_YES);
    }
    return (void *)(intptr_t)keys;
}

static void race(void) {
    pthread_t threads[thread_count];
    void *keys = NULL;
    handles[0] = open_store("race.archive", NULL, 0);
    handles[1] = open_store("./race.archive", NULL, 0);
    check(pthread_barrier_init(&barrier, NULL, thread_count) == 0);
    for (intptr_t index = 0; index < thread_count; index++) {
        check(pthread_create(&threads[index], NULL, run_all, (void *)index) == 0);
    }
    for (int index = 0; index < thread_count; index++) check(pthread_join(threads[index], &keys) == 0);
    check(count_lines("runs.txt", NULL) == (int)(intptr_t)keys);
    check(firsttime_count(handles[0], "key.") == (intptr_t)keys);
    for (int index = 0; index < (int)(intptr_t)keys; index++) {
        char key[32];
        snprintf(key, sizeof key, "key.%03d", index);
        check(count_lines("runs.txt", key) == 1);
    }
    check_result(firsttime_close(handles[0]), FIRSTTIME_OK);
    check_result(firsttime_close(handles[1]), FIRSTTIME_OK);
    check(pthread_barrier_destroy(&barrier) == 0);
}

/* ---- callbacks that meet ---- */

static firsttime_store *store;

static int meet(void *context) {
    (void)context;
    pthread_barrier_wait(&barrier);
    return 0;
}

static void *run_and_meet(void *context) {
    check_result(firsttime_execute_once(store, context, meet, NULL, NULL), FIRSTTIME_RAN);
    return NULL;
}

static void side_by_side(void) {
    pthread_t one, two;
    check(pthread_barrier_init(&barrier, NULL, 2) == 0);
    check(pthread_create(&one, NULL, run_and_meet, "side.one") == 0);
    check(pthread_create(&two, NULL, run_and_meet, "side.two") == 0);
    check(pthread_join(one, NULL) == 0 && pthread_join(two, NULL) == 0);
}

static int run_itself(void *context) {
    firsttime_store *other = open_store("store.archive", NULL, 0);
    check_result(firsttime_execute_once(store, "itself", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_REENTRANT);
    check_text();
    check_result(firsttime_execute_once(other, "itself", must_not_run, NULL, NULL), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_close(other), FIRSTTIME_OK);
    int runs = 0;
    check_result(firsttime_execute_once(store, "another", count_up, NULL, &runs), FIRSTTIME_RAN);
    return count_up(context);
}

static void itself(void) {
    int runs = 0;
    check_result(firsttime_execute_once(store, "itself", run_itself, NULL, &runs), FIRSTTIME_RAN);
    check(runs == 1);
}

static const char *const circle_keys[] = {"circle.a", "circle.b"};
static int reentrant[2], done[2];

static int cross(void *context) {
    int number = (int)(intptr_t)context;
    pthread_barrier_wait(&barrier);
    firsttime_result result = firsttime_execute_once(store, circle_keys[1 - number], must_not_run, NULL, NULL);
    if (result == FIRSTTIME_ERROR_REENTRANT) {
        check_text();
        reentrant[number] = 1;
    } else {
        check_result(result, FIRSTTIME_NOT_DUE);
        done[number] = 1;
    }
    return 0;
}

static void *run_circle(void *context) {
    int number = (int)(intptr_t)context;
    check_result(firsttime_execute_once(store, circle_keys[number], cross, NULL, context), FIRSTTIME_RAN);
    return NULL;
}

static void circle(void) {
    pthread_t threads[2];
    for (intptr_t index = 0; index < 2; index++) {
        check(pthread_create(&threads[index], NULL, run_circle, (void *)index) == 0);
    }
    for (int index = 0; index < 2; index++) check(pthread_join(threads[index], NULL) == 0);
    check(reentrant[0] + reentrant[1] == 1 && done[0] + done[1] == 1);
}

/* ---- waiting for so long, and no longer ---- */

static void *run_long(void *context) {
    check_result(firsttime_execute_once(store, context, meet_twice, NULL, NULL), FIRSTTIME_RAN);
    return NULL;
}

static void limits(void) {
    pthread_t thread;
    firsttime_store *patient = open_store("store.archive", NULL, 150), *hasty = open_store("store.archive", NULL, -1);
    check(pthread_create(&thread, NULL, run_long, "long") == 0);
    pthread_barrier_wait(&barrier);
    double begin = seconds();
    check_result(firsttime_execute_once(hasty, "long", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_BUSY);
    check_text();
    check(seconds() - begin < 0.1);
    begin = seconds();
    check_result(firsttime_execute_once(patient, "long", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_BUSY);
    check_mentions("thread");
    check(seconds() - begin >= 0.149 && seconds() - begin < 2);
    /* Questions and marks don't wait for it. */
    check_result(firsttime_was_executed(hasty, "long"), FIRSTTIME_NO);
    check_result(firsttime_is_due(hasty, "long", NULL), FIRSTTIME_YES);
    check_result(firsttime_mark(hasty, "long"), FIRSTTIME_OK);
    check_result(firsttime_execute_once(hasty, "long", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    pthread_barrier_wait(&barrier);
    check(pthread_join(thread, NULL) == 0);
    check_result(firsttime_close(patient), FIRSTTIME_OK);
    check_result(firsttime_close(hasty), FIRSTTIME_OK);
}

/* The clock is replaced while others ask it: each context is released once, after its last use. */
static int alive, released;

static double count_clock(void *context) {
    check(*(int *)context == 1);
    return start;
}
static void release_clock(void *context) {
    *(int *)context = 0;
    free(context);
    __atomic_fetch_add(&released, 1, __ATOMIC_SEQ_CST);
}
static void *ask(void *context) {
    (void)context;
    while (__atomic_load_n(&alive, __ATOMIC_SEQ_CST)) check(firsttime_is_due(store, "clock", NULL) == FIRSTTIME_YES);
    return NULL;
}

static void clocks(void) {
    pthread_t threads[3];
    __atomic_store_n(&alive, 1, __ATOMIC_SEQ_CST);
    for (int index = 0; index < 3; index++) check(pthread_create(&threads[index], NULL, ask, NULL) == 0);
    const int rounds = getenv("FIRSTTIME_QUICK") ? 50 : 2000;
    for (int round = 0; round < rounds; round++) {
        int *context = malloc(sizeof *context);
        *context = 1;
        firsttime_set_clock(store, count_clock, context, release_clock);
    }
    firsttime_set_clock(store, NULL, NULL, NULL);
    __atomic_store_n(&alive, 0, __ATOMIC_SEQ_CST);
    for (int index = 0; index < 3; index++) check(pthread_join(threads[index], NULL) == 0);
    check(released == rounds);
}

/* A callback closes another handle, whose call waits for the callback's own key: that would never end. */
static void *wait_for_held(void *context) {
    check_result(firsttime_execute_once(context, "held", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    return NULL;
}

static pthread_t waiter;

static int close_the_other(void *context) {
    check(pthread_create(&waiter, NULL, wait_for_held, context) == 0);
    usleep(200000);
    check_result(firsttime_close(context), FIRSTTIME_ERROR_REENTRANT);
    return 0;
}

static void close_in_a_circle(void) {
    firsttime_store *one = open_store("closing", NULL, 0), *other = open_store("closing", NULL, 0);
    check_result(firsttime_execute_once(one, "held", close_the_other, NULL, other), FIRSTTIME_RAN);
    check(pthread_join(waiter, NULL) == 0);
    check_result(firsttime_close(other), FIRSTTIME_OK);
    check_result(firsttime_close(one), FIRSTTIME_OK);
}

int main(void) {
    close_in_a_circle();
    alarm(120);
    race();
    store = open_store("store.archive", NULL, 0);
    side_by_side();
    itself();
    circle();
    limits();
    clocks();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
