// Interval keys, calendar intervals and the doubles for tests, as Swift apps use them.

import FirstTime
import Foundation
import Testing

extension IntervalKey {
    fileprivate static let reviewPrompt = IntervalKey("reviewPrompt", .monthly)
    fileprivate static let cleanUp = IntervalKey("cleanUp", .custom(.day, 3))
}

@Suite("Interval keys in Swift")
struct SwiftIntervalTests {
    private let store: FirstTime
    private let time = Clock()

    /// A clock that tests set: 31 January 2024, 23:59:59.
    private final class Clock: @unchecked Sendable {
        private let lock = NSLock()
        private var value = 1_706_745_599.0
        var now: Double {
            get { lock.withLock { value } }
            set { lock.withLock { value = newValue } }
        }
    }

    init() throws {
        store = try FirstTime(options: .inMemory, calendar: RunCalendar(utcOffsetMinutes: 0, firstWeekday: .sunday))
        store.setClock { [time] in time.now }
    }

    @Test("Ask, do, mark") func asking() throws {
        let intervals = store.intervals
        #expect(try intervals.shouldRun(.reviewPrompt))
        try intervals.markRun(.reviewPrompt)
        try intervals.markRun(.cleanUp)
        #expect(try !intervals.shouldRun(.reviewPrompt))
        time.now += 1
        #expect(try intervals.shouldRun(.reviewPrompt))
        #expect(try !intervals.shouldRun(.cleanUp))
        time.now += 2 * 86400
        #expect(try intervals.shouldRun(.cleanUp))
        #expect(try store.record(forKey: "interval.cleanUp")?.count == 1)
    }

    @Test("Resetting forgets one, or all of them and nothing else") func resetting() throws {
        let intervals = store.intervals
        for key in ["interval", "intervals.x", "x.interval.y"] { try store.mark(key) }
        try intervals.markRun(.reviewPrompt)
        try intervals.markRun(.cleanUp)
        try intervals.reset(.reviewPrompt)
        #expect(try intervals.shouldRun(.reviewPrompt) && !intervals.shouldRun(.cleanUp))
        try intervals.resetAll()
        #expect(try intervals.shouldRun(.cleanUp))
        #expect(try store.records().map(\.key) == ["interval", "intervals.x", "x.interval.y"])
    }

    @Test("Bad names and intervals throw", arguments: ["", String(repeating: "x", count: 65527), "a\0b"])
    func badNames(name: String) throws {
        let intervals = store.intervals
        let key = IntervalKey(name, .daily)
        #expect(throws: FirstTimeError.self) { try intervals.shouldRun(key) }
        #expect(throws: FirstTimeError.self) { try intervals.markRun(key) }
        #expect(throws: FirstTimeError.self) { try intervals.reset(key) }
        try intervals.markRun(IntervalKey(String(repeating: "x", count: 65526), .daily))
        for count in [0, -1, .min] {
            #expect(throws: FirstTimeError.self) { try intervals.shouldRun(IntervalKey("k", .custom(.day, count))) }
        }
        #expect(throws: FirstTimeError.self) { try FirstTime(calendar: RunCalendar(utcOffsetMinutes: 1441)) }
    }

    @Test(
        "Every interval is due when it should be",
        arguments: [
            (.hourly, 1), (.daily, 1), (.monthly, 1), (.weekly, 1 + 3 * 86400), (.quarterly, 1 + 60 * 86400),
            (.yearly, 1 + 335 * 86400), (.calendar(.month, 1), 29 * 86400), (.calendar(.day, 2), 2 * 86400),
            (.period(.minute, 2), 61), (.custom(.day, 2), 86401), (.days(0.5), 43200),
        ] as [(RunInterval, Double)])
    func intervals(interval: RunInterval, seconds: Double) throws {
        try store.mark("k")
        #expect(try store.nextDue("k", .oncePer(interval)) == time.now + seconds)
        time.now += seconds
        #expect(try store.executeOncePerInterval(forKey: "k", interval) {} == .ran)
    }

    @Test("Legacy interval keys are imported") func importing() throws {
        let preferences = "<plist><dict><key>interval.reviewPrompt</key><integer>12</integer></dict></plist>"
        #expect(try store.importArchive(preferences.utf8, intervals: [.reviewPrompt]).added == 1)
        #expect(try store.lastExecution(forKey: "interval.reviewPrompt") == 1_701_388_800)  // 1 December
        #expect(throws: FirstTimeError.self) {
            try store.importArchive(preferences.utf8, intervals: [IntervalKey("", .daily)])
        }
    }

    @Test("One double says yes and records nothing, the other fails loudly") func doubles() async throws {
        let noop = IntervalClient.noop
        try noop.markRun(.reviewPrompt)
        #expect(try noop.shouldRun(.reviewPrompt))
        try noop.reset(.reviewPrompt)
        try noop.resetAll()

        let calls = Calls()
        let failing = IntervalClient.unimplemented { calls.add($0) }
        #expect(throws: FirstTimeError.self) { try failing.shouldRun(.cleanUp) }
        #expect(throws: FirstTimeError.self) { try failing.markRun(.cleanUp) }
        #expect(throws: FirstTimeError.self) { try failing.reset(.cleanUp) }
        #expect(throws: FirstTimeError.self) { try failing.resetAll() }
        #expect(calls.all.count == 4 && calls.all[0].contains("shouldRun(\"cleanUp\")"))

        await #expect(processExitsWith: .failure) { _ = try IntervalClient.unimplemented().shouldRun(.cleanUp) }
    }

    private final class Calls: @unchecked Sendable {
        private let lock = NSLock()
        private var calls: [String] = []
        func add(_ call: String) { lock.withLock { calls.append(call) } }
        var all: [String] { lock.withLock { calls } }
    }
}
