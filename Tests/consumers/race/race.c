/* The C program of the race: see README.md. */
#include <firsttime.h>

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static double now(void *context) {
    (void)context;
    return 1700000001;
}

static void pause_ms(int milliseconds) { nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL); }

static void meet(const char *place) {
    static const char *const languages[] = {"c", "python", "rust", "swift"};
    char name[32];
    snprintf(name, sizeof name, "%s.c", place);
    int file = open(name, O_WRONLY | O_CREAT, 0666);
    check(file >= 0 && close(file) == 0);
    for (int index = 0; index < 4; index++) {
        snprintf(name, sizeof name, "%s.%s", place, languages[index]);
        while (access(name, F_OK) != 0) pause_ms(1);
    }
}

static int append_key(void *key) {
    char line[32];
    int length = snprintf(line, sizeof line, "%s c\n", (const char *)key);
    int file = open("runs.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
    check(file >= 0 && write(file, line, (size_t)length) == length && close(file) == 0);
    pause_ms(1);
    return 0;
}

static int write_record(const firsttime_record *record, void *file) {
    fprintf(file, "%s %s %s %.0f %.0f %d\n", record->key, record->last_version, record->first_version,
            record->last_time, record->first_time, (int)record->count);
    return 0;
}

int main(void) {
    alarm(120);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    firsttime_store *store;
    options.path = "race.archive";
    options.app_version = "c";
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    firsttime_set_clock(store, now, NULL, NULL);
    meet("ready");
    for (int index = 0; index < 200; index++) {
        char key[16];
        snprintf(key, sizeof key, "key.%03d", index);
        firsttime_result result = firsttime_execute_once(store, key, append_key, NULL, key);
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
        if (result == FIRSTTIME_RAN) pause_ms(5);
    }
    meet("done");
    FILE *file = fopen("records.c", "w");
    check(file != NULL);
    check_result(firsttime_each(store, NULL, write_record, file), FIRSTTIME_NO);
    check(fclose(file) == 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
