/* What a program of an installed library does, in words that C99 and C++17 share: it records in the file that it is given,
 * and the second run finds it. Prints nothing when all is well. */
#include <firsttime.h>

#include <stdio.h>
#include <string.h>

static int count_up(void *context) {
    ++*(int *)context;
    return 0;
}

int main(int count, char **arguments) {
    int runs = 0;
    firsttime_store *store;
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    if (count != 2) return 2;
    options.path = arguments[1];
    if (firsttime_open(&options, &store) != FIRSTTIME_OK) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        return 1;
    }
    firsttime_execute_once(store, "installed", count_up, NULL, &runs);
    firsttime_execute_once(store, "installed", count_up, NULL, &runs);
    if (runs > 1 || firsttime_was_executed(store, "installed") != FIRSTTIME_YES) return 3;
    /* A failure in words, whose text is each thread's own. */
    if (firsttime_mark(store, "") != FIRSTTIME_ERROR_ARGUMENT || strlen(firsttime_last_error()) == 0) return 4;
    if (firsttime_close(store) != FIRSTTIME_OK) return 5;
    return runs == 1 ? 0 : 6;
}
