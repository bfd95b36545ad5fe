// A callback, condition, trigger or observer left by a C++ exception, which passes through the library: as one left by
// longjmp(). Objects that need no Swift runtime can't be unwound: there the program ends, as one does whose exception
// nobody catches.
#include <firsttime.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

#include "../check.h"

static firsttime_store *store;

static int throw_number(void *) { throw 7; }

static int throw_in_visitor(const firsttime_record *, void *) { throw 8; }

// Rules: what is called throws, or counts.
static bool throws;
static int asked, fired, later;

static int throw_in_condition(void *) {
    asked++;
    if (throws) throw 9;
    return 1;
}

static void throw_in_trigger(const char *, void *) {
    fired++;
    if (throws) throw 10;
}

static void count_later(const char *, void *) { later++; }

static bool donate_throws() {
    try {
        check_result(firsttime_donate(store, "event"), FIRSTTIME_OK);
    } catch (int) {
        return true;
    }
    return false;
}

static void check_rules(int which) {
    asked = fired = later = 0;
    firsttime_rule *rule =
        which == 0 ? firsttime_rule_condition(throw_in_condition, nullptr, nullptr) : firsttime_rule_always();
    check_result(firsttime_set_rule(store, "rule", rule, which == 2 ? nullptr : throw_in_trigger, nullptr, nullptr),
                 FIRSTTIME_OK);
    firsttime_observer observer;
    check_result(firsttime_observe(store, "rule", throw_in_trigger, nullptr, nullptr, &observer), FIRSTTIME_OK);
    check_result(firsttime_set_rule(store, "rule.later", firsttime_rule_always(), count_later, nullptr, nullptr),
                 FIRSTTIME_OK);
    throws = true;
    for (int round = 0; round < 10; round++) check(donate_throws());
    std::thread([] { check(donate_throws()); }).join();
    check(later == 0 && (which == 0 ? asked : fired) == 11);
    throws = false;
    check(!donate_throws());
    std::thread([] { check(!donate_throws()); }).join();
    check(later == 2 && fired == (which == 0 ? 2 : 13));
    check_result(firsttime_wait_for_delayed_rules(store), FIRSTTIME_OK);
    check_result(firsttime_remove_rule(store, "rule"), FIRSTTIME_OK);
    check_result(firsttime_remove_rule(store, "rule.later"), FIRSTTIME_OK);
    check_result(firsttime_remove_observer(store, observer), FIRSTTIME_OK);
}

static void check_throws(const char *key) {
    bool caught = false;
    try {
        firsttime_execute_once(store, key, throw_number, nullptr, nullptr);
    } catch (int number) {
        caught = number == 7;
    }
    check(caught);
}

static firsttime_result begin_in_thread(const char *key) {
    firsttime_result result = FIRSTTIME_OK;
    std::thread([&] {
        firsttime_claim *claim;
        result = firsttime_begin(store, key, nullptr, &claim);
        if (result == FIRSTTIME_ERROR_BUSY) check(std::strstr(firsttime_last_error(), "thread") != nullptr);
        firsttime_abandon(claim);
    }).join();
    return result;
}

// Tries it in a child.
static bool can_be_unwound() {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
        fclose(stderr);
        check_throws("child");
        _exit(0);
    }
    int status = 0;
    check(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) check(WTERMSIG(status) == SIGABRT);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int, char **arguments) {
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = "store";
    options.wait_ms = 100;
    check_result(firsttime_open(&options, &store), FIRSTTIME_OK);
    bool is_embedded = std::strstr(arguments[0], ".embedded") != nullptr;
    check(can_be_unwound() == !is_embedded);
    check_result(begin_in_thread("child"), FIRSTTIME_DUE);
    if (is_embedded) {
        check_result(firsttime_close(store), FIRSTTIME_OK);
        return 0;
    }

    check_throws("key");
    check_result(begin_in_thread("key"), FIRSTTIME_ERROR_BUSY);
    check_result(firsttime_was_executed(store, "key"), FIRSTTIME_NO);
    check_result(begin_in_thread("key"), FIRSTTIME_DUE);

    std::thread([] { check_throws("thread"); }).join();
    check_result(begin_in_thread("thread"), FIRSTTIME_DUE);

    for (int which = 0; which < 3; which++) check_rules(which);

    check_result(firsttime_mark(store, "marked"), FIRSTTIME_OK);
    bool caught = false;
    try {
        firsttime_find(store, "marked", throw_in_visitor, nullptr);
    } catch (int) {
        caught = true;
    }
    check(caught);
    check_result(firsttime_close(store), FIRSTTIME_OK);
    return 0;
}
