// TriggerRecord: what the archive remembers of one trigger. Values only; when it may fire is the engine's.

/// How often a trigger, or those that share a throttle, have fired, and when last: nothing else is ever set.
package typealias TriggerRecord = Record

extension TriggerRecord {
    /// The record of one time more.
    package func fired(at time: Double) -> TriggerRecord {
        var record = self
        record.count = count == .max ? .max : count + 1
        record.lastTime = time
        return record
    }
}
