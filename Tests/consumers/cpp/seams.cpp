// Clocks and version providers from C++: what they throw, how long they live, and who may call them.
#include "check.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

using firsttime::errc;
using firsttime::time_point;

static void clocks() {
    auto life = std::make_shared<int>(0);
    firsttime::store store(in_memory());
    store.set_clock([life] { return time_point(1000s); });
    check(life.use_count() == 2);
    store.mark("key");
    check(store.last_execution("key") == time_point(1000s));

    // What a clock throws passes through the call that asked, before anything ran.
    store.set_clock([]() -> time_point { throw 5; });
    check(life.use_count() == 1);
    check(throws(5, [&] { store.mark("other"); }));
    check(throws(5, [&] { store.execute_once("other", [] { std::abort(); }); }));
    check(throws(5, [&] { store.begin("other"); }));
    check(!store.was_executed("other"));

    // After `first` the run is recorded all the same, with the time before it.
    bool has_run = false;
    store.set_clock([&, life] {
        if (has_run) throw 6;
        return time_point(2000s);
    });
    check(throws(6, [&] { store.execute_once("recorded", [&] { has_run = true; }); }));
    check(store.last_execution("recorded") == time_point(2000s));
    has_run = false;
    auto claim = store.begin("claimed");
    store.set_clock([]() -> time_point { throw 7; });
    check(throws(7, [&] { claim->commit(); }));
    store.set_clock(nullptr);
    check(store.is_due("new") && life.use_count() == 1);
    store.set_clock([life] { return time_point(); });
    {
        firsttime::store other(std::move(store));
        check(life.use_count() == 2);
    }
    check(life.use_count() == 1);
    store.set_clock([life] { return time_point(); });
    check(life.use_count() == 1);
}

static void versions() {
    auto options = in_memory();
    options.app_version = "1.0";
    firsttime::store store(options);
    std::optional<std::string> version = "2.0";
    store.set_version_provider([&] { return version; });
    store.mark("key");
    check(store.find("key")->last_version == "2.0");
    version.reset();
    store.mark("key");
    check(!store.find("key")->last_version && store.find("key")->first_version == "2.0");
    store.set_version_provider([] { return "a literal"; });
    store.mark("key");
    check(store.find("key")->last_version == "a literal");
    store.set_version_provider([]() -> std::string { throw 8; });
    check(throws(8, [&] { store.execute_once_per_version("key", [] { std::abort(); }); }));
    store.set_version_provider([] { return std::string("a\0b", 3); });
    check_error(errc::argument, [&] { store.execute_once_per_version("key", [] { std::abort(); }); });
    store.set_version_provider(nullptr);
    store.mark("key");
    check(store.find("key")->last_version == "1.0");

    store.set_version_provider([] { return std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())); });
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; index++) {
        threads.emplace_back([&, index] {
            auto mine = std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id()));
            for (int round = 0; round < 100; round++) {
                store.mark(std::to_string(index));
                check(store.find(std::to_string(index))->last_version == mine);
            }
        });
    }
    for (auto &thread : threads) thread.join();
}

// An exception that no call of this header's waits for ends the program.
static void nobody_waits() {
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        firsttime::store store(in_memory());
        store.set_clock([]() -> time_point { throw 5; });
        firsttime_mark(store.c(), "key");
        _exit(0);
    }
    int status = 0;
    check(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main() {
    clocks();
    versions();
    nobody_waits();
    return 0;
}
