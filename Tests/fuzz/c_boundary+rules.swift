// The C functions on events, rules, triggers and notifications, for c_boundary.swift. Each context is counted: it is released
// once, whatever becomes of the call that it was given to.

import CFirstTime
import Glibc

/// What the calls of one input have left to do, or to be sure of.
struct RuleCalls {
    /// Whether a rule waits for longer than an input may take.
    var waitsLong = false
    var observers: [firsttime_observer] = []

    init() { counts = Counts() }

    func finish() {
        // Given to an executor, and run after the store is gone.
        for job in counts.jobs { job.work(job.argument) }
        require(counts.released == counts.made, "a context that is not released once")
    }
}

private struct Counts {
    var made = 0, released = 0, depth = 0
    var jobs: [(work: firsttime_work, argument: UnsafeMutableRawPointer?)] = []
    var store: OpaquePointer?
}

// The timer's thread calls triggers, too: behind the lock.
nonisolated(unsafe) private var counts = Counts()
nonisolated(unsafe) private let lock: UnsafeMutablePointer<pthread_mutex_t> = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
}()

private func withCounts<Result>(_ body: (inout Counts) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&counts)
}

private func makeContext() -> UnsafeMutableRawPointer? {
    withCounts { $0.made += 1 }
    return malloc(1)
}

private let release: firsttime_release = { context in
    free(context)
    withCounts { $0.released += 1 }
}

/// Donates and posts in its turn, but not without end: rules that fire each other do so in every order.
private let trigger: firsttime_trigger = { name, context in
    context?.storeBytes(of: 1, as: UInt8.self)
    require(strlen(name) > 0, "a trigger without a name")
    let (store, depth) = withCounts { counts in
        counts.depth += 1
        return (counts.store, counts.depth)
    }
    if depth == 1 {
        _ = firsttime_donate(store, "key.1")
        _ = firsttime_post(store, "key.2")
        _ = firsttime_remove_rule(store, "key.3")
    }
    withCounts { $0.depth -= 1 }
}

private let atOnce: firsttime_executor = { _, work, argument in work(argument) }
private let later: firsttime_executor = { _, work, argument in withCounts { $0.jobs.append((work, argument)) } }

extension Calls {
    /// `which`: 23 to 30.
    mutating func makeRuleCall(_ which: UInt8, _ store: OpaquePointer?) {
        withCounts { $0.store = store }
        switch which {
        case 23, 24: check(firsttime_donate(store, text()))
        case 25: lookAtEvents(store)
        case 26, 27: setRule(store)
        case 28: lookAtRules(store)
        case 29: notify(store)
        default: writeRule()
        }
    }

    private mutating func lookAtEvents(_ store: OpaquePointer?) {
        let visitor: firsttime_donations_visitor = { donations, _ in
            require(donations.pointee.event != nil, "donations without an event")
            return 0
        }
        switch input.byte() % 4 {
        case 0: check(firsttime_find_donations(store, text(), visitor, nil))
        case 1: check(firsttime_each_donations(store, input.byte() == 0 ? nil : visitor, nil))
        default: check(firsttime_reset_donations(store, text()))
        }
    }

    private mutating func lookAtRules(_ store: OpaquePointer?) {
        switch input.byte() % 8 {
        case 0: check(firsttime_remove_rule(store, text()))
        case 1: check(firsttime_is_rule_registered(store, text()))
        case 2: check(firsttime_each_rule(store, { name, _ in strlen(name) > 0 ? 0 : 1 }, nil))
        case 3: check(firsttime_find_trigger(store, text(), { record, _ in record.pointee.name == nil ? 1 : 0 }, nil))
        case 4: check(firsttime_reset_trigger(store, text()))
        case 5: if !rules.waitsLong { check(firsttime_wait_for_delayed_rules(store)) }
        default: check(firsttime_evaluate_rules(store))
        }
    }

    private mutating func notify(_ store: OpaquePointer?) {
        switch input.byte() % 4 {
        case 0:
            var number: firsttime_observer = 0
            let what = input.byte() == 0 ? nil : trigger
            check(firsttime_observe(store, text(), what, makeContext(), release, &number))
            rules.observers.append(number)
        case 1: check(firsttime_remove_observer(store, rules.observers.popLast() ?? UInt64(input.byte())))
        default: check(firsttime_post(store, text()))
        }
    }

    // MARK: - Rules

    private mutating func setRule(_ store: OpaquePointer?) {
        var options = firsttime_rule_options()
        options.frequency = interval()
        if input.byte() % 2 == 0 { options.frequency.count = 0 }
        options.throttle_name = input.byte() % 4 == 0 ? text() : nil
        options.limit = UInt64(input.byte() % 4)
        switch input.byte() % 8 {
        case 0: options.delay_seconds = 0.0005
        case 1:
            options.delay_seconds = input.double()
            rules.waitsLong = true
        default: break
        }
        switch input.byte() % 4 {
        case 0: options.executor = atOnce
        case 1: options.executor = later
        default: break
        }
        options.release = release
        let kind = input.byte()
        let given = structure(options, kind)
        // Of a struct that is too short to have one, or of no size, no release is called.
        let size = given?.pointee.size ?? 0
        let isReleased = size >= MemoryLayout<firsttime_rule_options>.size && size % 8 == 0 && size < 4096
        let context = isReleased ? makeContext() : nil
        let what = input.byte() % 4 == 0 ? nil : trigger
        check(firsttime_set_rule(store, text(), rule(depth: 0), what, context, given))
    }

    private mutating func rule(depth: Int) -> OpaquePointer? {
        switch input.byte() % 12 {
        case 0: return firsttime_rule_parse(ruleText())
        case 1: return firsttime_rule_always()
        case 2: return firsttime_rule_condition({ _ in 1 }, makeContext(), release)
        case 3:
            let isDonated: firsttime_event_condition = { donations, _ in donations.pointee.count > 0 ? 1 : 0 }
            return firsttime_rule_event(text(), isDonated, makeContext(), release)
        case 4: return firsttime_rule_event_at_least(text(), UInt64(input.byte() % 4))
        case 5: return firsttime_rule_event_within(text(), input.double())
        case 6: return firsttime_rule_event_not_within(text(), Double(input.byte()))
        case 7: return firsttime_rule_version_at_least(text())
        case 8: return firsttime_rule_first_seen_in_current_version(text())
        case 9: return depth > 8 ? nil : firsttime_rule_not(rule(depth: depth + 1))
        case 10: return nil
        default:
            guard depth < 8 else { return firsttime_rule_never() }
            var parts: [OpaquePointer?] = []
            for _ in 0..<(input.byte() % 4) { parts.append(rule(depth: depth + 1)) }
            switch input.byte() % 4 {
            case 0: return firsttime_rule_all_of(parts, parts.count)
            case 1: return firsttime_rule_any_of(parts, parts.count)
            case 2: return firsttime_rule_none_of(parts, parts.count)
            default: return firsttime_rule_at_least(Int(input.byte() % 5), parts, parts.count)
            }
        }
    }

    /// Words of the grammar in any order, or any bytes.
    private mutating func ruleText() -> UnsafePointer<CChar>? {
        let words = [
            "event(\"key.1\")", "event(\"key.2\")", ">=", "1", "3", "&&", "||", "!", "(", ")", ",", "always", "never",
            "donated(\"key.1\")", "within", "not within", "2 days", "at least", "2", "of", "all of", "any of",
            "none of", "version", "\"1.0\"", "first_seen_in_current_version(\"key.1\")",
        ]
        var bytes: [UInt8] = []
        if input.byte() < 64 {
            bytes = input.block()
        } else {
            for _ in 0..<(input.byte() % 16) {
                bytes += Array(words[Int(input.byte()) % words.count].utf8) + [UInt8(ascii: " ")]
            }
        }
        return UnsafePointer(allocate(bytes + [0])?.assumingMemoryBound(to: CChar.self))
    }

    /// A rule that was read prints as a text that reads as the same rule; whatever the buffer's size, that isn't exceeded.
    private mutating func writeRule() {
        let isParsed = input.byte() % 2 == 0
        let made = isParsed ? firsttime_rule_parse(ruleText()) : rule(depth: 0)
        let capacity = Int(input.byte())
        let buffer = allocate(Array(repeating: 1, count: capacity))?.assumingMemoryBound(to: CChar.self)
        let length = firsttime_rule_text(made, buffer, capacity)
        if isParsed, made != nil, let buffer, length < capacity {
            let again = firsttime_rule_parse(buffer)
            require(again != nil, "a printed rule that can't be read")
            require(firsttime_rule_text(again, nil, 0) == length, "a printed rule that reads as another")
            firsttime_rule_free(again)
        }
        firsttime_rule_free(made)
    }
}
