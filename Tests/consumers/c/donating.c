/* Donations from everywhere at once: each that was acknowledged is counted, and no other, whoever else donates, and no
 * count is ever seen to go back. */
#include "program.h"

static const char *path = "store";
static uint32_t flags;
static int donations;
static bool is_quick;

struct seen {
    uint64_t count;
    double first, last;
    char first_version[32], last_version[32];
};

static int see(const firsttime_donations *donated, void *context) {
    struct seen *seen = context;
    seen->count = donated->count;
    seen->first = donated->first_time;
    seen->last = donated->last_time;
    check(!donated->first_version || strlen(donated->first_version) < sizeof seen->first_version);
    strcpy(seen->first_version, donated->first_version ? donated->first_version : "");
    strcpy(seen->last_version, donated->last_version ? donated->last_version : "");
    return 0;
}

static struct seen look(firsttime_store *store, const char *event) {
    struct seen seen = {0};
    check(firsttime_find_donations(store, event, see, &seen) >= 0);
    return seen;
}

/* Donates, and looks now and then: what it donated itself is among what it sees. */
static void donate(firsttime_store *store, const char *event) {
    uint64_t before = look(store, event).count;
    for (int index = 0; index < donations; index++) {
        check_result(firsttime_donate(store, event), FIRSTTIME_OK);
        if (index % 64 != 0) continue;
        uint64_t count = look(store, event).count;
        check(count > before && count > (uint64_t)index);
        before = count;
    }
}

static void check_count(uint64_t count) {
    firsttime_store *store = open_with(path, 0);
    struct seen seen = look(store, "event");
    check(seen.count == count);
    check(seen.first <= seen.last);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- processes ---- */

static void donate_in_child(int number) {
    (void)number;
    firsttime_store *store = open_with(path, flags);
    donate(store, "event");
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void among_processes(int count) {
    together(count, donate_in_child);
    check_count((uint64_t)count * (uint64_t)donations);
}

/* ---- threads, with two handles ---- */

enum { thread_count = 8 };
static firsttime_store *handles[2];

static void *donate_in_thread(void *context) {
    int number = (int)(intptr_t)context;
    pthread_barrier_wait(&barrier);
    donate(handles[number % 2], "event");
    /* And one that nobody else donates. */
    char own[32];
    snprintf(own, sizeof own, "own.%d", number);
    donate(handles[number % 2], own);
    check(look(handles[0], own).count == (uint64_t)donations);
    return NULL;
}

static void among_threads(void) {
    pthread_t threads[thread_count];
    check(pthread_barrier_init(&barrier, NULL, thread_count) == 0);
    for (int index = 0; index < 2; index++) handles[index] = open_with(path, flags);
    for (intptr_t index = 0; index < thread_count; index++) {
        check(pthread_create(&threads[index], NULL, donate_in_thread, (void *)index) == 0);
    }
    for (int index = 0; index < thread_count; index++) check(pthread_join(threads[index], NULL) == 0);
    check(look(handles[1], "event").count == (uint64_t)thread_count * (uint64_t)donations);
    for (int index = 0; index < 2; index++) check_result(firsttime_close(handles[index]), FIRSTTIME_OK);
    check_count((uint64_t)thread_count * (uint64_t)donations);
}

/* ---- what is remembered beside the count ---- */

/* The first donation's time and version stay, whoever donates later. */
static void donate_with_version(int number) {
    char version[32];
    snprintf(version, sizeof version, "2.%d", number);
    firsttime_store *store = open_store("versions", version, 0);
    double now = start + 100 + number;
    firsttime_set_clock(store, read_clock, &now, NULL);
    for (int index = 0; index < 20; index++) check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

static void first_and_last(void) {
    firsttime_store *store = open_store("versions", "1.0", 0);
    double now = start;
    firsttime_set_clock(store, read_clock, &now, NULL);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    together(4, donate_with_version);
    struct seen seen = look(store, "event");
    check(seen.count == 81);
    check(seen.first == start && strcmp(seen.first_version, "1.0") == 0);
    check(seen.last >= start + 100 && seen.last <= start + 103);
    check(seen.last_version[2] - '0' == (int)(seen.last - start - 100));
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- resets meanwhile: nothing is counted twice ---- */

static void donate_or_reset(int number) {
    firsttime_store *store = open_with("resets", FIRSTTIME_RELAXED);
    for (int index = 0; index < donations; index++) {
        if (number == 0) check_result(firsttime_reset_donations(store, index % 2 ? "event" : NULL), FIRSTTIME_OK);
        else check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
        if (number != 0) check(look(store, "event").count <= 2 * (uint64_t)donations);
    }
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* With "processes" as its argument, only those. */
int main(int argc, char **argv) {
    is_quick = getenv("FIRSTTIME_QUICK") != NULL;
    alarm(240);
    flags = FIRSTTIME_RELAXED;
    donations = is_quick ? 400 : 10000;
    among_processes(2);
    path = "durable";
    flags = 0;
    donations = is_quick ? 40 : 200;
    among_processes(4);
    if (argc > 1 && strcmp(argv[1], "processes") == 0) return 0;
    path = "threads";
    donations = is_quick ? 20 : 200;
    among_threads();
    path = "threads.relaxed";
    flags = FIRSTTIME_RELAXED;
    among_threads();
    first_and_last();
    together(3, donate_or_reset);
    return 0;
}
