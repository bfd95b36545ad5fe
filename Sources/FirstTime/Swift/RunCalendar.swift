// RunCalendar: the zone and the first weekday, for Swift callers. Their meaning is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine

/// Where and how a store's calendar intervals count.
public struct RunCalendar: Hashable, Sendable {
    /// ISO 8601's numbers.
    public enum Weekday: Int, Hashable, Sendable {
        case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// Minutes east of UTC, from -1440 to 1440; nil: libc's local time, as `date` shows it.
    public var utcOffsetMinutes: Int?
    /// The day on which weeks begin.
    public var firstWeekday: Weekday

    /// Without arguments: libc's local time, and weeks that begin on Monday.
    public init(utcOffsetMinutes: Int? = nil, firstWeekday: Weekday = .monday) {
        self.utcOffsetMinutes = utcOffsetMinutes
        self.firstWeekday = firstWeekday
    }

    func checked() throws(EngineError) -> LocalCalendar {
        var calendar = LocalCalendar()
        calendar.firstWeekday = Int64(firstWeekday.rawValue)
        if let utcOffsetMinutes { try calendar.setOffset(minutes: utcOffsetMinutes) }
        return calendar
    }
}
#endif
