/* Opens a store of 100 keys, asks one question, closes it. The first run makes the store. */
#include <firsttime.h>

#include <stdio.h>

int main(void) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "start-up.archive";
    firsttime_store *store;
    if (firsttime_open(&options, &store) < 0) return 1;
    if (firsttime_was_executed(store, "key.050") == FIRSTTIME_NO) {
        for (int number = 0; number < 100; number++) {
            char key[16];
            snprintf(key, sizeof key, "key.%03d", number);
            firsttime_mark(store, key);
        }
    }
    return firsttime_close(store) == FIRSTTIME_OK ? 0 : 1;
}
