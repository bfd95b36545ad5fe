/* Callbacks that are left without a return: by the thread's end, by longjmp(), by exec, by the process's death, into a
 * forked child. Nothing is recorded, nobody is locked out, and nobody waits for long. */
#include "program.h"

#include <pthread.h>
#include <setjmp.h>

static firsttime_store *store;

/* ---- what comes after ---- */

static void *find_due(void *context) {
    firsttime_claim *claim;
    check_result(firsttime_begin(store, context, NULL, &claim), FIRSTTIME_DUE);
    firsttime_abandon(claim);
    return NULL;
}

/* The key is due, for another thread, for another process and here, at once. */
static void check_free(const char *key) {
    double begin = seconds();
    in_thread(find_due, key);
    check_result(begin_elsewhere(key), FIRSTTIME_DUE);
    find_due((void *)key);
    check(seconds() - begin < 2);
}

/* ---- the thread's end ---- */

static int exit_thread(void *context) {
    pthread_exit(context);
    return 0;
}

static int run_and_exit(void *context) {
    firsttime_execute_once(store, context, exit_thread, NULL, NULL);
    return 0;
}

static int visit_and_exit(const firsttime_record *record, void *context) {
    (void)record;
    pthread_exit(context);
    return 0;
}

static void *leave_by_exit(void *context) {
    firsttime_execute_once(store, context, exit_thread, NULL, NULL);
    check(!"it came back");
    return NULL;
}

static void *leave_nested(void *context) {
    firsttime_execute_once(store, context, run_and_exit, NULL, "exit.inner");
    check(!"it came back");
    return NULL;
}

static void *leave_visitor(void *context) {
    firsttime_each(context, NULL, visit_and_exit, NULL);
    check(!"it came back");
    return NULL;
}

static void thread_ends(void) {
    in_thread(leave_by_exit, "exit");
    check_free("exit");
    in_thread(leave_nested, "exit.outer");
    check_free("exit.outer");
    check_free("exit.inner");
    /* A call that never ended doesn't hold up close. */
    firsttime_store *other = open_store("store", NULL, 0);
    check_result(firsttime_mark(other, "mark"), FIRSTTIME_OK);
    in_thread(leave_visitor, (const char *)other);
    double begin = seconds();
    check_result(firsttime_close(other), FIRSTTIME_OK);
    check(seconds() - begin < 2);
}

/* ---- longjmp ---- */

static jmp_buf place;

static int jump(void *context) {
    (void)context;
    longjmp(place, 1);
    return 0;
}

static int visit_and_jump(const firsttime_record *record, void *context) {
    (void)record, (void)context;
    longjmp(place, 1);
    return 0;
}

static void *find_busy(void *context) {
    char words[64];
    firsttime_claim *claim;
    double begin = seconds();
    check_result(firsttime_begin(store, context, NULL, &claim), FIRSTTIME_ERROR_BUSY);
    check(seconds() - begin >= elsewhere_wait / 1e3 - 0.01 && seconds() - begin < 2);
    snprintf(words, sizeof words, "thread %d of this process, %d", (int)getpid(), (int)getpid());
    check_mentions(words); /* the main thread's number is the process's */
    check_text();
    return NULL;
}

/* From a frame that is deeper than the lost one nothing can be told yet. */
__attribute__((noinline)) static void ask_deeper(const char *key) {
    volatile char deep[1 << 17];
    for (size_t index = 0; index < sizeof deep; index++) deep[index] = 1;
    firsttime_claim *claim;
    check_result(firsttime_begin(store, key, NULL, &claim), FIRSTTIME_ERROR_REENTRANT);
    check(deep[sizeof deep - 1] == 1);
}

__attribute__((noinline)) static void jump_out_of(const char *key) {
    if (setjmp(place) == 0) {
        firsttime_execute_once(store, key, jump, NULL, NULL);
        check(!"it came back");
    }
}

static void jumps(void) {
    jump_out_of("jump");
    ask_deeper("jump");
    in_thread(find_busy, "jump");
    check_result(begin_elsewhere("jump"), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_was_executed(store, "jump"), FIRSTTIME_NO);
    check_free("jump");
    /* Again and again, from one place, with no call in between. */
    for (int round = 0; round < 100; round++) jump_out_of("jump");
    check_result(firsttime_was_executed(store, "jump"), FIRSTTIME_NO);
    check_free("jump");
    int runs = 0;
    check_result(firsttime_execute_once(store, "jump", count_up, NULL, &runs), FIRSTTIME_RAN);
}

/* Out of a visitor: then close, which is a call like any other. */
static void jump_and_close(void) {
    firsttime_store *other = open_store("store", NULL, 0);
    if (setjmp(place) == 0) firsttime_each(other, NULL, visit_and_jump, NULL);
    check_result(firsttime_close(other), FIRSTTIME_OK);
}

/* Each of these is left, and the next call that is made is another one. */
static void jump_and_ask(void) {
    static const char *const keys[] = {"ask.0", "ask.1", "ask.2", "ask.3", "ask.4", "ask.5", "ask.6"};
    char buffer[64];
    firsttime_record record = {.size = sizeof record};
    for (volatile int which = 0; which < 7; which++) {
        if (setjmp(place) == 0) firsttime_execute_once(store, keys[which], jump, NULL, NULL);
        double time;
        switch (which) {
        case 0: check_result(firsttime_is_due(store, "other", NULL), FIRSTTIME_YES); break;
        case 1: check_result(firsttime_next_due(store, "other", NULL, &time), FIRSTTIME_YES); break;
        case 2: check_result(firsttime_read(store, "other", &record, buffer, 64, NULL), FIRSTTIME_NO); break;
        case 3: check_result(firsttime_find(store, "other", NULL, NULL), FIRSTTIME_NO); break;
        case 4: check_result(firsttime_flush(store), FIRSTTIME_OK); break;
        case 5: check_result(firsttime_reset_key(store, "other"), FIRSTTIME_NO); break;
        case 6: check(firsttime_count(store, "other") == 0); break;
        }
        in_thread(find_due, keys[which]);
    }
}

/* From an inner callback into an outer one: only the inner one is lost. */
static int jump_inside(void *context) {
    if (setjmp(place) == 0) firsttime_execute_once(store, "inner", jump, NULL, NULL);
    check_result(firsttime_was_executed(store, "other"), FIRSTTIME_NO);
    in_thread(find_due, "inner");
    check_result(begin_elsewhere("outer"), FIRSTTIME_ERROR_BUSY);
    firsttime_claim *claim;
    check_result(firsttime_begin(store, "outer", NULL, &claim), FIRSTTIME_ERROR_REENTRANT);
    return count_up(context);
}

/* The same without a call in between: the outer one's return ends the inner one, too. */
static int jump_and_return(void *context) {
    if (setjmp(place) == 0) firsttime_execute_once(store, "inner", jump, NULL, NULL);
    return count_up(context);
}

static int jump_from_depth(void *context) {
    (void)context;
    firsttime_execute_once(store, "deep.1", jump, NULL, NULL);
    return 0;
}

static void nested_jumps(void) {
    int runs = 0;
    check_result(firsttime_execute_once(store, "outer", jump_inside, NULL, &runs), FIRSTTIME_RAN);
    check_result(firsttime_execute_once(store, "outer.2", jump_and_return, NULL, &runs), FIRSTTIME_RAN);
    check_free("inner");
    check(runs == 2);
    if (setjmp(place) == 0) firsttime_execute_once(store, "deep.0", jump_from_depth, NULL, NULL);
    check_result(firsttime_was_executed(store, "other"), FIRSTTIME_NO);
    check_free("deep.0");
    check_free("deep.1");
}

static void *jump_and_end(void *context) {
    if (setjmp(place) == 0) firsttime_execute_once(store, context, jump, NULL, NULL);
    return NULL;
}

/* What was started at most once stays done. */
static void jump_at_most_once(void) {
    if (setjmp(place) == 0) execute_with(store, "once", FIRSTTIME_AT_MOST_ONCE, jump, NULL);
    check_result(firsttime_was_executed(store, "other"), FIRSTTIME_NO);
    check_result(firsttime_was_executed(store, "once"), FIRSTTIME_YES);
    check_result(begin_elsewhere("once"), FIRSTTIME_NOT_DUE);
}

/* ---- the process ---- */

static int die(void *context) {
    (void)context;
    raise(SIGKILL);
    return 0;
}

static int execute_program(void *context) {
    (void)context;
    execl("/bin/true", "true", NULL);
    return 0;
}

static int leave_child_asleep(void *context) {
    append_line("sleeper", "");
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        pause_ms(60000);
        _exit(0);
    }
    char number[32];
    snprintf(number, sizeof number, "%d", (int)child);
    append_line("child", number);
    return die(context);
}

static int exit_parent(void *context) {
    (void)context;
    pid_t child = fork();
    check(child >= 0);
    if (child > 0) _exit(0);
    return 0;
}

/* A child of the child: exits at once, the ordinary way; its parent goes on. */
static int fork_and_exit(void *context) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) exit(0);
    check(wait_for(child) == 0);
    return count_up(context);
}

/* A child: runs the key named after the way it is left. */
static int leave_process(const char *way) {
    static const struct {
        const char *way;
        firsttime_callback callback;
    } ways[] = {{"kill", die}, {"exec", execute_program}, {"sleep", leave_child_asleep}, {"fork", exit_parent}};
    store = open_store("store", NULL, elsewhere_wait);
    for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) {
        if (strcmp(way, ways[index].way) != 0) continue;
        check_result(firsttime_execute_once(store, way, ways[index].callback, NULL, NULL), FIRSTTIME_ERROR_FORKED);
        check_text();
        append_line("forked", "");
    }
    return 0;
}

static void processes(void) {
    check(wait_for(spawn("leave", "kill")) == 128 + SIGKILL);
    check_free("kill");
    check(wait_for(spawn("leave", "exec")) == 0);
    check_free("exec");
    check(wait_for(spawn("leave", "sleep")) == 128 + SIGKILL);
    check_free("sleep");
    size_t size;
    char *number = read_file("child", &size);
    check(kill(atoi(number), SIGKILL) == 0);
    free(number);
    check(wait_for(spawn("leave", "fork")) == 0);
    check_free("fork");
    wait_for_file("forked");
    check_free("fork");
    int runs = 0;
    check_result(firsttime_execute_once(store, "exited", fork_and_exit, NULL, &runs), FIRSTTIME_RAN);
    check(runs == 1);
    check_result(begin_elsewhere("exited"), FIRSTTIME_NOT_DUE);
}

int main(int argc, char **argv) {
    alarm(120);
    if (argc == 3) return strcmp(argv[1], "leave") == 0 ? leave_process(argv[2]) : answer_elsewhere(argv[2]);
    store = open_store("store", NULL, elsewhere_wait);
    thread_ends();
    jumps();
    jump_and_close();
    jump_and_ask();
    nested_jumps();
    in_thread(jump_and_end, "jump.thread");
    check_free("jump.thread");
    jump_at_most_once();
    processes();
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
