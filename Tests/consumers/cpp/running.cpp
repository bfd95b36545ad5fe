// Running from C++: what callables may be, return and throw; claims; owners that move; threads; a forked child.
#include "check.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

using firsttime::errc;
using firsttime::outcome;

static int count_calls = 0;
static void count_call() { count_calls++; }
static int fail_as_in_c() { return 7; }

struct destroyed {
    bool &flag;
    ~destroyed() { flag = true; }
};

static void callables() {
    firsttime::store store(in_memory());
    check(store.execute_once("function", count_call) == outcome::ran);
    check(store.execute_once("function", count_call, count_call) == outcome::ran_after);
    check(store.execute_once("function", count_call) == outcome::not_due);
    check(count_calls == 2);

    auto number = std::make_unique<int>(3);
    int seen = 0;
    check(store.execute_once("move-only", [&, number = std::move(number)] { seen = *number; }) == outcome::ran);
    check(seen == 3);
    auto changing = [calls = 0]() mutable { return ++calls == 2; };
    check_error(errc::callback, [&] { store.execute_once("bool", changing); });
    check(!store.was_executed("bool"));
    check(store.execute_once("bool", changing) == outcome::ran);
    const auto zero = [] { return 0L; };
    check(store.execute_once("zero", zero) == outcome::ran);
    check_error(errc::callback, [&] { store.execute_once("number", fail_as_in_c); });
    check_error(errc::callback, [&] { store.execute_once("wide", [] { return 0x100000000L; }); });
    check(!store.was_executed("number") && !store.was_executed("wide"));
    check(store.execute_once("number", [] {}) == outcome::ran);
    check_error(errc::callback, [&] { store.execute_once("number", [] {}, fail_as_in_c); });
    check(store.execute_once("nothing", nullptr) == outcome::not_due);
    check(store.execute_once("nothing", nullptr, count_call) == outcome::not_due);
    check(!store.was_executed("nothing"));
}

static void exceptions() {
    firsttime::store store(in_memory());
    check(throws(7, [&] { store.execute_once("key", [] { throw 7; }); }));
    check(!store.was_executed("key"));
    check(throws(8, [&] { store.execute_once("key", [] {}, [] { throw 8; }) == outcome::ran ? throw 8 : throw 9; }));
    check(throws(std::string("after"), [&] { store.execute_once("key", [] {}, [] { throw std::string("after"); }); }));
    check(store.find("key")->count == 1);

    bool was_destroyed = false;
    check(throws(1, [&] {
        store.execute_once("unwound", [&] {
            destroyed local{was_destroyed};
            throw 1;
        });
    }));
    check(was_destroyed);

    // Calls inside of calls: each failure and exception is its own call's.
    check(throws(2, [&] {
        store.execute_once("outer", [&] {
            check(throws(1, [&] { store.execute_once("inner", [] { throw 1; }); }));
            check_error(errc::argument, [&] { store.mark(""); });
            check_error(errc::reentrant, [&] { store.execute_once("outer", [] {}); });
            throw 2;
        });
    }));
    check(store.execute_once("outer", [&] {
        check(throws(1, [&] { store.execute_once("inner", [] { throw 1; }); }));
    }) == outcome::ran);
    check_error(errc::argument, [&] { store.execute_once("passes", [&] { store.mark(""); }); });

    firsttime::policy at_most_once;
    at_most_once.at_most_once = true;
    check(throws(3, [&] { store.execute("careful", at_most_once, [] { throw 3; }); }));
    check(!store.was_executed("careful"));
    check(store.execute("careful", at_most_once, [] {}) == outcome::ran);
}

static void policies() {
    auto options = in_memory();
    options.app_version = "1.0";
    firsttime::store store(options);
    auto ran = [&](outcome result) { return result == outcome::ran; };
    check(ran(store.execute_once_per_version("version", [] {})));
    check(!ran(store.execute_once_per_version("version", [] {})));
    check(ran(store.execute_once_per_interval("interval", 24h, [] {})));
    check(!ran(store.execute_once_per_interval("interval", firsttime::interval::daily(), [] {})));
    firsttime::policy policy;
    policy.per_interval = 30min;
    policy.per_version = policy.no_wait = true;
    check(ran(store.execute("both", policy, [] {})) && !ran(store.execute("both", policy, [] {})));
    policy.baseline = true;
    check(store.execute("seen", policy, [] { std::abort(); }) == outcome::baselined);
    check(!store.begin("also seen", policy) && store.was_executed("also seen"));
}

static void claims() {
    firsttime::policy no_wait;
    no_wait.no_wait = true;
    firsttime::store store(in_memory());
    {
        auto claim = store.begin("key");
        check(claim.has_value());
        check_error(errc::reentrant, [&] { store.begin("key"); });
        std::thread([&] { check_error(errc::busy, [&] { store.begin("key", no_wait); }); }).join();
    }
    check(!store.was_executed("key"));
    check(throws(5, [&] {
        auto claim = store.begin("key");
        throw 5;
    }));
    auto claim = store.begin("key");
    auto moved = std::move(*claim);
    claim.reset();
    std::thread([&] { moved.commit(); }).join();
    check(store.was_executed("key") && !store.begin("key"));
    check_error(errc::argument, [&] { moved.commit(); });
    auto other = store.begin("other");
    other->abandon();
    other->abandon();
    check(store.is_due("other"));

    auto late = store.begin("late");
    store.close();
    check_error(errc::not_recorded, [&] { late->commit(); });
    check_error(errc::argument, [&] { store.begin("key"); });
    store.close();
}

static void owners() {
    {
        firsttime::store first(at("owners")), second(std::move(first));
        check_error(errc::argument, [&] { first.mark("key"); });
        check(first.path().empty() && !first.c());
        second.mark("key");
        first = std::move(second);
        check(first.was_executed("key") && first.path().back() == 's' && first.c());
        first.flush();
        check_error(errc::reentrant, [&] { first.execute_once("close", [&] { first.close(); }); });
        check(first.execute_once("close", [&] {}) == outcome::ran);
    }
    auto options = at("owners");
    options.read_only = true;
    options.wait = 0ms;
    firsttime::store store(options);
    check(store.count() == 2);
    check_error(errc::read_only, [&] { store.execute_once("new", [] { std::abort(); }); });

    setenv("XDG_STATE_HOME", "/dev/null", 1);
    check_error(errc::io, [] { firsttime::store::shared().mark("key"); });
    std::string directory(4096, 0);
    check(getcwd(directory.data(), directory.size()));
    setenv("XDG_STATE_HOME", (directory.c_str() + std::string("/state")).c_str(), 1);
    firsttime::store::shared().mark("key");
    firsttime::store::shared().close();
    check(firsttime::store::shared().was_executed("key"));
    check(firsttime::store::shared().c() == firsttime_shared());
    firsttime::store defaults;
    check(defaults.was_executed("key") && defaults.path() == firsttime::store::shared().path());
    options = {};
    options.app_id = "org.example.app";
    options.run_if_unwritable = options.recover = true;
    options.wait = std::chrono::milliseconds::max();
    options.utc_offset = 90min;
    options.first_weekday = 7;
    check(firsttime::store(options).path().find("/org.example.app/") != std::string::npos);
    options.utc_offset = std::chrono::minutes::max();
    check_error(errc::argument, [&] { firsttime::store store(options); });
}

static void strings() {
    using namespace std::string_view_literals;
    firsttime::store store(in_memory());
    store.mark("key and more"sv.substr(0, 3));
    check(store.was_executed("key") && store.records()[0].key == "key");
    check_error(errc::argument, [&] { store.mark("key\0more"sv); });
    check_error(errc::argument, [&] { store.was_executed("\0"sv); });
    check_error(errc::argument, [&] { store.mark("\xff"); });
    check_error(errc::argument, [&] {
        firsttime::options options;
        options.path = std::string("a\0b", 3);
        firsttime::store store(options);
    });
    firsttime::error error(errc::busy, "words");
    check(std::string_view(error.name()) == "FIRSTTIME_ERROR_BUSY" && std::string_view(error.what()) == "words");
    auto result = firsttime::attempt([&] { return store.count(); });
    check(result && result.value() == 1);
    check(throws(4, [] { firsttime::attempt([] { throw 4; }); }));
    auto failed = firsttime::attempt([&] { return store.was_executed(""); });
    try {
        failed.value();
        check(false);
    } catch (firsttime::error &thrown) { check(thrown.code() == errc::argument); }
}

static void threads() {
    firsttime::store store(at("threads"));
    std::atomic<int> runs = 0, thrown = 0;
    std::vector<std::thread> threads;
    for (int index = 0; index < 8; index++) {
        threads.emplace_back([&] {
            for (int key = 0; key < 50; key++) store.execute_once(std::to_string(key), [&] { runs++; });
            try {
                store.execute_once("thrown", [&] { throw 1; });
            } catch (int) { thrown++; }
        });
    }
    for (auto &thread : threads) thread.join();
    check(runs == 50 && thrown == 8 && store.count() == 50);
}

static void forked() {
    firsttime::store store(at("forked"));
    pid_t child = 0;
    try {
        store.execute_once("key", [&] { child = fork(); });
        check(child > 0);
    } catch (firsttime::error &error) { _exit(error.code() == errc::forked && child == 0 ? 0 : 1); }
    int status = -1;
    check(waitpid(child, &status, 0) == child && status == 0);
    check(store.find("key")->count == 1);
}

int main() {
    alarm(120);
    callables();
    exceptions();
    policies();
    claims();
    owners();
    strings();
    threads();
    forked();
    check(std::string_view(firsttime::library_version()) == firsttime_library_version());
    return 0;
}
