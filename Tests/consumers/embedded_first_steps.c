/* What a C user does first, every answer checked. Silent when all is well.
 * usage: embedded_first_steps ARCHIVE (which must not exist) */
#include <firsttime.h>
#include <string.h>

#include "check.h"

static double now = 1700000000.25;

static double clock_now(void *context) {
    check(context == &now);
    return now;
}

static int count_up(void *context) {
    ++*(int *)context;
    return 0;
}

static int refuse(void *context) {
    ++*(int *)context;
    return 1;
}

static firsttime_store *open_store(const char *path, const char *version) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = path;
    options.app_version = version;
    firsttime_store *store = NULL;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    check(store != NULL);
    firsttime_set_clock(store, clock_now, &now, NULL);
    return store;
}

static void once(firsttime_store *store) {
    int runs = 0, after = 0;
    check_result(firsttime_was_executed(store, "setup"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "setup", refuse, NULL, &runs), FIRSTTIME_ERROR_CALLBACK);
    check_result(firsttime_was_executed(store, "setup"), FIRSTTIME_NO);
    check_result(firsttime_execute_once(store, "setup", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once(store, "setup", count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check(runs == 2);
    check_result(firsttime_execute_once(store, "setup", NULL, count_up, &after), FIRSTTIME_RAN_AFTER);
    check(after == 1);
    check_result(firsttime_was_executed(store, "setup"), FIRSTTIME_YES);

    double time = 0;
    check_result(firsttime_last_execution(store, "setup", &time), FIRSTTIME_YES);
    check(time == now);
    check_result(firsttime_last_execution(store, "never", &time), FIRSTTIME_NO);
}

static void per_interval(firsttime_store *store) {
    int runs = 0;
    const double start = now;
    check_result(firsttime_execute_once_per_interval(store, "backup", firsttime_days(2), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    now = start + 2 * 86400 - 0.25;
    check_result(firsttime_execute_once_per_interval(store, "backup", firsttime_days(2), count_up, NULL, &runs),
                 FIRSTTIME_NOT_DUE);
    now = start + 2 * 86400;
    check_result(firsttime_execute_once_per_interval(store, "backup", firsttime_days(2), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    check(runs == 2);
    double time = 0;
    check_result(firsttime_last_execution(store, "backup", &time), FIRSTTIME_YES);
    check(time == now);
}

static void per_version(const char *path) {
    int runs = 0;
    firsttime_store *store = open_store(path, "1.0");
    check_result(firsttime_was_executed(store, "setup"), FIRSTTIME_YES);
    check_result(firsttime_execute_once_per_version(store, "news", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once_per_version(store, "news", count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check_result(firsttime_close(store), FIRSTTIME_OK);

    store = open_store(path, "1.1");
    check_result(firsttime_execute_once_per_version(store, "news", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once_per_version(store, "news", count_up, NULL, &runs), FIRSTTIME_NOT_DUE);
    check(runs == 2);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void wrong_arguments(firsttime_store *store) {
    int runs = 0;
    check_result(firsttime_execute_once(store, NULL, count_up, NULL, &runs), FIRSTTIME_ERROR_ARGUMENT);
    check_result(firsttime_execute_once(store, "", count_up, NULL, &runs), FIRSTTIME_ERROR_ARGUMENT);
    check_result(firsttime_execute_once(NULL, "key", count_up, NULL, &runs), FIRSTTIME_ERROR_ARGUMENT);
    check(runs == 0);
    check(strlen(firsttime_last_error()) > 0);
}

int main(int argc, char **argv) {
    check(argc == 2);
    check(strcmp(firsttime_library_version(), "") != 0);
    firsttime_store *store = open_store(argv[1], NULL);
    once(store);
    per_interval(store);
    wrong_arguments(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    per_version(argv[1]);
    check_result(firsttime_close(NULL), FIRSTTIME_OK);
    return 0;
}
