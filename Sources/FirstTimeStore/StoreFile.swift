// StoreFile: a file of the store as bytes on disk, the archive or the journal: what is there, reading it whole, and
// replacing it so that no crash leaves half of it. It knows neither format and takes no locks.

import CSystem

/// A file that is read whole and replaced whole.
struct StoreFile: Sendable {
    let path: FilePath

    /// What tells one state of the file from another.
    struct Identity: Equatable, Sendable {
        let device, inode: UInt64
        let size, seconds, nanoseconds: Int64

        init(_ status: csystem_status) {
            device = status.device
            inode = status.inode
            size = status.size
            seconds = status.modified_seconds
            nanoseconds = status.modified_nanoseconds
        }

        /// Whether it is one file, whatever was written to it.
        func isSameFile(as other: Identity) -> Bool { device == other.device && inode == other.inode }
    }

    /// The file's state now; nil when it isn't there.
    func identity() throws(StoreError) -> Identity? { try status().map { Identity($0) } }

    /// What the files beside it must be like, and it itself when it is written anew.
    func attributes() throws(StoreError) -> FileAttributes {
        FileAttributes(existing: try status(), directory: path.directory)
    }

    func status() throws(StoreError) -> csystem_status? {
        var status = csystem_status()
        let result = path.withCString { csystem_status_at($0, true, &status) }
        if csystem_is_missing(-result) { return nil }
        guard result == 0 else { throw .system(call: "stat", path: path.bytes, error: -result) }
        return status
    }
}

// MARK: - Reading

extension StoreFile {
    /// The file's content. It stays open: while it does, no other file can have its inode, so `identity` can't lie.
    struct Content {
        let bytes: [UInt8]
        let identity: Identity
        let descriptor: Descriptor
    }

    /// Reads the file; nil when it isn't there.
    func read() throws(StoreError) -> Content? {
        let opened = path.withCString { csystem_open_to_read($0) }
        guard let (descriptor, status) = try Descriptor.regular(opened, path) else { return nil }
        let bytes = try descriptor.read(from: 0, expecting: status.size, path)
        return Content(bytes: bytes, identity: Identity(status), descriptor: descriptor)
    }
}

// MARK: - Replacing

extension StoreFile {
    /// What stays open of a file that was written.
    enum Kept {
        /// Only its inode: the descriptor can't be written to, whoever gets hold of it.
        case inode
        case content
    }

    /// Puts `bytes` in the file's place, atomically: after a crash at any moment the file is the old or the new one,
    /// whole. When it returns, the new one is on disk; `.unconfirmed`: it is in place, but may not be on disk.
    ///
    /// The temporary file's name is always the same, so a crash leaves at most one behind, and the next writer, who
    /// holds the lock, removes it. Without `isLocked` nobody holds one, and the name is one that no other file has.
    func replace(
        with bytes: [UInt8], _ attributes: FileAttributes, keeping kept: Kept, isLocked: Bool = true
    ) throws(StoreError) -> Content {
        var temporary = path.appending("-new")
        if !isLocked { temporary = FilePath(temporary.bytes + Array(decimal: csystem_random_number() % 100_000_000)) }
        let descriptor = try create(temporary, replacing: isLocked)
        let identity: Identity
        let held: Descriptor
        do {
            try attributes.apply(to: descriptor.number, temporary)
            try descriptor.write(bytes, at: 0, temporary)
            try descriptor.sync(temporary)
            switch kept {
            case .inode: held = try hold(temporary)
            case .content: held = descriptor
            }
            identity = Identity(try descriptor.status(temporary))
            try rename(temporary)
        } catch {
            _ = temporary.withCString { csystem_unlink($0) }
            throw error
        }
        let (call, result) = path.directory.syncDirectory()
        guard result == 0 else { throw .unconfirmed(call: call, path: path.directory.bytes, error: -result) }
        return Content(bytes: [], identity: identity, descriptor: held)
    }

    private func hold(_ temporary: FilePath) throws(StoreError) -> Descriptor {
        let result = temporary.withCString { csystem_open_to_hold($0) }
        guard result >= 0 else { throw .system(call: "open", path: temporary.bytes, error: -result) }
        return Descriptor(result)
    }

    private func create(_ temporary: FilePath, replacing: Bool) throws(StoreError) -> Descriptor {
        var result = temporary.withCString { csystem_create($0, 0o600) }
        if replacing, csystem_is_existing(-result) {
            let removed = temporary.withCString { csystem_unlink($0) }
            guard removed == 0 || csystem_is_missing(-removed) else { throw .failed("unlink", temporary, removed) }
            result = temporary.withCString { csystem_create($0, 0o600) }
        }
        guard result >= 0 else { throw .failed("open", temporary, result) }
        return Descriptor(result)
    }

    private func rename(_ temporary: FilePath) throws(StoreError) {
        let renamed = temporary.withCString { from in path.withCString { csystem_rename(from, $0) } }
        guard renamed == 0 else { throw .system(call: "rename", path: path.bytes, error: -renamed) }
    }
}
