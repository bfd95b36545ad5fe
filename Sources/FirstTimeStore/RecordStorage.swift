// RecordStorage: the memory of a table of records: entries, an index of hashes, and the bytes of all texts. Some 75 bytes a
// key, in three blocks, where an object for each would take three times as much. It knows no former records; RecordTable's.

import CSystem

/// A table's memory. One table's alone when it changes it.
final class RecordStorage: @unchecked Sendable {
    private(set) var view = RecordView()
    private(set) var count = 0
    private var capacity = 0
    private(set) var byteCount = 0
    private var byteCapacity = 0
    /// Bytes that no entry needs any more, at most.
    private var unused = 0
    /// A version is most often one that was recorded just before.
    private var recent: (TextPlace?, TextPlace?)

    init() {}

    private init(copying other: RecordStorage) {
        view.seed = other.view.seed
        (count, capacity) = (other.count, other.count)
        if let from = other.view.entries {
            let size = count * MemoryLayout<RecordEntry>.stride
            view.entries = csystem_resize(nil, size).assumingMemoryBound(to: RecordEntry.self)
            view.entries?.update(from: from, count: count)
        }
        view.mask = other.view.mask
        if let from = other.view.index {
            let to = csystem_resize(nil, (view.mask + 1) * MemoryLayout<UInt64>.stride)
            to.copyMemory(from: from, byteCount: (view.mask + 1) * MemoryLayout<UInt64>.stride)
            view.index = to.assumingMemoryBound(to: UInt64.self)
        }
        makeRoom(other.byteCount)
        byteCount = other.byteCount
        unused = other.unused
        if let from = other.view.bytes, let to = view.bytes { to.copyMemory(from: from, byteCount: byteCount) }
    }

    deinit {
        csystem_free(view.index)
        csystem_free(view.entries)
        csystem_free(view.bytes)
    }

    func copy() -> RecordStorage { RecordStorage(copying: self) }

    func entry(_ number: Int) -> RecordEntry { view.entries?[number] ?? RecordEntry() }
}

// MARK: - Changing

extension RecordStorage {
    /// The entry's number for a key, which is made when there is none.
    func place(_ key: UnsafeRawBufferPointer) -> Int {
        if let number = view.find(key) { return number }
        // Drawn late: most tables stay empty.
        if view.seed == 0 { view.seed = csystem_random_number() }
        reserve(count + 1)
        makeRoom(key.count)
        let number = count
        var entry = RecordEntry()
        entry.key = append(key)
        view.entries?[number] = entry
        count += 1
        note(number, hash: view.hash(key))
        return number
    }

    func set(_ number: Int, _ record: Record) {
        // Before the entry is looked at: texts may move.
        makeRoom((record.lastVersion?.count ?? 0) + (record.firstVersion?.count ?? 0))
        var entry = entry(number)
        unused += Int(entry.lastVersion.length + entry.firstVersion.length)
        (entry.parts, entry.lastVersion, entry.firstVersion) = ([], TextPlace(), TextPlace())
        if record.former != nil { entry.parts.insert(.former) }
        entry.extras = record.extras
        entry.count = record.count
        if let time = record.lastTime {
            entry.parts.insert(.lastTime)
            entry.lastTime = time
        }
        if let time = record.firstTime {
            entry.parts.insert(.firstTime)
            entry.firstTime = time
        }
        if let version = record.lastVersion {
            entry.parts.insert(.lastVersion)
            entry.lastVersion = version.withUnsafeBytes { self.version($0) }
        }
        if let version = record.firstVersion {
            entry.parts.insert(.firstVersion)
            entry.firstVersion = version.withUnsafeBytes { self.version($0) }
        }
        view.entries?[number] = entry
    }

    /// The last entry takes the place of one that goes.
    func remove(_ number: Int) {
        let gone = entry(number)
        unused += Int(gone.key.length + gone.lastVersion.length + gone.firstVersion.length)
        forget(number)
        count -= 1
        guard number < count else { return }
        replace(count, by: number, hash: hash(count))
        view.entries?[number] = entry(count)
    }
}

// MARK: - Memory

extension RecordStorage {
    /// Makes room for so many entries, half as much again as before at least.
    func reserve(_ wanted: Int) {
        if wanted > capacity {
            capacity = max(wanted, capacity + capacity / 2, 4)
            view.entries = csystem_resize(view.entries, capacity * MemoryLayout<RecordEntry>.stride)
                .assumingMemoryBound(to: RecordEntry.self)
        }
        var places = max(view.mask + 1, 8)
        while wanted > places / 8 * 5 { places *= 2 }
        if places == view.mask + 1 { return }
        view.mask = places - 1
        view.index = csystem_resize(view.index, places * MemoryLayout<UInt64>.stride)
            .assumingMemoryBound(to: UInt64.self)
        fillIndex()
    }

    /// Makes room for texts of so many bytes, half as much again as before at least, or by leaving out what is unused.
    private func makeRoom(_ wanted: Int) {
        // Two texts at most, each perhaps with its length before it.
        if byteCount + wanted + 16 > byteCapacity, unused > byteCount / 2 { dropUnused() }
        grow(byteCount + wanted + 16)
    }

    private func grow(_ wanted: Int) {
        guard wanted > byteCapacity else { return }
        byteCapacity = max(wanted, byteCapacity + byteCapacity / 2, 64)
        view.bytes = csystem_resize(view.bytes, byteCapacity)
    }

    private func append(_ text: UnsafeRawBufferPointer) -> TextPlace {
        grow(byteCount + text.count + 8)
        guard let bytes = view.bytes else { return TextPlace() }
        if text.count >= TextPlace.longest {
            (bytes + byteCount).storeBytes(of: text.count, as: Int.self)
            byteCount += 8
        }
        let place = TextPlace(offset: byteCount, length: text.count)
        if let start = text.baseAddress { (bytes + byteCount).copyMemory(from: start, byteCount: text.count) }
        byteCount += text.count
        return place
    }

    /// A version's place: that of the same one, most often.
    private func version(_ text: UnsafeRawBufferPointer) -> TextPlace {
        if let place = recent.0, view.text(place).elementsEqual(text) { return place }
        if let place = recent.1, view.text(place).elementsEqual(text) { return place }
        let place = append(text)
        recent = (place, recent.0)
        return place
    }

    /// Copies the texts that entries have.
    private func dropUnused() {
        let (old, entries) = (view, view.entries)
        view.bytes = nil
        (byteCount, byteCapacity, unused) = (0, 0, 0)
        recent = (nil, nil)
        for number in 0..<count {
            guard var entry = entries?[number] else { continue }
            entry.key = append(old.text(entry.key))
            if entry.parts.contains(.lastVersion) { entry.lastVersion = version(old.text(entry.lastVersion)) }
            if entry.parts.contains(.firstVersion) { entry.firstVersion = version(old.text(entry.firstVersion)) }
            entries?[number] = entry
        }
        csystem_free(old.bytes)
    }
}

// MARK: - The index

extension RecordStorage {
    /// The halves of a hash: where to look first, and what stands there with an entry's number.
    private func start(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & view.mask }

    private func slot(_ number: Int, _ hash: UInt64) -> UInt64 { (hash & ~0xFFFF_FFFF) | UInt64(number + 1) }

    private func note(_ number: Int, hash: UInt64) {
        guard let index = view.index else { return }
        var place = start(hash)
        while index[place] != 0 { place = (place + 1) & view.mask }
        index[place] = slot(number, hash)
    }

    private func place(of number: Int, hash: UInt64) -> Int? {
        guard let index = view.index else { return nil }
        var place = start(hash)
        while index[place] != slot(number, hash) {
            if index[place] == 0 { return nil }
            place = (place + 1) & view.mask
        }
        return place
    }

    private func replace(_ number: Int, by other: Int, hash: UInt64) {
        guard let place = place(of: number, hash: hash) else { return }
        view.index?[place] = slot(other, hash)
    }

    /// What lies behind it moves up, unless it stands where it is looked for first.
    private func forget(_ number: Int) {
        guard let index = view.index, var hole = place(of: number, hash: hash(number)) else { return }
        var next = hole
        while true {
            next = (next + 1) & view.mask
            if index[next] == 0 { break }
            let start = start(hash(Int(index[next] & 0xFFFF_FFFF) - 1))
            if (next - start) & view.mask < (next - hole) & view.mask { continue }
            index[hole] = index[next]
            hole = next
        }
        index[hole] = 0
    }

    private func hash(_ number: Int) -> UInt64 { view.hash(view.text(entry(number).key)) }

    private func fillIndex() {
        view.index?.update(repeating: 0, count: view.mask + 1)
        for number in 0..<count { note(number, hash: hash(number)) }
    }
}
