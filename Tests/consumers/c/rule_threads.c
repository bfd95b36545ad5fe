/* Sixteen threads donate, set and remove rules and observers, post, ask, wait for delayed rules, and at last close, all
 * at once. Each context is used only while it is there, and released once. */
#include "program.h"

enum { thread_count = 16, name_count = 6 };
static firsttime_store *store;
static int alive;

/* ---- contexts: whoever uses one finds it whole ---- */

struct context {
    int users, is_released;
};
static int made, released, uses;

static struct context *make_context(void) {
    struct context *context = calloc(1, sizeof *context);
    check(context != NULL);
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    return context;
}

static void use(struct context *context) {
    __atomic_add_fetch(&context->users, 1, __ATOMIC_RELAXED);
    check(!__atomic_load_n(&context->is_released, __ATOMIC_RELAXED));
    __atomic_add_fetch(&uses, 1, __ATOMIC_RELAXED);
}

static void end_use(struct context *context) {
    check(!__atomic_load_n(&context->is_released, __ATOMIC_RELAXED));
    __atomic_sub_fetch(&context->users, 1, __ATOMIC_RELEASE);
}

/* The memory goes, so that a sanitizer sees a use that comes later. */
static void release(void *pointer) {
    struct context *context = pointer;
    check(__atomic_load_n(&context->users, __ATOMIC_ACQUIRE) == 0);
    check(!__atomic_exchange_n(&context->is_released, 1, __ATOMIC_RELAXED));
    __atomic_add_fetch(&released, 1, __ATOMIC_RELAXED);
    free(context);
}

/* ---- what is called ---- */

static int condition(void *context) {
    use(context);
    end_use(context);
    return 1;
}

static int event_condition(const firsttime_donations *donations, void *context) {
    use(context);
    bool answer = donations->count > 0 && donations->last_time >= donations->first_time;
    end_use(context);
    return answer;
}

static void trigger(const char *name, void *context) {
    use(context);
    check(strlen(name) > 0);
    end_use(context);
}

/* One that calls the library for more of the same. */
static void busy_trigger(const char *name, void *context) {
    use(context);
    check_result(firsttime_donate(store, "inside"), FIRSTTIME_OK);
    firsttime_result posted = firsttime_post(store, name);
    check(posted == FIRSTTIME_OK || posted == FIRSTTIME_ERROR_REENTRANT); /* too deep inside others */
    check_result(firsttime_remove_rule(store, "rule.1"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_ERROR_REENTRANT);
    check_result(firsttime_close(store), FIRSTTIME_ERROR_REENTRANT);
    end_use(context);
}

/* ---- an executor: a thread of its own, which may be late; what comes after all is over only frees itself ---- */

struct job {
    firsttime_work work;
    void *argument;
    struct job *next;
};
static pthread_mutex_t jobs_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct job *jobs;
static bool is_queue_open = true;

static void queue_job(void *queue, firsttime_work work, void *argument) {
    check(queue == &jobs);
    struct job *job = malloc(sizeof *job);
    check(job != NULL);
    pthread_mutex_lock(&jobs_mutex);
    *job = (struct job){work, argument, jobs};
    jobs = job;
    pthread_mutex_unlock(&jobs_mutex);
}

static bool run_one_job(void) {
    pthread_mutex_lock(&jobs_mutex);
    struct job *job = jobs;
    if (job) jobs = job->next;
    pthread_mutex_unlock(&jobs_mutex);
    if (!job) return false;
    job->work(job->argument);
    free(job);
    return true;
}

static void *run_jobs(void *unused) {
    (void)unused;
    while (__atomic_load_n(&is_queue_open, __ATOMIC_ACQUIRE)) {
        if (!run_one_job()) pause_ms(1);
    }
    return NULL;
}

/* ---- the threads ---- */

static firsttime_rule *make_rule(unsigned *seed) {
    firsttime_rule *parts[] = {
        firsttime_rule_event("event.0", event_condition, make_context(), release),
        firsttime_rule_condition(condition, make_context(), release),
        firsttime_rule_parse("event(\"event.1\") >= 2 || donated(\"event.2\") within 1 day"),
    };
    if (rand_r(seed) % 2) return firsttime_rule_all_of(parts, 3);
    return firsttime_rule_any_of(parts, 3);
}

/* Now and then one that is refused: what it was given is released all the same. */
static void set_one(unsigned *seed) {
    char name[32];
    snprintf(name, sizeof name, "rule.%d", rand_r(seed) % name_count);
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.release = release;
    int kind = rand_r(seed) % 8;
    if (kind == 1) options.delay_seconds = 0.001;
    if (kind == 2) options.delay_seconds = 3600;
    if (kind == 3 || kind == 4) options.executor = queue_job, options.queue = &jobs;
    if (kind == 4) options.delay_seconds = 0.0005;
    if (kind == 5) options.frequency = firsttime_elapsed(0.01, FIRSTTIME_SECOND), options.throttle_name = "shared";
    if (kind == 6) options.limit = 5;
    if (kind == 7) options.delay_seconds = -1;
    firsttime_trigger what = rand_r(seed) % 4 == 0 ? NULL : rand_r(seed) % 4 == 0 ? busy_trigger : trigger;
    firsttime_result result = firsttime_set_rule(store, name, make_rule(seed), what, make_context(), &options);
    check(result == (kind == 7 ? FIRSTTIME_ERROR_ARGUMENT : FIRSTTIME_OK));
}

static int count_names(const char *name, void *context) {
    check(strncmp(name, "rule.", 5) == 0);
    ++*(int *)context;
    return 0;
}

static void ask(unsigned *seed) {
    char name[32];
    snprintf(name, sizeof name, "rule.%d", rand_r(seed) % name_count);
    int count = 0;
    check_result(firsttime_each_rule(store, count_names, &count), FIRSTTIME_NO);
    check(count <= name_count);
    check(firsttime_is_rule_registered(store, name) >= 0);
    check(firsttime_find_trigger(store, name, NULL, NULL) >= 0);
    check_result(firsttime_evaluate_rules(store), FIRSTTIME_OK);
}

static void observe(unsigned *seed) {
    char name[32];
    firsttime_observer numbers[4];
    for (int index = 0; index < 4; index++) {
        snprintf(name, sizeof name, "rule.%d", rand_r(seed) % name_count);
        check_result(firsttime_observe(store, name, trigger, make_context(), release, &numbers[index]), FIRSTTIME_OK);
        check_result(firsttime_post(store, name), FIRSTTIME_OK);
    }
    /* The others go with the store. */
    for (int index = 0; index < 4; index++) {
        if (rand_r(seed) % 8) check_result(firsttime_remove_observer(store, numbers[index]), FIRSTTIME_OK);
    }
}

static void act(int part, unsigned *seed) {
    char name[32];
    switch (part % 8) {
    case 0:
    case 1:
    case 2:
        snprintf(name, sizeof name, "event.%d", rand_r(seed) % 3);
        check_result(firsttime_donate(store, name), FIRSTTIME_OK);
        break;
    case 3:
    case 4: set_one(seed); break;
    case 5:
        snprintf(name, sizeof name, "rule.%d", rand_r(seed) % name_count);
        if (rand_r(seed) % 2) check_result(firsttime_remove_rule(store, name), FIRSTTIME_OK);
        else check_result(firsttime_reset_trigger(store, name), FIRSTTIME_OK);
        break;
    case 6: observe(seed); break;
    case 7: ask(seed); break;
    }
}

static void *run(void *context) {
    int part = (int)(intptr_t)context;
    unsigned seed = (unsigned)part;
    pthread_barrier_wait(&barrier);
    while (__atomic_load_n(&alive, __ATOMIC_ACQUIRE)) act(part, &seed);
    return NULL;
}

/* Waits for the delayed rules, again and again, while some of them wait for an hour: until their rule is replaced, or
 * the store is closed. */
static void *wait_long(void *unused) {
    (void)unused;
    while (__atomic_load_n(&alive, __ATOMIC_ACQUIRE)) {
        check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
        pause_ms(1);
    }
    return NULL;
}

/* ---- closing ---- */

static int in_long_trigger;

static void long_trigger(const char *name, void *context) {
    use(context);
    __atomic_store_n(&in_long_trigger, 1, __ATOMIC_RELEASE);
    pause_ms(30);
    check_result(firsttime_donate(store, name), FIRSTTIME_OK);
    end_use(context);
}

static void *donate_long(void *unused) {
    (void)unused;
    check_result(firsttime_donate(store, "event.0"), FIRSTTIME_OK);
    return NULL;
}

static void *wait_for_close(void *unused) {
    (void)unused;
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    return NULL;
}

/* Closes while a trigger runs on a donating thread, or on the timer's, another thread waits for the delayed rules, one
 * of which has an hour to go, and work lies in the queue. */
static void close_in_the_middle(double delay) {
    pthread_t threads[2];
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.release = release;
    options.executor = queue_job;
    options.queue = &jobs;
    check_result(firsttime_set_rule(store, "rule.queued", firsttime_rule_always(), trigger, make_context(), &options),
                 FIRSTTIME_OK);
    options.executor = NULL;
    options.delay_seconds = 3600;
    check_result(firsttime_set_rule(store, "rule.hour", firsttime_rule_always(), trigger, make_context(), &options),
                 FIRSTTIME_OK);
    options.delay_seconds = delay;
    check_result(
        firsttime_set_rule(store, "rule.long", firsttime_rule_always(), long_trigger, make_context(), &options),
        FIRSTTIME_OK);
    __atomic_store_n(&in_long_trigger, 0, __ATOMIC_RELEASE);
    check(pthread_create(&threads[0], NULL, donate_long, NULL) == 0);
    while (!__atomic_load_n(&in_long_trigger, __ATOMIC_ACQUIRE)) pause_ms(1);
    check(pthread_create(&threads[1], NULL, wait_for_close, NULL) == 0);
    pause_ms(5);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    for (int index = 0; index < 2; index++) check(pthread_join(threads[index], NULL) == 0);
}

/* ---- removed from inside, by its own condition: it doesn't fire, now or later ---- */

static int remove_myself(void *context) {
    use(context);
    check_result(firsttime_remove_rule(store, "rule.inside"), FIRSTTIME_OK);
    end_use(context);
    return 1;
}

static void must_not_fire(const char *name, void *context) {
    (void)name, (void)context;
    check(!"a rule fires that was removed");
}

static void removed_inside(double delay) {
    store = open_with("", FIRSTTIME_IN_MEMORY);
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.release = release;
    options.delay_seconds = delay;
    firsttime_rule *rule = firsttime_rule_condition(remove_myself, make_context(), release);
    check_result(firsttime_set_rule(store, "rule.inside", rule, must_not_fire, make_context(), &options), FIRSTTIME_OK);
    check_result(firsttime_donate(store, "event.0"), FIRSTTIME_OK);
    check(released == made);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check_result(firsttime_find_trigger(store, "rule.inside", NULL, NULL), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

/* ---- */

static void all_at_once(const char *path, uint32_t flags, long milliseconds) {
    pthread_t threads[thread_count], waiter;
    store = open_with(path, flags);
    alive = 1;
    for (intptr_t index = 0; index < thread_count; index++) {
        check(pthread_create(&threads[index], NULL, run, (void *)index) == 0);
    }
    check(pthread_create(&waiter, NULL, wait_long, NULL) == 0);
    pause_ms(milliseconds);
    __atomic_store_n(&alive, 0, __ATOMIC_RELEASE);
    for (int index = 0; index < thread_count; index++) check(pthread_join(threads[index], NULL) == 0);
    /* It may wait for one that has an hour to go. */
    char name[32];
    for (int index = 0; index < name_count; index++) {
        snprintf(name, sizeof name, "rule.%d", index);
        check_result(firsttime_remove_rule(store, name), FIRSTTIME_OK);
    }
    check(pthread_join(waiter, NULL) == 0);
    close_in_the_middle(0);
    store = open_with(path, flags);
    close_in_the_middle(0.001);
}

int main(void) {
    alarm(240);
    bool is_quick = getenv("FIRSTTIME_QUICK") != NULL;
    pthread_t queue;
    removed_inside(0);
    removed_inside(3600);
    check(pthread_barrier_init(&barrier, NULL, thread_count) == 0);
    check(pthread_create(&queue, NULL, run_jobs, NULL) == 0);
    all_at_once("relaxed", FIRSTTIME_RELAXED, is_quick ? 300 : 2000);
    all_at_once("durable", 0, is_quick ? 200 : 1000);
    all_at_once("", FIRSTTIME_IN_MEMORY, is_quick ? 200 : 1000);
    __atomic_store_n(&is_queue_open, false, __ATOMIC_RELEASE);
    check(pthread_join(queue, NULL) == 0);
    /* What comes after the close keeps nothing alive for long. */
    while (run_one_job()) {}
    check(uses > 0 && made > 0);
    check(released == made);
    return 0;
}
