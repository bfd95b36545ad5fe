// RecordTable: records by key, or by an event's or a trigger's name, in memory. Nothing but a table: it does not know where
// records come from, nor how they lie in memory.

import CSystem

/// Records by key. A value: a copy is a snapshot.
package struct RecordTable: Sendable {
    private var storage = RecordStorage()
    /// What would take back the runs of the records that have a former one: few, and most often none, but a file may say
    /// that of all.
    private var formers: [Key: Change] = .init()

    package init() {}

    package var count: Int { storage.count }
    package var isEmpty: Bool { count == 0 }

    package var started: [Key] { formers.values.map { $0.key } }

    /// How many bytes the texts take.
    var byteCount: Int { storage.byteCount }

    /// Where the records lie, as long as this table, unchanged, is there.
    var view: RecordView { storage.view }

    package subscript(key: Key) -> Record? {
        get {
            let number = key.bytes.withUnsafeBytes { storage.view.find($0) }
            return number.map { record(storage.entry($0), key) }
        }
        set {
            if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
            let former = newValue?.former
            if former != nil || !formers.isEmpty {
                formers[key] = former.map { $0.record.map { .set(key, $0) } ?? .remove(key) }
            }
            key.bytes.withUnsafeBytes { bytes in
                if let newValue {
                    storage.set(storage.place(bytes), newValue)
                } else if let number = storage.view.find(bytes) {
                    storage.remove(number)
                }
            }
        }
    }

    private func record(_ entry: RecordEntry, _ key: Key) -> Record {
        func text(_ place: TextPlace) -> [UInt8] { [UInt8](storage.view.text(place)) }
        var record = Record()
        if entry.parts.contains(.lastVersion) { record.lastVersion = text(entry.lastVersion) }
        if entry.parts.contains(.lastTime) { record.lastTime = entry.lastTime }
        if entry.parts.contains(.firstVersion) { record.firstVersion = text(entry.firstVersion) }
        if entry.parts.contains(.firstTime) { record.firstTime = entry.firstTime }
        record.count = entry.count
        record.extras = entry.extras
        if entry.parts.contains(.former) { record.former = formers[key].map { FormerRecord($0.record) } }
        return record
    }

    package mutating func reserveCapacity(_ count: Int) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        storage.reserve(count)
    }

    /// The keys that begin with `prefix`, in the order of their bytes.
    package func keys(withPrefix prefix: [UInt8] = []) -> [Key] {
        // What the texts are pointed to in.
        withExtendedLifetime(storage) {
            var texts: [csystem_text] = []
            texts.reserveCapacity(prefix.isEmpty ? count : 0)
            forEachText(withPrefix: prefix) { number, text in
                guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                texts.append(
                    csystem_text(bytes: start, beginning: 0, length: UInt32(text.count), number: UInt32(number)))
            }
            texts.withUnsafeMutableBufferPointer { texts in
                if let start = texts.baseAddress { csystem_sort_texts(start, texts.count) }
            }
            return texts.map { Key(known: UnsafeRawBufferPointer(start: $0.bytes, count: Int($0.length))) }
        }
    }

    package func count(withPrefix prefix: [UInt8]) -> Int {
        if prefix.isEmpty { return count }
        var count = 0
        forEachText(withPrefix: prefix) { _, _ in count += 1 }
        return count
    }

    private func forEachText(withPrefix prefix: [UInt8], _ body: (Int, UnsafeRawBufferPointer) -> Void) {
        // Whatever becomes of this table meanwhile, its memory stays.
        withExtendedLifetime(storage) {
            for number in 0..<storage.count {
                let text = storage.view.text(storage.entry(number).key)
                if prefix.isEmpty || text.starts(with: prefix) { body(number, text) }
            }
        }
    }

    /// Takes over each of `other`'s records that is newer, or that this table doesn't have. The other's belong to
    /// another archive, so their unknown coder keys stay behind.
    ///
    /// Returns whether there was one.
    @discardableResult
    package mutating func merge(_ other: RecordTable) -> Bool {
        var isChanged = false
        for key in other.keys() {
            if let record = other[key], merge(record, for: key) { isChanged = true }
        }
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

    /// Of events and triggers: takes over what this table doesn't know yet. Returns whether there was any.
    mutating func unite(_ other: RecordTable) -> Bool {
        var isChanged = false
        for name in other.keys() {
            if let record = other[name], unite(record, for: name) { isChanged = true }
        }
        return isChanged
    }

    /// The same with one.
    @discardableResult
    @inline(never)
    mutating func unite(_ record: Record, for name: Key) -> Bool {
        let own = self[name]
        let merged = own?.merged(with: record) ?? record
        guard merged != own else { return false }
        self[name] = merged
        return true
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
        guard let own = self[key] else { return .added(record) }
        return own.isOlder(than: record) ? .updated(record.keepingBeginning(of: own)) : .kept
    }
}
