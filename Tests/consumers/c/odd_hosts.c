/* Hosts in odd states: closed standard streams, a umask that takes everything, a lock file that a loss of power left. */
#include "program.h"

/* What a host writes to a closed stream must not end up in a store's file. */
static int write_to_standard_streams(void *context) {
    (void)context;
    for (int stream = 0; stream <= 2; stream++) (void)!write(stream, "oops\n", 5);
    return 0;
}

static void closed_streams(int first) {
    int quiet = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2; stream++) {
        if (stream < first) dup2(quiet, stream);
        else close(stream);
    }
    firsttime_store *store = open_store("streams/archive", NULL, 0);
    firsttime_result result = firsttime_execute_once(store, "key", write_to_standard_streams, NULL, NULL);
    write_to_standard_streams(NULL);
    if (result != FIRSTTIME_RAN || firsttime_mark(store, "other") != FIRSTTIME_OK) _exit(2);
    write_to_standard_streams(NULL);
    if (firsttime_close(store) != FIRSTTIME_OK) _exit(3);
    _exit(0);
}

static void standard_streams(void) {
    for (int first = 0; first <= 2; first++) {
        pid_t child = fork();
        check(child >= 0);
        if (child == 0) closed_streams(first);
        int status;
        check(waitpid(child, &status, 0) == child && status == 0);
        firsttime_store *store = open_store("streams/archive", NULL, 0);
        check(firsttime_count(store, NULL) == 2);
        check_result(firsttime_reset(store), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

static void odd_umask(void) {
    mode_t mask = umask(0777);
    firsttime_store *store = open_store("masked/deep/archive", NULL, 0);
    check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    umask(mask);
    struct stat status;
    check(stat("masked", &status) == 0 && (status.st_mode & 07777) == 0700);
    check(stat("masked/deep", &status) == 0 && (status.st_mode & 07777) == 0700);
    check(stat("masked/deep/archive", &status) == 0 && (status.st_mode & 07777) == 0600);
    check(stat("masked/deep/archive-lock", &status) == 0 && (status.st_mode & 07777) == 0600);
}

static void zeros_for_a_lock(void) {
    for (int length = 0; length <= 16; length++) {
        /* Never while it is open: it is mapped then. */
        int lock = open("zeros-archive-lock", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        check(lock >= 0 && ftruncate(lock, length == 16 ? 4096 : length) == 0 && close(lock) == 0);
        firsttime_store *store = open_store("zeros-archive", NULL, 0);
        check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

/* The default store can't be opened: what is wrong is said by the call that got NULL for it, too. */
static void shared_failure(void) {
    check(setenv("XDG_STATE_HOME", "/dev/null/state", 1) == 0);
    check(firsttime_shared() == NULL);
    check(strstr(firsttime_last_error(), "/dev/null/state") != NULL);
    int count = 0;
    check_result(firsttime_execute_once(firsttime_shared(), "key", count_up, NULL, &count), FIRSTTIME_ERROR_ARGUMENT);
    check(count == 0 && strstr(firsttime_last_error(), "/dev/null/state") != NULL);
    check_result(firsttime_mark(NULL, ""), FIRSTTIME_ERROR_ARGUMENT);
    firsttime_store *store = open_store("another", NULL, 0);
    check_result(firsttime_mark(store, ""), FIRSTTIME_ERROR_ARGUMENT);
    check_result(firsttime_mark(NULL, "key"), FIRSTTIME_ERROR_ARGUMENT);
    check(strstr(firsttime_last_error(), "NULL") != NULL);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* A store whose archive was spoiled while it was open says so when it is closed. */
static void spoiled(void) {
    firsttime_store *store = open_store("spoiled", NULL, 0);
    check_result(firsttime_mark(store, "key"), FIRSTTIME_OK);
    check_result(firsttime_flush(store), FIRSTTIME_OK);
    int file = open("spoiled", O_WRONLY | O_TRUNC);
    check(file >= 0 && write(file, "junk", 4) == 4 && close(file) == 0);
    check_result(firsttime_flush(store), FIRSTTIME_ERROR_CORRUPT);
    check_result(firsttime_close(store), FIRSTTIME_ERROR_CORRUPT);
}

/* A host that closes every descriptor above 2, and opens files of its own at their numbers: nothing is written to those,
 * they stay open, and the store works on. */
static void reused_descriptors(void) {
    firsttime_store *store = open_store("reused", NULL, 0);
    check_result(firsttime_mark(store, "before"), FIRSTTIME_OK);
    for (int round = 0; round < 2; round++) {
        for (int number = 3; number < 64; number++) close(number);
        int own[8];
        for (int index = 0; round > 0 && index < 8; index++) {
            char name[32];
            snprintf(name, sizeof name, "own.%d", index);
            own[index] = open(name, O_RDWR | O_CREAT, 0600);
            check(own[index] >= 0 && write(own[index], "mine", 4) == 4);
        }
        int runs = 0;
        char key[32];
        snprintf(key, sizeof key, "key.%d", round);
        check_result(firsttime_execute_once(store, key, count_up, NULL, &runs), FIRSTTIME_RAN);
        check_result(firsttime_mark(store, "after"), FIRSTTIME_OK);
        pid_t child = fork();
        if (child == 0) _exit(firsttime_count(store, NULL) == 3 + round ? 0 : 1);
        check(wait_for(child) == 0);
        if (round == 0) continue;
        check_result(firsttime_close(store), FIRSTTIME_OK);
        for (int index = 0; index < 8; index++) {
            struct stat status;
            check(fstat(own[index], &status) == 0 && status.st_size == 4 && close(own[index]) == 0);
        }
    }
    store = open_store("reused", NULL, 0);
    check(firsttime_count(store, NULL) == 4);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(void) {
    standard_streams();
    odd_umask();
    zeros_for_a_lock();
    shared_failure();
    spoiled();
    reused_descriptors();
    return 0;
}
