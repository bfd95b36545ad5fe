// Store+Locks: the append and the checkpoint lock, among threads and processes, and whether the store may be written at
// all. Held while the disk works, never while a caller's code runs.

import CSystem

extension Store {
    func withAppendLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try withLock(LockFile.Byte.append, appending, Self.longestCommit) { () throws(StoreError) -> Result in
            // Without the page, others look at the files instead.
            try? lockFile.known?.completePage()
            return try body()
        }
    }

    /// Taken before the append lock by whoever takes both.
    func withCheckpointLock<Result>(
        _ patience: Patience, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withLock(LockFile.Byte.checkpoint, checkpointing, patience, body)
    }

    private func withLock<Result>(
        _ byte: Int64, _ threads: DiskLock, _ patience: Patience, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try checkWritable()
        let deadline = Deadline(patience)
        guard threads.take(deadline) else { throw .locked(path: lockFile.path.bytes) }
        defer { threads.give() }
        guard let lock = try lockFile.lock(byte, deadline.rest) else {
            throw .locked(path: lockFile.path.bytes)
        }
        defer { lockFile.unlock(byte, in: lock) }
        return try body()
    }
}

// MARK: - Whether it may be written

extension Store {
    /// Makes sure, as far as that can be told before, that a commit will not be refused; makes the directories and the
    /// files that it needs.
    package func prepareToWrite() throws(StoreError) {
        if isInMemory { return }
        if withAccess({ isKnownWritable && memory.canAppend && memory.journal?.isWritable == true }) { return }
        try withAppendLock { () throws(StoreError) in
            try refreshToAppend()
            if withAccess({ memory.canAppend }) { _ = try usableJournal() }
        }
    }

    /// What can be told of the right to write without writing, but for missing directories, which are made. Told once:
    /// later, a commit that is refused says so itself.
    private func checkWritable() throws(StoreError) {
        if withAccess({ isKnownWritable }) { return }
        try checkFormat(withAccess { memory.archive })
        try FileAttributes.makeDirectories(for: path)
        if let existing = try file.status() {
            guard existing.is_regular else { throw .notAFile(path: path.bytes) }
            guard FileAttributes(existing: existing, directory: path.directory).isAllowed else {
                throw .readOnly(path: path.bytes, .owner(user: existing.user, group: existing.group))
            }
            let result = path.withCString { csystem_may_write($0) }
            guard result == 0 else { throw .failed("access", path, result) }
        }
        let result = path.directory.withCString { csystem_may_write($0) }
        guard result == 0 else { throw .failed("access", path.directory, result) }
        withAccess { isKnownWritable = true }
    }

    /// A newer version's file may be readable, but only that version knows what a change to it must keep.
    func checkFormat(_ archive: Archive) throws(StoreError) {
        guard archive.formatVersion <= Archive.currentFormat else {
            throw .readOnly(path: path.bytes, .newerFormat(version: archive.formatVersion))
        }
    }
}
