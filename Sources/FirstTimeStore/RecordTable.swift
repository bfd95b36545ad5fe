// RecordTable: the records by key, in memory. Nothing but a table: it does not know where records come from.

/// Records by key. A value: a copy is a snapshot.
package struct RecordTable: Sendable {
    private var records: [Key: Record] = .init()
    /// The keys of records that have a former one: few, and most often none.
    package private(set) var started: [Key] = []

    package init() {}

    package var count: Int { records.count }

    package subscript(key: Key) -> Record? {
        get { records[key] }
        set {
            records[key] = newValue
            if !started.isEmpty { started.removeAll { $0 == key } }
            if newValue?.former != nil { started.append(key) }
        }
    }

    package mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// The keys that begin with `prefix`, in the order of their bytes.
    package func keys(withPrefix prefix: [UInt8] = []) -> [Key] {
        var keys: [Key] = []
        for key in records.keys where key.bytes.starts(with: prefix) { keys.append(key) }
        return Key.sorted(keys)
    }

    package func count(withPrefix prefix: [UInt8]) -> Int {
        if prefix.isEmpty { return records.count }
        var count = 0
        for key in records.keys where key.bytes.starts(with: prefix) { count += 1 }
        return count
    }

    /// Takes over each of `other`'s records that is newer, or that this table doesn't have. The other's belong to
    /// another archive, so their unknown coder keys stay behind.
    ///
    /// Returns whether there was one.
    @discardableResult
    package mutating func merge(_ other: RecordTable) -> Bool {
        var isChanged = false
        for (key, record) in other.records where merge(record, for: key) { isChanged = true }
        return isChanged
    }

    /// The same with one record.
    @discardableResult
    @inline(never)
    package mutating func merge(_ record: Record, for key: Key) -> Bool {
        switch merged(record, for: key) {
        case .added(let record), .updated(let record):
            self[key] = record
            return true
        case .kept: return false
        }
    }

    /// What a record from elsewhere makes of this table's.
    package enum Merged {
        case added(Record)
        case updated(Record)
        /// This table's own is as new or newer.
        case kept
    }

    @inline(never)
    package func merged(_ record: Record, for key: Key) -> Merged {
        let record = record.detached()
        guard let own = records[key] else { return .added(record) }
        return own.isOlder(than: record) ? .updated(record.keepingBeginning(of: own)) : .kept
    }
}
