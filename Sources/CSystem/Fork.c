/* Fork: what a forked child needs to go on: mutexes that nobody holds, none of the parent's descriptors, and a sign that
 * it is a child. The child's own renewal is Swift's affair, at its first call. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint32_t csystem_fork_count, csystem_renewed_count;
static uintptr_t forking_thread;

/* ---- the table of open descriptors: by number, which file it was ---- */

struct opened {
    dev_t device;
    ino_t inode;
    _Bool is_open;
};
static pthread_mutex_t descriptors_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct opened *opened;
static size_t capacity;

/* The host program may have closed it behind our back, and opened something else at its number. */
static _Bool is_ours(size_t number) {
    struct stat status;
    if (number >= capacity || !opened[number].is_open) return 0;
    if (fstat((int)number, &status) != 0) return errno != EBADF;
    return status.st_dev == opened[number].device && status.st_ino == opened[number].inode;
}

void descriptors_lock(void) { pthread_mutex_lock(&descriptors_mutex); }
void descriptors_unlock(void) { pthread_mutex_unlock(&descriptors_mutex); }

int descriptors_add(int descriptor) {
    size_t number = (size_t)descriptor;
    if (number >= capacity) {
        size_t larger = (number + 1) * 2;
        struct opened *table = realloc(opened, larger * sizeof *table);
        if (!table) return -ENOMEM;
        memset(table + capacity, 0, (larger - capacity) * sizeof *table);
        opened = table;
        capacity = larger;
    }
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -errno;
    opened[number] = (struct opened){status.st_dev, status.st_ino, 1};
    return 0;
}

_Bool descriptors_remove(int descriptor) {
    _Bool result = is_ours((size_t)descriptor);
    if ((size_t)descriptor < capacity) opened[descriptor].is_open = 0;
    return result;
}

bool csystem_is_ours(int descriptor) {
    descriptors_lock();
    bool result = is_ours((size_t)descriptor);
    descriptors_unlock();
    return result;
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
        if (is_ours(number)) close((int)number);
        opened[number].is_open = 0;
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
