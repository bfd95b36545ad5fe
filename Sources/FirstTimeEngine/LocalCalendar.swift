// LocalCalendar: instants and the local time that clocks show at them, in a zone. It knows nothing of intervals.
//
// All that is asked of the zone is what its clocks show at an instant; when they are changed is searched for. So
// whatever libc makes of TZ and of /etc/localtime is right here, too.

import CSystem

/// A zone, and the day on which weeks begin. Instants are whole seconds since 1970, and local times the seconds since
/// local clocks showed 1970-01-01 00:00:00.
package struct LocalCalendar: Sendable {
    package enum Zone: Sendable {
        /// libc's.
        case local
        /// Always as many seconds east of UTC.
        case fixed(seconds: Int64)
    }

    package var zone = Zone.local
    /// 1: Monday ... 7: Sunday.
    package var firstWeekday: Int64 = 1

    package init() {}

    /// A fixed offset, in minutes east of UTC.
    package mutating func setOffset(minutes: Int) throws(EngineError) {
        guard (-1440...1440).contains(minutes) else {
            throw .argument(reason: "the offset from UTC is more than 1440 minutes")
        }
        zone = .fixed(seconds: Int64(minutes) * 60)
    }

    /// The calendar ends this many seconds before and after 1970, 300,000 years: nothing overflows on this side.
    static var end: Int64 { 10_000_000_000_000 }

    /// No clock differs from UTC by more.
    private static var furthest: Int64 { 26 * 3600 }
    /// No zone ever changed its clocks and changed them back within so long: four days is the record, of 1939.
    private static var step: Int64 { 3 * 86400 }
    /// Changes are looked for so far ahead: beyond these hundred years clocks are taken to stay as they are.
    private static var lookahead: Int64 { 36525 * 86400 }

    /// Everything below is called inside this: the zone stays the same meanwhile.
    func reading<Result>(_ body: () -> Result) -> Result {
        guard case .local = zone else { return body() }
        csystem_zone_begin()
        defer { csystem_zone_end() }
        return body()
    }

    /// What clocks show.
    func local(at instant: Int64) -> Int64 {
        switch zone {
        case .local: return csystem_zone_local(instant)
        case .fixed(let seconds): return instant + seconds
        }
    }

    /// The first instant after `start`, and not after `end`, at which clocks are ahead of UTC by another offset than
    /// the one at `start`.
    private func change(of offset: Int64, after start: Int64, until end: Int64) -> Int64? {
        guard case .local = zone else { return nil }
        var low = start
        while low < end {
            var high = min(low + Self.step, end)
            guard local(at: high) - high != offset else {
                low = high
                continue
            }
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if local(at: middle) - middle == offset { low = middle } else { high = middle }
            }
            return high
        }
        return nil
    }
}

// MARK: - From local time to instants

extension LocalCalendar {
    /// The instant at which clocks show `time`: the first, where they do so twice; where they never do, since they jump
    /// over it, the one at which they would have if they hadn't jumped: so it moves forward by the jump.
    func instant(at time: Int64) -> Int64 {
        var start = time - Self.furthest
        while true {
            let offset = local(at: start) - start
            let instant = time - offset
            guard let change = change(of: offset, after: start, until: instant), local(at: change) <= time else {
                return instant
            }
            start = change
        }
    }

    /// The first instant at which clocks show `time` or later, after `start`, at which they show less.
    func instant(reaching time: Int64, after start: Int64) -> Int64 {
        var start = max(start, time - Self.furthest)
        while true {
            let offset = local(at: start) - start
            let instant = max(start, time - offset)
            guard let change = change(of: offset, after: start, until: instant) else { return instant }
            start = change
        }
    }

    /// The instant after `start` at which clocks show a whole `unit` (of 60 or 3600 seconds) for the `count`-th time;
    /// nil when that is after `last`.
    func instant(ofWhole unit: Int64, count: Int64, after start: Int64, until last: Int64) -> Int64? {
        let horizon = min(last, start + Self.lookahead)
        var (start, left) = (start, count)
        var offset = local(at: start) - start
        while true {
            // Units that have begun, and where those to come lie if clocks stay as they are.
            let begun = (start + offset).floorDivided(by: unit)
            let instant = (begun + left) * unit - offset
            guard let change = change(of: offset, after: start, until: min(instant, horizon)) else {
                return instant <= last ? instant : nil
            }
            left -= (change - 1 + offset).floorDivided(by: unit) - begun
            // The change itself may be a whole unit, by what clocks show from then on.
            start = change - 1
            offset = local(at: change) - change
        }
    }
}

// MARK: - Periods

extension LocalCalendar {
    /// The number of the day, week, month, quarter or year of a local time.
    func period(of unit: Interval.Unit, at time: Int64) -> Int64 {
        let days = time.floorDivided(by: 86400)
        switch unit {
        case .second, .minute, .hour, .day: return days
        // 1970-01-01 was a Thursday, three days after a Monday.
        case .week: return (days + 4 - firstWeekday).floorDivided(by: 7)
        case .month: return CivilDate(days: days).months
        case .quarter: return CivilDate(days: days).months.floorDivided(by: 3)
        case .year: return CivilDate(days: days).year
        }
    }

    /// The local time at which that one begins.
    func beginning(of period: Int64, _ unit: Interval.Unit) -> Int64 {
        switch unit {
        case .second, .minute, .hour, .day: return period * 86400
        case .week: return (period * 7 - 4 + firstWeekday) * 86400
        case .month: return CivilDate(firstOfMonth: period).days * 86400
        case .quarter: return CivilDate(firstOfMonth: period * 3).days * 86400
        case .year: return CivilDate(firstOfMonth: period * 12).days * 86400
        }
    }
}
