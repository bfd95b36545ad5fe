/* The shared library loaded by dlopen(), as a plug-in or another language's runtime does it: used, unloaded, and then a
 * fork and the end of a thread, at which handlers of the library run, if it still has any. Prints nothing. */
#define _GNU_SOURCE
#include <firsttime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static void *library;
static pthread_barrier_t barrier;

#define FUNCTION(name) __typeof__(&name) name##_loaded = (__typeof__(&name))(intptr_t)dlsym(library, #name)

static firsttime_store *open_store(const char *path) {
    FUNCTION(firsttime_open);
    check(firsttime_open_loaded != NULL);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    firsttime_store *store;
    check(firsttime_open_loaded(&options, &store) == FIRSTTIME_OK);
    return store;
}

/* Leaves a thread with an error text and a place among the library's visits; it ends after dlclose(). */
static void *fail(void *store) {
    FUNCTION(firsttime_mark);
    FUNCTION(firsttime_last_error);
    check(firsttime_mark_loaded(store, "") == FIRSTTIME_ERROR_ARGUMENT);
    check(strlen(firsttime_last_error_loaded()) > 0);
    check(firsttime_mark_loaded(store, "thread") == FIRSTTIME_OK);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(int count, char **arguments) {
    check(count == 3);
    for (int round = 0; round < 3; round++) {
        library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) fprintf(stderr, "%s\n", dlerror());
        check(library != NULL);
        firsttime_store *store = open_store(arguments[2]);
        FUNCTION(firsttime_close);
        FUNCTION(firsttime_was_executed);

        pthread_t thread;
        check(pthread_barrier_init(&barrier, NULL, 2) == 0);
        check(pthread_create(&thread, NULL, fail, store) == 0);
        pthread_barrier_wait(&barrier);
        check(firsttime_was_executed_loaded(store, "thread") == FIRSTTIME_YES);
        /* Rounds with a store left open, too. */
        if (round > 0) check(firsttime_close_loaded(store) == FIRSTTIME_OK);
        check(dlclose(library) == 0);

        pid_t child = fork();
        check(child >= 0);
        if (child == 0) _exit(7);
        int status;
        check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
        pthread_barrier_wait(&barrier);
        check(pthread_join(thread, NULL) == 0);
        pthread_barrier_destroy(&barrier);
    }
    return 0;
}
