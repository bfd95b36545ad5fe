// LockFile: the file beside the archive whose bytes stand for what processes take turns at. It holds no state but its
// header and the shared page; locks are the kernel's, by open file description, and end with the process that holds them.

import CSystem
import KeyedArchive

/// The file `PATH-lock`. One open file of it serves the whole process, so its threads must take turns at each byte by
/// other means.
final class LockFile: @unchecked Sendable {
    let path: FilePath
    private let archive: StoreFile
    private let monitor = Monitor()
    private var current: OpenLockFile?
    /// Whether other processes shall know that the store is open here: they leave the last checkpoint to us.
    private var isPresent = false

    /// Bytes that stand for something. Keys come above 4 GiB; docs/FORMAT.md has the map.
    enum Byte {
        /// Shared by all processes that have the store open.
        static let presence: Int64 = 64
        static let append: Int64 = 65
        static let checkpoint: Int64 = 66
        static let firstKey: Int64 = 1 << 32

        /// A key's byte: FNV-1a, 64 bits, mod 2^62.
        static func key(_ key: Key) -> Int64 {
            firstKey + Int64(FNV1a.hash(key.bytes) & (1 << 62 - 1))
        }
    }

    init(archive: StoreFile) {
        self.archive = archive
        path = archive.path.appending("-lock")
    }

    /// The file as it is open, wherever the path leads now; nil: not open, as in a forked child.
    var known: OpenLockFile? {
        monitor.withLock {
            guard let current, current.descriptor.isOpen else { return nil }
            return current
        }
    }

    /// Opens the file if it is there and isn't open yet, for reading alone when nothing more is allowed. Nothing happens
    /// when it isn't there, or is no lock file: who must lock will say so.
    func find() {
        if let known, isCurrent(known.descriptor) { return }
        forget()
        guard let attributes = try? archive.attributes(),
            let found = try? OpenLockFile.open(path, attributes, mayCreate: false)
        else { return }
        monitor.withLock { if current == nil { use(found) } }
    }

    /// Throws when what is at the path is no lock file; nothing is.
    func check() throws(StoreError) {
        if try StoreFile(path: path).identity() == nil { return }
        _ = try OpenLockFile.open(path, archive.attributes(), mayCreate: false)
    }

    /// Inside the monitor.
    private func use(_ file: OpenLockFile) {
        current = file
        if isPresent { file.enter() }
    }

    /// Shows this process's presence, in whatever lock file there is and will be.
    func enter() {
        monitor.withLock {
            isPresent = true
            current?.enter()
        }
    }

    /// Whether a handle of this process may write.
    var hasWriters: Bool { monitor.withLock { isPresent } }

    /// In a forked child: the file was closed at once.
    func renewAfterFork() { monitor.withLock { current = nil } }

    /// True when no other process is present.
    func leave() -> Bool {
        monitor.withLock {
            isPresent = false
            return current?.leave() ?? true
        }
    }

    /// Closes the file once nobody holds a lock in it.
    func forget() { monitor.withLock { current = nil } }

    /// Opens the file for locking, making it when it isn't there.
    private func open() throws(StoreError) -> OpenLockFile {
        if let known, known.isWritable, known.descriptor.isOurs { return known }
        forget()
        let opened = try OpenLockFile.open(path, archive.attributes(), mayCreate: true)
        return monitor.withLock {
            if let current, current.isWritable { return current }
            use(opened)
            return opened
        }
    }

    /// Whether the file at the path is still the one that is open: otherwise others lock another one.
    func isCurrent(_ descriptor: Descriptor) -> Bool {
        var open = csystem_status()
        var there = csystem_status()
        return descriptor.isOpen
            && withExtendedLifetime(descriptor) { csystem_status_of(descriptor.number, &open) } == 0
            && path.withCString { csystem_status_at($0, false, &there) } == 0
            && open.device == there.device && open.inode == there.inode
    }
}

extension LockFile {
    /// Takes a byte's lock in a file that is still the one at the path. Nil: another process has it.
    func lock(_ byte: Int64, _ patience: Patience) throws(StoreError) -> Descriptor? {
        while true {
            let descriptor = try open().descriptor
            guard try lock(byte, in: descriptor, patience) else { return nil }
            if isCurrent(descriptor) { return descriptor }
            unlock(byte, in: descriptor)
            monitor.withLock { if current?.descriptor === descriptor { current = nil } }
        }
    }

    /// Takes a byte's lock in an open file. The kernel can't wait for a limited time, so that is done in small steps.
    func lock(_ byte: Int64, in descriptor: Descriptor, _ patience: Patience) throws(StoreError) -> Bool {
        if case .forever = patience { return try request(byte, in: descriptor, wait: true) }
        let deadline = Deadline(patience)
        var pause: Int64 = 1
        while true {
            if try request(byte, in: descriptor, wait: false) { return true }
            guard let rest = deadline.rest.milliseconds, rest > 0 else { return false }
            csystem_sleep_milliseconds(min(pause, rest))
            pause = min(pause * 2, 20)
        }
    }

    private func request(_ byte: Int64, in descriptor: Descriptor, wait: Bool) throws(StoreError) -> Bool {
        let result = withExtendedLifetime(descriptor) { csystem_lock_byte(descriptor.number, byte, wait) }
        if result == 0 { return true }
        guard csystem_is_locked(-result) else { throw .system(call: "fcntl", path: path.bytes, error: -result) }
        return false
    }

    func unlock(_ byte: Int64, in descriptor: Descriptor) {
        guard descriptor.isOurs else { return }
        _ = withExtendedLifetime(descriptor) { csystem_unlock_byte(descriptor.number, byte) }
    }

    /// Whether anyone, this process or another, has the byte locked. Where that can't be told, nobody seems to.
    func isLocked(_ byte: Int64) -> Bool {
        let opened = path.withCString { csystem_open_to_read($0) }
        guard opened >= 0 else { return false }
        let descriptor = Descriptor(opened)
        return withExtendedLifetime(descriptor) { csystem_is_byte_locked(opened, byte) } == 1
    }
}
