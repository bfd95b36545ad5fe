/* Threads: a monitor, threads of our own, and the process-wide registry. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* All of them are in a list, for a fork. */
struct csystem_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    csystem_monitor *next, *previous;
    struct looks *looks; /* NULL: not one to look in */
};

/* Threads that look, counted in places of their own, so that they don't take turns at a line of the cache. */
enum { places = 32 };
struct looks {
    uint32_t is_locked;
    struct {
        _Alignas(128) uint32_t count;
    } places[places];
};

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static csystem_monitor *list;
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static void *registry[4];

static void init(csystem_monitor *monitor) {
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monitor->condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* A thread that was cancelled goes on, with what it has in its hands. */
static void pause_shortly(long nanoseconds) {
    int cancellation = csystem_begin_uncancelled();
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
    csystem_end_uncancelled(cancellation);
}

static csystem_monitor *create(struct looks *looks) {
    csystem_monitor *monitor = malloc(sizeof *monitor);
    if (!monitor) abort(); /* Swift's own allocations end the same way */
    monitor->looks = looks;
    init(monitor);
    pthread_mutex_lock(&list_mutex);
    monitor->previous = NULL;
    monitor->next = list;
    if (list) list->previous = monitor;
    list = monitor;
    pthread_mutex_unlock(&list_mutex);
    return monitor;
}

csystem_monitor *csystem_monitor_create(void) { return create(NULL); }

csystem_monitor *csystem_monitor_create_shared(void) {
    struct looks *looks = aligned_alloc(128, sizeof *looks);
    if (!looks) abort();
    memset(looks, 0, sizeof *looks);
    return create(looks);
}

void csystem_monitor_destroy(csystem_monitor *monitor) {
    pthread_mutex_lock(&list_mutex);
    if (monitor->previous) monitor->previous->next = monitor->next;
    else list = monitor->next;
    if (monitor->next) monitor->next->previous = monitor->previous;
    pthread_mutex_unlock(&list_mutex);
    pthread_cond_destroy(&monitor->condition);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor->looks);
    free(monitor);
}

static uint32_t *own_place(struct looks *looks) {
    static THREAD_LOCAL uint32_t number; /* 0: none yet */
    static uint32_t last;
    if (!number) number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) | 0x80000000;
    return &looks->places[number % places].count;
}

/* Who looks counts first and asks then, who locks says so first and counts then: one of them sees the other. */
bool csystem_monitor_begin_look(csystem_monitor *monitor) {
    uint32_t *place = own_place(monitor->looks);
    __atomic_fetch_add(place, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&monitor->looks->is_locked, __ATOMIC_SEQ_CST)) return true;
    __atomic_fetch_sub(place, 1, __ATOMIC_RELEASE);
    return false;
}

void csystem_monitor_end_look(csystem_monitor *monitor) {
    __atomic_fetch_sub(own_place(monitor->looks), 1, __ATOMIC_RELEASE);
}

/* They have left in moments, unless the system took the processor from one: it must get it back. */
static void keep_out(struct looks *looks) {
    __atomic_store_n(&looks->is_locked, 1, __ATOMIC_SEQ_CST);
    for (size_t index = 0; index < places; index++) {
        int turns = 0;
        while (__atomic_load_n(&looks->places[index].count, __ATOMIC_SEQ_CST)) {
            if (turns < 100) turns++;
            else pause_shortly(20000);
        }
    }
}

static void let_in(struct looks *looks) { __atomic_store_n(&looks->is_locked, 0, __ATOMIC_RELEASE); }

void csystem_monitor_lock(csystem_monitor *monitor) {
    pthread_mutex_lock(&monitor->mutex);
    if (monitor->looks) keep_out(monitor->looks);
}

void csystem_monitor_unlock(csystem_monitor *monitor) {
    if (monitor->looks) let_in(monitor->looks);
    pthread_mutex_unlock(&monitor->mutex);
}

void csystem_monitor_notify_all(csystem_monitor *monitor) { pthread_cond_broadcast(&monitor->condition); }

int csystem_begin_uncancelled(void) {
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void csystem_end_uncancelled(int before) { pthread_setcancelstate(before, NULL); }

static void wait_until(csystem_monitor *monitor, int64_t milliseconds) {
    if (milliseconds < 0) {
        pthread_cond_wait(&monitor->condition, &monitor->mutex);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += (milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&monitor->condition, &monitor->mutex, &until);
}

void csystem_monitor_wait(csystem_monitor *monitor, int64_t milliseconds) {
    int cancellation = csystem_begin_uncancelled();
    wait_until(monitor, milliseconds);
    csystem_end_uncancelled(cancellation);
}

/* ---- threads ---- */

typedef struct start {
    void (*function)(void *);
    void (*end)(void *);
    void *context;
} start;

/* A key's destructor, which every thread's end runs: glibc's pthread_cleanup_push() needs functions of glibc's alone. */
static pthread_key_t thread_ends;
static bool has_thread_ends;

static void end_started(void *argument) {
    start *start = argument;
    start->end(start->context);
    free(start);
}

static void make_thread_ends(void) { has_thread_ends = pthread_key_create(&thread_ends, end_started) == 0; }

static void *begin_thread(void *argument) {
    start *start = argument;
    bool is_noted = pthread_setspecific(thread_ends, start) == 0;
    start->function(start->context);
    if (!is_noted) end_started(start);
    return NULL;
}

int csystem_thread_start(uintptr_t *thread_out, void (*function)(void *), void (*end)(void *), void *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_thread_ends);
    if (!has_thread_ends) return EAGAIN;
    start *argument = malloc(sizeof *argument);
    if (!argument) return ENOMEM;
    *argument = (start){function, end, context};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int result = pthread_create(&thread, NULL, begin_thread, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result != 0) free(argument);
    else *thread_out = (uintptr_t)thread;
    return result;
}

void csystem_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }
void csystem_thread_detach(uintptr_t thread) { pthread_detach((pthread_t)thread); }

/* ---- at a fork ---- */

static void unlock_until(const csystem_monitor *end) {
    for (csystem_monitor *monitor = list; monitor != end; monitor = monitor->next) pthread_mutex_unlock(&monitor->mutex);
}

/* Threads take them in many orders, and some while they hold the list's: so none is waited for with another in hand. */
void monitors_lock_all(void) {
    while (true) {
        pthread_mutex_lock(&list_mutex);
        if (pthread_mutex_trylock(&registry_mutex) == 0) {
            csystem_monitor *monitor = list;
            while (monitor && pthread_mutex_trylock(&monitor->mutex) == 0) monitor = monitor->next;
            if (!monitor) return;
            unlock_until(monitor);
            pthread_mutex_unlock(&registry_mutex);
        }
        pthread_mutex_unlock(&list_mutex);
        pause_shortly(50000);
    }
}

void monitors_unlock_all(void) {
    unlock_until(NULL);
    pthread_mutex_unlock(&registry_mutex);
    pthread_mutex_unlock(&list_mutex);
}

/* The conditions, too: their memory counts the parent's waiters, as looks count its threads. */
void monitors_renew_all(void) {
    for (csystem_monitor *monitor = list; monitor; monitor = monitor->next) {
        init(monitor);
        if (monitor->looks) memset(monitor->looks, 0, sizeof *monitor->looks);
    }
    pthread_mutex_init(&registry_mutex, NULL);
    pthread_mutex_init(&list_mutex, NULL);
}

/* ---- the registry ---- */

void csystem_registry_lock(void) { pthread_mutex_lock(&registry_mutex); }
void csystem_registry_unlock(void) { pthread_mutex_unlock(&registry_mutex); }
void **csystem_registry_slot(int which) { return &registry[which & 3]; }
