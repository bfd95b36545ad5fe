/* A rule's trigger on the thread of a plain epoll loop: the executor puts work into a queue, and wakes the loop by an
 * eventfd.
 *
 *     cc executor_epoll.c -lfirsttime -lpthread -lm
 */
#define _GNU_SOURCE
#include <firsttime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- the loop ---- */

struct job {
    firsttime_work work;
    void *argument;
    struct job *next;
};

struct loop {
    int events, wake;
    pthread_t thread;
    pthread_mutex_t mutex;
    struct job *first, **last;
    int expected; /* how many triggers end it */
};

static void run_jobs(struct loop *loop) {
    pthread_mutex_lock(&loop->mutex);
    struct job *job = loop->first;
    loop->first = NULL;
    loop->last = &loop->first;
    pthread_mutex_unlock(&loop->mutex);
    while (job) {
        struct job *next = job->next;
        job->work(job->argument);
        free(job);
        job = next;
    }
}

static void run_loop(struct loop *loop) {
    loop->thread = pthread_self();
    while (loop->expected > 0) {
        struct epoll_event event;
        if (epoll_wait(loop->events, &event, 1, -1) != 1) continue;
        uint64_t count;
        if (event.data.fd == loop->wake && read(loop->wake, &count, sizeof count) > 0) run_jobs(loop);
    }
}

/* ---- the executor ---- */

static void on_loop(void *queue, firsttime_work work, void *argument) {
    struct loop *loop = queue;
    struct job *job = malloc(sizeof *job);
    if (!job) {
        work(argument); /* each must be called once: better here than not at all */
        return;
    }
    *job = (struct job){work, argument, NULL};
    pthread_mutex_lock(&loop->mutex);
    *loop->last = job;
    loop->last = &job->next;
    pthread_mutex_unlock(&loop->mutex);
    uint64_t one = 1;
    if (write(loop->wake, &one, sizeof one) < 0) perror("eventfd");
}

static void greet(const char *name, void *context) {
    struct loop *loop = context;
    printf("%s: %s\n", name, pthread_equal(pthread_self(), loop->thread) ? "on the loop's thread" : "elsewhere");
    loop->expected--;
}

/* ---- the program ---- */

static void *work(void *store) {
    if (firsttime_donate(store, "appStarted") != FIRSTTIME_OK) fprintf(stderr, "%s\n", firsttime_last_error());
    return NULL;
}

int main(int count, char **arguments) {
    struct loop loop = {.events = epoll_create1(EPOLL_CLOEXEC), .wake = eventfd(0, EFD_CLOEXEC), .expected = 2};
    struct epoll_event event = {.events = EPOLLIN, .data.fd = loop.wake};
    pthread_mutex_init(&loop.mutex, NULL);
    loop.last = &loop.first;
    if (loop.wake < 0 || epoll_ctl(loop.events, EPOLL_CTL_ADD, loop.wake, &event) != 0) {
        perror("epoll");
        return 1;
    }
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = count > 1 ? arguments[1] : NULL;
    firsttime_store *store;
    if (firsttime_open(&options, &store) != FIRSTTIME_OK) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        return 1;
    }
    firsttime_rule_options how = FIRSTTIME_RULE_OPTIONS_INIT;
    how.executor = on_loop;
    how.queue = &loop;
    firsttime_set_rule(store, "greeting", firsttime_rule_event_at_least("appStarted", 1), greet, &loop, &how);
    how.delay_seconds = 0.05;
    firsttime_set_rule(store, "late greeting", firsttime_rule_event_at_least("appStarted", 1), greet, &loop, &how);

    loop.thread = pthread_self();
    pthread_t worker;
    if (pthread_create(&worker, NULL, work, store) != 0) return 1;
    run_loop(&loop);
    pthread_join(worker, NULL);
    firsttime_close(store);
    /* Whatever came in since then only frees itself. */
    run_jobs(&loop);
    close(loop.wake);
    close(loop.events);
    return 0;
}
