/* Commits and questions in phases, each announced on standard output by one write, for commits.py to count the system
 * calls in between. usage: commits PATH IMPORT */
#include "../consumers/c/program.h"

#include <pthread.h>

enum { thread_count = 8, keys_each = 50, prefix_count = 500, question_count = 100000 };

static firsttime_store *store;
static int left = thread_count;

static void phase(const char *name) {
    char line[64];
    int length = snprintf(line, sizeof line, "phase %s\n", name);
    check(write(STDOUT_FILENO, line, (size_t)length) == length);
}

static void mark_many(firsttime_store *marked, const char *prefix, int count) {
    char key[64];
    for (int index = 0; index < count; index++) {
        snprintf(key, sizeof key, "%s.%03d", prefix, index);
        check_result(firsttime_mark(marked, key), FIRSTTIME_OK);
    }
}

/* All begin at once. */
static void *mark_mine(void *name) {
    __atomic_sub_fetch(&left, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) > 0) pause_ms(1);
    mark_many(store, name, keys_each);
    return NULL;
}

static void mark_in_threads(void) {
    static char names[thread_count][32];
    pthread_t threads[thread_count];
    for (int index = 0; index < thread_count; index++) {
        snprintf(names[index], sizeof names[index], "thread.%d", index);
        check(pthread_create(&threads[index], NULL, mark_mine, names[index]) == 0);
    }
    for (int index = 0; index < thread_count; index++) check(pthread_join(threads[index], NULL) == 0);
}

int main(int argc, char **argv) {
    check(argc == 3);
    store = open_with(argv[1], 0);
    check_result(firsttime_mark(store, "first"), FIRSTTIME_OK);

    phase("threads");
    mark_in_threads();
    phase("setup");
    check(firsttime_count(store, "thread.") == thread_count * keys_each);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    /* As the files have it. The checkpoint leaves the journal empty. */
    store = open_with(argv[1], 0);
    check(firsttime_count(store, "thread.") == thread_count * keys_each);
    /* The first commit of a process makes sure that the journal's name is on disk. */
    check_result(firsttime_mark(store, "first"), FIRSTTIME_OK);

    phase("import");
    check_result(firsttime_import(store, argv[2], NULL, NULL), FIRSTTIME_OK);
    phase("setup");
    firsttime_store *relaxed = open_with(argv[1], FIRSTTIME_RELAXED);
    mark_many(relaxed, "prefix", prefix_count);
    check_result(firsttime_flush(relaxed), FIRSTTIME_OK);

    phase("prefix");
    check_result(firsttime_reset_prefix(store, "prefix."), FIRSTTIME_OK);
    phase("setup");
    check(firsttime_count(store, "prefix.") == 0);

    phase("relaxed");
    mark_many(relaxed, "relaxed", 100);
    phase("flush");
    check_result(firsttime_flush(relaxed), FIRSTTIME_OK);
    phase("setup");
    check_result(firsttime_was_executed(store, "first"), FIRSTTIME_YES);

    phase("questions");
    for (int index = 0; index < question_count; index++) {
        check(firsttime_was_executed(store, index % 2 ? "first" : "never") == (firsttime_result)(index % 2));
    }
    phase("end");
    check_result(firsttime_close(relaxed), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    store = open_with(argv[1], FIRSTTIME_READ_ONLY);
    check(firsttime_count(store, "thread.") == thread_count * keys_each);
    check(firsttime_count(store, "relaxed.") == 100 && firsttime_count(store, "prefix.") == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
