// OpenLockFile: one lock file that is open: its header, its shared page, and whether this process shows its presence.

import CSystem

/// The file `PATH-lock`, open.
final class OpenLockFile: @unchecked Sendable {
    let path: FilePath
    let descriptor: Descriptor
    /// False: it may be looked at, but no lock can be taken.
    let isWritable: Bool
    /// Whether there is no header yet, and only who locks may write it.
    private var lacksHeader = false
    private let monitor = Monitor()
    private var mapped: SharedPage?

    /// "FirstTimeLock", and the version of the protocol in the last two bytes, big-endian.
    private static var magic: [UInt8] { Array(staticString: "FirstTimeLock\0") }
    private static let version: UInt16 = 1
    private static var header: [UInt8] { magic + [UInt8(version >> 8), UInt8(version & 0xFF)] }

    private init(_ path: FilePath, _ descriptor: Descriptor, isWritable: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isWritable = isWritable
    }

    /// The page that is shared with other processes; nil when it can't be mapped, or no commit has made it yet.
    var page: SharedPage? { monitor.withLock { mapped } }

    /// Opens the file. With `mayCreate` it is made when it isn't there; without, it may be open for reading alone.
    static func open(
        _ path: FilePath, _ attributes: FileAttributes, mayCreate: Bool
    ) throws(StoreError) -> OpenLockFile {
        while true {
            var opened = path.withCString { csystem_open_to_update($0) }
            let isWritable = opened >= 0
            if !mayCreate, csystem_is_refused(-opened) {
                opened = path.withCString { csystem_open_to_lock($0) }
            }
            if opened >= 0 {
                let file = OpenLockFile(path, Descriptor(opened), isWritable: isWritable)
                try file.begin(attributes, mayWrite: mayCreate)
                return file
            }
            guard mayCreate, csystem_is_missing(-opened) else { throw .failed("open", path, opened) }
            try create(path, attributes)
        }
    }

    private static func create(_ path: FilePath, _ attributes: FileAttributes) throws(StoreError) {
        var created = path.withCString { csystem_create($0, 0o600) }
        if csystem_is_missing(-created) {
            // The directory was deleted while the store was open.
            try FileAttributes.makeDirectories(for: path)
            created = path.withCString { csystem_create($0, 0o600) }
        }
        // Another process made it just now: theirs is opened.
        if csystem_is_existing(-created) { return }
        guard created >= 0 else { throw .failed("open", path, created) }
        let descriptor = Descriptor(created)
        defer { withExtendedLifetime(descriptor) {} }
        try attributes.apply(to: created, path)
    }

    /// Reads the header, and with `mayWrite` writes it when there is none yet: two processes at once write the same bytes.
    /// Zeros, in all of it or some, are what a loss of power leaves of a file whose size got to disk before its content.
    private func begin(_ attributes: FileAttributes, mayWrite: Bool) throws(StoreError) {
        let status = try descriptor.status(path)
        guard status.is_regular else { throw .notAFile(path: path.bytes) }
        guard attributes.trusts(status) else { throw .foreignOwner(path: path.bytes, user: status.user) }
        var bytes = [UInt8](repeating: 0, count: Self.header.count)
        let got = csystem_read_at(descriptor.number, &bytes, bytes.count, 0)
        guard got >= 0 else { throw .system(call: "read", path: path.bytes, error: Int32(-got)) }
        let found = bytes.prefix(got)
        // Not `allSatisfy`, which Embedded Swift 6.3 miscompiles on slices in functions that throw.
        var isUnfinished = status.size <= SharedPage.size
        for (byte, right) in zip(found, Self.header) where byte != 0 && byte != right { isUnfinished = false }
        if isUnfinished {
            if found.elementsEqual(Self.header) { return map(status) }
            guard mayWrite else {
                lacksHeader = true
                return
            }
            try descriptor.write(Self.header, at: 0, path)
        } else {
            guard bytes.starts(with: Self.magic) else { throw .foreignLock(path: path.bytes) }
            let version = UInt16(bytes[14]) << 8 | UInt16(bytes[15])
            guard version <= Self.version else { throw .newerFormat(path: path.bytes, version: Int128(version)) }
        }
        map(status)
    }

    private func map(_ status: csystem_status) {
        let page = SharedPage.map(path, status, isWritable: isWritable)
        monitor.withLock { if mapped == nil { mapped = page } }
    }

    /// Makes the page whole, when it isn't, and maps it. Under the append lock: nobody counts in it yet. Written, not
    /// only made longer, so that no store into memory can meet a full disk.
    func completePage() throws(StoreError) {
        guard page == nil else { return }
        if lacksHeader {
            try descriptor.write(Self.header, at: 0, path)
            lacksHeader = false
        }
        var status = try descriptor.status(path)
        let size = Int64(SharedPage.size)
        if status.size < size {
            let start = max(status.size, Int64(Self.header.count))
            try descriptor.write([UInt8](repeating: 0, count: Int(size - start)), at: start, path)
            status = try descriptor.status(path)
        }
        map(status)
    }

    /// Says that this process has the store open, and could make a checkpoint.
    func enter() {
        // Refused only where locks don't work at all, which the first one that matters will say.
        if isWritable {
            _ = withExtendedLifetime(descriptor) { csystem_share_byte(descriptor.number, LockFile.Byte.presence) }
        }
    }

    /// Takes that back; true when no other process says so. Taken back first and looked for then: of several that leave
    /// at once, the last one sees that it is.
    func leave() -> Bool {
        withExtendedLifetime(descriptor) {
            _ = csystem_unlock_byte(descriptor.number, LockFile.Byte.presence)
            return csystem_is_byte_locked(descriptor.number, LockFile.Byte.presence) != 1
        }
    }
}
