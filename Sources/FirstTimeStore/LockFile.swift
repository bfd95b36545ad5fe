// LockFile: the file beside the archive whose bytes stand for what processes take turns at. It holds no state but its
// header; locks are the kernel's, by open file description, and end with the process that holds them.

import CSystem
import KeyedArchive

/// The file `PATH-lock`.
struct LockFile: Sendable {
    let path: FilePath

    /// Bytes that stand for something. Keys come above 4 GiB; docs/FORMAT.md has the map.
    enum Byte {
        static let append: Int64 = 65
        static let firstKey: Int64 = 1 << 32

        /// A key's byte: FNV-1a, 64 bits, mod 2^62.
        static func key(_ key: Key) -> Int64 {
            firstKey + Int64(FNV1a.hash(key.bytes) & (1 << 62 - 1))
        }
    }

    /// "FirstTimeLock", and the version of the protocol in the last two bytes, big-endian.
    private static let magic = Array(staticString: "FirstTimeLock\0")
    private static let version: UInt16 = 1
    private static var header: [UInt8] { magic + [UInt8(version >> 8), UInt8(version & 0xFF)] }

    init(archive: FilePath) { path = archive.appending("-lock") }

    /// Opens the file, making it when it isn't there.
    func open(_ attributes: FileAttributes) throws(StoreError) -> Descriptor {
        while true {
            let opened = path.withCString { csystem_open_to_update($0) }
            if opened >= 0 {
                let descriptor = Descriptor(opened)
                try check(descriptor)
                return descriptor
            }
            guard csystem_is_missing(-opened) else { throw .failed("open", path, opened) }
            let created = path.withCString { csystem_create($0, 0o600) }
            // Another process made it just now: open theirs.
            if csystem_is_existing(-created) { continue }
            guard created >= 0 else { throw .failed("open", path, created) }
            let descriptor = Descriptor(created)
            defer { withExtendedLifetime(descriptor) {} }
            try attributes.apply(to: descriptor.number, path)
        }
    }

    /// Reads the header, and writes it when there is none yet: two processes at once write the same bytes. Zeros are what
    /// a loss of power leaves of a file whose size got to disk before its content.
    private func check(_ descriptor: Descriptor) throws(StoreError) {
        let status = try descriptor.status(path)
        guard status.is_regular else { throw .notAFile(path: path.bytes) }
        var bytes = [UInt8](repeating: 0, count: Self.header.count)
        let got = csystem_read_at(descriptor.number, &bytes, bytes.count, 0)
        guard got >= 0 else { throw .system(call: "read", path: path.bytes, error: Int32(-got)) }
        let found = bytes.prefix(got)
        let isBlank = status.size <= bytes.count && found.allSatisfy { $0 == 0 }
        if isBlank || got < bytes.count && Self.header.starts(with: found) {
            return try descriptor.write(Self.header, path)
        }
        guard bytes.starts(with: Self.magic) else { throw .foreignLock(path: path.bytes) }
        let version = UInt16(bytes[14]) << 8 | UInt16(bytes[15])
        guard version <= Self.version else { throw .newerFormat(path: path.bytes, version: Int128(version)) }
    }

    /// Whether the file at the path is still the one that is open: otherwise others lock another one.
    func isCurrent(_ descriptor: Descriptor) -> Bool {
        var open = csystem_status()
        var there = csystem_status()
        return descriptor.isOpen && csystem_status_of(descriptor.number, &open) == 0
            && path.withCString { csystem_status_at($0, false, &there) } == 0
            && open.device == there.device && open.inode == there.inode
    }
}

extension LockFile {
    /// Takes a byte's lock in a file that is still the one at the path. Nil: another process has it.
    func lock(_ byte: Int64, _ attributes: FileAttributes, _ patience: Patience) throws(StoreError) -> Descriptor? {
        while true {
            let descriptor = try open(attributes)
            guard try lock(byte, in: descriptor, patience) else { return nil }
            if isCurrent(descriptor) { return descriptor }
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
        let result = csystem_lock_byte(descriptor.number, byte, wait)
        if result == 0 { return true }
        guard csystem_is_locked(-result) else { throw .system(call: "fcntl", path: path.bytes, error: -result) }
        return false
    }

    func unlock(_ byte: Int64, in descriptor: Descriptor) {
        guard descriptor.isOpen else { return }
        withExtendedLifetime(descriptor) { _ = csystem_unlock_byte(descriptor.number, byte) }
    }

    /// Whether anyone, this process or another, has the byte locked. Where that can't be told, nobody seems to.
    func isLocked(_ byte: Int64) -> Bool {
        let opened = path.withCString { csystem_open_to_read($0) }
        guard opened >= 0 else { return false }
        let descriptor = Descriptor(opened)
        return withExtendedLifetime(descriptor) { csystem_is_byte_locked(opened, byte) } == 1
    }
}
