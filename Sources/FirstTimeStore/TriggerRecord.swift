// TriggerRecord: what the archive remembers of one trigger. Values only; when it may fire is the engine's.

/// How often a trigger, or those that share a throttle, have fired, and when last. Times are NSDate's.
package struct TriggerRecord: Equatable, Sendable {
    package var count: UInt64 = 0
    /// Nil: never.
    package var lastTime: Double?

    package init() {}

    /// The record of one time more.
    package func fired(at time: Double) -> TriggerRecord {
        var record = self
        record.count = count == .max ? .max : count + 1
        record.lastTime = time
        return record
    }

    /// What two archives know together, for neither to fire again: the last time, and the larger count.
    package func merged(with other: TriggerRecord) -> TriggerRecord {
        var merged = self
        merged.count = max(count, other.count)
        if let time = other.lastTime, !(lastTime.map { $0 >= time } ?? false) { merged.lastTime = time }
        return merged
    }
}
