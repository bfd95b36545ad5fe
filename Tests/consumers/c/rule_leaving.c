/* Conditions, triggers and observers that are left without a return: by the thread's end, the donating or the timer's,
 * and by longjmp(). Nobody hangs, and the rule is asked again later. */
#include "program.h"

#include <setjmp.h>

static firsttime_store *store;
static bool leaves;     /* whether what is called leaves, or returns */
static bool stays_here; /* on the thread that this program began with it returns */
static int asked, fired;
static jmp_buf place;

static void jump(void) { longjmp(place, 1); }
static void exit_thread(void) { pthread_exit(NULL); }
static void cancel_thread(void) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

typedef void (*way)(void);
static way leave;

static void leave_if_so(void) {
    if (leaves && !(stays_here && gettid() == getpid())) leave();
}

static int condition(void *context) {
    (void)context;
    __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    leave_if_so();
    return 1;
}

static void trigger(const char *name, void *context) {
    (void)name, (void)context;
    __atomic_add_fetch(&fired, 1, __ATOMIC_SEQ_CST);
    leave_if_so();
}

static void count_fire(const char *name, void *context) {
    (void)name;
    __atomic_add_fetch((int *)context, 1, __ATOMIC_SEQ_CST);
}

static void run_at_once(void *queue, firsttime_work work, void *argument) {
    (void)queue;
    work(argument);
}

static void set(const char *name, firsttime_rule *rule, firsttime_trigger what, void *context, double delay,
                firsttime_executor executor) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.delay_seconds = delay;
    options.executor = executor;
    check_result(firsttime_set_rule(store, name, rule, what, context, &options), FIRSTTIME_OK);
}

static void *donate(void *unused) {
    (void)unused;
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    return NULL;
}

static void *donate_lost(void *unused) {
    (void)unused;
    firsttime_donate(store, "event");
    check(!"it came back");
    return NULL;
}

/* ---- on the donating thread ---- */

/* Each place that can be left: its rule, called "left", and after it one that is always asked. */
static void set_place(int which, int *later) {
    firsttime_rule *conditional = firsttime_rule_condition(condition, NULL, NULL);
    switch (which) {
    case 0: set("left", conditional, trigger, NULL, 0, NULL); break; /* the condition is left first */
    case 1: set("left", conditional, trigger, NULL, 0, run_at_once); break;
    case 2:
        set("left", firsttime_rule_always(), trigger, NULL, 0, NULL);
        firsttime_rule_free(conditional);
        break;
    case 3:
        set("left", firsttime_rule_always(), trigger, NULL, 0, run_at_once);
        firsttime_rule_free(conditional);
        break;
    case 4:
        set("left", firsttime_rule_always(), NULL, NULL, 0, NULL);
        firsttime_rule_free(conditional);
        break;
    }
    set("later", firsttime_rule_always(), count_fire, later, 0, NULL);
}
enum { place_count = 5 };

/* After it was left: it is asked again, here and elsewhere, and fires, and so do those after it. */
static void check_asked_again(int which, int *later) {
    leaves = false;
    int before = fired, before_later = *later;
    donate(NULL);
    check(fired == before + 1 && *later == before_later + 1);
    in_thread(donate, NULL);
    check(fired == before + 2 && *later == before_later + 2);
    if (which < 2) check(asked >= 3);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
}

static void *close_store(void *unused) {
    (void)unused;
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return NULL;
}

static void open_place(int which, int *later) {
    store = open_store("store", NULL, 0);
    asked = fired = *later = 0;
    set_place(which, later);
    check_result(firsttime_observe(store, "left", trigger, NULL, NULL, NULL), FIRSTTIME_OK);
    leaves = true;
}

static void by_thread_end(way way) {
    for (int which = 0; which < place_count; which++) {
        int later = 0;
        leave = way;
        open_place(which, &later);
        in_thread(donate_lost, NULL);
        check(later == 0);
        check_asked_again(which, &later);
        in_thread(close_store, NULL);
    }
}

__attribute__((noinline)) static void jump_out_of_donate(void) {
    if (setjmp(place) == 0) {
        firsttime_donate(store, "event");
        check(!"it came back");
    }
}

static void by_jump(void) {
    for (int which = 0; which < place_count; which++) {
        int later = 0;
        leave = jump;
        open_place(which, &later);
        for (int round = 0; round < 20; round++) jump_out_of_donate();
        check(later == 0 && (which < 2 ? asked : fired) == 20);
        check_asked_again(which, &later);
        /* And close, as the first call after it. */
        leaves = true;
        jump_out_of_donate();
        check_result(firsttime_close(store), FIRSTTIME_OK);
    }
}

/* ---- from an inner donation into an outer trigger ---- */

static int outer_fires;

static void catch_jump(const char *name, void *context) {
    (void)name, (void)context;
    outer_fires++;
    leaves = true;
    if (setjmp(place) == 0) {
        firsttime_donate(store, "event");
        check(!"it came back");
    }
    leaves = false;
    /* The inner one is over; this one isn't asked inside itself. */
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_ERROR_REENTRANT);
}

static void nested(double delay) {
    leave = jump;
    store = open_store("store", NULL, 0);
    outer_fires = fired = 0;
    set("outer", firsttime_rule_always(), catch_jump, NULL, delay, NULL);
    set("left", firsttime_rule_event_at_least("inner", 1), trigger, NULL, 0, NULL);
    leaves = false;
    check_result(firsttime_donate(store, "inner"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(outer_fires == 1);
    /* Twice by the outer trigger, the first of them left, and once by the donation that led to that. */
    check(fired == 3);
    in_thread(close_store, NULL);
}

/* ---- on the timer's thread ---- */

/* One is left; those that wait for their time go on, on a thread that takes its place, and it is asked again itself. */
static void by_timer_end(way way, bool in_condition) {
    int others = 0;
    leave = way;
    leaves = stays_here = true;
    store = open_store("store", NULL, 0);
    asked = fired = 0;
    firsttime_rule *rule = in_condition ? firsttime_rule_condition(condition, NULL, NULL) : firsttime_rule_always();
    set("left", rule, trigger, NULL, 0.02, NULL);
    set("soon", firsttime_rule_always(), count_fire, &others, 0.03, NULL);
    set("late", firsttime_rule_always(), count_fire, &others, 0.2, NULL);
    donate(NULL);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(others == 2);
    check(in_condition ? asked == 2 && fired == 0 : fired == 1);
    /* With nothing else that waits. */
    check_result(firsttime_remove_rule(store, "soon"), FIRSTTIME_OK);
    check_result(firsttime_remove_rule(store, "late"), FIRSTTIME_OK);
    donate(NULL);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(in_condition ? asked == 4 && fired == 0 : fired == 2);
    leaves = false;
    donate(NULL);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(fired == (in_condition ? 1 : 3));
    /* And close, with one that waits, perhaps just when another one is left. */
    leaves = true;
    set("hour", firsttime_rule_always(), count_fire, &others, 3600, NULL);
    donate(NULL);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check(others == 2);
    stays_here = false;
}

int main(void) {
    alarm(120);
    by_thread_end(exit_thread);
    by_thread_end(cancel_thread);
    by_jump();
    nested(0);
    nested(0.001);
    for (int in_condition = 0; in_condition < 2; in_condition++) {
        by_timer_end(exit_thread, in_condition);
        by_timer_end(cancel_thread, in_condition);
    }
    return 0;
}
