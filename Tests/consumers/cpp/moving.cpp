// Copies of a store, dumps, verification and repair from C++. FT_IMPORT is the directory of Tests/Fixtures/import.
#include "check.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

using firsttime::errc;
using firsttime::format;

static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    check(file.is_open());
    return {std::istreambuf_iterator<char>(file), {}};
}

static bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

static std::string written;
static void keep(std::string_view part) { written += part; }

static void exports() {
    firsttime::store store(at("store"));
    for (auto key : {"a", "b"}) store.mark(key);
    store.donate("opened");
    for (auto each : {format::any, format::archive, format::archive_xml, format::defaults}) {
        auto bytes = store.export_bytes(each);
        firsttime::store copy(in_memory());
        auto report = copy.import_bytes(bytes);
        check(report.records_added == 2 && report.format == (each == format::any ? format::archive : each));
        check(copy.export_bytes(format::json) == store.export_bytes(format::json));
        store.export_file("copy", each);
        check(contents("copy") == bytes && firsttime::verify(bytes).empty());
    }
    auto json = store.export_bytes(format::json);
    check(has(json, "\"key\": \"b\"") && has(json, "\"name\": \"opened\""));
    check_error(errc::argument, [&] { store.import_bytes(json, {format::json}); });
    check_error(errc::argument, [&] { store.export_bytes(format::rulekit); });
    check_error(errc::argument, [&] { store.export_file("store"); });
    check_error(errc::argument, [&] { store.export_file(std::string("a\0b", 3)); });
    check_error(errc::io, [&] { store.export_file("missing/copy"); });

    // Writers go on after nothing, true and 0, and may be functions; one that fails or throws ends it.
    store.export_to(keep, format::json);
    store.export_to([&](auto part) { return written += part, true; }, format::json);
    store.export_to([&](std::string_view part) { return written += part, 0; }, format::json);
    check(written == json + json + json);
    check_error(errc::callback, [&] { store.export_to([](auto) { return false; }); });
    check(throws(4, [&] { store.export_to([](auto) { throw 4; }); }));
    store.export_to([&](auto) { store.mark("inside"); });
    check(store.was_executed("inside"));
    store.close();
    check_error(errc::argument, [&] { store.export_bytes(); });
}

static void dumps(const std::string &archive) {
    auto text = firsttime::dump(archive), json = firsttime::dump(archive, {true});
    check(has(text, "\"onboarding\" => ") && has(json, "\"onboarding\": {") && json[0] == '{');
    check(has(firsttime::dump(archive, {false, true}), "\"$objects\" => "));
    check(has(firsttime::dump(archive, {true, true}), "\"$objects\": ["));
    written.clear();
    firsttime::dump(archive, {}, keep);
    check(written == text);
    check_error(errc::callback, [&] { firsttime::dump(archive, {}, [](auto) { return 1; }); });
    check(throws(5, [&] { firsttime::dump(archive, {}, [](auto) { throw 5; }); }));
    check_error(errc::corrupt, [] { firsttime::dump("bplist00"); });
    check_error(errc::corrupt, [] { firsttime::dump({}); });
}

static void verification(const std::string &archive, std::string xml) {
    check(firsttime::verify(archive).empty() && firsttime::verify(archive, [](auto &&) { std::abort(); }));
    for (std::size_t at; (at = xml.find("<key>lastTime")) != xml.npos;) xml.replace(at, 13, "<key>lostTime");
    auto problems = firsttime::verify(xml);
    check(problems.size() == 3 && problems[0].offset > 1 && !problems[0].text.empty());
    int told = 0;
    check(!firsttime::verify(xml, [&](const firsttime::problem &) { told++; }) && told == 3);
    check(!firsttime::verify(xml, [&](auto &&) { return ++told, false; }) && told == 4);
    check(throws(6, [&] { firsttime::verify(xml, [](auto &&) { throw 6; }); }));
    check(firsttime::verify("").size() == 1 && firsttime::verify("bplist00").size() == 1);

    auto newer = std::string("<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict>");
    auto sound = contents(std::string(getenv("FT_IMPORT")) + "/three_plain.xml.plist");
    sound.insert(sound.find("<key>$archiver"), newer);
    check_error(errc::format, [&] { firsttime::verify(sound); });
}

static void damage(const char *path) {
    struct stat status;
    check(stat(path, &status) == 0 && truncate(path, status.st_size - 40) == 0);
    check_error(errc::corrupt, [&] { firsttime::store store(at(path)); });
}

static void repair() {
    { firsttime::store(at("mine")).mark("key"); }
    check(!firsttime::repair("mine", [](auto &&) { std::abort(); }) && !firsttime::repair("mine"));
    damage("mine");
    auto before = contents("mine");
    check(!firsttime::repair("mine", [](auto &&) { return false; }));
    check(throws(7, [] { firsttime::repair("mine", [](auto &&) { throw 7; }); }));
    check(contents("mine") == before);
    std::string told;
    check(firsttime::repair("mine", [&](const firsttime::problem &problem) { told += problem.text + '\n'; }));
    check(has(told, ".corrupt-") && has(told, "1 record saved"));
    {
        firsttime::store store(at("mine"));
        check(store.was_executed("key"));
        check_error(errc::busy, [] { firsttime::repair("mine"); });
    }
    damage("mine");
    check(firsttime::repair("mine"));
    check_error(errc::io, [] { firsttime::repair("missing"); });
    check_error(errc::argument, [] { firsttime::repair(std::string_view("a\0b", 3)); });
}

int main() {
    std::string directory = getenv("FT_IMPORT");
    auto archive = contents(directory + "/three_plain.bplist");
    exports();
    dumps(archive);
    verification(archive, contents(directory + "/three_plain.xml.plist"));
    repair();
    return 0;
}
