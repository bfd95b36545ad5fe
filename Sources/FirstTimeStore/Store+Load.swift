// Store+Load: archive and journal, as they are on disk -> one state. It changes nothing, neither on disk nor in memory.

import KeyedArchive

/// What the files say. An object, as `Memory` is.
final class DiskState {
    var archive = Archive()
    var archiveFile: StoreFile.Content?
    var archiveSequence: UInt64 = 0
    var journal: OpenJournal?
    /// Whether archive and journal are not each other's: what they hold was merged, and both have to be written anew.
    var isMerged = false
    /// Whether `archive` is what was known, and the journal's later commits.
    var isBuiltOnKnown = false
    /// Whether bytes follow the journal's last record: a commit that is being written, or that never was acknowledged.
    var hasTornTail = false
}

extension Store {
    /// Reads the files. Nil: for now they don't belong together, because someone is writing them, perhaps; under the
    /// append lock, `isLocked`, that can't be, and they are taken for what they are.
    ///
    /// An archive that was deleted while it was open is what is `known` of it.
    func load(known: Memory, isLocked: Bool) throws(StoreError) -> DiskState? {
        let state = DiskState()
        if let content = try file.read() {
            state.archive = try decode(content.bytes)
            state.archiveSequence = state.archive.sequence ?? 0
            state.archiveFile = StoreFile.Content(
                bytes: [], identity: content.identity, descriptor: content.descriptor)
        }
        guard let (journal, bytes) = try journalFile.open() else { return state }
        state.journal = journal
        let base = journal.header.base
        let isSameStore = state.archive.storeID == journal.header.storeID
        // Read between the two halves of another process's checkpoint, perhaps.
        let isOdd = state.archiveFile == nil ? base > 0 : !isSameStore || state.archiveSequence < base
        if isOdd, !isLocked { return nil }
        if isOdd, state.archiveFile == nil {
            guard known.archive.storeID == journal.header.storeID, known.sequence >= base else {
                let reason: StaticString =
                    "it goes on from an archive that is gone: put that back, or delete this file to start anew"
                throw .corrupt(path: journal.path.bytes, DecodingError(.byte(0), reason))
            }
            state.archive = known.archive
            state.isBuiltOnKnown = true
        } else {
            state.isMerged = isOdd
        }
        guard try replay(bytes, into: state, isLocked: isLocked) else { return nil }
        state.archive.storeID = journal.header.storeID
        return state
    }

    private func decode(_ bytes: [UInt8]) throws(StoreError) -> Archive {
        do { return try Archive(bytes: bytes) } catch {
            switch error {
            case .damaged(let error): throw .corrupt(path: path.bytes, error)
            case .newerFormat(let version): throw .newerFormat(path: path.bytes, version: version)
            }
        }
    }

    /// False: the bytes after the last record say that acknowledged ones are missing, which only holds under the lock.
    private func replay(_ bytes: [UInt8], into state: DiskState, isLocked: Bool) throws(StoreError) -> Bool {
        guard var journal = state.journal else { return true }
        var reader = JournalReader(bytes, from: JournalHeader.size, after: journal.header.base)
        let first = state.isMerged ? 0 : state.archive.sequence ?? 0
        while let record = try next(&reader, in: journal.path) {
            guard record.sequence > first else { continue }
            for change in record.changes {
                if state.isMerged {
                    state.archive.merge(change)
                } else {
                    state.archive.apply(change)
                }
            }
        }
        // What is missing before the archive's own sequence, the archive has.
        if !reader.isAtEnd, reader.sequence >= first, reader.isNextAcknowledged() {
            guard isLocked else { return false }
            throw .corrupt(path: journal.path.bytes, reader.missing)
        }
        state.hasTornTail = !reader.isAtEnd
        journal.sequence = reader.sequence
        journal.end = reader.end
        state.journal = journal
        state.archive.sequence = max(state.archive.sequence ?? 0, reader.sequence)
        return true
    }

    func next(_ reader: inout JournalReader, in path: FilePath) throws(StoreError) -> JournalRecord? {
        do { return try reader.next() } catch { throw StoreError(error, in: path) }
    }
}
