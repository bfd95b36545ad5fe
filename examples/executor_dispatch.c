/* A rule's trigger on a queue of libdispatch: the executor is dispatch_async_f().
 *
 *     clang executor_dispatch.c -ldispatch -lBlocksRuntime -lfirsttime -lpthread -lm
 */
#include <firsttime.h>

#include <dispatch/dispatch.h>
#include <stdio.h>

/* ---- the executor ---- */

static void on_queue(void *queue, firsttime_work work, void *argument) {
    dispatch_async_f((dispatch_queue_t)queue, argument, work);
}

/* ---- the program ---- */

static char is_our_queue; /* its address is the key */
static dispatch_semaphore_t greeted;

static void greet(const char *name, void *queue) {
    printf("%s: %s\n", name, dispatch_get_specific(&is_our_queue) == queue ? "on the queue" : "elsewhere");
    dispatch_semaphore_signal(greeted);
}

static void do_nothing(void *unused) { (void)unused; }

int main(int count, char **arguments) {
    dispatch_queue_t queue = dispatch_queue_create("org.example.greetings", NULL);
    dispatch_queue_set_specific(queue, &is_our_queue, queue, NULL);
    greeted = dispatch_semaphore_create(0);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = count > 1 ? arguments[1] : NULL;
    firsttime_store *store;
    if (firsttime_open(&options, &store) != FIRSTTIME_OK) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        return 1;
    }
    firsttime_rule_options how = FIRSTTIME_RULE_OPTIONS_INIT;
    how.executor = on_queue;
    how.queue = queue;
    firsttime_set_rule(store, "greeting", firsttime_rule_event_at_least("appStarted", 1), greet, queue, &how);
    how.delay_seconds = 0.05;
    firsttime_set_rule(store, "late greeting", firsttime_rule_event_at_least("appStarted", 1), greet, queue, &how);

    if (firsttime_donate(store, "appStarted") != FIRSTTIME_OK) fprintf(stderr, "%s\n", firsttime_last_error());
    for (int index = 0; index < 2; index++) dispatch_semaphore_wait(greeted, DISPATCH_TIME_FOREVER);
    firsttime_close(store);
    /* Whatever came in since then only frees itself. */
    dispatch_sync_f(queue, NULL, do_nothing);
    dispatch_release(greeted);
    dispatch_release(queue);
    return 0;
}
