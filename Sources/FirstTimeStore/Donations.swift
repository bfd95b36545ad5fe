// Donations: what the archive remembers of one event. Values only; rules over them are the engine's.

/// One event's donations: how many, and the first and the last.
package typealias Donations = Record

extension Donations {
    /// With one more.
    package func donated(version: [UInt8]?, time: Double) -> Donations {
        var donations = self
        if count == 0, firstTime == nil { (donations.firstTime, donations.firstVersion) = (time, version) }
        donations.count = count == .max ? .max : count + 1
        (donations.lastTime, donations.lastVersion) = (time, version)
        return donations
    }

    /// What two archives know together of an event, or of a trigger, for it not to fire again: the first and the last of
    /// all, and the larger count, so that to merge one twice changes nothing.
    package func merged(with other: Donations) -> Donations {
        var merged = self
        merged.count = max(count, other.count)
        if let time = other.firstTime, !(firstTime.map { $0 <= time } ?? false) {
            (merged.firstTime, merged.firstVersion) = (time, other.firstVersion)
        }
        if let time = other.lastTime, !(lastTime.map { $0 >= time } ?? false) {
            (merged.lastTime, merged.lastVersion) = (time, other.lastVersion)
        }
        return merged
    }
}
