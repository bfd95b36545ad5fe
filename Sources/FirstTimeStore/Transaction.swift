// Transaction: the changes of one commit, while they are put together.

/// Changes on the freshest state there is. Each key, event and trigger is changed at most once.
package struct Transaction {
    private let before: Archive
    private(set) var changes: [Change] = []

    init(_ archive: Archive) { before = archive }

    // What is recorded before the changes.
    package var records: RecordTable { before.records }
    package var events: RecordTable { before.events }
    package var triggers: RecordTable { before.triggers }

    package mutating func set(_ record: Record, for key: Key) { changes.append(.set(key, record)) }

    /// Whether there was one.
    package mutating func remove(_ key: Key) -> Bool {
        guard records[key] != nil else { return false }
        changes.append(.remove(key))
        return true
    }

    /// Nil: none any more.
    package mutating func set(donations: Donations?, of event: Key) {
        if donations == nil, events[event] == nil { return }
        changes.append(.event(event, donations))
    }

    /// Nil: none any more.
    package mutating func set(trigger: TriggerRecord?, named name: Key) {
        if trigger == nil, triggers[name] == nil { return }
        changes.append(.trigger(name, trigger))
    }

    /// Puts the former state in the place of `record`, unless others have done something since. Nil: there was none.
    package mutating func takeBack(_ record: TriggerRecord, of name: Key, former: TriggerRecord?) {
        guard triggers[name] == record else { return }
        changes.append(.takeBack(record, of: name, former: former))
    }
}
