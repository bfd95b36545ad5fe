// Policy: when a key that has run is due again. Pure functions of the record, the policy and the moment.

import FirstTimeStore

/// When a key is due again, with neither of the first two parts set never: once per install; and how it is run.
package struct Policy: Sendable {
    package var isPerVersion: Bool
    package var interval: Interval?
    /// The run is recorded before it begins, and taken back when it fails.
    package var isAtMostOnce = false
    /// Whoever else runs the key isn't waited for.
    package var isHasty = false
    /// A key that was never seen is recorded and not run.
    package var hasBaseline = false

    package init(isPerVersion: Bool = false, interval: Interval? = nil) {
        self.isPerVersion = isPerVersion
        self.interval = interval
    }
}

/// The moment a question is asked in.
package struct Moment: Sendable {
    /// Seconds since 1970.
    package let now: Double
    package let version: [UInt8]?
    package let calendar: LocalCalendar

    package init(now: Double, version: [UInt8]?, calendar: LocalCalendar = LocalCalendar()) {
        self.now = now
        self.version = version
        self.calendar = calendar
    }
}

extension Policy {
    package func isDue(_ record: Record?, at moment: Moment) -> Bool {
        guard let record else { return !hasBaseline }
        if isPerVersion, record.lastVersion != moment.version { return true }
        guard let interval else { return false }
        // Decided in the API's seconds since 1970, so that a time it gave out is due to the bit.
        guard let last = lastTime(of: record) else { return true }
        return interval.isDue(last: last, now: moment.now, in: moment.calendar)
    }

    /// When it is due next if nothing happens, not even a baseline; infinity: never. Now, when it is due already.
    package func nextDue(_ record: Record?, at moment: Moment) -> Double {
        if isDue(record, at: moment) { return moment.now }
        guard let record, let interval, let last = lastTime(of: record) else { return .infinity }
        return interval.nextDue(last: last, now: moment.now, in: moment.calendar)
    }

    private func lastTime(of record: Record) -> Double? {
        guard let time = record.lastTime, time.isFinite else { return nil }
        return time + Record.epoch
    }
}
