// When a key is due: the design's table, row by row.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("When a key is due")
struct DueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Nil: no record.
        let record: Record?
        let policy: Policy
        var now: Double
        var version: String?
        let isDue: Bool
        /// Nil: now.
        let next: Double?

        init(
            _ description: String, last: Double?, lastVersion: String? = nil, now: Double = 1_000_000,
            version: String? = nil, perVersion: Bool = false, seconds: Double? = nil, due: Bool, next: Double? = nil
        ) throws {
            testDescription = description
            var record = Record()
            record.lastTime = last.map { $0 - Record.epoch }
            record.lastVersion = lastVersion.map { Array($0.utf8) }
            self.record = record
            policy = Policy(
                isPerVersion: perVersion, interval: try seconds.map { try Interval(count: $0, unit: 0, kind: 0) })
            self.now = now
            self.version = version
            isDue = due
            self.next = next
        }

        var moment: Moment { Moment(now: now, version: version.map { Array($0.utf8) }) }
    }

    private static let past = 900_000.0
    private static let never = Double.infinity

    static let cases: [Case] =
        (try? [
            Case("once per install, run", last: past, due: false, next: never),
            Case("once per install, no time", last: nil, due: false, next: never),
            Case(
                "once per install, another version", last: past, lastVersion: "1", version: "2", due: false, next: never
            ),
            Case("same version", last: past, lastVersion: "1", version: "1", perVersion: true, due: false, next: never),
            Case("no version and none", last: past, perVersion: true, due: false, next: never),
            Case("another version", last: past, lastVersion: "1", version: "2", perVersion: true, due: true),
            Case("an older version", last: past, lastVersion: "2", version: "1", perVersion: true, due: true),
            Case("1.0 and 1.0.0", last: past, lastVersion: "1.0", version: "1.0.0", perVersion: true, due: true),
            Case("case", last: past, lastVersion: "a", version: "A", perVersion: true, due: true),
            Case("two spellings", last: past, lastVersion: "é", version: "e\u{301}", perVersion: true, due: true),
            Case("a version where none was", last: past, version: "1", perVersion: true, due: true),
            Case("none where a version was", last: past, lastVersion: "1", perVersion: true, due: true),
            Case("none where the empty one was", last: past, lastVersion: "", perVersion: true, due: true),
            Case("interval passed", last: past, seconds: 99_999, due: true),
            Case("exactly passed", last: past, seconds: 100_000, due: true),
            Case("a second short", last: past, seconds: 100_001, due: false, next: 1_000_001),
            Case("no time", last: nil, seconds: 100, due: true),
            Case("NaN", last: .nan, seconds: 100, due: true),
            Case("infinity", last: .infinity, seconds: 100, due: true),
            Case("minus infinity", last: -.infinity, seconds: 1e300, due: true),
            Case("no time, interval beyond counting", last: nil, seconds: 1.7e308, due: true),
            Case("future within the interval", last: 1_000_050, seconds: 100, due: false, next: 1_000_150),
            Case("future by the interval", last: 1_000_100, seconds: 100, due: false, next: 1_000_200),
            Case("future beyond the interval", last: 1_000_101, seconds: 100, due: true),
            Case("far future", last: 1e300, seconds: 100, due: true),
            Case("far past", last: -1e300, seconds: 100, due: true),
            Case("the largest time", last: .greatestFiniteMagnitude, seconds: 1e308, due: true),
            Case("tiny interval, now", last: 1_000_000, seconds: .leastNonzeroMagnitude, due: true),
            Case("tiny interval, a bit ahead", last: 1_000_000.25, seconds: .leastNonzeroMagnitude, due: true),
            Case("either: time", last: past, lastVersion: "1", version: "1", perVersion: true, seconds: 10, due: true),
            Case(
                "either: version", last: past, lastVersion: "1", version: "2", perVersion: true, seconds: 1e9, due: true
            ),
            Case(
                "neither", last: past, lastVersion: "1", version: "1", perVersion: true, seconds: 100_001, due: false,
                next: 1_000_001),
            Case("before 1970", last: -500, now: -400, seconds: 101, due: false, next: -399),
        ]) ?? []

    @Test("The table", arguments: cases)
    func table(_ testCase: Case) {
        let (record, policy) = (testCase.record, testCase.policy)
        #expect(policy.isDue(record, at: testCase.moment) == testCase.isDue)
        #expect(policy.nextDue(record, at: testCase.moment) == testCase.next ?? testCase.now)
    }

    @Test("The table is there, and what has no record is due under every policy") func complete() {
        #expect(Self.cases.count == 33)
        for testCase in Self.cases {
            #expect(testCase.policy.isDue(nil, at: testCase.moment))
            #expect(testCase.policy.nextDue(nil, at: testCase.moment) == testCase.now)
        }
    }

    @Test(
        "A count that overflows means never", arguments: [1e308, 1.7e308, .greatestFiniteMagnitude], [3, 4] as [Int32])
    func overflow(count: Double, unit: Int32) throws {
        let policy = Policy(interval: try Interval(count: count, unit: unit, kind: 0))
        for last in [0, -1e300, 1e300] {
            var record = Record()
            record.lastTime = last
            let moment = Moment(now: 1e17, version: nil)
            #expect(!policy.isDue(record, at: moment))
            #expect(policy.nextDue(record, at: moment) == .infinity)
        }
    }

    @Test("At exactly the time that nextDue gave it is due, and just before it isn't")
    func boundary() throws {
        var seed: UInt64 = 42
        func random() -> Double {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(seed >> 11) / Double(1 << 53)
        }
        for _ in 0..<1_000 {
            var record = Record()
            record.lastTime = (random() - 0.3) * 1e9
            let last = (record.lastTime ?? 0) + Record.epoch
            let policy = Policy(interval: try Interval(count: random() * 1e6 + 1, unit: 0, kind: 0))
            let next = policy.nextDue(record, at: Moment(now: last, version: nil))
            #expect(next > last)
            #expect(policy.isDue(record, at: Moment(now: next, version: nil)))
            #expect(!policy.isDue(record, at: Moment(now: next.nextDown, version: nil)))
        }
    }

    @Test(
        "Elapsed intervals have fixed lengths",
        arguments: [(0, 1), (1, 60), (2, 3600), (3, 86400), (4, 604_800)] as [(Int32, Double)])
    func lengths(unit: Int32, seconds: Double) throws {
        #expect(try Interval(count: 1, unit: unit, kind: 0).seconds == seconds)
        #expect(try Interval(count: 0.5, unit: unit, kind: 0).seconds == seconds / 2)
    }

    @Test("What is no interval is refused")
    func refused() {
        let counts: [Double] = [0, -0.0, -1, .nan, .infinity, -.infinity]
        for count in counts { #expect(throws: EngineError.self) { try Interval(count: count, unit: 3, kind: 0) } }
        for unit in [5, 6, 7, 8, -1, .max] as [Int32] {
            #expect(throws: EngineError.self) { try Interval(count: 1, unit: unit, kind: 0) }
        }
        for kind in [3, -1, .max, .min] as [Int32] {
            #expect(throws: EngineError.self) { try Interval(count: 1, unit: 3, kind: kind) }
        }
    }
}
