// What the tests of calendar intervals share: times by their dates, and a zone for libc.

import FirstTimeStore
import Foundation

@testable import FirstTimeEngine

/// libc's zone is the process's: one test at a time has it.
private let zoneLock = NSLock()

/// Calls `body` with `name` for TZ.
func inZone<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    zoneLock.lock()
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    defer {
        if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
        zoneLock.unlock()
    }
    return try body()
}

/// UTC as seconds since 1970: "2021-01-31 23:59:59.5".
func utc(_ text: String) -> Double {
    let parts = text.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
    var fields = tm()
    let second = parts.count > 5 ? parts[5] : 0
    fields.tm_year = Int32(parts[0]) - 1900
    fields.tm_mon = Int32(parts[1]) - 1
    fields.tm_mday = Int32(parts[2])
    if parts.count > 4 { (fields.tm_hour, fields.tm_min) = (Int32(parts[3]), Int32(parts[4])) }
    return Double(timegm(&fields)) + second
}

extension LocalCalendar {
    /// UTC, whatever the test's environment says.
    static func utc(firstWeekday: Int64 = 1) -> LocalCalendar {
        var calendar = LocalCalendar()
        calendar.zone = .fixed(seconds: 0)
        calendar.firstWeekday = firstWeekday
        return calendar
    }
}

extension Interval {
    static func calendar(_ count: Double, _ unit: Unit) throws -> Interval {
        try Interval(count: count, unit: unit.rawValue, kind: Kind.calendar.rawValue)
    }

    static func period(_ count: Double, _ unit: Unit) throws -> Interval {
        try Interval(count: count, unit: unit.rawValue, kind: Kind.period.rawValue)
    }

    /// Whether it is due at `time` and not just before, which is what nextDue says at `last`.
    func isDue(from time: Double, last: Double, in calendar: LocalCalendar = .utc()) -> Bool {
        isDue(last: last, now: time, in: calendar) && !isDue(last: last, now: time.nextDown, in: calendar)
            && nextDue(last: last, now: last, in: calendar) == time
    }

    static let everyUnit: [Unit] = [.second, .minute, .hour, .day, .week, .month, .quarter, .year]

    /// One of every kind and unit.
    static func every(_ count: Double) throws -> [Interval] {
        var intervals: [Interval] = []
        for unit in everyUnit {
            if unit.seconds != nil { intervals.append(try Interval(count: count, unit: unit.rawValue, kind: 0)) }
            intervals += [try .calendar(count, unit), try .period(count, unit)]
        }
        return intervals
    }
}
