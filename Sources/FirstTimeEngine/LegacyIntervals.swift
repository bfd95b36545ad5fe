// LegacyIntervals: the interval keys of legacy preferences. IntervalClient kept a bare component there, the hour, day,
// week, month or year of the last run; here it becomes a time.

import FirstTimeStore
import KeyedArchive

/// The interval keys that a caller wants taken over, and the moment to count back from.
package struct LegacyIntervals: Sendable {
    let units: [(key: Key, unit: Interval.Unit)]
    let now: Double
    let calendar: LocalCalendar

    package init(units: [(key: Key, unit: Interval.Unit)], now: Double, calendar: LocalCalendar) {
        self.units = units
        self.now = now
        self.calendar = calendar
    }

    /// The records of those that the preferences have. `skip` is told of each value that is no component.
    func records(
        in list: PropertyList, skip: (PropertyList.Reference, StaticString) -> Void
    ) -> [(key: Key, record: Record)] {
        guard case .dictionary(let keys, let values) = list[list.root] else { return [] }
        var records: [(key: Key, record: Record)] = []
        for (keyPosition, valuePosition) in zip(keys, values) {
            guard case .string(let name) = list[list.reference(at: keyPosition)],
                let key = Key(list.bytes(in: name)), let unit = units.last(where: { $0.key == key })?.unit
            else { continue }
            let value = list.reference(at: valuePosition)
            guard case .integer(let component) = list[value] else {
                skip(value, "an interval key whose value is no integer")
                continue
            }
            guard let time = time(of: component, unit) else {
                skip(value, "an interval key whose value is no past component of its interval's unit")
                continue
            }
            var record = Record()
            record.lastTime = time - Record.epoch
            records.append((key, record))
        }
        return records
    }
}

// MARK: - Components

extension LegacyIntervals {
    /// As many periods are looked at: the weeks between two that are the 53rd of their years, 12 years at most, and
    /// some.
    private static var lookback: Int64 { 800 }

    /// The beginning of the latest period, not after now, that has this component; nil: none has.
    private func time(of component: Int128, _ unit: Interval.Unit) -> Double? {
        guard abs(now) < Double(LocalCalendar.end) else { return nil }
        let now = Int64(self.now.rounded(.down))
        return calendar.reading {
            let present = calendar.local(at: now)
            for back in 0..<Self.lookback {
                let beginning = beginning(of: unit, at: present, back: back)
                guard self.component(unit, at: beginning) == component else { continue }
                // Clocks may jump over it, or show it again, later.
                let instant = calendar.instant(reaching: beginning, after: beginning - 2 * 86400)
                let shown = calendar.local(at: instant)
                if instant <= now, self.component(unit, at: shown) == component { return Double(instant) }
            }
            return nil
        }
    }

    private func beginning(of unit: Interval.Unit, at time: Int64, back: Int64) -> Int64 {
        guard unit.isClockTime else {
            return calendar.beginning(of: calendar.period(of: unit, at: time) - back, unit)
        }
        let length = unit.seconds ?? 1
        return (time.floorDivided(by: length) - back) * length
    }

    @inline(never)
    private func component(_ unit: Interval.Unit, at time: Int64) -> Int128 {
        let date = CivilDate(days: time.floorDivided(by: 86400))
        switch unit {
        case .second: return Int128(time.floorRemainder(by: 60))
        case .minute: return Int128(time.floorRemainder(by: 3600) / 60)
        case .hour: return Int128(time.floorRemainder(by: 86400) / 3600)
        case .day: return Int128(date.day)
        case .week: return Int128(calendar.weekOfYear(at: time))
        case .month: return Int128(date.month)
        case .quarter: return Int128((date.month + 2) / 3)
        case .year: return Int128(date.year)
        }
    }
}

extension LocalCalendar {
    /// Where weeks begin on Monday the first one has at least four days in its year (ISO 8601), elsewhere one: as the
    /// regions have it that use these weeks.
    fileprivate func weekOfYear(at time: Int64) -> Int64 {
        let week = period(of: .week, at: time)
        let firstDay = beginning(of: week, .week).floorDivided(by: 86400)
        // The day that decides which year the week belongs to.
        let decisive = firstDay + (firstWeekday == 1 ? 3 : 6)
        let newYear = CivilDate(firstOfMonth: CivilDate(days: decisive).year * 12).days
        return (decisive - newYear) / 7 + 1
    }
}
