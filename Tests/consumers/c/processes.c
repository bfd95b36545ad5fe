/* Processes: every key runs once whoever asks; one that is killed in a callback locks nobody out; BUSY. */
#include "program.h"

enum { process_count = 8, key_count = 50 };

static int append_key(void *context) {
    append_line("runs.txt", context);
    pause_ms(1);
    return 0;
}

/* A child: runs all keys once all are here. */
static int run_all(const char *number) {
    append_line("ready.txt", number);
    while (count_lines("ready.txt", NULL) < process_count) pause_ms(1);
    firsttime_store *store = open_store("race.archive", NULL, 0);
    for (int index = 0; index < key_count; index++) {
        char key[32];
        snprintf(key, sizeof key, "key.%03d", index);
        firsttime_result result = firsttime_execute_once(store, key, append_key, NULL, key);
        check(result == FIRSTTIME_RAN || result == FIRSTTIME_NOT_DUE);
        append_line(result == FIRSTTIME_RAN ? "ran.txt" : "not-due.txt", key);
        check_result(firsttime_was_executed(store, key), FIRSTTIME_YES);
    }
    check(firsttime_count(store, "key.") == key_count);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}

static void race(void) {
    pid_t children[process_count];
    for (int index = 0; index < process_count; index++) children[index] = spawn("race", index % 2 ? "1" : "0");
    for (int index = 0; index < process_count; index++) check(wait_for(children[index]) == 0);
    check(count_lines("runs.txt", NULL) == key_count);
    check(count_lines("ran.txt", NULL) == key_count);
    check(count_lines("not-due.txt", NULL) == (process_count - 1) * key_count);
    for (int index = 0; index < key_count; index++) {
        char key[32];
        snprintf(key, sizeof key, "key.%03d", index);
        check(count_lines("runs.txt", key) == 1);
    }
}

static int hang(void *context) {
    append_line(context, "in the callback");
    pause_ms(60000);
    return 0;
}

/* A child: stays in the callback until it is killed. */
static int hold(const char *file) {
    firsttime_store *store = open_store("killed.archive", NULL, 0);
    firsttime_execute_once(store, "killed", hang, NULL, (void *)file);
    return 1;
}

/* A child: waits for the one who is killed, and runs it then. */
static int wait_and_run(const char *file) {
    firsttime_store *store = open_store("killed.archive", NULL, 0);
    int runs = 0;
    append_line(file, "waiting");
    check_result(firsttime_execute_once(store, "killed", count_up, NULL, &runs), FIRSTTIME_RAN);
    check(runs == 1);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}

static void killed(void) {
    pid_t child = spawn("hold", "held.txt");
    wait_for_file("held.txt");

    /* Meanwhile others are told, or wait so long. */
    firsttime_store *hasty = open_store("killed.archive", NULL, -1), *patient = open_store("killed.archive", NULL, 200);
    check_result(firsttime_execute_once(hasty, "killed", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_BUSY);
    check_mentions("process");
    check_text();
    double begin = seconds();
    check_result(firsttime_execute_once(patient, "killed", must_not_run, must_not_run, NULL), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin >= 0.199 && seconds() - begin < 2);
    int runs = 0;
    check_result(firsttime_execute_once(hasty, "another", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_was_executed(hasty, "killed"), FIRSTTIME_NO);

    pid_t waiting = spawn("wait", "waiting.txt");
    wait_for_file("waiting.txt");
    pause_ms(50);
    check(kill(child, SIGKILL) == 0);
    begin = seconds();
    check(wait_for(child) == 128 + SIGKILL);
    check(wait_for(waiting) == 0);
    check(seconds() - begin < 2);
    check_result(firsttime_execute_once(hasty, "killed", must_not_run, NULL, NULL), FIRSTTIME_NOT_DUE);
    check_result(firsttime_close(hasty), FIRSTTIME_OK);
    check_result(firsttime_close(patient), FIRSTTIME_OK);
}

/* None of the files that this program has from its parent is a store's. */
static void check_no_files(void) {
    for (int file = 0; file < 100; file++) {
        char name[64], target[4096] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        if (readlink(name, target, sizeof target - 1) > 0) check(strstr(target, "archive") == NULL);
    }
}

/* A program that a callback starts keeps none of our files and locks. */
static int start_program(void *context) {
    *(pid_t *)context = spawn("sleep", "");
    return 0;
}

static void started_program(void) {
    pid_t child = 0;
    firsttime_store *store = open_store("started.archive", NULL, -1);
    check_result(firsttime_execute_once(store, "start", start_program, NULL, &child), FIRSTTIME_RAN);
    check_result(firsttime_reset(store), FIRSTTIME_OK);
    int runs = 0;
    check_result(firsttime_execute_once(store, "start", count_up, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(wait_for(child) == 0);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3) {
        if (strcmp(argv[1], "race") == 0) return run_all(argv[2]);
        if (strcmp(argv[1], "hold") == 0) return hold(argv[2]);
        if (strcmp(argv[1], "wait") == 0) return wait_and_run(argv[2]);
        if (strcmp(argv[1], "sleep") == 0) {
            check_no_files();
            pause_ms(200);
            return 0;
        }
    }
    race();
    killed();
    started_program();
    return 0;
}
