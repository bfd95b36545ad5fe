/* Forks around rules: inside conditions and triggers, with delayed rules and queued work pending, while threads donate.
 * What the parent had begun goes on in the parent, once; the child may donate, and has rules of its own. */
#include "program.h"

static firsttime_store *store;
static pid_t parent, child;

/* A fire, and in which of the two. */
static void fire(const char *name, void *context) {
    (void)context;
    char line[64];
    snprintf(line, sizeof line, "%s %s", name, getpid() == parent ? "parent" : "child");
    append_line("fired", line);
}

static int fires(const char *name, const char *where) {
    char line[64];
    snprintf(line, sizeof line, "%s %s", name, where);
    return count_lines("fired", line);
}

static int see(const firsttime_donations *donations, void *context) {
    *(uint64_t *)context = donations->count;
    return 0;
}

static uint64_t donations(const char *event) {
    uint64_t count = 0;
    check(firsttime_find_donations(store, event, see, &count) >= 0);
    return count;
}

static void set(const char *name, firsttime_rule *rule, firsttime_trigger trigger, double delay,
                firsttime_executor executor) {
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.delay_seconds = delay;
    options.executor = executor;
    check_result(firsttime_set_rule(store, name, rule, trigger, NULL, &options), FIRSTTIME_OK);
}

static void begin(void) {
    unlink("fired");
    unlink("store");
    unlink("store-journal");
    unlink("store-lock");
    parent = getpid();
    child = -1;
    store = open_store("store", NULL, 0);
}

static void end(void) { check_result(firsttime_close(store), FIRSTTIME_OK); }

/* ---- inside a condition, a trigger, an observer ---- */

static void fork_here(void) {
    child = fork();
    check(child >= 0);
    if (child == 0) {
        alarm(60);
        /* Still inside it: its own rule is not asked, the others are. */
        check_result(firsttime_donate(store, "child"), FIRSTTIME_OK);
        check_result(firsttime_close(store), FIRSTTIME_ERROR_REENTRANT);
        check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_ERROR_REENTRANT);
    } else {
        check(wait_for(child) == 0);
    }
}

static int forking_condition(void *context) {
    (void)context;
    fork_here();
    return 1;
}

static void forking_trigger(const char *name, void *context) {
    fire(name, context);
    fork_here();
}

static void run_at_once(void *queue, firsttime_work work, void *argument) {
    (void)queue;
    work(argument);
}

/* In the child the call ends with what the other process has to do; then the child goes on by itself. */
static void check_fork(const char *name, firsttime_result result) {
    if (child == 0) {
        check_result(result, FIRSTTIME_ERROR_FORKED);
        check_mentions("parent");
        check(fires("after", "child") == 1);
        check_result(firsttime_remove_rule(store, name), FIRSTTIME_OK);
        check_result(firsttime_donate(store, "child"), FIRSTTIME_OK);
        check(fires("before", "child") == 2 && fires("after", "child") == 2);
        check(donations("child") == 2 && donations("event") == 1);
        end();
        _exit(0);
    }
    check_result(result, FIRSTTIME_OK);
    check(fires("before", "parent") == 1 && fires("after", "parent") == 1);
    check(donations("event") == 1 && donations("child") == 2);
    end();
}

static void inside(int which) {
    begin();
    set("before", firsttime_rule_always(), fire, 0, NULL);
    switch (which) {
    case 0: set("forks", firsttime_rule_condition(forking_condition, NULL, NULL), fire, 0, NULL); break;
    case 1: set("forks", firsttime_rule_always(), forking_trigger, 0, NULL); break;
    case 2: set("forks", firsttime_rule_always(), forking_trigger, 0, run_at_once); break;
    case 3:
        set("forks", firsttime_rule_always(), NULL, 0, NULL);
        check_result(firsttime_observe(store, "forks", forking_trigger, NULL, NULL, NULL), FIRSTTIME_OK);
        check_result(firsttime_observe(store, "forks", fire, NULL, NULL, NULL), FIRSTTIME_OK);
        break;
    }
    set("after", firsttime_rule_always(), fire, 0, NULL);
    firsttime_result result = firsttime_donate(store, "event");
    if (child == 0) check(fires("before", "child") == 1);
    else check(fires("forks", "parent") == (which == 3 ? 2 : 1));
    check(fires("forks", "child") == 0);
    check_fork("forks", result);
}

/* A posted name: those who are to be told after the fork are told by the parent. */
static void inside_post(void) {
    begin();
    check_result(firsttime_observe(store, "name", forking_trigger, NULL, NULL, NULL), FIRSTTIME_OK);
    check_result(firsttime_observe(store, "name", fire, NULL, NULL, NULL), FIRSTTIME_OK);
    firsttime_result result = firsttime_post(store, "name");
    if (child == 0) {
        check_result(result, FIRSTTIME_ERROR_FORKED);
        check(fires("name", "child") == 0);
        end();
        _exit(0);
    }
    check_result(result, FIRSTTIME_OK);
    check(fires("name", "parent") == 2);
    end();
}

/* ---- with delayed rules pending ---- */

static void delayed(void) {
    begin();
    set("delayed", firsttime_rule_event_at_least("event", 1), fire, 0.1, NULL);
    set("hour", firsttime_rule_event_at_least("event", 1), fire, 3600, NULL);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    child = fork();
    check(child >= 0);
    if (child == 0) {
        /* None is pending here, and what the child donates has a thread of its own. */
        check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
        check(fires("delayed", "child") == 0);
        check_result(firsttime_remove_rule(store, "hour"), FIRSTTIME_OK);
        check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
        check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
        check(fires("delayed", "child") == 1);
        check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
        end();
        _exit(0);
    }
    check(wait_for(child) == 0);
    check_result(firsttime_remove_rule(store, "hour"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(fires("delayed", "parent") == 1 && fires("delayed", "child") == 1);
    end();
}

/* The timer's thread forks: it is the only one that the child has, and ends with its trigger. */
static void fork_on_timer(const char *name, void *context) {
    fire(name, context);
    child = fork();
    check(child >= 0);
    if (child == 0) {
        alarm(60);
        /* It would wait for its time in a thread that keeps the child alive. */
        check_result(firsttime_remove_rule(store, "later"), FIRSTTIME_OK);
        check_result(firsttime_donate(store, "child"), FIRSTTIME_OK);
        append_line("fired", "child has donated");
        return;
    }
    check(wait_for(child) == 0);
}

static int fork_on_timer_and_ask(void *context) {
    (void)context;
    if (donations("event") == 0 || gettid() == getpid()) return 1;
    fork_on_timer("condition", NULL);
    return 1;
}

static void on_timer(bool in_condition) {
    begin();
    if (in_condition) set("delayed", firsttime_rule_condition(fork_on_timer_and_ask, NULL, NULL), fire, 0.01, NULL);
    else set("delayed", firsttime_rule_event_at_least("event", 1), fork_on_timer, 0.01, NULL);
    set("later", firsttime_rule_event_at_least("event", 1), fire, 0.05, NULL);
    check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check(fires("delayed", "parent") == 1 && fires("later", "parent") == 1);
    check(fires("delayed", "child") == 0 && fires("later", "child") == 0);
    check(count_lines("fired", "child has donated") == 1);
    check(donations("child") == 1);
    end();
}

/* ---- with work in a queue ---- */

static struct {
    firsttime_work work;
    void *argument;
} queue[8];
static int queued;

static void keep(void *context, firsttime_work work, void *argument) {
    (void)context;
    check(queued < 8);
    queue[queued].work = work;
    queue[queued++].argument = argument;
}

static void run_queue(void) {
    while (queued > 0) {
        queued--;
        queue[queued].work(queue[queued].argument);
    }
}

static int releases;
static void release(void *context) {
    check(context == &releases);
    releases++;
}

static void queued_work(void) {
    begin();
    releases = 0;
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    options.executor = keep;
    options.release = release;
    check_result(firsttime_set_rule(store, "queued", firsttime_rule_always(), fire, &releases, &options), FIRSTTIME_OK);
    for (int index = 0; index < 3; index++) check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    check(queued == 3);
    child = fork();
    check(child >= 0);
    if (child == 0) {
        /* Once before the child has used the store, and once after. */
        queued--;
        queue[queued].work(queue[queued].argument);
        check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
        check(queued == 3);
        run_queue();
        check(fires("queued", "child") == 1);
        end();
        check(releases == 1);
        _exit(0);
    }
    check(wait_for(child) == 0);
    run_queue();
    check(fires("queued", "parent") == 3 && fires("queued", "child") == 1);
    check(releases == 0);
    end();
    check(releases == 1);
}

/* ---- while threads do everything else ---- */

static bool is_busy;

static void count_fire(const char *name, void *context) { (void)name, (void)context; }

static void *keep_busy(void *context) {
    int part = (int)(intptr_t)context;
    while (__atomic_load_n(&is_busy, __ATOMIC_ACQUIRE)) {
        firsttime_observer number;
        switch (part) {
        case 0: check_result(firsttime_donate(store, "busy"), FIRSTTIME_OK); break;
        case 1: set("busy", firsttime_rule_event_at_least("busy", 1), count_fire, 0.001, NULL); break;
        case 2:
            check_result(firsttime_observe(store, "name", count_fire, NULL, NULL, &number), FIRSTTIME_OK);
            check_result(firsttime_post(store, "name"), FIRSTTIME_OK);
            check_result(firsttime_remove_observer(store, number), FIRSTTIME_OK);
            break;
        }
    }
    return NULL;
}

static void while_busy(void) {
    begin();
    pthread_t threads[3];
    __atomic_store_n(&is_busy, true, __ATOMIC_RELEASE);
    for (intptr_t index = 0; index < 3; index++)
        check(pthread_create(&threads[index], NULL, keep_busy, (void *)index) == 0);
    int rounds = getenv("FIRSTTIME_QUICK") ? 10 : 60;
    for (int round = 0; round < rounds; round++) {
        child = fork();
        check(child >= 0);
        if (child == 0) {
            alarm(60);
            uint64_t before = donations("own");
            check_result(firsttime_donate(store, "own"), FIRSTTIME_OK);
            check(donations("own") == before + 1);
            set("busy", firsttime_rule_always(), count_fire, 0.001, NULL);
            check_result(firsttime_evaluate_rules(store), FIRSTTIME_OK);
            check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
            end();
            _exit(0);
        }
        check(wait_for(child) == 0);
    }
    check(donations("own") == (uint64_t)rounds);
    __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
    for (int index = 0; index < 3; index++) check(pthread_join(threads[index], NULL) == 0);
    end();
}

int main(void) {
    alarm(120);
    for (int which = 0; which < 4; which++) inside(which);
    inside_post();
    delayed();
    on_timer(false);
    on_timer(true);
    queued_work();
    while_busy();
    return 0;
}
