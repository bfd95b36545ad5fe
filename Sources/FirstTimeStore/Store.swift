// Store: one archive file as this process sees it. What callers get is records, fresh ones, and commits that are on disk
// when they return; how the disk is made to say so is hidden here. It knows no policy: not when a key is due, nor what a
// clock is.

import CSystem
import KeyedArchive

/// The records of one archive file, shared among threads and with other processes.
package final class Store: @unchecked Sendable {
    package let path: FilePath
    let file: ArchiveFile
    let lockFile: LockFile
    let running: RunningKeys
    let keyLocks: KeyLocks

    /// One commit at a time in this process; held while the disk works.
    let writing = Monitor()
    /// Protects `memory`; held for moments, and while the file is read.
    let access = Monitor()
    var memory = Memory()

    /// What this process knows.
    struct Memory {
        var archive = Archive()
        /// The file that `archive` was read from or written to; nil: none yet, or it is gone.
        var content: ArchiveFile.Content?
        /// Records whose commit failed: they are in `archive`, and go with the next commit.
        var pending = RecordTable()
        /// Whether `archive` holds something that the file doesn't.
        var isAhead = false
    }

    init(path: FilePath, running: RunningKeys) {
        self.path = path
        self.running = running
        file = ArchiveFile(path: path)
        lockFile = LockFile(archive: path)
        keyLocks = KeyLocks(lockFile)
    }

    /// Opens a file, or shares it when this process has it open already. Reads it; writes nothing.
    package static func open(_ path: FilePath) throws(StoreError) -> Store {
        let store = ProcessStores.open(try StoreLocation.resolve(path))
        do {
            try store.read { _ in }
        } catch {
            ProcessStores.close(store)
            throw error
        }
        return store
    }

    /// The content of any regular file, up to 4 GiB.
    package static func contents(of path: FilePath) throws(StoreError) -> [UInt8] {
        guard let content = try ArchiveFile(path: path).read() else { throw .missing(path: path.bytes) }
        return content.bytes
    }

    /// Gives back what `open` gave.
    package func close() { ProcessStores.close(self) }
}

// MARK: - Looking

extension Store {
    /// Calls `body` with what is recorded now, by any process. Nobody can commit in this process meanwhile: be brief.
    package func read<Result>(_ body: (RecordTable) -> Result) throws(StoreError) -> Result {
        try access.withLock { () throws(StoreError) -> Result in
            try refresh()
            return body(memory.archive.records)
        }
    }

    package func record(for key: Key) throws(StoreError) -> Record? { try read { $0[key] } }
}
