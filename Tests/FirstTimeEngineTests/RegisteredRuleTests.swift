// Rules that are set on a store: when they fire, how often, where, and what becomes of them when something goes wrong.

import CSystem
import Foundation
import Testing

@testable import FirstTimeEngine
@testable import FirstTimeStore

@Suite("Registered rules")
struct RegisteredRuleTests {
    private let test: RuleTest
    private var engine: Engine { test.engine.engine }

    init() throws { test = try RuleTest(version: "1.0") }

    private func event(_ name: String, atLeast count: UInt64) throws -> Rule {
        try .event(RuleTest.key(name), atLeast: count)
    }

    @Test("A donation counts, and remembers the first and the last")
    func donations() throws {
        try test.donate("open")
        test.engine.time += 5
        engine.set(versionProvider: { Array("2.0".utf8) })
        try test.donate("open")
        let (before, after) = (test.engine.time - 5 - Record.epoch, test.engine.time - Record.epoch)
        let isFound = try engine.findDonations(RuleTest.key("open")) { donations in
            #expect(donations.count == 2 && donations.firstTime == before && donations.lastTime == after)
            #expect(donations.firstVersion == Array("1.0".utf8) && donations.lastVersion == Array("2.0".utf8))
        }
        #expect(isFound)
        #expect(try !engine.findDonations(RuleTest.key("other")) { _ in })
        try engine.resetDonations(RuleTest.key("open"))
        #expect(try test.count("open") == 0)
    }

    @Test("Events are shown in the order of their names, until the visitor has enough; all can be forgotten at once")
    func each() throws {
        for name in ["b", "a", "c", "a"] { try test.donate(name) }
        var seen: [String] = []
        let sawAll = try engine.eachDonations { name, donations in
            seen.append("\(String(decoding: name.bytes, as: UTF8.self)) \(donations.count)")
            return seen.count < 2
        }
        #expect(!sawAll && seen == ["a 2", "b 1"])
        try engine.resetDonations(nil)
        #expect(try engine.eachDonations { _, _ in false })
    }

    @Test("A rule fires inside the donation that fulfils it, and with each one after")
    func firing() throws {
        try test.set("third", event("open", atLeast: 3))
        #expect(try test.donate("open") == [] && test.donate("open") == [])
        #expect(try test.donate("open") == ["third"])
        #expect(try test.donate("other") == ["third"])
        try engine.evaluateRules()
        #expect(test.fired == ["third"])
        #expect(try test.trigger("third")?.count == 3)
    }

    @Test("Rules are asked in the order in which they were set; the same name replaces")
    func order() throws {
        for name in ["b", "a", "c"] { try test.set(name, .always) }
        #expect(try test.donate("x") == ["b", "a", "c"])
        try test.set("a", .never)
        #expect(try test.donate("x") == ["b", "c"])
        try engine.removeRule(RuleTest.key("b"))
        #expect(try test.donate("x") == ["c"])
        #expect(try engine.isRegistered(RuleTest.key("a")) && !engine.isRegistered(RuleTest.key("b")))
        var names: [String] = []
        #expect(
            try engine.eachRule {
                names.append(String(decoding: $0.bytes, as: UTF8.self))
                return true
            })
        #expect(names == ["a", "c"])
    }

    @Test("A throttle lets it fire once in its interval")
    func throttle() throws {
        try test.set("prompt", .always) { $0.frequency = try .hours(1) }
        #expect(try test.donate("x") == ["prompt"] && test.donate("x") == [])
        test.engine.time += 3599
        #expect(try test.donate("x") == [])
        test.engine.time += 1
        #expect(try test.donate("x") == ["prompt"])
        try engine.resetTrigger(RuleTest.key("prompt"))
        #expect(try test.donate("x") == ["prompt"])
    }

    @Test("Rules with one throttle name rest together, each with a count of its own")
    func sharedThrottle() throws {
        for name in ["a", "b"] {
            try test.set(name, .always) {
                $0.frequency = try .hours(1)
                $0.throttleName = try RuleTest.key("prompts")
            }
        }
        #expect(try test.donate("x") == ["a"])
        try engine.removeRule(RuleTest.key("a"))
        #expect(try test.donate("x") == [])
        test.engine.time += 3600
        #expect(try test.donate("x") == ["b"])
        #expect(try test.trigger("a")?.count == 1 && test.trigger("b")?.count == 1)
        #expect(try test.trigger("prompts")?.count == 2)
    }

    @Test("A limit holds for ever, in another handle, too")
    func limit() throws {
        try test.set("twice", .always) { $0.limit = 2 }
        #expect(try test.donate("x") == ["twice"] && test.donate("x") == ["twice"] && test.donate("x") == [])
        var options = Engine.Options()
        options.path = Array(test.engine.path.utf8)
        let other = try Engine(options)
        defer { try? other.close() }
        var isFired = false
        var limited = RuleOptions()
        limited.limit = 2
        nonisolated(unsafe) let flag = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        defer { flag.deallocate() }
        flag.pointee = false
        try other.setRule(RuleTest.key("twice"), .always, .calling { flag.pointee = true }, limited)
        try other.evaluateRules()
        isFired = flag.pointee
        #expect(!isFired)
        try engine.resetTrigger(nil)
        #expect(try test.donate("x") == ["twice"])
    }

    @Test("A wrong clock doesn't block a throttle for longer than two intervals")
    func wrongClock() throws {
        try test.set("prompt", .always) { $0.frequency = try .hours(1) }
        test.engine.time += 86400 * 365
        #expect(try test.donate("x") == ["prompt"])
        test.engine.time -= 86400 * 365
        #expect(try test.donate("x") == ["prompt"])
    }

    @Test("What counts for a throttle is the time at which the rule fires, not the donation's")
    func slowSibling() throws {
        let clock = test.engine
        try test.set("slow", .always, then: { clock.time += 10 })
        try test.set("hourly", .always) { $0.frequency = try .hours(1) }
        #expect(try test.donate("x") == ["slow", "hourly"])
        #expect(try test.trigger("hourly")?.lastTime == clock.time - Record.epoch)
        clock.time += 3585
        // The slow one takes the last ten seconds of the hour.
        #expect(try test.donate("x") == ["slow"])
        clock.time += 5
        #expect(try test.donate("x") == ["slow", "hourly"])
    }

    @Test("A fire that another handle recorded after the clock was asked counts as one")
    func overtaken() throws {
        var options = Engine.Options()
        options.path = Array(test.engine.path.utf8)
        let other = try Engine(options)
        defer { try? other.close() }
        let (clock, fires) = (test.engine, RuleTest(test.engine))
        other.set(clock: { clock.time })
        var second = RuleOptions()
        second.frequency = try Interval(count: 1, unit: 0, kind: 0)
        try other.setRule(RuleTest.key("p"), .always, .calling { fires.write("other") }, second)
        // Between this one's look at the clock and its commit, the other handle fires, three seconds later.
        nonisolated(unsafe) var isFirst = true
        try test.set("p", .always) { $0.frequency = second.frequency }
        engine.set(clock: {
            let now = clock.time
            if isFirst {
                isFirst = false
                clock.time += 3
                try? other.evaluateRules()
            }
            return now
        })
        try engine.evaluateRules()
        #expect(fires.fired == ["other"] && test.fired == [])
        #expect(try test.trigger("p")?.count == 1)
    }

    @Test(
        "Rules whose triggers all donate ask each other in pairs, not in all orders; a rule that sets itself again is itself"
    )
    func manyDonate() throws {
        let (engine, event) = (engine, try RuleTest.key("x"))
        for number in 0..<12 { try test.set("rule \(number)", .always, then: { try? engine.donate(event) }) }
        #expect(try test.donate("x").count == 12 * 12)
        let again = test
        @Sendable func arm() {
            try? again.set(
                "self", .always,
                then: {
                    arm()
                    try? engine.donate(event)
                })
        }
        for number in 0..<12 { try engine.removeRule(RuleTest.key("rule \(number)")) }
        arm()
        #expect(try test.donate("x") == ["self"])
    }

    @Test("Donations nest sixteen levels; deeper ones count")
    func nesting() throws {
        let engine = engine
        nonisolated(unsafe) var (depth, deepest) = (0, 0)
        for level in 0..<20 {
            let (event, next) = try (RuleTest.key("e\(level)"), RuleTest.key("e\(level + 1)"))
            let trigger: @Sendable () -> Void = {
                depth += 1
                deepest = max(deepest, depth)
                try? engine.donate(next)
                depth -= 1
            }
            try test.set("r\(level)", .event(event, atLeast: 1), then: trigger)
        }
        let fired = try test.donate("e0")
        #expect(deepest == 16 && fired.count <= 20 * 20)
        #expect(try test.count("e16") > 0)
    }

    @Test("A donation from a trigger or a condition works, and the rule isn't asked inside itself")
    func recursion() throws {
        let engine = engine
        let inner = try RuleTest.key("inner")
        try test.set("loop", .always, then: { try? engine.donate(inner) })
        try test.set("other", .always, then: { try? engine.donate(inner) })
        try test.set(
            "asks",
            .condition {
                try? engine.donate(inner)
                return true
            })
        // Each fires inside the others, but not inside itself.
        let fired = try test.donate("x")
        #expect(Set(fired) == ["loop", "other", "asks"] && fired.count < 20)
        #expect(try test.count("inner") > 2)
    }

    @Test("A trigger may remove and replace rules, its own and others'")
    func changing() throws {
        let engine = engine
        let (own, next) = try (RuleTest.key("own"), RuleTest.key("next"))
        try test.set(
            "own", .always,
            then: {
                _ = try? engine.removeRule(own)
                _ = try? engine.removeRule(next)
            })
        try test.set("next", .always)
        #expect(try test.donate("x") == ["own"] && test.donate("x") == [])
    }

    @Test("A donation that can't be counted fails, and asks no rule")
    func unwritable() throws {
        try test.donate("x")
        try test.set("rule", .always)
        var options = Engine.Options()
        options.path = Array(test.engine.path.utf8)
        options.isReadOnly = true
        let reader = try Engine(options)
        defer { try? reader.close() }
        let event = try RuleTest.key("x")
        #expect(words { "\(try reader.donate(event))" } == "read-only")
        try reader.setRule(event, .always, .notifying(keeping: 0), RuleOptions())
        #expect(words { "\(try reader.evaluateRules())" } == "not claimed: x")
        #expect(try test.count("x") == 1)
    }

    @Test("What could not be recorded doesn't fire, doesn't stop its siblings, and is tried again")
    func failingClaim() throws {
        try test.set("first", .always) { $0.limit = 1 }
        try test.set("second", .never)
        try test.donate("x")
        // Between the donation and the claim the journal can't be written any more.
        let store = engine.store
        let held = store
        let condition = Rule.condition {
            held.withAccess { held.memory.journal = held.memory.journal?.readOnly() }
            return true
        }
        try engine.resetTrigger(nil)
        try test.set("first", condition) { $0.limit = 1 }
        let after = RuleTest(test.engine)
        try after.set(
            "third",
            .condition {
                after.write("asked")
                return false
            })
        #expect(words { "\(try engine.donate(RuleTest.key("x")))" } == "not claimed: first")
        #expect(test.fired == [] && after.fired == ["asked"])
        #expect(try test.count("x") == 2)
        try test.set("first", .always) { $0.limit = 1 }
        store.forgetFiles()
        try engine.evaluateRules()
        #expect(try test.fired == ["first"] && test.trigger("first")?.count == 1)
    }

    @Test("Options are checked", arguments: [-1, .nan, .infinity, -0.001])
    func delays(_ delay: Double) throws {
        #expect(words { "\(try test.set("x", .always) { $0.delay = delay })" }.hasPrefix("argument: the delay"))
    }
}

@Suite("Executors and delays")
struct DelayedRuleTests {
    private let test: RuleTest
    private var engine: Engine { test.engine.engine }

    init() throws { test = try RuleTest() }

    /// Keeps work until it is asked to run it.
    private final class Queue: @unchecked Sendable {
        private let monitor = Monitor()
        private var works: [@Sendable () -> Void] = []

        var executor: RuleOptions.Executor { { [self] work in monitor.withLock { works.append(work) } } }

        func run() -> Int {
            let works = monitor.withLock {
                let works = self.works
                self.works = []
                return works
            }
            for work in works { work() }
            return works.count
        }
    }

    @Test("An executor runs the trigger, later, and what was claimed stays claimed")
    func executor() throws {
        let queue = Queue()
        try test.set("rule", .always) {
            $0.executor = queue.executor
            $0.limit = 1
        }
        #expect(try test.donate("x") == [] && test.donate("x") == [])
        #expect(queue.run() == 1 && test.fired == ["rule"])
    }

    @Test("Work that comes after removal or close only frees itself", arguments: ["removal", "close"])
    func late(_ what: String) throws {
        let queue = Queue()
        try test.set("rule", .always) { $0.executor = queue.executor }
        try test.donate("x")
        if what == "removal" { try engine.removeRule(RuleTest.key("rule")) } else { try engine.close() }
        #expect(queue.run() == 1 && test.fired == [])
    }

    @Test("Rules whose triggers donate, through an executor, don't keep each other going")
    func chain() throws {
        let queue = Queue()
        let engine = engine
        let event = try RuleTest.key("x")
        for name in ["a", "b"] {
            try test.set(name, .always, { $0.executor = queue.executor }, then: { try? engine.donate(event) })
        }
        try test.donate("x")
        var rounds = 0
        while queue.run() > 0 { rounds += 1 }
        #expect(rounds < 5 && test.fired.count == 4)
    }

    @Test("A delayed rule fires later, without holding up the donation, once")
    func delay() throws {
        try test.set("late", .always) { $0.delay = 0.05 }
        try test.set("now", .always)
        #expect(try test.donate("x") == ["now"] && test.donate("x") == ["now"])
        try engine.waitForDelayedRules()
        #expect(test.fired == ["late"])
        #expect(try test.trigger("late")?.count == 1)
    }

    @Test("A delayed rule that holds no more when its time has come doesn't fire, and isn't counted")
    func noMore() throws {
        nonisolated(unsafe) let holds = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        defer { holds.deallocate() }
        holds.pointee = true
        let monitor = Monitor()
        try test.set("late", .condition { monitor.withLock { holds.pointee } }) { $0.delay = 0.2 }
        try test.donate("x")
        monitor.withLock { holds.pointee = false }
        try engine.waitForDelayedRules()
        #expect(try test.fired == [] && test.trigger("late") == nil)
    }

    @Test("Removing, replacing and closing cancel it", arguments: ["remove", "replace", "close"])
    func cancelling(_ how: String) throws {
        try test.set("late", .always) { $0.delay = 3600 }
        try test.donate("x")
        switch how {
        case "remove": try engine.removeRule(RuleTest.key("late"))
        case "replace": try test.set("late", .never)
        default: try engine.close()
        }
        if how != "close" { try engine.waitForDelayedRules() }
        #expect(test.fired == [])
    }

    @Test("Closing ends those who wait")
    func closingWaiters() throws {
        try test.set("late", .always) { $0.delay = 3600 }
        try test.donate("x")
        let engine = engine
        let done = Monitor()
        nonisolated(unsafe) let isDone = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        defer { isDone.deallocate() }
        isDone.pointee = false
        Thread.detachNewThread {
            try? engine.waitForDelayedRules()
            done.withLock {
                isDone.pointee = true
                done.notifyAll()
            }
        }
        // Whether it waits by now or not, it ends.
        try engine.close()
        done.withLock { while !isDone.pointee { done.wait(milliseconds: 1000) } }
    }

    @Test("Waiting and closing from inside a trigger, at once or delayed, is reentrant", arguments: [0, 0.01])
    func reentrant(delay: Double) throws {
        let engine = engine
        let test = test
        try test.set(
            "rule", .always, { $0.delay = delay },
            then: {
                test.write(words { "\(try engine.waitForDelayedRules())" })
                test.write(words { "\(try engine.close())" })
            })
        try engine.donate(RuleTest.key("x"))
        try engine.waitForDelayedRules()
        #expect(test.fired == ["rule", "reentrant", "reentrant"])
    }

    @Test("Waiting with a key that a delayed trigger waits for is reentrant, not for ever")
    func heldUp() throws {
        let options = { () -> Engine.Options in
            var options = Engine.Options()
            options.path = Array(test.engine.path.utf8)
            return options
        }()
        let patient = try Engine(options)
        let rules = RuleTest(test.engine)
        let key = try RuleTest.key("k")
        let unsafePatient = patient
        var late = RuleOptions()
        late.delay = 0.001
        try patient.setRule(
            key, .always,
            .calling {
                rules.write(words { "\(try unsafePatient.execute(key, Policy(), first: { 0 }, after: nil))" })
            }, late)
        guard case .due(let claim) = try patient.begin(key, Policy()) else { return #expect(Bool(false)) }
        try patient.donate(key)
        #expect(words { "\(try patient.waitForDelayedRules())" } == "reentrant")
        claim.abandon()
        try patient.waitForDelayedRules()
        #expect(rules.fired == ["ran"])
        try patient.close()
    }
}

@Suite("Notifications")
struct NotificationTests {
    private let test: RuleTest
    private var engine: Engine { test.engine.engine }

    init() throws { test = try RuleTest() }

    private func observe(_ name: String, _ text: String, then: @escaping @Sendable () -> Void = {}) throws -> UInt64 {
        try engine.observe(RuleTest.key(name)) { [test] in
            test.write(text)
            then()
        }
    }

    @Test("Those who observe a name are told, in order, until they are removed")
    func posting() throws {
        let first = try observe("n", "first")
        let second = try observe("n", "second")
        _ = try observe("m", "other")
        try engine.post(RuleTest.key("n"))
        #expect(test.fired == ["first", "second"] && first != second && first != 0)
        #expect(try engine.removeObserver(first) && !engine.removeObserver(first))
        try engine.post(RuleTest.key("n"))
        #expect(test.fired == ["second"])
    }

    @Test("A rule without a trigger posts its name")
    func rule() throws {
        _ = try observe("review", "told")
        try engine.setRule(RuleTest.key("review"), .always, .notifying(keeping: 0), RuleOptions())
        #expect(try test.donate("x") == ["told"])
        #expect(try test.trigger("review")?.count == 1)
    }

    @Test("An observer may remove itself and others, add some, and post what it observes")
    func changing() throws {
        let engine = engine
        let test = test
        nonisolated(unsafe) let numbers = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
        defer { numbers.deallocate() }
        let name = try RuleTest.key("n")
        numbers[0] = try observe("n", "first") {
            _ = try? engine.removeObserver(numbers[0])
            _ = try? engine.removeObserver(numbers[1])
            _ = try? engine.observe(name) { test.write("new") }
            try? engine.post(name)
        }
        numbers[1] = try observe("n", "second")
        _ = try observe("n", "third") { try? engine.post(name) }
        try engine.post(name)
        // Inside the first, the third and, inside that, the new one are told; then again inside the third.
        #expect(test.fired == ["first", "third", "new", "third", "new"])
    }
}
