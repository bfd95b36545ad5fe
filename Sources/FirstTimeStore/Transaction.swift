// Transaction: the changes of one commit, while they are put together.

/// Changes on the freshest state there is. Each key is changed at most once.
package struct Transaction {
    /// The records before the changes.
    package let records: RecordTable
    private(set) var changes: [Change] = []

    init(_ records: RecordTable) { self.records = records }

    package mutating func set(_ record: Record, for key: Key) { changes.append(.set(key, record)) }

    /// Whether there was one.
    package mutating func remove(_ key: Key) -> Bool {
        guard records[key] != nil else { return false }
        changes.append(.remove(key))
        return true
    }
}
