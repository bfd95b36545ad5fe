// Store: one archive file as this process sees it. What callers get is records, fresh ones, and commits that are on disk
// when they return; how the disk is made to say so is hidden here. It knows no policy: not when a key is due, nor what a
// clock is.

import CSystem
import KeyedArchive

/// The records of one archive file, shared among threads and with other processes.
package final class Store: @unchecked Sendable {
    /// Empty for a store in memory.
    package let path: FilePath
    let file: StoreFile
    let journalFile: JournalFile
    let lockFile: LockFile
    let isInMemory: Bool
    let running: RunningKeys
    let keyLocks: KeyLocks

    /// The append and the checkpoint lock are the process's; these are its threads'. Whoever takes both takes the
    /// checkpoint's first.
    let appending = DiskLock()
    let checkpointing = DiskLock()
    let groupCommit = GroupCommit()

    /// Protects all that follows; held for moments, and while files are read.
    private let access = Monitor(isShared: ())
    var memory = Memory()
    /// Whether bytes that are no record follow the journal's last one.
    var hasTornTail = false
    /// What the shared page said, and when, before the files were looked at last.
    var seen: (page: SharedPage?, generation: UInt64?, time: Int64) = (nil, nil, 0)
    /// What can be told without the lock, of the state in which it was given back.
    private var glance = Glance()
    /// Whether this process has committed anything to the journal.
    var hasCommitted = false
    /// Whether it was allowed to write here once.
    var isKnownWritable = false
    /// How large the journal may become before the next checkpoint is tried, after one that failed.
    var nextCheckpoint = 0

    init(path: FilePath, running: RunningKeys, isInMemory: Bool = false) {
        self.path = path
        self.running = running
        self.isInMemory = isInMemory
        file = StoreFile(path: path)
        journalFile = JournalFile(archive: file)
        lockFile = LockFile(archive: file)
        keyLocks = KeyLocks(lockFile)
    }

    /// Opens a file, or shares it when this process has it open already. Reads it; writes nothing. `isReadOnly`: the
    /// handle never will, so that it isn't one that others leave the last checkpoint to. `recovers`: files that can't be
    /// decoded are set aside, and what could be saved is written anew.
    package static func open(
        _ path: FilePath, isReadOnly: Bool = false, recovers: Bool = false
    ) throws(StoreError) -> Store {
        let store = ProcessStores.open(try StoreLocation.resolve(path), isReadOnly: isReadOnly)
        if !isReadOnly { store.lockFile.enter() }
        do throws(StoreError) {
            do throws(StoreError) { try store.readMemory { _ in } } catch {
                guard recovers, !isReadOnly, case .corrupt = error else { throw error }
                try store.recover()
            }
        } catch {
            _ = ProcessStores.close(store, isReadOnly: isReadOnly)
            throw error
        }
        return store
    }

    /// A store that no file belongs to, and no other handle.
    package static func inMemory() -> Store { ProcessStores.inMemory() }

    /// The content of any regular file, up to 4 GiB.
    package static func contents(of path: FilePath) throws(StoreError) -> [UInt8] {
        guard let content = try StoreFile(path: path).read() else { throw .missing(path: path.bytes) }
        return content.bytes
    }
}

// MARK: - Looking

extension Store {
    /// Calls `body` with what is kept now, by any process. Nobody can commit in this process meanwhile: be brief.
    package func read<Result>(_ body: (Archive) -> Result) throws(StoreError) -> Result {
        try readMemory(.page) { memory in body(memory.archive) }
    }

    /// A key's record. `closely`: also when the store's other users died, or were other software; for decisions that are
    /// acted on, under the key's lock.
    package func record(for key: Key, closely: Bool = false) throws(StoreError) -> Record? {
        try readMemory(closely ? .files : .page) { $0.archive.records[key] }
    }

    /// Whether there is a record, as the cheapest question can be answered: nil when that takes a closer look.
    @inline(__always)
    package func hasRecord(_ key: UnsafeRawBufferPointer) -> Bool? {
        access.look { glance.hasRecord(key) }
    }

    /// Calls `body` with the lock.
    @inline(__always)
    func withAccess<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try access.withLock { () throws(Failure) -> Result in
            defer { takeGlance() }
            return try body()
        }
    }

    @inline(never)
    private func takeGlance() {
        glance = Glance(memory.archive.records.view, seen, isInMemory: isInMemory)
    }

    /// Calls `body` with everything that is known. In place: elsewhere it would be a copy of it.
    @inline(__always)
    func readMemory<Result>(_ look: Look = .files, _ body: (Memory) -> Result) throws(StoreError) -> Result {
        let result = try withAccess { () throws(StoreError) -> Result? in
            guard try refresh(look) else { return nil }
            return body(memory)
        }
        if let result { return result }
        try settle()
        return withAccess { body(memory) }
    }

    /// Forgets what was read, so that the next look reads it again.
    func forgetFiles() {
        withAccess {
            memory = Memory()
            seen = (nil, nil, 0)
            hasTornTail = false
        }
    }
}
