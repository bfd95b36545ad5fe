// Events, rules and notifications from Swift: each name does what the engine's does, and errors are ours.

import FirstTime
import Synchronization
import Testing

extension Event {
    static let appStarted: Self = "appStarted"
    static let entityCreated: Self = "itemCreated"
    static let promptAttempt: Self = "promptAttempt"
}

@Suite("Events and rules from Swift")
struct SwiftRuleTests {
    private let test: TemporaryStore
    private var store: FirstTime { test.store }

    init() throws { test = try TemporaryStore() }

    /// How often something happened.
    private final class Count: Sendable {
        private let count = Mutex(0)
        func up() { count.withLock { $0 += 1 } }
        /// Since it was asked last.
        var taken: Int {
            count.withLock {
                let taken = $0
                $0 = 0
                return taken
            }
        }
    }

    @Test("Donations are counted, synchronously and asynchronously")
    func donations() async throws {
        let store = store
        let donate = { try store.donate(.appStarted) }
        try donate()
        try await store.donate(.appStarted)
        try await Event.appStarted.donate(to: store)
        test.advance(by: 5)
        test.setVersion("2.0")
        let synchronously = { try Event.appStarted.donate(to: store) }
        try synchronously()
        let donations = try store.donations(for: .appStarted)
        #expect(donations.count == 4 && donations.first?.version == "1.0" && donations.last?.version == "2.0")
        #expect(donations.first?.time == 1_700_000_000 && donations.last?.time == 1_700_000_005)
        #expect(try store.donations(for: .promptAttempt) == store.donations(for: "never"))
        #expect(try store.allDonations().map(\.event) == [.appStarted])
        try store.resetDonations(for: .appStarted)
        #expect(try store.donations(for: .appStarted).count == 0 && store.donations(for: .appStarted).last == nil)
        try await store.donate("a")
        try store.resetAllDonations()
        #expect(try store.allDonations().isEmpty)
        #expect(throws: FirstTimeError.self) { try store.donate("") }
    }

    @Test("RuleKit's example, over a history")
    func example() throws {
        let entities = Mutex(0)
        let prompts = Count()
        @Sendable func number() -> Int { entities.withLock { $0 } }
        try store.setRule(
            "requestReview", triggering: { prompts.up() }, options: [.triggerFrequency(.monthly)],
            .allOf([
                .event(.promptAttempt) { $0.last?.version != "1.0" },
                .anyOf([
                    .condition { number() >= 5 },
                    .allOf([.event(.appStarted) { $0.count >= 3 }, .condition { number() >= 3 }]),
                ]),
            ]))
        try store.donate(.appStarted)
        entities.withLock { $0 = 3 }
        try store.donate(.entityCreated)
        try store.donate(.appStarted)
        #expect(prompts.taken == 0)
        try store.donate(.appStarted)
        #expect(prompts.taken == 1)
        test.advance(by: 27 * 86400)
        try store.donate(.appStarted)
        #expect(prompts.taken == 0)
        test.advance(by: 5 * 86400)
        try store.donate(.appStarted)
        #expect(prompts.taken == 1)
        try store.donate(.promptAttempt)
        test.advance(by: 40 * 86400)
        entities.withLock { $0 = 10 }
        try store.donate(.entityCreated)
        #expect(prompts.taken == 0)
        test.setVersion("1.1")
        // What was asked in "1.0" was asked in another version now, to a rule that knows the current one.
        try store.setRule("again", triggering: { prompts.up() }, .event(.promptAttempt) { $0.last?.version != "1.1" })
        try store.evaluateRules()
        #expect(prompts.taken == 1)
    }

    private static let rules: [(Rule, String)] = [
        (.always && .never || !.always, "always && never || !always"),
        (.allOf { Rule.always }, "all of (always)"),
        (.event(.appStarted, atLeast: 3), "event(\"appStarted\") >= 3"),
        (.event("x", donatedWithin: .days(2)), "donated(\"x\") within 2 days"),
        (.event("x", notDonatedFor: .weeks(1)), "donated(\"x\") not within 1 week"),
        (.atLeast(2, of: [.always, .never, .always]), "at least 2 of (always, never, always)"),
        (.noneOf([.never]), "none of (never)"),
        (.version(atLeast: "2.1"), "version >= \"2.1\""),
        (.firstSeenInCurrentVersion("x"), "first_seen_in_current_version(\"x\")"),
    ]

    @Test("Rules are text, and text is rules", arguments: rules)
    func text(rule: Rule, text: String) throws {
        #expect(rule.description == text)
        #expect(try Rule(parsing: text).description == text)
    }

    @Test("A builder lists rules, some of them under conditions", arguments: [true, false])
    func builder(hasMore: Bool) {
        let rule = Rule.anyOf {
            Rule.never
            if hasMore { Rule.always }
            for count in 1...2 { Rule.event("x", atLeast: UInt64(count)) }
        }
        let more = hasMore ? " || always" : ""
        #expect(rule.description == "never\(more) || event(\"x\") >= 1 || event(\"x\") >= 2")
    }

    @Test("Rules of wrong arguments are refused when they are set")
    func refused() throws {
        let wrong: [Rule] = [
            .event("", atLeast: 1), .event("x", donatedWithin: .monthly), .event("x", notDonatedFor: .days(-1)),
            .atLeast(-1, of: []), .version(atLeast: ""), .not(.event("", atLeast: 1)),
            (0..<300).reduce(.always) { rule, _ in !rule },
        ]
        for rule in wrong {
            #expect(throws: FirstTimeError.self) { try store.setRule("r", triggering: {}, rule) }
            #expect(rule.description == "never")
        }
        let options: [RuleOption] = [
            .every(.day, count: 0), .throttleName(""), .delay(for: .seconds(-1)), .throttle(.days(.nan)),
        ]
        for option in options {
            #expect(throws: FirstTimeError.self) { try store.setRule("r", triggering: {}, options: [option], .always) }
        }
        #expect(throws: FirstTimeError.self) { try Rule(parsing: "event(") }
        #expect(try !store.isRuleRegistered("r"))
    }

    @Test("Options do what they say")
    func options() throws {
        let fires = Count()
        let works = Mutex<[@Sendable () -> Void]>([])
        try store.setRule(
            "a", triggering: { fires.up() }, options: [.every(.day, count: 3), .throttleName("prompts"), .limit(2)],
            .always)
        try store.setRule(
            "late", triggering: { fires.up() }, options: [.delay(for: .milliseconds(5)), .limit(1)], .always)
        try store.setRule(
            "queued", triggering: { fires.up() },
            options: [.executor { work in works.withLock { $0.append(work) } }, .limit(1)],
            .always)
        #expect(try store.registeredRules() == ["a", "late", "queued"])
        try store.donate("x")
        try store.waitForDelayedRules()
        #expect(fires.taken == 2)
        works.withLock { $0 }.forEach { $0() }
        #expect(fires.taken == 1)
        test.advance(by: 3 * 86400)
        try store.donate("x")
        test.advance(by: 3 * 86400)
        try store.donate("x")
        #expect(fires.taken == 1)
        #expect(try store.triggerRecord(for: "prompts")?.count == 2 && store.triggerRecord(for: "never") == nil)
        try store.resetTrigger("a")
        try store.donate("x")
        #expect(try fires.taken == 1 && store.removeRule("a") && !store.removeRule("a"))
        try store.resetAllTriggers()
        #expect(try store.triggerRecord(for: "prompts") == nil)
    }

    @Test("Observers are told until they are cancelled or let go of")
    func observers() throws {
        let told = Count()
        let first = try store.observe("review") { told.up() }
        var second: Observation? = try store.observe("review") { told.up() }
        try store.setRule("review", .always)
        try store.donate("x")
        #expect(told.taken == 2 && second != nil)
        second = nil
        try store.post("review")
        #expect(told.taken == 1)
        first.cancel()
        try store.post("review")
        #expect(told.taken == 0)
    }
}
