/* No thread can be had when a delayed rule needs one: that is told, stops nobody else, and the rule is with the next
 * donation. */
#include "program.h"

#include <dlfcn.h>

static bool fails;

/* In front of libc's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (fails) return EAGAIN;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, body, context);
}

static firsttime_store *store;

static void count_fire(const char *name, void *context) {
    (void)name;
    ++*(int *)context;
}

static void exit_without_another(const char *name, void *context) {
    (void)name, (void)context;
    fails = true;
    pthread_exit(NULL);
}

static void set(const char *name, firsttime_trigger trigger, void *context, double delay) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.delay_seconds = delay;
    check_result(firsttime_set_rule(store, name, firsttime_rule_always(), trigger, context, &options), FIRSTTIME_OK);
}

static int see(const firsttime_donations *donations, void *context) {
    *(uint64_t *)context = donations->count;
    return 0;
}

int main(void) {
    alarm(60);
    int delayed = 0, at_once = 0;
    uint64_t count = 0;
    store = open_store("store", NULL, 0);
    set("delayed", count_fire, &delayed, 0.001);
    set("at.once", count_fire, &at_once, 0);
    fails = true;
    check_result(firsttime_donate(store, "event"), FIRSTTIME_ERROR_NOT_RECORDED);
    check_text();
    check_mentions("pthread_create");
    check_mentions("delayed");
    check_result(firsttime_evaluate_rules(store), FIRSTTIME_ERROR_NOT_RECORDED);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check_result(firsttime_find_donations(store, "event", see, &count), FIRSTTIME_YES);
    check(count == 1 && at_once == 2 && delayed == 0);
    fails = false;
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(at_once == 3 && delayed == 1);

    /* The thread there is ends in a trigger, and no other takes its place: nobody waits for ever. */
    set("delayed", count_fire, &delayed, 3600);
    set("exits", exit_without_another, NULL, 0.001);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_ERROR_NOT_RECORDED);
    check_mentions("pthread_create");
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    fails = false;
    check_result(firsttime_remove_rule(store, "exits"), FIRSTTIME_OK);
    set("delayed", count_fire, &delayed, 0.001);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(delayed == 2);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
