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
}

extension Descriptor {
    /// What file this is; `path` is for the error.
    func status(_ path: FilePath) throws(StoreError) -> csystem_status {
        var status = csystem_status()
        let result = withExtendedLifetime(self) { csystem_status_of(number, &status) }
        guard result == 0 else { throw .system(call: "fstat", path: path.bytes, error: -result) }
        return status
    }

    /// Writes all of `bytes` from the file's start, and syncs them to disk.
    func write(_ bytes: [UInt8], _ path: FilePath) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let written = withExtendedLifetime(self) {
                bytes[done...].withUnsafeBytes { rest in
                    rest.baseAddress.map { csystem_write_at(number, $0, rest.count, Int64(done)) } ?? 0
                }
            }
            // Nothing written without an error would go on for ever: no room is what it must mean.
            guard written > 0 else {
                let error = written < 0 ? Int32(truncatingIfNeeded: -written) : csystem_no_space
                throw .system(call: "write", path: path.bytes, error: error)
            }
            done += written
        }
        let result = withExtendedLifetime(self) { csystem_sync(number) }
        guard result == 0 else { throw .system(call: "fsync", path: path.bytes, error: -result) }
    }
}
