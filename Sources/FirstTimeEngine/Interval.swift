// Interval: how long a key rests, as a count of units. It checks them; when one has passed is Interval+Due's.

import FirstTimeStore

/// An interval that has been checked.
package struct Interval: Sendable {
    /// In the order of `firsttime_unit`.
    package enum Unit: Int32, Sendable {
        case second, minute, hour, day, week, month, quarter, year

        /// Its length, where that doesn't depend on the calendar.
        var seconds: Int64? {
            switch self {
            case .second: return 1
            case .minute: return 60
            case .hour: return 3600
            case .day: return 86400
            case .week: return 604_800
            case .month, .quarter, .year: return nil
            }
        }

        /// Whether it is a part of a day.
        var isClockTime: Bool { self == .second || self == .minute || self == .hour }
    }

    /// In the order of `firsttime_interval_kind`.
    package enum Kind: Int32, Sendable {
        case elapsed, calendar, period
    }

    package let kind: Kind
    package let unit: Unit
    package let count: Double

    package init(count: Double, unit: Int32, kind: Int32) throws(EngineError) {
        guard let kind = Kind(rawValue: kind) else { throw .argument(reason: "the interval's kind is unknown") }
        guard let unit = Unit(rawValue: unit) else { throw .argument(reason: "the interval's unit is unknown") }
        guard count > 0, count.isFinite else {
            throw .argument(reason: "the interval's count is not a finite number above 0")
        }
        if kind == .elapsed {
            guard unit.seconds != nil else {
                throw .argument(reason: "an ELAPSED interval's unit is SECOND, MINUTE, HOUR, DAY or WEEK")
            }
        } else {
            guard count == count.rounded(.down) else {
                throw .argument(reason: "the count of a CALENDAR or PERIOD interval is not whole")
            }
        }
        self.kind = kind
        self.unit = unit
        self.count = count
    }

    /// Its length, where that doesn't depend on the calendar. Infinity, which no clock reaches: too many to count.
    package var seconds: Double? { unit.seconds.map { count * Double($0) } }

    /// The count of a CALENDAR or PERIOD interval; nil: more than the calendar has, so it never passes.
    var whole: Int64? {
        let shortest: Int64
        switch unit {
        case .second, .minute, .hour, .day, .week: shortest = unit.seconds ?? 1
        case .month: shortest = 28 * 86400
        case .quarter: shortest = 90 * 86400
        case .year: shortest = 365 * 86400
        }
        guard count * Double(shortest) <= Double(2 * LocalCalendar.end) else { return nil }
        return Int64(exactly: count)
    }
}
