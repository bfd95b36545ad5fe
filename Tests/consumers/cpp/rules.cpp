// Events, rules, triggers and observers from C++: what they take and give, how long callables live, what they throw.
#include "check.hpp"

#include <mutex>
#include <thread>

using firsttime::errc;
using firsttime::interval;
using firsttime::rule;
using firsttime::time_point;

static time_point now;

static firsttime::store store_in_2023() {
    auto options = in_memory();
    options.app_version = "1.9";
    firsttime::store store(options);
    now = time_point(1700000000s);
    store.set_clock([] { return now; });
    return store;
}

// Whether a rule holds.
static bool holds(firsttime::store &store, rule asked) {
    bool fired = false;
    store.set_rule("asked", std::move(asked), [&] { fired = true; });
    store.evaluate_rules();
    store.remove_rule("asked");
    return fired;
}

static void events() {
    auto store = store_in_2023();
    check(!store.find_donations("saved"));
    store.donate("saved");
    now += 1h;
    store.donate("saved");
    store.donate("opened");
    auto saved = store.find_donations("saved");
    check(saved->event == "saved" && saved->count == 2 && saved->last_time == now && saved->first_time == now - 1h);
    check(saved->first_version == "1.9" && saved->last_version == "1.9");
    std::string names;
    check(!store.each_donations([&](const firsttime::donations &each) { names += each.event + " "; }));
    check(names == "opened saved ");
    check(store.each_donations([&](auto &&) { return false; }));
    store.reset_donations("saved");
    check(!store.find_donations("saved") && store.find_donations("opened"));
    store.reset_all_donations();
    check(!store.find_donations("opened"));
}

static void terms() {
    auto store = store_in_2023();
    store.donate("saved");
    store.donate("saved");
    now += 1h;
    check(holds(store, rule::always()) && !holds(store, rule::never()));
    check(holds(store, !rule::never()) && !holds(store, !rule::always()));
    check(holds(store, rule::always() && rule::always()) && !holds(store, rule::always() && rule::never()));
    check(holds(store, rule::never() || rule::always()) && !holds(store, rule::never() || rule::never()));
    check(holds(store, rule::all_of()) && !holds(store, rule::any_of()) && holds(store, rule::none_of()));
    check(!holds(store, rule::none_of(rule::never(), rule::always())));
    check(holds(store, rule::at_least(2, rule::always(), rule::never(), rule::always())));
    std::vector<rule> three;
    for (int index = 0; index < 3; index++) three.push_back(rule::always());
    check(!holds(store, rule::at_least(4, std::move(three))));
    check(holds(store, rule::event_at_least("saved", 2)) && !holds(store, rule::event_at_least("saved", 3)));
    check(holds(store, rule::event_within("saved", 1h)) && !holds(store, rule::event_within("saved", 59min)));
    check(holds(store, rule::event_not_within("saved", 59min)) && !holds(store, rule::event_not_within("saved", 1h)));
    check(holds(store, rule::version_at_least("1.10")) == false && holds(store, rule::version_at_least("1.9.0")));
    check(holds(store, rule::first_seen_in_current_version("saved")));

    auto life = std::make_shared<int>(0);
    check(holds(store, rule::condition([life] { return true; })));
    check(holds(store, rule::event("saved", [life](const firsttime::donations &saved) { return saved.count == 2; })));
    {
        auto condition = rule::condition([life] { return true; });
        auto unused = std::move(condition) && rule::event("saved", [life](auto &&) { return true; });
        check(life.use_count() == 3);
        check(unused.text().find("condition(\"saved\")") != std::string::npos);
    }
    check(life.use_count() == 1);

    auto parsed = rule::parse("event(\"saved\") >= 2 && !never");
    auto text = parsed.text();
    check(rule::parse(text).text() == text && holds(store, std::move(parsed)));
    check_error(errc::argument, [] { rule::parse("event("); });
    check_error(errc::argument, [] { rule::event_at_least("", 1); });
    check_error(errc::argument, [] { rule::event_within("saved", -1s); });
    check_error(errc::argument, [&] {
        auto moved = rule::condition([life] { return true; });
        auto other = std::move(moved);
        (void)(std::move(moved) && std::move(other));
    });
    check(life.use_count() == 1);
    check(firsttime::version_compare("1.10", "1.9") > 0 && firsttime::version_compare("1.0", "1.0.0") == 0);
}

static void triggers() {
    auto store = store_in_2023();
    auto life = std::make_shared<int>(0);
    std::string fired;
    firsttime::rule_options options;
    options.frequency = 24h;
    options.limit = 2;
    store.set_rule("prompt", rule::always(), [&, life](std::string_view name) { fired += name; }, options);
    check(store.is_rule_registered("prompt") && !store.is_rule_registered("other") && life.use_count() == 2);
    for (int index = 0; index < 2; index++) store.donate("started");
    check(fired == "prompt" && store.find_trigger("prompt")->count == 1);
    check(store.find_trigger("prompt")->name == "prompt" && store.find_trigger("prompt")->last_time == now);
    for (int index = 0; index < 3; index++) {
        now += 25h;
        store.donate("started");
    }
    check(fired == "promptprompt");
    store.reset_trigger("prompt");
    store.evaluate_rules();
    check(fired == "promptpromptprompt");
    store.reset_all_triggers();
    check(!store.find_trigger("prompt"));

    store.set_rule("second", rule::never());
    std::string names;
    check(!store.each_rule([&](std::string_view name) { names += name; }) && names == "promptsecond");
    store.set_rule("prompt", rule::never());
    check(life.use_count() == 1);

    options = {};
    options.throttle_name = "prompts";
    options.frequency = interval::daily();
    int count = 0;
    for (auto name : {"one", "two"}) store.set_rule(name, rule::always(), [&] { count++; }, options);
    store.evaluate_rules();
    check(count == 1 && store.find_trigger("prompts")->count == 1);
    for (auto name : {"one", "two", "second", "prompt"}) store.remove_rule(name);

    // What fails to be set is destroyed.
    check_error(errc::argument, [&] { store.set_rule("", rule::always(), [life] {}); });
    options.frequency = -1s;
    auto condition = rule::condition([life] { return true; });
    check_error(errc::argument, [&] { store.set_rule("wrong", std::move(condition), [life] {}, options); });
    check_error(errc::argument, [&] { store.set_rule(std::string_view("a\0b", 3), rule::always(), [life] {}); });
    check(life.use_count() == 1);
}

static void exceptions() {
    auto store = store_in_2023();
    store.set_rule("throws", rule::always(), [] { throw 5; });
    check(throws(5, [&] { store.donate("event"); }));
    check(store.find_donations("event")->count == 1 && store.find_trigger("throws")->count == 1);
    store.set_rule("throws", rule::condition([]() -> bool { throw 6; }), [] { std::abort(); });
    check(throws(6, [&] { store.evaluate_rules(); }));
    store.set_rule("throws", rule::event("event", [](auto &&) -> bool { throw 7; }), [] { std::abort(); });
    check(throws(7, [&] { store.evaluate_rules(); }));
    store.remove_rule("throws");
    auto observer = store.observe("posted", [] { throw 8; });
    check(throws(8, [&] { store.post("posted"); }));
}

static void delays_and_executors() {
    firsttime::store store(in_memory());
    auto life = std::make_shared<int>(0);
    std::thread::id here = std::this_thread::get_id(), there;
    firsttime::rule_options options;
    options.delay = 5ms;
    store.set_rule("later", rule::always(), [&, life] { there = std::this_thread::get_id(); }, options);
    store.donate("event");
    store.wait_for_delayed_rules();
    check(there != std::thread::id() && there != here);
    store.remove_rule("later");

    std::vector<std::function<void()>> queue;
    options = {};
    options.executor = [&, life](auto work) { queue.push_back(std::move(work)); };
    int fired = 0;
    store.set_rule("queued", rule::always(), [&, life] { fired++; }, options);
    store.donate("event");
    check(fired == 0 && queue.size() == 1);
    queue[0]();
    check(fired == 1);
    store.set_rule("queued", rule::always(), [] { throw 4; }, options);
    store.donate("event");
    check(throws(4, [&] { queue[1](); }));
    store.donate("event");
    store.remove_rule("queued");
    queue[2](); // frees itself only
    check(fired == 1);
    options.executor = [](auto work) {
        work();
        throw 3;
    };
    store.set_rule("queued", rule::always(), [&] { fired++; }, options);
    check(throws(3, [&] { store.donate("event"); }) && fired == 2);
    store.close();
    options = {};
    check(life.use_count() == 1);
}

static void observers() {
    auto store = store_in_2023();
    auto life = std::make_shared<int>(0);
    std::string told;
    {
        auto first = store.observe("name", [&, life](std::string_view name) { told += name; });
        auto second = store.observe("name", [&] { told += "!"; });
        store.post("name");
        store.post("other");
        check(told == "name!" && life.use_count() == 2);
        second.remove();
        store.set_rule("name", rule::always());
        store.donate("event");
        check(told == "name!name");
        firsttime::observer moved(std::move(first));
        first = std::move(moved);
        first = store.observe("name", [] {});
        check(life.use_count() == 1);
    }
    store.post("name");
    check(told == "name!name");
    firsttime::observer outlives = store.observe("name", [life] {});
    store.close();
    check(life.use_count() == 1);
    check_error(errc::argument, [&] { outlives = store.observe("name", [life] {}); });
    check(life.use_count() == 1);
}

int main() {
    events();
    terms();
    triggers();
    exceptions();
    delays_and_executors();
    observers();
    return 0;
}
