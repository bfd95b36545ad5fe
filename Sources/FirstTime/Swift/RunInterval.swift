// RunInterval: how long a key rests, for Swift callers. Its meaning is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// How long a key rests between two runs.
///
/// There are three kinds: fixed lengths (``days(_:)``), calendar units added to the last run's local time
/// (``calendar(_:_:)``), and periods of local time that have begun since (``period(_:_:)``, ``daily`` and its like).
public struct RunInterval: Hashable, Sendable {
    /// A unit of time.
    public enum Unit: Int32, Hashable, Sendable {
        case second, minute, hour, day, week, month, quarter, year
    }

    private let kind: Interval.Kind
    private let unit: Unit
    private let count: Double

    private init(_ kind: Interval.Kind, _ count: Double, _ unit: Unit) {
        self.kind = kind
        self.unit = unit
        self.count = count
    }

    func checked() throws(EngineError) -> Interval {
        try Interval(count: count, unit: unit.rawValue, kind: kind.rawValue)
    }
}

// MARK: - Fixed lengths

extension RunInterval {
    public static func seconds(_ count: Double) -> RunInterval { RunInterval(.elapsed, count, .second) }
    public static func minutes(_ count: Double) -> RunInterval { RunInterval(.elapsed, count, .minute) }
    public static func hours(_ count: Double) -> RunInterval { RunInterval(.elapsed, count, .hour) }
    /// YCFirstTime's unit: 86400 seconds. 0.5 days are 12 hours.
    public static func days(_ count: Double) -> RunInterval { RunInterval(.elapsed, count, .day) }
    public static func weeks(_ count: Double) -> RunInterval { RunInterval(.elapsed, count, .week) }
}

// MARK: - Calendar units

extension RunInterval {
    /// Units added to the local time of the last run: "two days later, at the same hour".
    ///
    /// Days and longer keep the time of day, over a change to or from summer time, too. Months, quarters and years keep
    /// the day of the month, or take the month's last: 31 January + 1 month is 28 or 29 February. A local time that
    /// doesn't exist moves forward by the jump of the clocks; of one that exists twice it is the first. Hours and
    /// shorter are elapsed time.
    public static func calendar(_ unit: Unit, _ count: Int) -> RunInterval {
        RunInterval(.calendar, Double(count), unit)
    }

    /// Periods of local time that have begun since the last run, whatever their length.
    ///
    /// With one month a run in the evening of 31 January is due again at midnight. Where clocks are set back an hour,
    /// the hour that comes twice is two hours.
    public static func period(_ unit: Unit, _ count: Int) -> RunInterval { RunInterval(.period, Double(count), unit) }

    /// Every `count` periods: the same as ``period(_:_:)``, by IntervalClient's name.
    public static func custom(_ unit: Unit, _ count: Int) -> RunInterval { period(unit, count) }

    /// Due again in the next hour.
    public static let hourly = period(.hour, 1)
    /// Due again on the next day: once a day at most, whatever the hour.
    public static let daily = period(.day, 1)
    /// Due again in the next week; see ``RunCalendar/firstWeekday``.
    public static let weekly = period(.week, 1)
    /// Due again in the next month.
    public static let monthly = period(.month, 1)
    /// Due again in the next quarter: January, April, July and October.
    public static let quarterly = period(.quarter, 1)
    /// Due again in the next year.
    public static let yearly = period(.year, 1)
}
#endif
