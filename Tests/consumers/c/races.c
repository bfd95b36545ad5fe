/* Everybody wants to run the same keys at once: each runs exactly once, and who comes second waits and finds it done. */
#include "program.h"

#include <pthread.h>

static int key_count = 200, process_count = 32;
static const int thread_count = 16;
static const char *path;

struct run {
    char key[32];
    unsigned seed;
};

/* Takes up to 3 ms, so that others come while it runs. */
static int work(void *context) {
    struct run *run = context;
    append_line("ran", run->key);
    struct timespec time = {0, rand_r(&run->seed) % 3000 * 1000};
    nanosleep(&time, NULL);
    return 0;
}

/* Runs every key; returns how often somebody else had run it between the question and the call. */
static int run_all(firsttime_store *store, unsigned seed) {
    int waited = 0;
    for (int index = 0; index < key_count; index++) {
        struct run run = {.seed = seed + (unsigned)index};
        snprintf(run.key, sizeof run.key, "key.%d", index);
        bool was_open = firsttime_was_executed(store, run.key) == FIRSTTIME_NO;
        firsttime_result result = firsttime_execute_once(store, run.key, work, NULL, &run);
        if (result < 0) fprintf(stderr, "%s\n", firsttime_last_error());
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
        check_result(firsttime_was_executed(store, run.key), FIRSTTIME_YES);
        if (was_open && result == FIRSTTIME_NOT_DUE) waited++;
    }
    return waited;
}

static void check_each_once(int waited, int least) {
    check(count_lines("ran", NULL) == key_count);
    for (int index = 0; index < key_count; index++) {
        char key[32];
        snprintf(key, sizeof key, "key.%d", index);
        check(count_lines("ran", key) == 1);
    }
    if (waited < least) {
        fprintf(stderr, "only %d calls found done what they had waited for\n", waited);
        exit(1);
    }
    firsttime_store *store = open_store(path, NULL, 0);
    check(firsttime_count(store, "key.") == key_count);
    check_result(firsttime_reset_prefix(store, "key."), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(unlink("ran") == 0);
}

/* ---- processes ---- */

static int counts[2];

/* A child: writes how often it waited to `counts`. */
static void run_child(int number) {
    firsttime_store *store = open_store(path, NULL, 0);
    int waited = run_all(store, (unsigned)number * 1000);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(write(counts[1], &waited, sizeof waited) == sizeof waited);
}

static pid_t begin_flushing(void) {
    pid_t child = fork();
    check(child >= 0);
    if (child > 0) return child;
    while (true) {
        firsttime_store *store = open_store(path, NULL, 0);
        for (int count = 0; count < 20; count++) check_result(firsttime_flush(store), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

static void among_processes(bool flushing) {
    pid_t flusher = flushing ? begin_flushing() : 0;
    check(pipe(counts) == 0);
    together(process_count, run_child);
    int waited = 0;
    for (int index = 0; index < process_count; index++) {
        int count;
        check(read(counts[0], &count, sizeof count) == sizeof count);
        waited += count;
    }
    if (flushing) {
        check(waitpid(flusher, NULL, WNOHANG) == 0 && kill(flusher, SIGKILL) == 0);
        wait_for(flusher);
    }
    close(counts[0]);
    close(counts[1]);
    check_each_once(waited, 100);
}

/* ---- threads ---- */

struct part {
    firsttime_store *store;
    unsigned seed;
    int waited;
};

static void *run_part(void *context) {
    struct part *part = context;
    part->waited = run_all(part->store, part->seed);
    return NULL;
}

/* Two handles, each used by half of the threads. */
static void among_threads(void) {
    firsttime_store *stores[2] = {open_store(path, NULL, 0), open_store(path, NULL, 0)};
    pthread_t threads[16];
    struct part parts[16];
    int waited = 0;
    for (int index = 0; index < thread_count; index++) {
        parts[index] = (struct part){stores[index % 2], (unsigned)index * 1000, 0};
        check(pthread_create(&threads[index], NULL, run_part, &parts[index]) == 0);
    }
    for (int index = 0; index < thread_count; index++) {
        check(pthread_join(threads[index], NULL) == 0);
        waited += parts[index].waited;
    }
    for (int index = 0; index < 2; index++) check_result(firsttime_close(stores[index]), FIRSTTIME_OK);
    check_each_once(waited, 100);
}

/* With "processes" or "threads" as its argument, only those. */
int main(int argc, char **argv) {
    if (getenv("FIRSTTIME_QUICK")) {
        key_count = 60;
        process_count = 8;
    }
    const char *only = argc > 1 ? argv[1] : "";
    /* Without the store before, and then with it. */
    if (strcmp(only, "threads") != 0) {
        path = "processes.archive";
        among_processes(false);
        among_processes(false);
        path = "flushed.archive";
        among_processes(true);
    }
    if (strcmp(only, "processes") != 0) {
        path = "threads.archive";
        among_threads();
        among_threads();
    }
    return 0;
}
