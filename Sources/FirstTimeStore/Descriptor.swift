// Descriptor: an open file, closed with its last owner, and what is done with an open file in more than one place.

import CSystem

/// Owns a file descriptor. Swift lets an object go after its last use, not at the end of its scope: hold it with
/// `withExtendedLifetime` while only its number is in use.
final class Descriptor: Sendable {
    let number: Int32
    private let generation = csystem_fork_generation()

    init(_ number: Int32) { self.number = number }
    deinit { if isOpen { csystem_close(number) } }

    /// Not in a forked child: there it was closed at once, and the number may be another file's by now.
    var isOpen: Bool { generation == csystem_fork_generation() }

    /// Whether the number is still this file's: a host program may close descriptors that aren't its own, all above 2 for
    /// instance, and what it opens then must not be written to.
    var isOurs: Bool { withExtendedLifetime(self) { isOpen && csystem_is_ours(number) } }
}

// In all of these `path` is for the error.

extension Descriptor {
    /// A regular file that was opened, by what the call answered; nil: there is none.
    static func regular(_ opened: Int32, _ path: FilePath) throws(StoreError) -> (Descriptor, csystem_status)? {
        if csystem_is_missing(-opened) { return nil }
        guard opened >= 0 else {
            if csystem_is_no_file(-opened) { throw .notAFile(path: path.bytes) }
            throw .system(call: "open", path: path.bytes, error: -opened)
        }
        let descriptor = Descriptor(opened)
        let status = try descriptor.status(path)
        guard status.is_regular else { throw .notAFile(path: path.bytes) }
        return (descriptor, status)
    }
}

extension Descriptor {
    /// What file this is.
    func status(_ path: FilePath) throws(StoreError) -> csystem_status {
        var status = csystem_status()
        let result = withExtendedLifetime(self) { csystem_status_of(number, &status) }
        guard result == 0 else { throw .system(call: "fstat", path: path.bytes, error: -result) }
        return status
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], at offset: Int64, _ path: FilePath) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let written = withExtendedLifetime(self) {
                bytes[done...].withUnsafeBytes { rest in
                    rest.baseAddress.map { csystem_write_at(number, $0, rest.count, offset + Int64(done)) } ?? 0
                }
            }
            // Nothing written without an error would go on for ever: no room is what it must mean.
            guard written > 0 else {
                let error = written < 0 ? Int32(truncatingIfNeeded: -written) : csystem_no_space
                throw .system(call: "write", path: path.bytes, error: error)
            }
            done += written
        }
    }

    /// Puts on disk what was written, and all that is known of the file.
    func sync(_ path: FilePath) throws(StoreError) {
        let result = withExtendedLifetime(self) { csystem_sync(number) }
        guard result == 0 else { throw .system(call: "fsync", path: path.bytes, error: -result) }
    }

    /// Puts on disk what was written.
    func syncData(_ path: FilePath) throws(StoreError) {
        let result = withExtendedLifetime(self) { csystem_sync_data(number) }
        guard result == 0 else { throw .system(call: "fdatasync", path: path.bytes, error: -result) }
    }

    /// Reads from `offset` to the end, which is at `size` unless someone writes at the same time.
    func read(from offset: Int64, expecting size: Int64, _ path: FilePath) throws(StoreError) -> [UInt8] {
        let largest = Int64(UInt32.max)
        guard size < largest else { throw .tooLarge(path: path.bytes) }
        let expected = Int(max(0, size - offset))
        var failure: Int = 0
        var bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
            while count < expected, let base = buffer.baseAddress {
                let got = csystem_read_at(number, base + count, expected - count, offset + Int64(count))
                if got < 0 { failure = got }
                if got <= 0 { break }
                count += got
            }
        }
        // A file that grows while it is read has more than its size said.
        var rest = [UInt8](repeating: 0, count: 4096)
        while failure == 0 {
            let got = csystem_read_at(number, &rest, rest.count, offset + Int64(bytes.count))
            if got < 0 { failure = got }
            if got <= 0 { break }
            bytes.append(contentsOf: rest.prefix(got))
            guard bytes.count < largest else { throw .tooLarge(path: path.bytes) }
        }
        guard failure == 0 else { throw .system(call: "read", path: path.bytes, error: Int32(-failure)) }
        return withExtendedLifetime(self) { bytes }
    }
}
