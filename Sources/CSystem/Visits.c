/* Visits: the library's calls that this thread is inside, outermost first, and where on its stack each of them stands. A
 * call that was left by longjmp() or an exception never says so: its place on the stack tells. */
#define _GNU_SOURCE
#include "CSystem.h"
#include "Internal.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct visit {
    uint64_t number;
    uintptr_t frame;
    void *place;
} visit;

static THREAD_LOCAL struct {
    visit *entries;
    size_t count, capacity;
    uint64_t last;
    bool is_announced;
} visits;

static pthread_key_t ending;
static bool has_ending;
static void (*thread_end)(void);

static void end_thread(void *unused) {
    (void)unused;
    visits.is_announced = false;
    if (thread_end) thread_end();
    free(visits.entries);
    visits.entries = NULL;
    visits.count = visits.capacity = 0;
}

static void make_key(void) { has_ending = pthread_key_create(&ending, end_thread) == 0; }

void csystem_on_thread_end(void (*function)(void)) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    __atomic_store_n(&thread_end, function, __ATOMIC_RELEASE);
    pthread_once(&once, make_key);
}

__attribute__((noinline)) uintptr_t csystem_frame(void) { return (uintptr_t)__builtin_frame_address(0); }

__attribute__((noinline)) void csystem_use(void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

uint64_t csystem_visit_enter(uintptr_t frame, void *place) {
    if (!visits.is_announced && has_ending) visits.is_announced = pthread_setspecific(ending, &visits) == 0;
    if (visits.count == visits.capacity) {
        size_t capacity = visits.capacity ? visits.capacity * 2 : 8;
        visit *entries = realloc(visits.entries, capacity * sizeof *entries);
        if (!entries) abort(); /* Swift's own allocations end the same way */
        visits.entries = entries;
        visits.capacity = capacity;
    }
    visits.entries[visits.count++] = (visit){++visits.last, frame, place};
    return visits.last;
}

size_t csystem_visit_count(void) { return visits.count; }
uint64_t csystem_visit_number(void) { return visits.count ? visits.entries[visits.count - 1].number : 0; }
uintptr_t csystem_visit_frame(void) { return visits.count ? visits.entries[visits.count - 1].frame : UINTPTR_MAX; }
void *csystem_visit_leave(void) { return visits.count ? visits.entries[--visits.count].place : NULL; }

bool csystem_visit_is_open(uint64_t number) {
    for (size_t index = visits.count; index > 0; index--) {
        if (visits.entries[index - 1].number <= number) return visits.entries[index - 1].number == number;
    }
    return false;
}
