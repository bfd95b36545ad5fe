// Store+Commit: changes -> disk. Every commit reads what others committed, changes it under the store's lock, and
// replaces the file. A commit is absolute states of keys, whatever the way they get to disk.

import CSystem
import KeyedArchive

/// The changes of one commit, made on the freshest state there is.
package struct Transaction {
    package fileprivate(set) var records: RecordTable
    /// What was set, for a process that must remember it when the disk fails.
    fileprivate var recorded = RecordTable()
    fileprivate var isChanged = false

    fileprivate init(_ records: RecordTable) { self.records = records }

    package mutating func set(_ record: Record, for key: Key) {
        records[key] = record
        recorded[key] = record
        isChanged = true
    }

    /// Whether there was one.
    package mutating func remove(_ key: Key) -> Bool {
        guard records[key] != nil else { return false }
        records[key] = nil
        isChanged = true
        return true
    }
}

extension Store {
    /// How long a commit waits for one of another process, which takes milliseconds, unless its process was stopped.
    private static let longestCommit: Int64 = 60_000

    /// Commits the changes that `body` makes. When it returns, they survive a loss of power. When it throws, nothing has
    /// changed, but for `.unconfirmed`.
    ///
    /// With `isSynced`, that holds whatever the store's durability.
    ///
    /// With `remembering`, this process keeps what was set when the disk fails, and commits it later; `body` may then be
    /// called twice.
    package func commit<Result>(
        remembering: Bool = false, isSynced: Bool = false, _ body: (inout Transaction) -> Result
    ) throws(StoreError) -> Result {
        try writing.withLock { () throws(StoreError) -> Result in
            do throws(StoreError) { return try commitInTurn(body) } catch {
                if remembering { remember(body, after: error) }
                throw error
            }
        }
    }

    private func commitInTurn<Result>(_ body: (inout Transaction) -> Result) throws(StoreError) -> Result {
        let lock = try lockForCommit()
        defer { lockFile.unlock(LockFile.Byte.append, in: lock) }
        var (next, isAhead) = try access.withLock { () throws(StoreError) -> (Archive, Bool) in
            try refresh()
            return (memory.archive, memory.isAhead)
        }
        // Another process may have put a newer file there since `prepareToWrite` looked.
        try checkFormat(next)
        var transaction = Transaction(next.records)
        let result = body(&transaction)
        if transaction.isChanged || isAhead {
            next.records = transaction.records
            try write(next)
        }
        return result
    }

    private func remember<Result>(_ body: (inout Transaction) -> Result, after error: StoreError) {
        // In place already, and remembered with it.
        if case .unconfirmed = error { return }
        access.withLock {
            var transaction = Transaction(memory.archive.records)
            _ = body(&transaction)
            memory.archive.records = transaction.records
            memory.pending.merge(transaction.recorded)
            memory.isAhead = true
        }
    }

    /// Writes what the file lacks, if anything.
    package func flush() throws(StoreError) {
        // A store that was never written has no lock file, and needs none to see that there is nothing to do.
        let isAhead = try access.withLock { () throws(StoreError) -> Bool in
            try refresh()
            return memory.isAhead
        }
        if isAhead { try commit { _ in } }
    }

    /// Makes sure, as far as that can be told before, that a commit will not be refused; makes the directories.
    @discardableResult
    package func prepareToWrite() throws(StoreError) -> FileAttributes {
        try checkFormat(access.withLock { memory.archive })
        try FileAttributes.makeDirectories(for: path)
        let existing = try file.status()
        let attributes = FileAttributes(existing: existing, directory: path.directory)
        if let existing {
            guard existing.is_regular else { throw .notAFile(path: path.bytes) }
            guard attributes.isAllowed else {
                throw .readOnly(path: path.bytes, .owner(user: existing.user, group: existing.group))
            }
            let result = path.withCString { csystem_may_write($0) }
            guard result == 0 else { throw .failed("access", path, result) }
        }
        let result = path.directory.withCString { csystem_may_write($0) }
        guard result == 0 else { throw .failed("access", path.directory, result) }
        return attributes
    }

    /// A newer version's file may be readable, but only that version knows what a change to it must keep.
    private func checkFormat(_ archive: Archive) throws(StoreError) {
        guard archive.formatVersion <= Archive.currentFormat else {
            throw .readOnly(path: path.bytes, .newerFormat(version: archive.formatVersion))
        }
    }

    func attributes() throws(StoreError) -> FileAttributes {
        FileAttributes(existing: try file.status(), directory: path.directory)
    }

    private func lockForCommit() throws(StoreError) -> Descriptor {
        let attributes = try prepareToWrite()
        let limit = Patience.milliseconds(Self.longestCommit)
        guard let lock = try lockFile.lock(LockFile.Byte.append, attributes, limit) else {
            throw .locked(path: lockFile.path.bytes)
        }
        return lock
    }

    private func write(_ archive: Archive) throws(StoreError) {
        var next = archive
        next.sequence = (next.sequence ?? 0).addingReportingOverflow(1).partialValue
        if next.storeID == nil { next.storeID = csystem_random_number() }
        let written: ArchiveFile.Content?
        var failure: StoreError?
        do {
            written = try file.replace(with: next.bytes(), attributes())
        } catch {
            guard case .unconfirmed = error else { throw error }
            written = nil
            failure = error
        }
        access.withLock {
            memory.archive = next
            memory.content = written
            memory.pending = RecordTable()
            memory.isAhead = failure != nil
        }
        if let failure { throw failure }
    }
}
