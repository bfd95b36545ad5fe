// Asking, marking, interval keys, times and imports from C++. FT_IMPORT is the directory of Tests/Fixtures/import.
#include "check.hpp"

#include <cstring>

using firsttime::errc;
using firsttime::interval;
using firsttime::time_point;
using firsttime::unit;

static time_point now = time_point(1700000000s) + 250ms;

static firsttime::store store_in_2023() {
    auto options = in_memory();
    options.app_version = "1.0";
    options.utc_offset = 0min;
    firsttime::store store(options);
    store.set_clock([] { return now; });
    return store;
}

static firsttime::policy every(interval length) {
    firsttime::policy policy;
    policy.per_interval = length;
    return policy;
}

static void records() {
    auto store = store_in_2023();
    check(!store.find("a") && store.count() == 0 && store.records().empty() && !store.last_execution("a"));
    for (auto key : {"b.2", "a", "b.1"}) store.mark(key);
    auto record = store.find("b.1");
    check(record->key == "b.1" && record->count == 1 && record->last_time == now && record->first_time == now);
    check(record->last_version == "1.0" && record->first_version == "1.0");
    check(store.last_execution("a") == now);
    check(store.count() == 3 && store.count("b.") == 2);
    auto all = store.records();
    check(all.size() == 3 && all[0].key == "a" && all[1].key == "b.1" && all[2].key == "b.2");
    check(store.records("b.").size() == 2);

    // Visitors go on after nothing, true and 0.
    int seen = 0;
    check(!store.each("", [&](const firsttime::record &) { seen++; }) && seen == 3);
    check(!store.each("", [&](firsttime::record) { return ++seen != 0; }) && seen == 6);
    check(!store.each("", [&](auto &&) { return ++seen, 0; }) && seen == 9);
    check(store.each("", [&](auto &&) { return ++seen, false; }) && seen == 10);
    check(store.each("", [&](auto &&) { return ++seen; }) && seen == 11);
    check(throws(6, [&] { store.each("b", [&](auto &&) { throw 6; }); }));
    const auto counts = [&](auto &&) { seen++; };
    check(!store.each("b", counts) && seen == 13);

    check(store.reset_key("a") && !store.reset_key("a"));
    store.reset_prefix("b.2");
    check(store.count() == 1);
    check_error(errc::argument, [&] { store.reset_prefix(""); });
    store.reset();
    check(store.count() == 0);
}

static void intervals() {
    auto store = store_in_2023(); // Tuesday, 14 November 2023, 22:13:20.25
    const auto before = now;
    check(store.is_due("key") && store.next_due("key") == now);
    store.mark("key");
    check(!store.is_due("key") && !store.next_due("key"));
    struct {
        interval length;
        time_point due;
    } table[] = {
        {24h, now + 24h},
        {std::chrono::duration<double>(0.5), now + 500ms},
        {interval::days(0.5), now + 12h},
        {interval::elapsed(3, unit::minute), now + 3min},
        {interval::calendar(1, unit::month), now + 30 * 24h},
        {interval::calendar(1, unit::quarter), now + 92 * 24h},
        {interval::hourly(), time_point(1700002800s)},
        {interval::daily(), time_point(1700006400s)},
        {interval::weekly(), time_point(1700438400s)},
        {interval::monthly(), time_point(1701388800s)},
        {interval::quarterly(), time_point(1704067200s)},
        {interval::yearly(), time_point(1704067200s)},
        {interval::period(40, unit::second), time_point(1700000040s)},
        {interval::period(1e5, unit::year), time_point::max()},
    };
    for (auto &[length, due] : table) {
        now = before;
        check(!store.is_due("key", every(length)) && store.next_due("key", every(length)) == due);
        now = due;
        if (due != time_point::max()) check(store.is_due("key", every(length)));
        now = due - 1us;
        if (due != time_point::max()) check(!store.is_due("key", every(length)));
    }
    now = before;
    for (auto wrong : {interval(0s), interval(-1s), interval::days(NAN), interval::elapsed(1, unit::month),
                       interval::calendar(0.5, unit::day)})
        check_error(errc::argument, [&] { store.is_due("key", every(wrong)); });

    check(store.should_run("prompt", 24h));
    store.mark_run("prompt");
    store.mark_run("other");
    check(!store.should_run("prompt", interval::monthly()) && store.was_executed("interval.prompt"));
    check(store.reset_interval("prompt") && !store.reset_interval("prompt"));
    store.reset_all_intervals();
    check(store.should_run("other", 24h) && store.was_executed("key"));
}

// Every time that system_clock can hold comes back as it was, to the resolution of what is recorded.
static void times() {
    auto store = store_in_2023();
    time_point usual = time_point(1700000000s) + 123456us, early = time_point(-5s) + 1ms, late(4102444800s);
    for (auto time : {usual, early, late, time_point()}) {
        now = time;
        store.mark("key");
        auto difference = *store.last_execution("key") - time;
        check(difference < 1us && difference > -1us);
        check(!store.is_due("key", every(1ms)));
        check(store.next_due("key", every(1h)) > time);
    }
}

static void imports() {
    std::string directory = getenv("FT_IMPORT");
    auto store = store_in_2023();
    firsttime::import_options options;
    options.dry_run = true;
    auto report = store.import_archive(directory + "/three_plain.bplist", options);
    check(report.records_added == 3 && report.format == firsttime::format::archive && store.count() == 0);
    check(store.import_archive(directory + "/three_plain.xml.plist").format == firsttime::format::archive_xml);
    check(store.count() == 3 && store.find("onboarding")->count == 0 && !store.find("onboarding")->first_time);
    check(store.find("onboarding")->last_time == time_point(1678307200s) + 125ms);
    store.reset();

    int skipped = 0, progress = 0;
    options = {};
    options.format = firsttime::format::defaults;
    options.intervals = {{"reviewPrompt", interval::monthly()}, {"missing", interval::daily()}};
    options.skipped = [&](std::uint64_t, std::string_view why) { skipped += !why.empty(); };
    options.progress = [&](std::uint64_t done, std::uint64_t total) { progress += done <= total; };
    report = store.import_archive(directory + "/preferences.plist", options);
    check(report.records_added >= 3 && report.skipped == static_cast<std::uint64_t>(skipped) && progress > 0);
    options.progress = [](auto...) { throw 9; };
    check(throws(9, [&] { store.import_archive(directory + "/preferences.plist", options); }));
    options.progress = nullptr;
    options.format = firsttime::format::archive;
    check_error(errc::corrupt, [&] { store.import_archive(directory + "/preferences.plist", options); });

    check_error(errc::corrupt, [&] { store.import_bytes(""); });
    check_error(errc::corrupt, [&] { store.import_bytes("bplist00"); });
    check_error(errc::io, [&] { store.import_archive("missing"); });
}

int main() {
    records();
    intervals();
    times();
    imports();
    return 0;
}
