/* The flags that say how a key is run: NO_WAIT, BASELINE, AT_MOST_ONCE, and RUN_IF_UNWRITABLE. */
#include "program.h"

#include <pthread.h>

static firsttime_store *store;
static double now = 1700000000.25;

static int count_of(const char *key, double *last_out) {
    firsttime_record record = {.size = sizeof record};
    char buffer[256];
    if (firsttime_read(store, key, &record, buffer, sizeof buffer, NULL) != FIRSTTIME_YES) return -1;
    *last_out = record.last_time;
    check(record.last_version != NULL);
    return (int)record.count;
}

/* ---- baseline ---- */

static void baseline(void) {
    double time;
    firsttime_policy policy = {.size = sizeof policy, .flags = FIRSTTIME_BASELINE | FIRSTTIME_PER_INTERVAL,
                               .interval = firsttime_days(1)};
    check_result(firsttime_is_due(store, "news", &policy), FIRSTTIME_NO);
    check_result(firsttime_next_due(store, "news", &policy, &time), FIRSTTIME_NO);
    check(time == INFINITY);
    check_result(firsttime_execute(store, "news", &policy, must_not_run, must_not_run, NULL), FIRSTTIME_BASELINED);
    check(count_of("news", &time) == 0 && time == now);
    check_result(firsttime_execute(store, "news", &policy, must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    now += 86400;
    int runs = 0;
    check_result(firsttime_execute(store, "news", &policy, count_up, NULL, &runs), FIRSTTIME_RAN);
    check(count_of("news", &time) == 1 && time == now && runs == 1);

    /* It needs no callback; begin gives no claim. */
    check_result(execute_with(store, "bare", FIRSTTIME_BASELINE, NULL, NULL), FIRSTTIME_BASELINED);
    firsttime_claim *claim = (firsttime_claim *)&now;
    check_result(begin_with(store, "claimed", FIRSTTIME_BASELINE, &claim), FIRSTTIME_BASELINED);
    check(claim == NULL);
    check_result(begin_with(store, "claimed", FIRSTTIME_BASELINE, &claim), FIRSTTIME_NOT_DUE);
}

/* ---- at most once ---- */

static int look(void *context) {
    now += 10;
    check_result(firsttime_was_executed(store, context), FIRSTTIME_NO);
    check_result(firsttime_is_due(store, context, NULL), FIRSTTIME_YES);
    check_result(firsttime_find(store, context, NULL, NULL), FIRSTTIME_NO);
    check(firsttime_count(store, context) == 0);
    check_result(begin_elsewhere(context), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_reset_key(store, context), FIRSTTIME_NO);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    return 0;
}

static int fail(void *context) {
    double time;
    check(count_of("again", &time) == *(int *)context);
    return 5;
}

static int reset_and_die(void *context) {
    (void)context;
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    raise(SIGKILL);
    return 0;
}

static int mark_and_fail(void *context) {
    (void)context;
    check_result(firsttime_mark(store, "marked"), FIRSTTIME_OK);
    return 1;
}

static void at_most_once(void) {
    const uint32_t once = FIRSTTIME_AT_MOST_ONCE;
    double time, begun = now, before;
    check_result(execute_with(store, "looked", once, look, "looked"), FIRSTTIME_RAN);
    check(count_of("looked", &time) == 1 && time == begun);
    check_result(begin_elsewhere("looked"), FIRSTTIME_NOT_DUE);

    /* A failure restores what was there: nothing, or a record. */
    int expected = -1, runs = 0;
    check_result(execute_with(store, "again", once, fail, &expected), FIRSTTIME_ERROR_CALLBACK);
    check(count_of("again", &time) == -1);
    check_result(begin_elsewhere("again"), FIRSTTIME_DUE);
    check_result(execute_with(store, "again", once, count_up, &runs), FIRSTTIME_RAN);
    check(count_of("again", &before) == 1);
    now += 100;
    expected = 1;
    firsttime_policy policy = {.size = sizeof policy, .flags = once | FIRSTTIME_PER_INTERVAL,
                               .interval = firsttime_elapsed(1, FIRSTTIME_SECOND)};
    check_result(firsttime_execute(store, "again", &policy, fail, NULL, &expected), FIRSTTIME_ERROR_CALLBACK);
    check(count_of("again", &time) == 1 && time == before);
    check_result(execute_with(store, "marked", once, mark_and_fail, NULL), FIRSTTIME_ERROR_CALLBACK);
    check_result(firsttime_was_executed(store, "marked"), FIRSTTIME_YES);

    /* Killed, it is done; also when it was reset meanwhile. */
    check(wait_for(spawn("die", "crashed")) == 128 + SIGKILL);
    check_result(firsttime_was_executed(store, "crashed"), FIRSTTIME_YES);
    check_result(execute_with(store, "crashed", once, must_not_run, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_reset_key(store, "crashed"), FIRSTTIME_YES);
    check_result(execute_with(store, "crashed", once, count_up, &runs), FIRSTTIME_RAN);
}

/* A child. */
static int die(const char *key) {
    store = open_store("store", "1", 0);
    execute_with(store, key, FIRSTTIME_AT_MOST_ONCE, reset_and_die, NULL);
    return 1;
}

/* ---- what can't be written ---- */

static void *run_again(void *context) {
    check_result(execute_with(context, "key", 0, must_not_run, NULL), FIRSTTIME_NOT_DUE);
    return NULL;
}

static int pause_and_count(void *context) {
    pause_ms(100);
    return count_up(context);
}

/* The lock file can't be opened, not by root either. */
static void unwritable(void) {
    check(mkdir("blocked-lock", 0700) == 0);
    firsttime_store *anyway = open_with("blocked", FIRSTTIME_RUN_IF_UNWRITABLE);
    int runs = 0;
    check_result(execute_with(anyway, "key", FIRSTTIME_AT_MOST_ONCE, must_not_run, NULL), FIRSTTIME_ERROR_IO);
    check_result(execute_with(anyway, "key", FIRSTTIME_BASELINE, must_not_run, NULL), FIRSTTIME_ERROR_IO);
    check_result(execute_with(anyway, "key", 0, refuse, &runs), FIRSTTIME_ERROR_CALLBACK);
    check_result(execute_with(anyway, "key", 0, pause_and_count, &runs), FIRSTTIME_ERROR_NOT_RECORDED);
    check_text();
    check(runs == 2);
    pthread_t thread;
    check(pthread_create(&thread, NULL, run_again, anyway) == 0);
    check(pthread_join(thread, NULL) == 0);
    check_result(firsttime_was_executed(anyway, "key"), FIRSTTIME_YES);
    firsttime_claim *claim;
    check_result(firsttime_begin(anyway, "claim", NULL, &claim), FIRSTTIME_DUE);
    check_result(firsttime_commit(claim), FIRSTTIME_ERROR_NOT_RECORDED);

    /* It is recorded once it can be. */
    check(rmdir("blocked-lock") == 0);
    check_result(firsttime_flush(anyway), FIRSTTIME_OK);
    check_result(firsttime_close(anyway), FIRSTTIME_OK);
    anyway = open_with("blocked", FIRSTTIME_RUN_IF_UNWRITABLE);
    check(firsttime_count(anyway, NULL) == 2);
    check_result(execute_with(anyway, "new", 0, count_up, &runs), FIRSTTIME_RAN);
    /* What can't be known isn't run. */
    write_file("blocked", "junk", 4);
    check_result(execute_with(anyway, "newer", 0, must_not_run, NULL), FIRSTTIME_ERROR_CORRUPT);
    check_result(firsttime_close(anyway), FIRSTTIME_ERROR_CORRUPT);
}

/* ---- not waiting ---- */

static void *run_long(void *context) {
    check_result(execute_with(context, "long", 0, meet_twice, NULL), FIRSTTIME_RAN);
    return NULL;
}

static void no_wait(void) {
    pthread_t thread;
    check(pthread_barrier_init(&barrier, NULL, 2) == 0);
    check(pthread_create(&thread, NULL, run_long, store) == 0);
    pthread_barrier_wait(&barrier);
    double begin = seconds();
    check_result(execute_with(store, "long", FIRSTTIME_NO_WAIT, must_not_run, NULL), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin < 0.2);
    check_text();
    pthread_barrier_wait(&barrier);
    check(pthread_join(thread, NULL) == 0);
    check_result(execute_with(store, "long", FIRSTTIME_NO_WAIT, must_not_run, NULL), FIRSTTIME_NOT_DUE);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3) return strcmp(argv[1], "die") == 0 ? die(argv[2]) : answer_elsewhere(argv[2]);
    store = open_store("store", "1", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    baseline();
    at_most_once();
    unwritable();
    no_wait();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
