// RecordTable: the records by key, in memory. Nothing but a table: it does not know where records come from.

/// Records by key. A value: a copy is a snapshot.
package struct RecordTable: Sendable {
    private var records: [Key: Record] = [:]

    package init() {}

    package var count: Int { records.count }

    package subscript(key: Key) -> Record? {
        get { records[key] }
        set { records[key] = newValue }
    }

    package mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// The keys that begin with `prefix`, in the order of their bytes.
    package func keys(withPrefix prefix: [UInt8] = []) -> [Key] {
        var keys: [Key] = []
        for key in records.keys where key.bytes.starts(with: prefix) { keys.append(key) }
        keys.sort { $0 < $1 }
        return keys
    }

    package func count(withPrefix prefix: [UInt8]) -> Int {
        if prefix.isEmpty { return records.count }
        var count = 0
        for key in records.keys where key.bytes.starts(with: prefix) { count += 1 }
        return count
    }

    /// Takes over each of `other`'s records that is newer, or that this table doesn't have. The other's belong to
    /// another archive, so their unknown coder keys stay behind.
    package mutating func merge(_ other: RecordTable) {
        for (key, record) in other.records {
            let record = record.detached()
            guard let own = records[key] else {
                records[key] = record
                continue
            }
            if own.isOlder(than: record) { records[key] = record.keepingBeginning(of: own) }
        }
    }
}
