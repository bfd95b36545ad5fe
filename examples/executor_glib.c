/* A rule's trigger in a GLib main loop, as GTK programs have one: the executor is g_main_context_invoke().
 *
 *     cc executor_glib.c $(pkg-config --cflags --libs glib-2.0) -lfirsttime -lpthread -lm
 */
#include <firsttime.h>

#include <glib.h>

/* ---- the executor ---- */

struct job {
    firsttime_work work;
    void *argument;
};

static gboolean run_job(gpointer data) {
    struct job *job = data;
    job->work(job->argument);
    return G_SOURCE_REMOVE;
}

static void on_context(void *queue, firsttime_work work, void *argument) {
    struct job *job = g_new(struct job, 1);
    job->work = work;
    job->argument = argument;
    g_main_context_invoke_full(queue, G_PRIORITY_DEFAULT, run_job, job, g_free);
}

/* ---- the program ---- */

static GThread *main_thread;
static int expected = 2;

static void greet(const char *name, void *loop) {
    g_print("%s: %s\n", name, g_thread_self() == main_thread ? "on the loop's thread" : "elsewhere");
    if (--expected == 0) g_main_loop_quit(loop);
}

static gpointer work(gpointer store) {
    if (firsttime_donate(store, "appStarted") != FIRSTTIME_OK) g_printerr("%s\n", firsttime_last_error());
    return NULL;
}

int main(int count, char **arguments) {
    main_thread = g_thread_self();
    GMainContext *context = g_main_context_default();
    /* Ours from here on: while nobody owns it, g_main_context_invoke() runs the job where it is called. */
    g_main_context_acquire(context);
    GMainLoop *loop = g_main_loop_new(context, FALSE);
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = count > 1 ? arguments[1] : NULL;
    firsttime_store *store;
    if (firsttime_open(&options, &store) != FIRSTTIME_OK) {
        g_printerr("%s\n", firsttime_last_error());
        return 1;
    }
    firsttime_rule_options how = FIRSTTIME_RULE_OPTIONS_INIT;
    how.executor = on_context;
    how.queue = context;
    firsttime_set_rule(store, "greeting", firsttime_rule_event_at_least("appStarted", 1), greet, loop, &how);
    how.delay_seconds = 0.05;
    firsttime_set_rule(store, "late greeting", firsttime_rule_event_at_least("appStarted", 1), greet, loop, &how);

    GThread *worker = g_thread_new("worker", work, store);
    g_main_loop_run(loop);
    g_thread_join(worker);
    firsttime_close(store);
    /* Whatever came in since then only frees itself. */
    while (g_main_context_iteration(context, FALSE)) {}
    g_main_context_release(context);
    g_main_loop_unref(loop);
    return 0;
}
