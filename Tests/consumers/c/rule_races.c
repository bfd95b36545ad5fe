/* Several processes, and threads, donate to rules that may fire once only, or so often: no more of them do, and no
 * fewer. Each fire is a line in a file. */
#include "program.h"

enum { process_count = 8, thread_count = 8 };
static int rounds;
static char path[64];

static void fire(const char *name, void *context) {
    (void)context;
    append_line("fired", name);
}

struct fires {
    uint64_t count;
};

static int see(const firsttime_trigger_record *record, void *context) {
    ((struct fires *)context)->count = record->count;
    return 0;
}

static uint64_t recorded(const char *name) {
    struct fires fires = {0};
    firsttime_store *store = open_with(path, 0);
    check(firsttime_find_trigger(store, name, see, &fires) >= 0);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return fires.count;
}

static void set(firsttime_store *store, const char *name, firsttime_rule_options options) {
    check_result(firsttime_set_rule(store, name, firsttime_rule_event_at_least("event", 1), fire, NULL, &options),
                 FIRSTTIME_OK);
}

/* Each rule in a way that lets it fire once, or three times. */
static void set_rules(firsttime_store *store, int number) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT, empty = options;
    options.frequency = firsttime_days(1);
    set(store, "elapsed", options);
    options.frequency = firsttime_calendar(1, FIRSTTIME_YEAR);
    set(store, "calendar", options);
    options = empty;
    options.limit = 1;
    set(store, "limit.1", options);
    options.limit = 3;
    set(store, "limit.3", options);
    /* Everybody's own rule, and a rest for all together. */
    options = empty;
    options.frequency = firsttime_days(1);
    options.throttle_name = "prompts";
    char own[32];
    snprintf(own, sizeof own, "prompt.%d", number);
    set(store, own, options);
    options = empty;
    options.limit = 1;
    options.delay_seconds = 0.001 * (number % 3 + 1);
    set(store, "delayed", options);
}

static void check_fires(int donors) {
    static const char *const once[] = {"elapsed", "calendar", "limit.1", "delayed"};
    for (size_t index = 0; index < sizeof once / sizeof *once; index++) {
        check(count_lines("fired", once[index]) == 1);
        check(recorded(once[index]) == 1);
    }
    check(count_lines("fired", "limit.3") == 3 && recorded("limit.3") == 3);
    int prompts = 0;
    for (int number = 0; number < donors; number++) {
        char own[32];
        snprintf(own, sizeof own, "prompt.%d", number);
        prompts += count_lines("fired", own);
        check(recorded(own) == (uint64_t)count_lines("fired", own));
    }
    check(prompts == 1 && recorded("prompts") == 1);
    check(unlink("fired") == 0);
}

static void donate(firsttime_store *store) {
    for (int index = 0; index < 4; index++) check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
}

/* ---- processes ---- */

static void donate_in_child(int number) {
    firsttime_store *store = open_with(path, FIRSTTIME_RELAXED);
    set_rules(store, number);
    donate(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- threads, with a handle for each or one for all ---- */

static firsttime_store *handles[thread_count];

static void *donate_in_thread(void *context) {
    pthread_barrier_wait(&barrier);
    donate(context);
    return NULL;
}

static void among_threads(int handle_count) {
    pthread_t threads[thread_count];
    for (int index = 0; index < handle_count; index++) {
        handles[index] = open_with(path, FIRSTTIME_RELAXED);
        set_rules(handles[index], index);
    }
    for (int index = 0; index < thread_count; index++) {
        check(pthread_create(&threads[index], NULL, donate_in_thread, handles[index % handle_count]) == 0);
    }
    for (int index = 0; index < thread_count; index++) check(pthread_join(threads[index], NULL) == 0);
    for (int index = 0; index < handle_count; index++) check_result(firsttime_close(handles[index]), FIRSTTIME_OK);
    check_fires(handle_count);
}

/* ---- killed in the middle: whoever comes next finds it fired, or fires it ---- */

static void kill_myself(const char *name, void *context) {
    fire(name, context);
    raise(SIGKILL);
}

static int die_in_trigger(const char *file) {
    firsttime_store *store = open_with(file, 0);
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.limit = 1;
    check_result(firsttime_set_rule(store, "limit.1", firsttime_rule_always(), kill_myself, NULL, &options),
                 FIRSTTIME_OK);
    firsttime_donate(store, "event");
    return 1;
}

static void killed(void) {
    strcpy(path, "killed");
    check(wait_for(spawn("die", path)) == 128 + SIGKILL);
    together(process_count, donate_in_child);
    check(count_lines("fired", "limit.1") == 1 && recorded("limit.1") == 1);
    check(count_lines("fired", "elapsed") == 1);
    check(unlink("fired") == 0);
}

/* Once in the process that forks: the first use of a Swift runtime's metadata, where there is one, must not be made by
 * two threads of a forked child, which would wait for each other for ever. */
static void warm_up(void) {
    strcpy(path, "warm");
    firsttime_store *store = open_with(path, FIRSTTIME_RELAXED);
    set_rules(store, 0);
    donate(store);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    check_fires(1);
}

/* With "processes" as its argument, only those. */
int main(int argc, char **argv) {
    alarm(240);
    check(pthread_barrier_init(&barrier, NULL, thread_count) == 0);
    if (argc == 3) return die_in_trigger(argv[2]);
    rounds = getenv("FIRSTTIME_QUICK") ? 6 : 25;
    warm_up();
    for (int round = 0; round < rounds; round++) {
        snprintf(path, sizeof path, "processes.%d", round);
        together(process_count, donate_in_child);
        check_fires(process_count);
    }
    if (argc == 2 && strcmp(argv[1], "processes") == 0) return 0;
    for (int round = 0; round < rounds; round++) {
        snprintf(path, sizeof path, "threads.%d", round);
        among_threads(round % 2 ? thread_count : 1);
    }
    killed();
    return 0;
}
