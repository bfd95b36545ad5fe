// Change: what a commit makes of one key. Absolute states, never increments, so that replaying one twice changes nothing.

/// One change of a commit.
package struct Change: Sendable {
    let key: Key
    /// Nil: there is none any more.
    let record: Record?

    static func set(_ key: Key, _ record: Record) -> Change { Change(key: key, record: record) }
    static func remove(_ key: Key) -> Change { Change(key: key, record: nil) }
}

extension RecordTable {
    /// Makes the change. What the archive alone knows of a key, its unknown coder keys, stays with the key.
    mutating func apply(_ change: Change) {
        guard var record = change.record else {
            self[change.key] = nil
            return
        }
        record.extras = self[change.key]?.extras ?? 0
        self[change.key] = record
    }

    /// Makes the change of a journal whose archive was replaced: a newer run in the new one stays.
    mutating func merge(_ change: Change) {
        guard let record = change.record else {
            self[change.key] = nil
            return
        }
        switch merged(record, for: change.key) {
        case .added(let record), .updated(let record): self[change.key] = record
        case .kept: break
        }
    }
}
