// Change: what a commit makes of one key, event or trigger. Absolute states, never increments, so that replaying one twice
// changes nothing.

/// One change of a commit. An object: as a value of so many parts it would make each place that hands it on long.
package final class Change: Sendable {
    enum Table: Sendable {
        case records, events, triggers
    }

    let table: Table
    let key: Key
    /// The new state; nil: there is none any more.
    let record: Record?
    /// Of a trigger: the state that is taken back by this one, in this process's memory alone; any other stands.
    let takenBack: TriggerRecord?

    private init(_ table: Table, _ key: Key, _ record: Record?, takenBack: TriggerRecord? = nil) {
        self.table = table
        self.key = key
        self.record = record
        self.takenBack = takenBack
    }

    static func set(_ key: Key, _ record: Record) -> Change { Change(.records, key, record) }
    static func remove(_ key: Key) -> Change { Change(.records, key, nil) }
    static func event(_ name: Key, _ donations: Donations?) -> Change { Change(.events, name, donations) }
    static func trigger(_ name: Key, _ record: TriggerRecord?) -> Change { Change(.triggers, name, record) }
    static func takeBack(_ record: TriggerRecord, of name: Key, former: TriggerRecord?) -> Change {
        Change(.triggers, name, former, takenBack: record)
    }

    var isRemoval: Bool { record == nil }
}

extension Archive {
    /// Makes the change. What the archive alone knows of a key, its unknown coder keys, stays with the key.
    @inline(never)
    mutating func apply(_ change: Change) {
        switch change.table {
        case .records:
            var record = change.record
            record?.extras = records[change.key]?.extras ?? 0
            records[change.key] = record
        case .events: events[change.key] = change.record
        case .triggers: triggers[change.key] = change.record
        }
    }

    /// Makes the change of a journal whose archive was replaced: what is newer in the new one stays.
    @inline(never)
    mutating func merge(_ change: Change) {
        guard let record = change.record else { return apply(change) }
        switch change.table {
        case .records: records.merge(record, for: change.key)
        case .events: events.unite(record, for: change.key)
        case .triggers: triggers.unite(record, for: change.key)
        }
    }

    /// Takes over what is newer in another archive, or missing in this one. Returns whether there was anything.
    @discardableResult
    mutating func merge(_ other: Archive) -> Bool {
        var isChanged = records.merge(other.records)
        if events.unite(other.events) { isChanged = true }
        if triggers.unite(other.triggers) { isChanged = true }
        return isChanged
    }
}
