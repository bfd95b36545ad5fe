/* Opening and closing: where the archive is, what opening leaves behind, several handles, the shared store. */
#include "program.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

static char here[PATH_MAX];

/* Opens with default options but an app_id; checks the path. `expected` is below the working directory. */
static void check_path(const char *app_id, const char *expected) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.app_id = app_id;
    firsttime_store *store;
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", here, expected);
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    if (strcmp(firsttime_path(store), path) != 0) {
        fprintf(stderr, "expected %s, got %s\n", path, firsttime_path(store));
        exit(1);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void default_paths(void) {
    char state[PATH_MAX], home[PATH_MAX], program[PATH_MAX] = "", expected[2 * PATH_MAX];
    snprintf(state, sizeof state, "%.4000s/state", here);
    snprintf(home, sizeof home, "%.4000s/home", here);
    check(setenv("XDG_STATE_HOME", state, 1) == 0 && setenv("HOME", home, 1) == 0);
    check_path("org.example.app", "state/org.example.app/firsttime.archive");
    check_path("caf\xC3\xA9 1", "state/caf\xC3\xA9 1/firsttime.archive");
    check(setenv("XDG_STATE_HOME", "relative/state", 1) == 0);
    check_path("app", "home/.local/state/app/firsttime.archive");
    check(setenv("XDG_STATE_HOME", "", 1) == 0);
    check_path("app", "home/.local/state/app/firsttime.archive");
    check(unsetenv("XDG_STATE_HOME") == 0);
    check_path("app", "home/.local/state/app/firsttime.archive");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    check(length > 0);
    snprintf(expected, sizeof expected, "home/.local/state/%s/firsttime.archive", strrchr(program, '/') + 1);
    check_path(NULL, expected);
    /* Without a home in the environment it is the user's in the password file. */
    check(unsetenv("HOME") == 0);
    firsttime_store *store = NULL;
    firsttime_result result = firsttime_open(NULL, &store);
    check(result == FIRSTTIME_OK || result == FIRSTTIME_ERROR_ARGUMENT);
    check(result == FIRSTTIME_OK ? firsttime_path(store)[0] == '/' : strstr(firsttime_last_error(), "home") != NULL);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(setenv("XDG_STATE_HOME", state, 1) == 0 && setenv("HOME", home, 1) == 0);

    /* Directories are made when something is recorded, for their owner alone. */
    check(access("state", F_OK) != 0);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.app_id = "made";
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    check(access("state", F_OK) != 0);
    mode_t mask = umask(0);
    check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    umask(mask);
    struct stat status;
    check(stat("state", &status) == 0 && (status.st_mode & 0777) == 0700);
    check(stat("state/made", &status) == 0 && (status.st_mode & 0777) == 0700);
    check(stat("state/made/firsttime.archive", &status) == 0 && (status.st_mode & 0777) == 0600);
    check(stat("state/made/firsttime.archive-lock", &status) == 0 && (status.st_mode & 0777) == 0600);
    check(stat("state/made/firsttime.archive-journal", &status) == 0 && (status.st_mode & 0777) == 0600);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void links(void) {
    check(mkdir("real", 0755) == 0 && mkdir("work", 0755) == 0);
    check(symlink("../real", "work/linked") == 0);
    check(symlink("target.archive", "real/link.archive") == 0);
    char expected[2 * PATH_MAX];
    snprintf(expected, sizeof expected, "%s/real/target.archive", here);
    firsttime_store *one = open_store("work/./linked/../real/link.archive", NULL, 0);
    firsttime_store *two = open_store("real//target.archive", NULL, 0);
    check(strcmp(firsttime_path(one), expected) == 0 && strcmp(firsttime_path(two), expected) == 0);
    check_result(firsttime_mark(one, "key"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(two, "key"), FIRSTTIME_YES);
    check_result(firsttime_flush(one), FIRSTTIME_OK);
    struct stat status;
    check(lstat("real/link.archive", &status) == 0 && S_ISLNK(status.st_mode));
    check(lstat("real/target.archive", &status) == 0 && S_ISREG(status.st_mode));
    /* The working directory counts at open only. */
    check(chdir("work") == 0);
    check_result(firsttime_mark(one, "second"), FIRSTTIME_OK);
    check(access("real", F_OK) != 0);
    check(chdir("..") == 0);
    check_result(firsttime_close(one), FIRSTTIME_OK);
    check_result(firsttime_was_executed(two, "second"), FIRSTTIME_YES);
    check_result(firsttime_close(two), FIRSTTIME_OK);

    check(symlink("loop", "loop") == 0);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "loop";
    check_result(firsttime_open(&options, &one), FIRSTTIME_ERROR_IO);
    check(one == NULL);
    check_text();
    static char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    options.path = longer;
    check_result(firsttime_open(&options, &one), FIRSTTIME_ERROR_IO);
    check_text();
}

static void *get_shared(void *context) {
    (void)context;
    return firsttime_shared();
}

static void shared(void) {
    pthread_t threads[8];
    void *store[8];
    for (int index = 0; index < 8; index++) check(pthread_create(&threads[index], NULL, get_shared, NULL) == 0);
    for (int index = 0; index < 8; index++) check(pthread_join(threads[index], &store[index]) == 0);
    for (int index = 0; index < 8; index++) check(store[index] != NULL && store[index] == store[0]);
    int runs = 0;
    check_result(firsttime_execute_once(firsttime_shared(), "shared", count_up, NULL, &runs), FIRSTTIME_RAN);
    for (int index = 0; index < 3; index++) check_result(firsttime_close(firsttime_shared()), FIRSTTIME_OK);
    check(firsttime_shared() == store[0]);
    check_result(firsttime_was_executed(store[0], "shared"), FIRSTTIME_YES);
    check(strstr(firsttime_path(store[0]), "/firsttime.archive") != NULL);
}

static firsttime_store *outer, *inner;

static int close_both(void *context) {
    check_result(firsttime_close(outer), FIRSTTIME_ERROR_REENTRANT);
    check_text();
    /* Another handle on the same file may go. */
    check_result(firsttime_close(inner), FIRSTTIME_OK);
    return count_up(context);
}

static int close_in_visitor(const firsttime_record *record, void *context) {
    check_result(firsttime_close(context), FIRSTTIME_ERROR_REENTRANT);
    check(strcmp(record->key, "key") == 0);
    return 0;
}

static void closing(void) {
    int runs = 0;
    outer = open_store("close.archive", NULL, 0);
    inner = open_store("close.archive", NULL, 0);
    check_result(firsttime_execute_once(outer, "key", close_both, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_find(outer, "key", close_in_visitor, outer), FIRSTTIME_YES);
    check_result(firsttime_each(outer, NULL, close_in_visitor, outer), FIRSTTIME_NO);
    check_result(firsttime_close(outer), FIRSTTIME_OK);
    inner = open_store("close.archive", NULL, 0);
    check_result(firsttime_was_executed(inner, "key"), FIRSTTIME_YES);
    check_result(firsttime_close(inner), FIRSTTIME_OK);
}

static int wait_a_bit(void *context) {
    pause_ms(100);
    return count_up(context);
}

static void *run_slowly(void *context) {
    check_result(firsttime_execute_once(outer, "slow", wait_a_bit, NULL, context), FIRSTTIME_RAN);
    return NULL;
}

static void close_waits(void) {
    int runs = 0;
    pthread_t thread;
    outer = open_store("close.archive", NULL, 0);
    check(pthread_create(&thread, NULL, run_slowly, &runs) == 0);
    pause_ms(30);
    check_result(firsttime_close(outer), FIRSTTIME_OK);
    check(runs == 1);
    check(pthread_join(thread, NULL) == 0);
}

/* Lines, of up to 255 bytes; what counts is that there are no more of them. */
static int mappings(void) { return count_lines("/proc/self/maps", NULL); }

static int mapped_files(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    check(maps != NULL);
    char line[PATH_MAX + 256];
    int count = 0;
    while (fgets(line, sizeof line, maps)) count += strstr(line, "close.archive") != NULL;
    fclose(maps);
    return count;
}

static void many_times(void) {
    const int rounds = getenv("FIRSTTIME_QUICK") ? 200 : 10000;
    int descriptors = open_descriptors(), mapped = 0;
    size_t before = 0;
    for (int round = 0; round < rounds; round++) {
        firsttime_store *store = open_store("close.archive", "1.0", 0);
        if (round % 100 == 0) check_result(firsttime_mark(store, "round"), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
        if (round == rounds / 10) {
            before = mallinfo2().uordblks;
            mapped = mappings();
        }
    }
    check(open_descriptors() == descriptors);
    check(mapped_files() == 0);
    /* The allocator may map a piece more. */
    check(mappings() <= mapped + 3);
    check(mallinfo2().uordblks < before + 16384);
    /* Failures leave nothing either. */
    write_file("bad.archive", "bad", 3);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "bad.archive";
    for (int round = 0; round < 200; round++) {
        firsttime_store *store;
        check_result(firsttime_open(&options, &store), FIRSTTIME_ERROR_CORRUPT);
    }
    check(open_descriptors() == descriptors);
    check(mallinfo2().uordblks < before + 16384);
}

int main(void) {
    check(getcwd(here, sizeof here) != NULL);
    default_paths();
    links();
    shared();
    closing();
    close_waits();
    many_times();
    return 0;
}
