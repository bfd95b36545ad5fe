// Interval: how long a key rests. It knows lengths; what they are added to, and when, is Policy's.

import FirstTimeStore

/// A length of time that has been checked.
package struct Interval: Sendable {
    /// In the order of `firsttime_unit`.
    package enum Unit: Int32, Sendable {
        case second, minute, hour, day, week, month, quarter, year
    }

    /// In the order of `firsttime_interval_kind`.
    package enum Kind: Int32, Sendable {
        case elapsed, calendar, period
    }

    /// Infinity: never.
    package let seconds: Double

    package init(count: Double, unit: Int32, kind: Int32) throws(EngineError) {
        guard let kind = Kind(rawValue: kind) else { throw .argument(reason: "the interval's kind is unknown") }
        guard let unit = Unit(rawValue: unit) else { throw .argument(reason: "the interval's unit is unknown") }
        guard kind == .elapsed else {
            throw .argument(reason: "calendar intervals (CALENDAR and PERIOD) are not in this version of the library")
        }
        guard count > 0, count.isFinite else {
            throw .argument(reason: "the interval's count is not a finite number above 0")
        }
        guard let length = Self.length(of: unit) else {
            throw .argument(reason: "an ELAPSED interval's unit is SECOND, MINUTE, HOUR, DAY or WEEK")
        }
        // Too many to count becomes infinity, which no clock reaches.
        seconds = count * length
    }

    /// Nil for units whose length depends on the calendar.
    private static func length(of unit: Unit) -> Double? {
        switch unit {
        case .second: return 1
        case .minute: return 60
        case .hour: return 3600
        case .day: return 86400
        case .week: return 604_800
        case .month, .quarter, .year: return nil
        }
    }
}
