// Change: what a commit makes of one key, event or trigger. Absolute states, never increments, so that replaying one twice
// changes nothing.

/// One change of a commit. An object: as a value of so many parts it would make each place that hands it on long.
package final class Change: Sendable {
    enum Table: Sendable {
        case records, events, triggers
    }

    let table: Table
    let key: Key
    // The new state, of the table's kind; nil: there is none any more.
    let record: Record?
    let donations: Donations?
    let trigger: TriggerRecord?
    /// Of a trigger: the state that is taken back by this one, in this process's memory alone; any other stands.
    let takenBack: TriggerRecord?

    private init(
        _ table: Table, _ key: Key, _ record: Record? = nil, _ donations: Donations? = nil,
        _ trigger: TriggerRecord? = nil, takenBack: TriggerRecord? = nil
    ) {
        self.table = table
        self.key = key
        self.record = record
        self.donations = donations
        self.trigger = trigger
        self.takenBack = takenBack
    }

    static func set(_ key: Key, _ record: Record) -> Change { Change(.records, key, record) }
    static func remove(_ key: Key) -> Change { Change(.records, key) }
    static func event(_ name: Key, _ donations: Donations?) -> Change { Change(.events, name, nil, donations) }
    static func trigger(_ name: Key, _ record: TriggerRecord?) -> Change { Change(.triggers, name, nil, nil, record) }
    static func takeBack(_ record: TriggerRecord, of name: Key, former: TriggerRecord?) -> Change {
        Change(.triggers, name, nil, nil, former, takenBack: record)
    }

    var isRemoval: Bool { record == nil && donations == nil && trigger == nil }
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
        case .events: events[change.key] = change.donations
        case .triggers: triggers[change.key] = change.trigger
        }
    }

    /// Makes the change of a journal whose archive was replaced: what is newer in the new one stays.
    @inline(never)
    mutating func merge(_ change: Change) {
        if change.isRemoval { return apply(change) }
        switch change.table {
        case .records: if let record = change.record { records.merge(record, for: change.key) }
        case .events: if let donations = change.donations { events.merge(donations, for: change.key) }
        case .triggers: if let trigger = change.trigger { triggers.merge(trigger, for: change.key) }
        }
    }

    /// Takes over what is newer in another archive, or missing in this one. Returns whether there was anything.
    @discardableResult
    mutating func merge(_ other: Archive) -> Bool {
        var isChanged = records.merge(other.records)
        for (name, donations) in other.events where events.merge(donations, for: name) { isChanged = true }
        for (name, trigger) in other.triggers where triggers.merge(trigger, for: name) { isChanged = true }
        return isChanged
    }
}

extension [Key: Donations] {
    /// Returns whether it changed anything.
    @discardableResult
    fileprivate mutating func merge(_ donations: Donations, for name: Key) -> Bool {
        let merged = self[name]?.merged(with: donations) ?? donations
        guard merged != self[name] else { return false }
        self[name] = merged
        return true
    }
}

extension [Key: TriggerRecord] {
    /// Returns whether it changed anything.
    @discardableResult
    fileprivate mutating func merge(_ trigger: TriggerRecord, for name: Key) -> Bool {
        let merged = self[name]?.merged(with: trigger) ?? trigger
        guard merged != self[name] else { return false }
        self[name] = merged
        return true
    }
}
