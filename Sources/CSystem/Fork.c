/* Fork: what a forked child needs to go on: mutexes that nobody holds, none of the parent's descriptors, and a sign that
 * it is a child. The child's own renewal is Swift's affair, at its first call. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t csystem_fork_count, csystem_renewed_count;
static uintptr_t forking_thread;

/* ---- the table of open descriptors: a byte for each number ---- */

static pthread_mutex_t descriptors_mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *is_open;
static size_t capacity;

void descriptors_lock(void) { pthread_mutex_lock(&descriptors_mutex); }
void descriptors_unlock(void) { pthread_mutex_unlock(&descriptors_mutex); }

_Bool descriptors_add(int descriptor) {
    size_t number = (size_t)descriptor;
    if (number >= capacity) {
        size_t larger = (number + 1) * 2;
        unsigned char *table = realloc(is_open, larger);
        if (!table) return 0;
        memset(table + capacity, 0, larger - capacity);
        is_open = table;
        capacity = larger;
    }
    is_open[number] = 1;
    return 1;
}

void descriptors_remove(int descriptor) {
    if ((size_t)descriptor < capacity) is_open[descriptor] = 0;
}

/* ---- the handlers ---- */

static void before_fork(void) {
    monitors_lock_all();
    descriptors_lock();
    zone_lock();
}

static void in_parent(void) {
    zone_unlock();
    descriptors_unlock();
    monitors_unlock_all();
}

/* Closes and never unlocks: a lock belongs to the open file, which the parent has, too. It must happen here and not at
 * the child's first call, which may never come: until then the child would hold what a killed parent held. */
static void in_child(void) {
    for (size_t number = 0; number < capacity; number++) {
        if (is_open[number]) close((int)number);
        is_open[number] = 0;
    }
    zone_renew();
    pthread_mutex_init(&descriptors_mutex, NULL);
    monitors_renew_all();
    forking_thread = csystem_thread();
    __atomic_store_n(&csystem_fork_count, csystem_fork_count + 1, __ATOMIC_RELEASE);
}

static void install(void) { pthread_atfork(before_fork, in_parent, in_child); }

void csystem_install_fork_handlers(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void csystem_set_renewed_generation(uint32_t generation) {
    __atomic_store_n(&csystem_renewed_count, generation, __ATOMIC_RELEASE);
}

uintptr_t csystem_forking_thread(void) { return forking_thread; }
