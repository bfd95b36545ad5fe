// Intervals of every kind and unit under clocks that are wrong: recorded times in the future, far away, or none at all.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Intervals and wrong clocks")
struct WrongClockTests {
    private let now = utc("2024-05-15 12:34:56.5")

    private func isDue(_ interval: Interval, last: Double) -> Bool {
        var record = Record()
        record.lastTime = last - Record.epoch
        return Policy(interval: interval).isDue(record, at: Moment(now: now, version: nil, calendar: .utc()))
    }

    private func length(_ unit: Interval.Unit) -> Double {
        switch unit {
        case .month: return 31 * 86400
        case .quarter: return 92 * 86400
        case .year: return 366 * 86400
        default: return Double(unit.seconds ?? 0)
        }
    }

    @Test("A record up to a whole interval ahead is believed, one further ahead isn't", arguments: [1, 3] as [Double])
    func ahead(count: Double) throws {
        for interval in try Interval.every(count) {
            let length = length(interval.unit) * count
            let name = Comment(rawValue: "\(interval)")
            #expect(!isDue(interval, last: now), name)
            #expect(!isDue(interval, last: now + min(1, length)), name)
            #expect(!isDue(interval, last: now + length / 2), name)
            #expect(isDue(interval, last: now + 2 * length), name)
            #expect(isDue(interval, last: utc("9999-12-31")), name)
            #expect(isDue(interval, last: utc("1904-01-01")), name)
        }
    }

    @Test("It blocks a key for two intervals at most")
    func blocked() throws {
        for interval in try Interval.every(2) where interval.unit != .second {
            let length = length(interval.unit) * 2
            for step in 0...40 {
                let last = now + length * Double(step) / 16
                let next = interval.nextDue(last: last, now: now, in: .utc())
                if interval.isDue(last: last, now: now, in: .utc()) { continue }
                #expect(next <= now + 2.1 * length + 3 * length / 2, "\(interval) \(step)")
                #expect(interval.isDue(last: last, now: next, in: .utc()))
                #expect(!interval.isDue(last: last, now: next.nextDown, in: .utc()))
            }
        }
    }

    @Test("A clock that is set back by a second at a period's end doesn't run it twice", arguments: Interval.everyUnit)
    func setBack(unit: Interval.Unit) throws {
        let newYear = utc("2029-01-01")
        let interval = try Interval.period(1, unit)
        #expect(!interval.isDue(last: newYear + 0.25, now: newYear - 0.75, in: .utc()))
    }

    @Test("No time, NaN and infinity are due", arguments: [nil, .nan, .infinity, -.infinity] as [Double?])
    func none(time: Double?) throws {
        var record = Record()
        record.lastTime = time
        for interval in try Interval.every(1) {
            #expect(Policy(interval: interval).isDue(record, at: Moment(now: now, version: nil)))
        }
    }

    @Test(
        "Times beyond every calendar neither trap nor hang",
        arguments: [1e12, 1e13, 1e14, 1e18, 1e19, 1e300, .greatestFiniteMagnitude] as [Double])
    func beyond(far: Double) throws {
        for calendar in [LocalCalendar(), .utc()] {
            for interval in try Interval.every(1) + Interval.every(1e5) {
                for (last, now) in [(far, 0), (-far, 0), (0, far), (0, -far), (far, far), (far, -far), (-far, far)] {
                    let isDue = interval.isDue(last: last, now: now, in: calendar)
                    let next = interval.nextDue(last: last, now: max(now, last), in: calendar)
                    #expect(!next.isNaN)
                    if last == far, now == 0, interval.count == 1 { #expect(isDue, "\(interval)") }
                    if last <= 0, now == far, interval.count == 1 { #expect(isDue, "\(interval)") }
                }
            }
        }
    }

    @Test(
        "Counts that lead beyond every calendar mean never",
        arguments: [1e16, 9e18, 1e19, 1e300, .greatestFiniteMagnitude] as [Double])
    func never(count: Double) throws {
        for interval in try Interval.every(count) where interval.kind == .period || !interval.unit.isClockTime {
            guard interval.kind != .elapsed else { continue }
            #expect(interval.nextDue(last: now, now: now, in: LocalCalendar()) == .infinity)
            for time in [now, -1e18, 1e18] { #expect(!interval.isDue(last: now, now: time, in: LocalCalendar())) }
        }
    }

    @Test("The count of calendar intervals is whole")
    func whole() throws {
        for unit in Interval.everyUnit {
            for count in [0, 0.5, 1.5, -1, .nan, .infinity] {
                #expect(throws: EngineError.self) { try Interval.calendar(count, unit) }
                #expect(throws: EngineError.self) { try Interval.period(count, unit) }
            }
            #expect(try Interval.calendar(1, unit).count == 1)
        }
    }
}
