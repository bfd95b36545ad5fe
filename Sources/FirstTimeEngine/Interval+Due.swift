// Interval+Due: when an interval has passed. Pure functions of the last run, the moment now, and the calendar; all
// times in seconds since 1970, and every answer exact to the bit: at the time that `nextDue` gives it is due, just
// before it isn't.

extension Interval {
    /// Whether it has passed since `last`, or `last` lies more than one whole interval ahead: then a clock was wrong
    /// once, and must not block the key for ever. Both times are finite.
    func isDue(last: Double, now: Double, in calendar: LocalCalendar) -> Bool {
        calendar.reading {
            switch kind {
            case .elapsed, .calendar:
                if now >= next(after: last, in: calendar) { return true }
                return last > now && last > next(after: now, in: calendar)
            case .period:
                guard let count = whole else { return false }
                if last <= now { return hasCrossed(count, from: last, to: now, in: calendar) }
                return hasCrossed(count + 1, from: now, to: last, in: calendar)
            }
        }
    }

    /// When it will be due, if it isn't now; infinity: never.
    func nextDue(last: Double, now: Double, in calendar: LocalCalendar) -> Double {
        calendar.reading {
            switch kind {
            case .elapsed, .calendar: return next(after: last, in: calendar)
            case .period: return nextPeriod(last: last, now: now, in: calendar)
            }
        }
    }
}

// MARK: - ELAPSED and CALENDAR

extension Interval {
    /// The time one interval after `time`.
    private func next(after time: Double, in calendar: LocalCalendar) -> Double {
        if kind == .elapsed || unit.isClockTime { return time + (seconds ?? .infinity) }
        guard let count = whole else { return .infinity }
        let (second, fraction) = Self.split(time)
        let local = calendar.local(at: second)
        let date = CivilDate(days: local.floorDivided(by: 86400))
        let days: Int64
        switch unit {
        case .second, .minute, .hour, .day: days = date.days + count
        case .week: days = date.days + count * 7
        case .month: days = date.adding(months: count).days
        case .quarter: days = date.adding(months: count * 3).days
        case .year: days = date.adding(months: count * 12).days
        }
        let target = days * 86400 + local.floorRemainder(by: 86400)
        guard target < LocalCalendar.end else { return .infinity }
        return Double(calendar.instant(at: target)) + fraction
    }

    /// The second that a time lies in, and the rest. What the calendar doesn't have is at its end.
    private static func split(_ time: Double) -> (second: Int64, fraction: Double) {
        let end = Double(LocalCalendar.end)
        let time = min(max(time, -end), end)
        let second = time.rounded(.down)
        return (Int64(second), time - second)
    }
}

// MARK: - PERIOD

extension Interval {
    /// Whether so many periods begin after `start` and not after `end`.
    private func hasCrossed(
        _ count: Int64, from start: Double, to end: Double, in calendar: LocalCalendar
    ) -> Bool {
        let (start, end) = (Self.split(start).second, Self.split(end).second)
        guard !unit.isClockTime else {
            return wholeUnit(count, after: start, until: end, in: calendar) != nil
        }
        let periods =
            calendar.period(of: unit, at: calendar.local(at: end))
            - calendar.period(of: unit, at: calendar.local(at: start))
        return periods >= count
    }

    /// Clocks that are set back over midnight show a day again: so it is the first time after now, when it isn't due,
    /// that counts.
    private func nextPeriod(last: Double, now: Double, in calendar: LocalCalendar) -> Double {
        guard let count = whole else { return .infinity }
        let last = Self.split(last).second
        let instant: Int64
        if unit.isClockTime {
            guard let found = wholeUnit(count, after: last, until: LocalCalendar.end, in: calendar) else {
                return .infinity
            }
            instant = found
        } else {
            let period = calendar.period(of: unit, at: calendar.local(at: last)) + count
            let start = calendar.beginning(of: period, unit)
            guard start < LocalCalendar.end else { return .infinity }
            instant = calendar.instant(reaching: start, after: max(last, Self.split(now).second))
        }
        return Double(instant)
    }

    /// Every second is a whole one, whatever the clocks show.
    private func wholeUnit(
        _ count: Int64, after start: Int64, until end: Int64, in calendar: LocalCalendar
    ) -> Int64? {
        if unit == .second { return start + count <= end ? start + count : nil }
        return calendar.instant(ofWhole: unit.seconds ?? 1, count: count, after: start, until: end)
    }
}
