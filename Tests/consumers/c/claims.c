/* Claims: a key taken for work without a callback: held across time, threads and processes, ended once. */
#include "program.h"

#include <pthread.h>

static firsttime_store *store;
static double now;

static void arguments(void) {
    firsttime_claim *claim = (firsttime_claim *)&now;
    check_argument(firsttime_begin(NULL, "key", NULL, &claim));
    check(claim == NULL);
    claim = (firsttime_claim *)&now;
    check_argument(firsttime_begin(store, "", NULL, &claim));
    check(claim == NULL);
    check_argument(firsttime_begin(store, "key", NULL, NULL));
    check_argument(firsttime_commit(NULL));
    firsttime_abandon(NULL);
    check_result(firsttime_is_due(store, "key", NULL), FIRSTTIME_YES);
}

/* ---- others while it is open ---- */

static void *find_busy(void *context) {
    (void)context;
    firsttime_claim *claim;
    double begin = seconds();
    check_result(begin_with(store, "held", FIRSTTIME_NO_WAIT, &claim), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin < 0.1);
    check_result(firsttime_begin(store, "held", NULL, &claim), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin >= 0.29);
    check_mentions("thread");
    check_text();
    return NULL;
}

static void holding(void) {
    firsttime_claim *claim, *other;
    now = start;
    check_result(firsttime_begin(store, "held", NULL, &claim), FIRSTTIME_DUE);
    check_result(firsttime_begin(store, "held", NULL, &other), FIRSTTIME_ERROR_REENTRANT);
    check_mentions("claim");
    check_result(firsttime_execute_once(store, "held", must_not_run, NULL, NULL), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_was_executed(store, "held"), FIRSTTIME_NO);
    in_thread(find_busy, NULL);
    check_result(begin_elsewhere("held"), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_begin(store, "free", NULL, &other), FIRSTTIME_DUE);
    firsttime_abandon(other);

    now = start + 50;
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
    double time;
    check_result(firsttime_last_execution(store, "held", &time), FIRSTTIME_YES);
    check(time == start + 50);
    check_result(firsttime_begin(store, "held", NULL, &claim), FIRSTTIME_NOT_DUE);
    check(claim == NULL);
    check_result(begin_elsewhere("held"), FIRSTTIME_NOT_DUE);
    check_result(begin_elsewhere("free"), FIRSTTIME_DUE);
}

static const char *current_version(void *context) { return *(const char **)context; }

static void versions(void) {
    const char *version = "1";
    firsttime_claim *claim;
    firsttime_set_version_provider(store, current_version, &version, NULL);
    check_result(begin_with(store, "version", FIRSTTIME_PER_VERSION, &claim), FIRSTTIME_DUE);
    version = "2";
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
    check_result(begin_with(store, "version", FIRSTTIME_PER_VERSION, &claim), FIRSTTIME_DUE);
    firsttime_abandon(claim);
    version = "1";
    check_result(begin_with(store, "version", FIRSTTIME_PER_VERSION, &claim), FIRSTTIME_NOT_DUE);
    firsttime_set_version_provider(store, NULL, NULL, NULL);
}

/* ---- threads ---- */

static void *begin_and_end(void *context) {
    check_result(firsttime_begin(store, "moved", NULL, context), FIRSTTIME_DUE);
    return NULL;
}

static void *commit(void *context) {
    check_result(firsttime_commit(context), FIRSTTIME_OK);
    return NULL;
}

/* It outlives the thread that began it, and any thread may end it. */
static void moving(void) {
    firsttime_claim *claim = NULL, *other;
    in_thread(begin_and_end, &claim);
    check_result(firsttime_begin(store, "moved", NULL, &other), FIRSTTIME_ERROR_BUSY);
    check_mentions("claimed");
    in_thread(commit, claim);
    check_result(firsttime_begin(store, "moved", NULL, &other), FIRSTTIME_NOT_DUE);
}

static void *wait_and_run(void *context) {
    firsttime_store *patient = open_store("store", NULL, 0);
    check_result(firsttime_execute_once(patient, "waited", count_up, NULL, context), FIRSTTIME_RAN);
    check_result(firsttime_close(patient), FIRSTTIME_OK);
    return NULL;
}

static void waiting(void) {
    firsttime_claim *claim;
    pthread_t thread;
    int runs = 0;
    check_result(firsttime_begin(store, "waited", NULL, &claim), FIRSTTIME_DUE);
    check(pthread_create(&thread, NULL, wait_and_run, &runs) == 0);
    pause_ms(50);
    firsttime_abandon(claim);
    check(pthread_join(thread, NULL) == 0 && runs == 1);
}

static int begin_another(void *context) {
    check_result(firsttime_begin(store, "outer", NULL, context), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_begin(store, "inner", NULL, context), FIRSTTIME_DUE);
    return 0;
}

static void in_callback(void) {
    firsttime_claim *claim;
    check_result(firsttime_execute_once(store, "outer", begin_another, NULL, &claim), FIRSTTIME_RAN);
    check_result(begin_elsewhere("inner"), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
}

/* ---- closing ---- */

static void *run_in_other(void *context) {
    check_result(firsttime_execute_once(context, "closed", count_up, NULL, &(int){0}), FIRSTTIME_RAN);
    return NULL;
}

static void closing(void) {
    firsttime_store *closed = open_store("store", NULL, 0);
    firsttime_claim *claims[3];
    pthread_t thread;
    check_result(firsttime_begin(closed, "closed", NULL, &claims[0]), FIRSTTIME_DUE);
    check_result(firsttime_begin(closed, "closed 1", NULL, &claims[1]), FIRSTTIME_DUE);
    check_result(begin_with(closed, "closed 2", FIRSTTIME_AT_MOST_ONCE, &claims[2]), FIRSTTIME_DUE);
    /* A call of the same handle waits for the claim; close waits for the call. */
    check(pthread_create(&thread, NULL, run_in_other, closed) == 0);
    pause_ms(50);
    check_result(firsttime_close(closed), FIRSTTIME_OK);
    check(pthread_join(thread, NULL) == 0);
    check_result(begin_elsewhere("closed 1"), FIRSTTIME_DUE);
    check_result(begin_elsewhere("closed 2"), FIRSTTIME_NOT_DUE);
    check_result(firsttime_commit(claims[0]), FIRSTTIME_ERROR_NOT_RECORDED);
    check_mentions("closed");
    check_text();
    firsttime_abandon(claims[1]);
    firsttime_abandon(claims[2]);
    check_result(firsttime_was_executed(store, "closed 1"), FIRSTTIME_NO);
    check_result(firsttime_was_executed(store, "closed 2"), FIRSTTIME_YES);
}

/* ---- at most once ---- */

static void at_most_once(void) {
    firsttime_claim *claim, *other;
    double time;
    now = start + 100;
    check_result(begin_with(store, "started", FIRSTTIME_AT_MOST_ONCE, &claim), FIRSTTIME_DUE);
    now = start + 200;
    check_result(firsttime_was_executed(store, "started"), FIRSTTIME_NO);
    check_result(firsttime_begin(store, "started", NULL, &other), FIRSTTIME_ERROR_REENTRANT);
    check_result(begin_elsewhere("started"), FIRSTTIME_ERROR_BUSY);
    firsttime_abandon(claim);
    check_result(begin_elsewhere("started"), FIRSTTIME_DUE);
    now = start + 300;
    check_result(begin_with(store, "started", FIRSTTIME_AT_MOST_ONCE, &claim), FIRSTTIME_DUE);
    now = start + 400;
    check_result(firsttime_commit(claim), FIRSTTIME_OK);
    check_result(firsttime_last_execution(store, "started", &time), FIRSTTIME_YES);
    check(time == start + 300);
    check_result(begin_elsewhere("started"), FIRSTTIME_NOT_DUE);
}

/* A child: dies with a claim. */
static int die(const char *kind) {
    firsttime_store *mine = open_store("store", NULL, 0);
    firsttime_claim *claim;
    check_result(begin_with(mine, kind, strcmp(kind, "killed") ? FIRSTTIME_AT_MOST_ONCE : 0, &claim), FIRSTTIME_DUE);
    raise(SIGKILL);
    return 1;
}

static void killed(void) {
    firsttime_claim *claim;
    check(wait_for(spawn("die", "killed")) == 128 + SIGKILL);
    check_result(firsttime_begin(store, "killed", NULL, &claim), FIRSTTIME_DUE);
    firsttime_abandon(claim);
    check(wait_for(spawn("die", "killed at most once")) == 128 + SIGKILL);
    check_result(firsttime_was_executed(store, "killed at most once"), FIRSTTIME_YES);
    check_result(begin_with(store, "killed at most once", FIRSTTIME_AT_MOST_ONCE, &claim), FIRSTTIME_NOT_DUE);
}

/* Many at once, each known by its key. */
/* A call that another handle has in progress waits for this thread's claim: close would wait for itself. */
static void *wait_for_claim(void *context) {
    int runs = 0;
    check_result(firsttime_execute_once(context, "awaited", count_up, NULL, &runs), FIRSTTIME_RAN);
    return NULL;
}

static void closing_what_waits(void) {
    firsttime_store *other = open_store("store", NULL, 0);
    firsttime_claim *claim;
    pthread_t thread;
    check_result(firsttime_begin(store, "awaited", NULL, &claim), FIRSTTIME_DUE);
    check(pthread_create(&thread, NULL, wait_for_claim, other) == 0);
    pause_ms(50);
    double begin = seconds();
    check_result(firsttime_close(other), FIRSTTIME_ERROR_REENTRANT);
    check(seconds() - begin < 2);
    firsttime_abandon(claim);
    check(pthread_join(thread, NULL) == 0);
    check_result(firsttime_close(other), FIRSTTIME_OK);
}

static void many(void) {
    enum { count = 300 };
    firsttime_claim *claims[count];
    char key[32];
    for (int index = 0; index < count; index++) {
        snprintf(key, sizeof key, "many.%d", index);
        check_result(firsttime_begin(store, key, NULL, &claims[index]), FIRSTTIME_DUE);
    }
    for (int index = count - 1; index >= 0; index--) {
        if (index % 100) firsttime_abandon(claims[index]);
        else check_result(firsttime_commit(claims[index]), FIRSTTIME_OK);
    }
    check(firsttime_count(store, "many.") == 3);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3) return strcmp(argv[1], "die") == 0 ? die(argv[2]) : answer_elsewhere(argv[2]);
    int descriptors = open_descriptors();
    store = open_store("store", NULL, 300);
    firsttime_set_clock(store, read_clock, &now, NULL);
    now = start;
    arguments();
    holding();
    versions();
    moving();
    waiting();
    in_callback();
    closing();
    at_most_once();
    killed();
    closing_what_waits();
    many();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(open_descriptors() == descriptors);
    return 0;
}
