/* Results and their names, the thread's last error, the version. */
#include "program.h"

#include <limits.h>
#include <pthread.h>

static void names(void) {
    static const struct {
        int value;
        const char *name;
    } table[] = {
        {FIRSTTIME_OK, "FIRSTTIME_OK"},
        {FIRSTTIME_NO, "FIRSTTIME_OK"},
        {FIRSTTIME_NOT_DUE, "FIRSTTIME_OK"},
        {FIRSTTIME_YES, "FIRSTTIME_YES"},
        {FIRSTTIME_DUE, "FIRSTTIME_YES"},
        {FIRSTTIME_RAN, "FIRSTTIME_YES"},
        {FIRSTTIME_RAN_AFTER, "FIRSTTIME_RAN_AFTER"},
        {FIRSTTIME_BASELINED, "FIRSTTIME_BASELINED"},
        {FIRSTTIME_ERROR_ARGUMENT, "FIRSTTIME_ERROR_ARGUMENT"},
        {FIRSTTIME_ERROR_IO, "FIRSTTIME_ERROR_IO"},
        {FIRSTTIME_ERROR_CORRUPT, "FIRSTTIME_ERROR_CORRUPT"},
        {FIRSTTIME_ERROR_FORMAT, "FIRSTTIME_ERROR_FORMAT"},
        {FIRSTTIME_ERROR_BUSY, "FIRSTTIME_ERROR_BUSY"},
        {FIRSTTIME_ERROR_REENTRANT, "FIRSTTIME_ERROR_REENTRANT"},
        {FIRSTTIME_ERROR_CALLBACK, "FIRSTTIME_ERROR_CALLBACK"},
        {FIRSTTIME_ERROR_READ_ONLY, "FIRSTTIME_ERROR_READ_ONLY"},
        {FIRSTTIME_ERROR_NOT_RECORDED, "FIRSTTIME_ERROR_NOT_RECORDED"},
        {FIRSTTIME_ERROR_FORKED, "FIRSTTIME_ERROR_FORKED"},
        {4, "FIRSTTIME_UNKNOWN"},
        {-11, "FIRSTTIME_UNKNOWN"},
        {INT_MAX, "FIRSTTIME_UNKNOWN"},
        {INT_MIN, "FIRSTTIME_UNKNOWN"},
    };
    for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
        const char *name = firsttime_result_name((firsttime_result)table[index].value);
        check(strcmp(name, table[index].name) == 0);
        check(name == firsttime_result_name((firsttime_result)table[index].value));
    }
}

static void version(void) {
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", FIRSTTIME_VERSION_MAJOR, FIRSTTIME_VERSION_MINOR, FIRSTTIME_VERSION_PATCH);
    check(strcmp(firsttime_library_version(), text) == 0);
}

static void *other_thread(void *context) {
    check(strcmp(firsttime_last_error(), "") == 0);
    check_result(firsttime_was_executed(context, ""), FIRSTTIME_ERROR_ARGUMENT);
    check_mentions("empty");
    return NULL;
}

static void last_error(void) {
    check(strcmp(firsttime_last_error(), "") == 0);
    firsttime_store *store = open_store("last.archive", NULL, 0);
    check(strcmp(firsttime_last_error(), "") == 0);
    check_result(firsttime_was_executed(store, NULL), FIRSTTIME_ERROR_ARGUMENT);
    check_text();
    char text[512];
    snprintf(text, sizeof text, "%s", firsttime_last_error());

    int runs = 0;
    double time;
    check_result(firsttime_was_executed(store, "key"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "key", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once(store, "key", count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check_result(firsttime_next_due(store, "key", NULL, &time), FIRSTTIME_NO);
    check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(firsttime_count(store, NULL) == 1);
    check(strcmp(firsttime_last_error(), text) == 0);

    pthread_t thread;
    check(pthread_create(&thread, NULL, other_thread, store) == 0);
    check(pthread_join(thread, NULL) == 0);
    check(strcmp(firsttime_last_error(), text) == 0);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(strcmp(firsttime_last_error(), text) == 0);
}

int main(void) {
    names();
    version();
    last_error();
    return 0;
}
