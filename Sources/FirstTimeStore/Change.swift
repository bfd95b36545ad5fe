// Change: what a commit makes of one key. Absolute states, never increments, so that replaying one twice changes nothing.

/// One change of a commit.
package enum Change: Sendable {
    case set(Key, Record)
    case remove(Key)

    var key: Key {
        switch self {
        case .set(let key, _): key
        case .remove(let key): key
        }
    }
}

extension RecordTable {
    /// Makes the change. What the archive alone knows of a key, its unknown coder keys, stays with the key.
    mutating func apply(_ change: Change) {
        switch change {
        case .set(let key, var record):
            record.extras = self[key]?.extras ?? 0
            self[key] = record
        case .remove(let key): self[key] = nil
        }
    }

    /// Makes the change of a journal whose archive was replaced: a newer run in the new one stays.
    mutating func merge(_ change: Change) {
        switch change {
        case .set(let key, let record):
            switch merged(record, for: key) {
            case .added(let record), .updated(let record): self[key] = record
            case .kept: break
            }
        case .remove(let key): self[key] = nil
        }
    }
}
