/**
 * @file firsttime.hpp
 *
 * FirstTime for C++17 and later: firsttime.h with owners, callables, chrono and exceptions. Header-only; link the same
 * library. It decides nothing: firsttime.h is the manual, and every function here has its name there.
 *
 *     firsttime::store store({.app_id = "org.example.app", .app_version = "2.1"});   // C++20's way to name options
 *     store.execute_once("onboarding.v1", [] { std::puts("Welcome!"); });
 *
 * CALLABLES run on the calling thread, inside the call, and may be move-only. Returning nothing, `true` or 0 means
 * done: record it, or, in a visitor or writer, go on. Returning `false` or any other number means failed: record
 * nothing, or, in a visitor or writer, stop; a call whose writer stopped is errc::callback. What a callable throws
 * passes through unchanged, once the library has returned; a run that threw is not recorded. On a thread of the
 * library's own, or when C code made the call, nobody could catch it: there std::terminate() is called, as in
 * std::thread.
 *
 * FAILURES are thrown as firsttime::error. For code that would rather look than catch, firsttime::attempt() turns any
 * call into a value.
 *
 * STRINGS are UTF-8. They are copied, so that they needn't end with a NUL; one that holds a NUL is errc::argument.
 *
 * TIMES are system_clock's. What it can't hold, beyond the year 2262 on most systems, becomes its first or last time.
 *
 * THREADS: a store and a claim may be used from any thread, as in firsttime.h; moving or destroying them, as with any
 * object, while no other thread uses them. A callable that stays in a store (a clock, a trigger, an observer) is
 * called by any thread that makes a call, and destroyed by the one that uses it last.
 */
#ifndef FIRSTTIME_HPP
#define FIRSTTIME_HPP

#include <firsttime.h>

#if __cplusplus < 201703L
#error "firsttime.hpp needs C++17; firsttime.h works with every C++"
#elif !defined(__cpp_exceptions)
#error "firsttime.hpp needs exceptions; firsttime.h works without"
#endif

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace firsttime {

using time_point = std::chrono::system_clock::time_point;

/* ---- failures ---- */

/// Why a call failed: FIRSTTIME_ERROR_ARGUMENT and the others. What each means to a function is in firsttime.h.
enum class errc {
    argument = FIRSTTIME_ERROR_ARGUMENT,
    io = FIRSTTIME_ERROR_IO,
    corrupt = FIRSTTIME_ERROR_CORRUPT,
    format = FIRSTTIME_ERROR_FORMAT,
    busy = FIRSTTIME_ERROR_BUSY,
    reentrant = FIRSTTIME_ERROR_REENTRANT,
    callback = FIRSTTIME_ERROR_CALLBACK,
    read_only = FIRSTTIME_ERROR_READ_ONLY,
    not_recorded = FIRSTTIME_ERROR_NOT_RECORDED,
    forked = FIRSTTIME_ERROR_FORKED
};

/// A call that failed: what() says in words what could not be done, with which file, and why.
class error : public std::runtime_error {
public:
    error(errc code, const std::string &message) : std::runtime_error(message), code_(code) {}
    errc code() const noexcept { return code_; }
    /// "FIRSTTIME_ERROR_BUSY" and the like.
    const char *name() const noexcept { return firsttime_result_name(static_cast<firsttime_result>(code_)); }

private:
    errc code_;
};

/// What a call gave, or the error it failed with. See attempt().
template <class Value> class result {
public:
    result(Value value) : content_(std::in_place_index<0>, std::move(value)) {}
    result(class error failure) : content_(std::in_place_index<1>, std::move(failure)) {}
    explicit operator bool() const noexcept { return content_.index() == 0; }
    /// Throws the error when there is no value.
    Value &value() {
        if (auto *failure = std::get_if<1>(&content_)) throw *failure;
        return *std::get_if<0>(&content_);
    }
    /// The error; only when there is no value.
    const class error &error() const { return std::get<1>(content_); }

private:
    std::variant<Value, class error> content_;
};

/// Calls `function`, and gives its result or firsttime::error as a value. Other exceptions pass through.
///
///     auto ran = firsttime::attempt([&] { return store.execute_once("key", work); });
///     if (!ran && ran.error().code() == firsttime::errc::busy) ...
template <class Function> auto attempt(Function &&function) {
    using value = std::invoke_result_t<Function>;
    using content = std::conditional_t<std::is_void_v<value>, std::monostate, value>;
    try {
        if constexpr (std::is_void_v<value>) {
            std::forward<Function>(function)();
            return result<content>(content());
        } else {
            return result<content>(std::forward<Function>(function)());
        }
    } catch (error &failure) { return result<content>(std::move(failure)); }
}

/* ---- how calls are made: nothing here is for users ---- */

namespace detail {

/// A string for C. Lives as long as the call that it is an argument of.
class text {
public:
    text(std::string_view view) : bytes_(view) {
        if (view.find('\0') != view.npos) throw error(errc::argument, "a string holds a NUL byte");
    }
    operator const char *() const noexcept { return bytes_.c_str(); }

private:
    std::string bytes_;
};

inline const char *c_str_or_null(const std::optional<text> &text) {
    return text ? static_cast<const char *>(*text) : nullptr;
}

inline std::optional<text> text_unless_empty(std::string_view view) {
    return view.empty() ? std::nullopt : std::optional<text>(view);
}

inline std::optional<std::string> string(const char *text) {
    return text ? std::optional<std::string>(text) : std::nullopt;
}

/// One call of the library by this thread: what a callable throws inside of it waits here until the library has
/// returned. Calls nest, since callables may call.
class call {
public:
    call() noexcept : outer_(innermost()) { innermost() = this; }
    ~call() { innermost() = outer_; }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    /// The library's answer; throws what a callable threw, or the failure.
    template <class Answer> Answer checked(Answer answer) {
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        if (answer < 0) throw error(static_cast<errc>(answer), firsttime_last_error());
        return answer;
    }

    /// Runs a callable on the library's behalf; gives `if_thrown` when it throws.
    template <class Answer, class Body> static Answer guard(Answer if_thrown, Body &&body) {
        try {
            return body();
#ifdef __GLIBCXX__
        } catch (abi::__forced_unwind &) {
            throw; // pthread_exit() and cancellation, which may not be stopped
#endif
        } catch (...) {
            if (!innermost()) std::terminate();
            if (!innermost()->thrown_) innermost()->thrown_ = std::current_exception();
            return if_thrown;
        }
    }

private:
    static call *&innermost() noexcept {
        thread_local call *innermost = nullptr;
        return innermost;
    }

    call *outer_;
    std::exception_ptr thrown_;
};

/// Whether a callable says that it is done, or wants to go on.
template <class Callable, class... Arguments> bool says_yes(Callable &callable, Arguments &&...arguments) {
    using answer = std::invoke_result_t<Callable &, Arguments...>;
    static_assert(std::is_void_v<answer> || std::is_integral_v<answer>, "return nothing, a bool, or 0 for success");
    if constexpr (std::is_void_v<answer>) {
        std::invoke(callable, std::forward<Arguments>(arguments)...);
        return true;
    } else if constexpr (std::is_same_v<answer, bool>) {
        return std::invoke(callable, std::forward<Arguments>(arguments)...);
    } else {
        return std::invoke(callable, std::forward<Arguments>(arguments)...) == 0;
    }
}

/// The two callables of an execution, as the library wants them.
template <class First, class After> struct work {
    First &first;
    After &after;

    static int run_first(void *context) {
        return call::guard(1, [&] { return says_yes(static_cast<work *>(context)->first) ? 0 : 1; });
    }
    static int run_after(void *context) {
        return call::guard(1, [&] { return says_yes(static_cast<work *>(context)->after) ? 0 : 1; });
    }
    static constexpr firsttime_callback first_or_null() {
        if constexpr (std::is_null_pointer_v<std::remove_const_t<First>>) return nullptr;
        else return run_first;
    }
    static constexpr firsttime_callback after_or_null() {
        if constexpr (std::is_null_pointer_v<std::remove_const_t<After>>) return nullptr;
        else return run_after;
    }
};

/// A callable that the library borrows for one call, as the context of a visitor or a writer.
template <class Callable> struct borrowed {
    Callable &callable;

    /// Gives it a `Value` made of what is shown.
    template <class Value, class Shown> static int visit(Shown shown, void *context) {
        auto &callable = static_cast<borrowed *>(context)->callable;
        return call::guard(1, [&] { return says_yes(callable, Value(shown)) ? 0 : 1; });
    }
    static int write(const void *bytes, std::size_t length, void *context) {
        auto &callable = static_cast<borrowed *>(context)->callable;
        std::string_view part(static_cast<const char *>(bytes), length);
        return call::guard(1, [&] { return says_yes(callable, part) ? 0 : 1; });
    }
};

/// What `write(writer, context)` writes to `writer(std::string_view)`.
template <class Writer, class Write> void written(Writer &writer, Write &&write) {
    borrowed<Writer> context{writer};
    call().checked(write(borrowed<Writer>::write, static_cast<void *>(&context)));
}

template <class Context> void release(void *context) { delete static_cast<Context *>(context); }

inline double to_seconds(time_point time) {
    auto whole = std::chrono::floor<std::chrono::seconds>(time);
    return static_cast<double>(whole.time_since_epoch().count()) + std::chrono::duration<double>(time - whole).count();
}

/// NaN: none.
inline std::optional<time_point> to_time(double seconds, bool rounds_up = false) {
    using std::chrono::duration_cast;
    using whole_seconds = std::chrono::duration<long long>;
    constexpr auto last = duration_cast<whole_seconds>(time_point::max().time_since_epoch());
    constexpr auto limit = static_cast<double>(last.count());
    if (std::isnan(seconds)) return std::nullopt;
    if (seconds >= limit) return time_point::max();
    if (seconds <= -limit) return time_point::min();
    double whole = std::floor(seconds);
    std::chrono::duration<double> rest(seconds - whole);
    return time_point(duration_cast<time_point::duration>(whole_seconds(static_cast<long long>(whole)))) +
           (rounds_up ? std::chrono::ceil<time_point::duration>(rest) : std::chrono::round<time_point::duration>(rest));
}

} // namespace detail

/* ---- values ---- */

enum class unit {
    second = FIRSTTIME_SECOND,
    minute = FIRSTTIME_MINUTE,
    hour = FIRSTTIME_HOUR,
    day = FIRSTTIME_DAY,
    week = FIRSTTIME_WEEK,
    month = FIRSTTIME_MONTH,
    quarter = FIRSTTIME_QUARTER,
    year = FIRSTTIME_YEAR
};

/// An interval. Every chrono duration is one, of elapsed time.
class interval {
public:
    template <class Count, class Period>
    interval(std::chrono::duration<Count, Period> time)
        : value_(firsttime_elapsed(std::chrono::duration<double>(time).count(), FIRSTTIME_SECOND)) {}
    /// `count` times 86400 seconds.
    static interval days(double count) { return firsttime_days(count); }
    static interval elapsed(double count, unit unit) { return firsttime_elapsed(count, c(unit)); }
    /// `count` units from the last run's local time on.
    static interval calendar(double count, unit unit) { return firsttime_calendar(count, c(unit)); }
    /// `count` periods of local time that have begun since.
    static interval period(double count, unit unit) { return firsttime_period(count, c(unit)); }
    static interval hourly() { return period(1, unit::hour); }
    static interval daily() { return period(1, unit::day); }
    static interval weekly() { return period(1, unit::week); }
    static interval monthly() { return period(1, unit::month); }
    static interval quarterly() { return period(1, unit::quarter); }
    static interval yearly() { return period(1, unit::year); }
    operator const firsttime_interval &() const noexcept { return value_; }

private:
    interval(firsttime_interval value) : value_(value) {}
    static firsttime_unit c(unit unit) { return static_cast<firsttime_unit>(unit); }
    firsttime_interval value_;
};

/// When a key is due again, and how it is run. As it is: once per install.
struct policy {
    bool per_version = false;
    std::optional<interval> per_interval = {};
    bool at_most_once = false;
    bool no_wait = false;
    bool baseline = false;
};

/// How to open a store. As it is: the defaults.
struct options {
    std::string path = {};   ///< The archive file; "": the default for app_id.
    std::string app_id = {}; ///< "org.example.app"; "": the program's own name.
    std::optional<std::string> app_version = {};
    bool read_only = false;
    bool in_memory = false;
    bool relaxed = false;
    bool recover = false;
    bool run_if_unwritable = false;
    std::optional<std::chrono::milliseconds> wait = {};     ///< Longest wait for another runner; none: for ever.
    std::optional<std::chrono::minutes> utc_offset = {};    ///< For calendars; none: libc's local zone.
    int first_weekday = 1;                                  ///< 1: Monday ... 7: Sunday.
};

/// What an execution did.
enum class outcome {
    not_due = FIRSTTIME_NOT_DUE,
    ran = FIRSTTIME_RAN,
    ran_after = FIRSTTIME_RAN_AFTER,
    baselined = FIRSTTIME_BASELINED
};

/// What is recorded of a key.
struct record {
    std::string key;
    std::optional<std::string> last_version;
    std::optional<time_point> last_time;
    std::optional<std::string> first_version;
    std::optional<time_point> first_time;
    std::uint64_t count;

    explicit record(const firsttime_record *shown)
        : key(shown->key), last_version(detail::string(shown->last_version)),
          last_time(detail::to_time(shown->last_time)), first_version(detail::string(shown->first_version)),
          first_time(detail::to_time(shown->first_time)), count(shown->count) {}
};

/// What is known of an event.
struct donations {
    std::string event;
    std::uint64_t count;
    std::optional<time_point> first_time, last_time;
    std::optional<std::string> first_version, last_version;

    explicit donations(const firsttime_donations *shown)
        : event(shown->event), count(shown->count), first_time(detail::to_time(shown->first_time)),
          last_time(detail::to_time(shown->last_time)), first_version(detail::string(shown->first_version)),
          last_version(detail::string(shown->last_version)) {}
};

/// How often a rule has fired.
struct trigger_record {
    std::string name;
    std::optional<time_point> last_time;
    std::uint64_t count;

    explicit trigger_record(const firsttime_trigger_record *shown)
        : name(shown->name), last_time(detail::to_time(shown->last_time)), count(shown->count) {}
};

/// Something that is wrong with bytes, or that a repair does about it.
struct problem {
    std::uint64_t offset; ///< Bytes from the start; for XML the line.
    std::string text;     ///< In words.

    explicit problem(const firsttime_problem *shown) : offset(shown->offset), text(shown->text) {}
};

enum class format {
    any = FIRSTTIME_FORMAT_AUTO, ///< Import: by the bytes; export: archive.
    archive = FIRSTTIME_FORMAT_ARCHIVE,
    archive_xml = FIRSTTIME_FORMAT_ARCHIVE_XML,
    defaults = FIRSTTIME_FORMAT_DEFAULTS,
    rulekit = FIRSTTIME_FORMAT_RULEKIT, ///< Import only.
    json = FIRSTTIME_FORMAT_JSON        ///< Export only.
};

/// How to import. What `skipped` or `progress` throws stops the import, which then changes nothing.
struct import_options {
    firsttime::format format = firsttime::format::any;
    std::string defaults_key = {}; ///< Where preferences hold the archive; "": "YCFirstTime".
    std::vector<std::pair<std::string, interval>> intervals = {}; ///< Interval keys to take from preferences.
    bool dry_run = false;
    std::function<void(std::uint64_t offset, std::string_view why)> skipped = {};
    std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// What an import did, or would do.
struct import_report {
    std::uint64_t records_added, records_updated, records_kept;
    std::uint64_t events_added, events_updated, events_kept;
    std::uint64_t skipped;
    firsttime::format format;
};

/// Dotted numeric comparison, "1.10" after "1.9": below, at or above 0.
inline int version_compare(std::string_view left, std::string_view right) {
    return firsttime_version_compare(detail::text(left), detail::text(right));
}

inline const char *library_version() noexcept { return firsttime_library_version(); }

/* ---- showing, checking and repairing what needn't be a store's ---- */

/// How to show bytes.
struct dump_options {
    bool json = false; ///< For scripts; else text for people.
    bool raw = false;  ///< UIDs as they stand.
};

/// Shows any property list or keyed archive to `writer(std::string_view)`, part by part.
template <class Writer> void dump(std::string_view bytes, const dump_options &options, Writer &&writer) {
    std::uint32_t flags = (options.json ? FIRSTTIME_DUMP_JSON : 0) | (options.raw ? FIRSTTIME_DUMP_RAW : 0);
    detail::written(writer, [&](auto... to) { return firsttime_dump_bytes(bytes.data(), bytes.size(), flags, to...); });
}
/// The same as UTF-8.
inline std::string dump(std::string_view bytes, const dump_options &options = {}) {
    std::string text;
    dump(bytes, options, [&](std::string_view part) { text += part; });
    return text;
}

/// Shows everything that is wrong with a property list or keyed archive to `visitor(const problem &)`, which may stop
/// it. True: nothing is. What is sound, but a newer version's, is errc::format.
template <class Visitor> bool verify(std::string_view bytes, Visitor &&visitor) {
    using borrowed = detail::borrowed<std::remove_reference_t<Visitor>>;
    borrowed context{visitor};
    detail::call call;
    auto visit = borrowed::template visit<problem, const firsttime_problem *>;
    auto result = firsttime_verify_bytes(bytes.data(), bytes.size(), visit, &context);
    bool is_answer = result == FIRSTTIME_ERROR_CORRUPT || result == FIRSTTIME_ERROR_CALLBACK;
    call.checked(is_answer ? FIRSTTIME_NO : result);
    return !is_answer;
}
/// All of it; none: it is sound.
inline std::vector<problem> verify(std::string_view bytes) {
    std::vector<problem> problems;
    verify(bytes, [&](problem problem) { problems.push_back(std::move(problem)); });
    return problems;
}

/// Repairs a store that can't be opened, while no program has it open. Before that, `visitor(const problem &)` is told
/// of what is wrong and what will be done; when it stops, nothing is. True: repaired; false: it can be opened as it is,
/// or the visitor stopped.
template <class Visitor> bool repair(std::string_view path, Visitor &&visitor) {
    using borrowed = detail::borrowed<std::remove_reference_t<Visitor>>;
    borrowed context{visitor};
    detail::text c_path(path);
    detail::call call;
    auto visit = borrowed::template visit<problem, const firsttime_problem *>;
    auto result = firsttime_repair(c_path, visit, &context);
    return call.checked(result == FIRSTTIME_ERROR_CALLBACK ? FIRSTTIME_NO : result) == FIRSTTIME_YES;
}
inline bool repair(std::string_view path) {
    return repair(path, [](const problem &) {});
}

/* ---- rules ---- */

/// A condition over events, versions and whatever callables say. Build one from the named constructors, and with
/// `&&`, `||` and `!`, which take their operands: std::move() those that have a name.
///
///     firsttime::rule::event_at_least("document.saved", 3) && !firsttime::rule::event_within("prompt.shown", 24h)
class rule {
public:
    static rule always() { return rule(firsttime_rule_always()); }
    static rule never() { return rule(firsttime_rule_never()); }
    /// Of any number of rules, or of a std::vector of them; so are the next three.
    template <class... Rules> static rule all_of(Rules &&...rules) {
        return group(firsttime_rule_all_of, list(std::forward<Rules>(rules)...));
    }
    template <class... Rules> static rule any_of(Rules &&...rules) {
        return group(firsttime_rule_any_of, list(std::forward<Rules>(rules)...));
    }
    template <class... Rules> static rule none_of(Rules &&...rules) {
        return group(firsttime_rule_none_of, list(std::forward<Rules>(rules)...));
    }
    template <class... Rules> static rule at_least(std::size_t quorum, Rules &&...rules) {
        auto of = [=](firsttime_rule *const *all, std::size_t count) {
            return firsttime_rule_at_least(quorum, all, count);
        };
        return group(of, list(std::forward<Rules>(rules)...));
    }
    /// `callable()` gives a bool. One that throws: false, and the exception passes through the call that asked.
    template <class Callable> static rule condition(Callable &&callable) {
        using box = std::decay_t<Callable>;
        firsttime_condition ask = [](void *context) {
            return detail::call::guard(0, [&] { return (*static_cast<box *>(context))() ? 1 : 0; });
        };
        return rule(firsttime_rule_condition(ask, new box(std::forward<Callable>(callable)), detail::release<box>));
    }
    /// `callable(const firsttime::donations &)` gives a bool, as condition()'s.
    template <class Callable> static rule event(std::string_view event, Callable &&callable) {
        using box = std::decay_t<Callable>;
        firsttime_event_condition ask = [](const firsttime_donations *shown, void *context) {
            return detail::call::guard(0, [&] { return (*static_cast<box *>(context))(donations(shown)) ? 1 : 0; });
        };
        detail::text name(event);
        return rule(firsttime_rule_event(name, ask, new box(std::forward<Callable>(callable)), detail::release<box>));
    }
    static rule event_at_least(std::string_view event, std::uint64_t count) {
        return rule(firsttime_rule_event_at_least(detail::text(event), count));
    }
    static rule event_within(std::string_view event, std::chrono::duration<double> time) {
        return rule(firsttime_rule_event_within(detail::text(event), time.count()));
    }
    static rule event_not_within(std::string_view event, std::chrono::duration<double> time) {
        return rule(firsttime_rule_event_not_within(detail::text(event), time.count()));
    }
    static rule version_at_least(std::string_view version) {
        return rule(firsttime_rule_version_at_least(detail::text(version)));
    }
    static rule first_seen_in_current_version(std::string_view event) {
        return rule(firsttime_rule_first_seen_in_current_version(detail::text(event)));
    }
    /// Reads what text() writes.
    static rule parse(std::string_view text) { return rule(firsttime_rule_parse(detail::text(text))); }
    std::string text() const {
        std::string text(firsttime_rule_text(rule_.get(), nullptr, 0) + 1, '\0');
        text.resize(firsttime_rule_text(rule_.get(), text.data(), text.size()));
        return text;
    }

    friend rule operator&&(rule left, rule right) { return all_of(std::move(left), std::move(right)); }
    friend rule operator||(rule left, rule right) { return any_of(std::move(left), std::move(right)); }
    friend rule operator!(rule rule) { return firsttime::rule(firsttime_rule_not(rule.rule_.release())); }

private:
    friend class store;
    struct destroy {
        void operator()(firsttime_rule *rule) const noexcept { firsttime_rule_free(rule); }
    };

    explicit rule(firsttime_rule *made) : rule_(made) {
        if (!made) throw error(errc::argument, firsttime_last_error());
    }
    static std::vector<rule> list(std::vector<rule> rules) { return rules; }
    template <class... Rules> static std::vector<rule> list(Rules &&...rules) {
        std::vector<rule> all;
        (all.push_back(std::forward<Rules>(rules)), ...);
        return all;
    }
    template <class Make> static rule group(Make &&make, std::vector<rule> rules) {
        std::vector<firsttime_rule *> all(rules.size());
        for (std::size_t index = 0; index < all.size(); index++) all[index] = rules[index].rule_.release();
        return rule(make(all.data(), all.size()));
    }

    std::unique_ptr<firsttime_rule, destroy> rule_;
};

/// How a rule fires.
struct rule_options {
    std::optional<interval> frequency = {};      ///< At most once per interval; none: no throttle.
    std::string throttle_name = {};              ///< Rules with the same one share a throttle; "": the rule's name.
    std::uint64_t limit = 0;                     ///< Fires at most this often, ever; 0: no limit.
    std::chrono::duration<double> delay = {};    ///< Zero: at once, inside the donation.
    /// Is given work, which it must call exactly once, at any time and on any thread. None: the donating thread, and
    /// for delayed rules a timer thread of the store's.
    std::function<void(std::function<void()> work)> executor = {};
};

/* ---- owners ---- */

namespace detail {

/// The C store, closed with its last owner.
struct handle {
    firsttime_store *store;
    bool is_shared;

    handle(firsttime_store *store, bool is_shared) : store(store), is_shared(is_shared) {}
    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;
    ~handle() {
        if (is_shared) return;
        call call; // keeps what a clock throws
        firsttime_close(store);
    }
};

/// A callable that stays in a store, told the name of what happened if it takes one.
template <class Callable> struct trigger_box {
    Callable callable;
    std::function<void(std::function<void()>)> executor = {};

    static void fire(const char *name, void *context) {
        call::guard(0, [&] {
            auto &callable = static_cast<trigger_box *>(context)->callable;
            if constexpr (std::is_invocable_v<Callable &, std::string_view>) callable(std::string_view(name));
            else if constexpr (!std::is_null_pointer_v<Callable>) callable();
            return 0;
        });
    }
    static constexpr firsttime_trigger fire_or_null() {
        if constexpr (std::is_null_pointer_v<Callable>) return nullptr;
        else return fire;
    }
    static void execute(void *queue, firsttime_work work, void *argument) {
        call::guard(0, [&] {
            static_cast<trigger_box *>(queue)->executor([work, argument] {
                call call; // what the trigger throws passes through to the executor
                work(argument);
                call.checked(0);
            });
            return 0;
        });
    }
};

} // namespace detail

/// A key that is yours to run, until commit() or the end of this object, which abandons it.
class claim {
public:
    /// Records the run, and ends the claim whatever comes of it.
    void commit() { detail::call().checked(firsttime_commit(claim_.release())); }
    void abandon() noexcept { claim_.reset(); }

private:
    friend class store;
    struct give_back {
        void operator()(firsttime_claim *claim) const noexcept { firsttime_abandon(claim); }
    };
    explicit claim(firsttime_claim *claim) : claim_(claim) {}

    std::unique_ptr<firsttime_claim, give_back> claim_;
};

/// A callable that is told of notifications, until the end of this object or of the store.
class observer {
public:
    observer() = default;
    observer(observer &&) = default;
    observer &operator=(observer &&other) noexcept {
        if (this != &other) {
            remove();
            store_ = std::move(other.store_);
            id_ = other.id_;
        }
        return *this;
    }
    ~observer() { remove(); }
    void remove() noexcept {
        if (auto handle = store_.lock()) firsttime_remove_observer(handle->store, id_);
        store_.reset();
    }

private:
    friend class store;
    observer(const std::shared_ptr<detail::handle> &store, firsttime_observer id) : store_(store), id_(id) {}

    std::weak_ptr<detail::handle> store_;
    firsttime_observer id_ = 0;
};

/// An open store. Move-only; its end closes it, and close() also says what could not be written. One that was closed
/// or moved from answers every call with errc::argument.
class store {
public:
    explicit store(const options &options = {}) {
        auto path = detail::text_unless_empty(options.path), id = detail::text_unless_empty(options.app_id);
        std::optional<detail::text> version;
        if (options.app_version) version.emplace(*options.app_version);
        firsttime_options c = FIRSTTIME_OPTIONS_INIT;
        c.path = detail::c_str_or_null(path);
        c.app_id = detail::c_str_or_null(id);
        c.app_version = detail::c_str_or_null(version);
        c.flags = flag(options.read_only, FIRSTTIME_READ_ONLY) | flag(options.in_memory, FIRSTTIME_IN_MEMORY) |
                  flag(options.relaxed, FIRSTTIME_RELAXED) | flag(options.recover, FIRSTTIME_RECOVER) |
                  flag(options.run_if_unwritable, FIRSTTIME_RUN_IF_UNWRITABLE) |
                  flag(options.utc_offset.has_value(), FIRSTTIME_FIXED_OFFSET);
        if (options.wait) c.wait_ms = options.wait->count() > 0 ? clamped(options.wait->count()) : -1;
        if (options.utc_offset) c.utc_offset_minutes = clamped(options.utc_offset->count());
        c.first_weekday = options.first_weekday;
        firsttime_store *opened = nullptr;
        detail::call().checked(firsttime_open(&c, &opened));
        own(opened, false);
    }
    store(store &&) = default;
    store &operator=(store &&) = default;

    /// The program's default store. It isn't closed with this object, but lives until the program ends.
    static store shared() {
        store shared{nullptr};
        firsttime_store *opened = firsttime_shared();
        if (!opened) {
            store{}; // throws the reason, which firsttime_shared() gives only in words
            opened = firsttime_shared();
        }
        shared.own(opened, true);
        return shared;
    }

    /// Writes what is pending and closes the store. After a failure it is closed, too, but for errc::reentrant.
    void close() {
        if (!handle_) return;
        detail::call call;
        firsttime_result result = firsttime_close(c());
        if (result != FIRSTTIME_ERROR_REENTRANT && !handle_->is_shared) handle_->store = nullptr;
        if (result != FIRSTTIME_ERROR_REENTRANT) handle_.reset();
        call.checked(result);
    }
    void flush() { detail::call().checked(firsttime_flush(c())); }
    /// The archive file's absolute path; "" in memory.
    std::string path() const { return detail::string(firsttime_path(c())).value_or(""); }
    /// For calls of firsttime.h; nullptr when closed.
    firsttime_store *c() const noexcept { return handle_ ? handle_->store : nullptr; }

    /// `clock()` gives a time_point. nullptr: the system's clock again.
    template <class Clock> void set_clock(Clock &&clock) {
        using box = std::decay_t<Clock>;
        if constexpr (std::is_null_pointer_v<box>) {
            firsttime_set_clock(c(), nullptr, nullptr, nullptr);
        } else {
            firsttime_clock ask = [](void *context) {
                constexpr double none = std::numeric_limits<double>::quiet_NaN();
                return detail::call::guard(none, [&] { return detail::to_seconds((*static_cast<box *>(context))()); });
            };
            firsttime_set_clock(c(), ask, new box(std::forward<Clock>(clock)), detail::release<box>);
        }
    }
    /// `provider()` gives a string or std::optional<std::string>. nullptr: options::app_version again.
    template <class Provider> void set_version_provider(Provider &&provider) {
        using box = std::decay_t<Provider>;
        if constexpr (std::is_null_pointer_v<box>) {
            firsttime_set_version_provider(c(), nullptr, nullptr, nullptr);
        } else {
            firsttime_version_provider ask = [](void *context) {
                thread_local std::optional<detail::text> version;
                constexpr const char *not_utf8 = "\xff"; // which makes the call fail
                return detail::call::guard(not_utf8, [&] {
                    std::optional<std::string> given = (*static_cast<box *>(context))();
                    version.reset();
                    if (given) version.emplace(*given);
                    return detail::c_str_or_null(version);
                });
            };
            firsttime_set_version_provider(c(), ask, new box(std::forward<Provider>(provider)), detail::release<box>);
        }
    }

    /* ---- running: `after` runs when it isn't due; nullptr for either: nothing to run ---- */

    template <class First, class After = std::nullptr_t>
    outcome execute_once(std::string_view key, First &&first, After &&after = nullptr) {
        return run(first, after, [&, key = detail::text(key)](auto... work) {
            return firsttime_execute_once(c(), key, work...);
        });
    }
    template <class First, class After = std::nullptr_t>
    outcome execute_once_per_version(std::string_view key, First &&first, After &&after = nullptr) {
        return run(first, after, [&, key = detail::text(key)](auto... work) {
            return firsttime_execute_once_per_version(c(), key, work...);
        });
    }
    template <class First, class After = std::nullptr_t>
    outcome execute_once_per_interval(std::string_view key, interval interval, First &&first, After &&after = nullptr) {
        return run(first, after, [&, key = detail::text(key)](auto... work) {
            return firsttime_execute_once_per_interval(c(), key, interval, work...);
        });
    }
    template <class First, class After = std::nullptr_t>
    outcome execute(std::string_view key, const policy &policy, First &&first, After &&after = nullptr) {
        return run(first, after, [&, key = detail::text(key), policy = c_policy(policy)](auto... work) {
            return firsttime_execute(c(), key, &policy, work...);
        });
    }
    /// The key if it is due, to be run without a callable; nothing when it isn't, or was baselined.
    std::optional<claim> begin(std::string_view key, const policy &policy = {}) {
        auto how = c_policy(policy);
        firsttime_claim *begun = nullptr;
        detail::call call;
        auto result = firsttime_begin(c(), detail::text(key), &how, &begun);
        claim owned(begun);
        if (call.checked(result) != FIRSTTIME_DUE) return std::nullopt;
        return owned;
    }

    /* ---- asking and marking ---- */

    bool was_executed(std::string_view key) {
        return detail::call().checked(firsttime_was_executed(c(), detail::text(key))) == FIRSTTIME_YES;
    }
    bool is_due(std::string_view key, const policy &policy = {}) {
        auto how = c_policy(policy);
        return detail::call().checked(firsttime_is_due(c(), detail::text(key), &how)) == FIRSTTIME_YES;
    }
    /// Nothing: never.
    std::optional<time_point> next_due(std::string_view key, const policy &policy = {}) {
        auto how = c_policy(policy);
        double time;
        detail::call().checked(firsttime_next_due(c(), detail::text(key), &how, &time));
        return std::isinf(time) ? std::nullopt : detail::to_time(time, true); // it is due at this time
    }
    std::optional<time_point> last_execution(std::string_view key) {
        double time;
        detail::call().checked(firsttime_last_execution(c(), detail::text(key), &time));
        return detail::to_time(time);
    }
    std::optional<record> find(std::string_view key) {
        return found<record>([&, key = detail::text(key)](auto... show) { return firsttime_find(c(), key, show...); });
    }
    /// Shows the records whose keys begin with `prefix` to `visitor(const record &)`, by the order of their keys.
    /// True: the visitor stopped it.
    template <class Visitor> bool each(std::string_view prefix, Visitor &&visitor) {
        return shown<record>(visitor, [&, prefix = detail::text(prefix)](auto... show) {
            return firsttime_each(c(), prefix, show...);
        });
    }
    std::vector<record> records(std::string_view prefix = "") {
        std::vector<record> all;
        each(prefix, [&](record record) { all.push_back(std::move(record)); });
        return all;
    }
    std::uint64_t count(std::string_view prefix = "") {
        return static_cast<std::uint64_t>(detail::call().checked(firsttime_count(c(), detail::text(prefix))));
    }
    void mark(std::string_view key) { detail::call().checked(firsttime_mark(c(), detail::text(key))); }
    /// Whether there was a record.
    bool reset_key(std::string_view key) {
        return detail::call().checked(firsttime_reset_key(c(), detail::text(key))) == FIRSTTIME_YES;
    }
    void reset_prefix(std::string_view prefix) {
        detail::call().checked(firsttime_reset_prefix(c(), detail::text(prefix)));
    }
    void reset() { detail::call().checked(firsttime_reset(c())); }

    /* ---- interval keys: ask, do, mark ---- */

    bool should_run(std::string_view name, interval interval) {
        return detail::call().checked(firsttime_should_run(c(), detail::text(name), interval)) == FIRSTTIME_YES;
    }
    void mark_run(std::string_view name) { detail::call().checked(firsttime_mark_run(c(), detail::text(name))); }
    bool reset_interval(std::string_view name) {
        return detail::call().checked(firsttime_reset_interval(c(), detail::text(name))) == FIRSTTIME_YES;
    }
    void reset_all_intervals() { detail::call().checked(firsttime_reset_all_intervals(c())); }

    /* ---- events and rules ---- */

    void donate(std::string_view event) { detail::call().checked(firsttime_donate(c(), detail::text(event))); }
    std::optional<donations> find_donations(std::string_view event) {
        return found<donations>([&, event = detail::text(event)](auto... show) {
            return firsttime_find_donations(c(), event, show...);
        });
    }
    template <class Visitor> bool each_donations(Visitor &&visitor) {
        return shown<donations>(visitor, [&](auto... show) { return firsttime_each_donations(c(), show...); });
    }
    void reset_donations(std::string_view event) {
        detail::call().checked(firsttime_reset_donations(c(), detail::text(event)));
    }
    void reset_all_donations() { detail::call().checked(firsttime_reset_donations(c(), nullptr)); }

    /// Calls `trigger()` or `trigger(std::string_view name)` when the rule fires; nullptr: posts `name` instead.
    template <class Trigger = std::nullptr_t>
    void set_rule(std::string_view name, rule rule, Trigger &&trigger = nullptr, const rule_options &options = {}) {
        using box = detail::trigger_box<std::decay_t<Trigger>>;
        detail::text rule_name(name);
        auto throttle_name = detail::text_unless_empty(options.throttle_name);
        auto context = std::make_unique<box>(box{std::forward<Trigger>(trigger), options.executor});
        firsttime_rule_options c_options{};
        c_options.size = sizeof c_options;
        if (options.frequency) c_options.frequency = *options.frequency;
        c_options.throttle_name = detail::c_str_or_null(throttle_name);
        c_options.limit = options.limit;
        c_options.delay_seconds = options.delay.count();
        if (options.executor) c_options.executor = box::execute;
        c_options.queue = context.get();
        c_options.release = detail::release<box>;
        detail::call().checked(firsttime_set_rule(c(), rule_name, rule.rule_.release(), box::fire_or_null(),
                                                  context.release(), &c_options));
    }
    void remove_rule(std::string_view name) { detail::call().checked(firsttime_remove_rule(c(), detail::text(name))); }
    bool is_rule_registered(std::string_view name) {
        return detail::call().checked(firsttime_is_rule_registered(c(), detail::text(name))) == FIRSTTIME_YES;
    }
    /// Shows the rules' names to `visitor(std::string_view)`.
    template <class Visitor> bool each_rule(Visitor &&visitor) {
        return shown<std::string_view>(visitor, [&](auto... show) { return firsttime_each_rule(c(), show...); });
    }
    std::optional<trigger_record> find_trigger(std::string_view name) {
        return found<trigger_record>([&, name = detail::text(name)](auto... show) {
            return firsttime_find_trigger(c(), name, show...);
        });
    }
    void reset_trigger(std::string_view name) {
        detail::call().checked(firsttime_reset_trigger(c(), detail::text(name)));
    }
    void reset_all_triggers() { detail::call().checked(firsttime_reset_trigger(c(), nullptr)); }
    void evaluate_rules() { detail::call().checked(firsttime_evaluate_rules(c())); }
    void wait_for_delayed_rules() { detail::call().checked(firsttime_wait_for_delayed_rules(c())); }

    /// Calls `callable()` or `callable(std::string_view name)` when `name` is posted, as long as the observer lives.
    template <class Callable> [[nodiscard]] observer observe(std::string_view name, Callable &&callable) {
        using box = detail::trigger_box<std::decay_t<Callable>>;
        detail::text posted(name);
        firsttime_observer id = 0;
        detail::call().checked(firsttime_observe(c(), posted, box::fire, new box{std::forward<Callable>(callable)},
                                                 detail::release<box>, &id));
        return observer(handle_, id);
    }
    void post(std::string_view name) { detail::call().checked(firsttime_post(c(), detail::text(name))); }

    /* ---- taking in old state ---- */

    /// Takes the records of an old file into the store.
    import_report import_archive(std::string_view path, const import_options &options = {}) {
        return import_with(options, [&, path = detail::text(path)](auto... how) {
            return firsttime_import(c(), path, how...);
        });
    }
    /// The same from memory.
    import_report import_bytes(std::string_view bytes, const import_options &options = {}) {
        return import_with(options, [&](auto... how) {
            return firsttime_import_bytes(c(), bytes.data(), bytes.size(), how...);
        });
    }

    /* ---- giving a copy of all state away ---- */

    /// To a file, which is there when it is complete, or not at all.
    void export_file(std::string_view path, format format = firsttime::format::archive) {
        detail::call().checked(firsttime_export(c(), detail::text(path), static_cast<std::int32_t>(format)));
    }
    /// To `writer(std::string_view)`, part by part.
    template <class Writer> void export_to(Writer &&writer, format format = firsttime::format::archive) {
        detail::written(writer, [&](auto... to) {
            return firsttime_export_to(c(), static_cast<std::int32_t>(format), to...);
        });
    }
    std::string export_bytes(format format = firsttime::format::archive) {
        std::string bytes;
        export_to([&](std::string_view part) { bytes += part; }, format);
        return bytes;
    }

private:
    explicit store(std::nullptr_t) {}

    void own(firsttime_store *opened, bool is_shared) {
        std::unique_ptr<firsttime_store, void (*)(firsttime_store *)> until_owned(
            opened, [](firsttime_store *store) { firsttime_close(store); });
        handle_ = std::make_shared<detail::handle>(opened, is_shared);
        until_owned.release();
    }

    static std::uint32_t flag(bool is_set, std::uint32_t flag) { return is_set ? flag : 0; }

    static std::int32_t clamped(long long number) {
        constexpr long long limit = std::numeric_limits<std::int32_t>::max();
        return static_cast<std::int32_t>(number > limit ? limit : number < -limit ? -limit : number);
    }

    static firsttime_policy c_policy(const policy &policy) {
        firsttime_policy c{};
        c.size = sizeof c;
        c.flags = flag(policy.per_version, FIRSTTIME_PER_VERSION) |
                  flag(policy.per_interval.has_value(), FIRSTTIME_PER_INTERVAL) |
                  flag(policy.at_most_once, FIRSTTIME_AT_MOST_ONCE) | flag(policy.no_wait, FIRSTTIME_NO_WAIT) |
                  flag(policy.baseline, FIRSTTIME_BASELINE);
        if (policy.per_interval) c.interval = *policy.per_interval;
        return c;
    }

    template <class First, class After, class Execute>
    static outcome run(First &first, After &after, Execute &&execute) {
        using work = detail::work<First, After>;
        work both{first, after};
        return static_cast<outcome>(
            detail::call().checked(execute(work::first_or_null(), work::after_or_null(), static_cast<void *>(&both))));
    }

    template <class Value, class Visitor, class Show> static bool shown(Visitor &visitor, Show &&show) {
        using borrowed = detail::borrowed<Visitor>;
        auto visit = [](auto shown, void *context) { return borrowed::template visit<Value>(shown, context); };
        borrowed context{visitor};
        return detail::call().checked(show(visit, static_cast<void *>(&context))) == FIRSTTIME_YES;
    }

    template <class Value, class Show> static std::optional<Value> found(Show &&show) {
        std::optional<Value> value;
        auto keep = [&](Value found) { value.emplace(std::move(found)); };
        shown<Value>(keep, show);
        return value;
    }

    template <class Take> static import_report import_with(const import_options &options, Take &&take) {
        auto defaults_key = detail::text_unless_empty(options.defaults_key);
        std::vector<detail::text> names;
        std::vector<const char *> c_names;
        std::vector<firsttime_interval> intervals;
        for (auto &[name, interval] : options.intervals) {
            names.emplace_back(name);
            intervals.push_back(interval);
        }
        for (auto &name : names) c_names.push_back(name);
        firsttime_import_options c{};
        c.size = sizeof c;
        c.format = static_cast<std::int32_t>(options.format);
        c.defaults_key = detail::c_str_or_null(defaults_key);
        c.interval_names = c_names.data();
        c.intervals = intervals.data();
        c.interval_count = intervals.size();
        c.flags = flag(options.dry_run, FIRSTTIME_IMPORT_DRY_RUN);
        c.context = const_cast<import_options *>(&options);
        if (options.skipped) {
            c.skipped = [](const firsttime_problem *problem, void *context) {
                return detail::call::guard(1, [&] {
                    static_cast<const import_options *>(context)->skipped(problem->offset, problem->text);
                    return 0;
                });
            };
        }
        if (options.progress) {
            c.progress = [](std::uint64_t done, std::uint64_t total, void *context) {
                return detail::call::guard(1, [&] {
                    static_cast<const import_options *>(context)->progress(done, total);
                    return 0;
                });
            };
        }
        firsttime_import_report report{};
        report.size = sizeof report;
        detail::call().checked(take(&c, &report));
        return {report.records_added, report.records_updated, report.records_kept,
                report.events_added,  report.events_updated,  report.events_kept,
                report.skipped,       static_cast<firsttime::format>(report.format)};
    }

    std::shared_ptr<detail::handle> handle_;
};

} // namespace firsttime

#endif
