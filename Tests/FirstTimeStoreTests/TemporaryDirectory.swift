// TemporaryDirectory: a place for a test's files, gone with the test; and what libc says of files.

import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeStore

/// A directory of its own.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/firsttime-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.system(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    enum Failure: Error { case system(Int32) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}

/// What stands in a file's inode.
struct FileState: Equatable {
    var mode: mode_t
    var owner: [UInt32]
    var inode: ino_t
    /// Nanoseconds.
    var modified: Int
    var bytes: [UInt8]

    /// Nil when there is none, or no regular file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        mode = status.st_mode & 0o7777
        owner = [status.st_uid, status.st_gid]
        inode = status.st_ino
        modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        bytes = contents(path)
    }
}

func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}

/// Writes a file, or writes over one.
func put(_ bytes: [UInt8], at path: String, mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    guard descriptor >= 0 else { throw TemporaryDirectory.Failure.system(errno) }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
        throw TemporaryDirectory.Failure.system(errno)
    }
}

extension FilePath {
    init(_ path: String) { self.init(Array(path.utf8)) }
}

extension Store {
    static func open(_ path: String) throws -> Store { try open(FilePath(path)) }

    /// Commits that a key has no record any more; whether it had one.
    func forget(_ key: Key) throws -> Bool {
        var wasThere = false
        try commit { wasThere = $0.remove(key) }
        return wasThere
    }

    /// Records a run as the engine does.
    func record(_ key: String, at time: Double = 1, version: String? = nil) throws {
        let key = try #require(Key(Array(key.utf8)))
        try commit { transaction in
            let known = transaction.records[key]
            transaction.set(.run(after: known, version: version.map { Array($0.utf8) }, time: time), for: key)
        }
    }

    func time(_ key: String) throws -> Double? {
        try record(for: #require(Key(Array(key.utf8))), closely: true)?.lastTime
    }

    /// The keys by a look at the files.
    func keys() throws -> [String] { try readMemory(.files) { Self.words($0.archive.records) } }

    /// The keys as a question finds them.
    func askedKeys() throws -> [String] { try read { Self.words($0.records) } }

    private static func words(_ records: RecordTable) -> [String] {
        records.keys().map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}

/// The words of an error: where and why.
func reason(_ error: any Error) -> String {
    switch error {
    case ArchiveError.damaged(let error): return error.text
    case ArchiveError.newerFormat(let version): return "newer format \(version)"
    case StoreError.corrupt(_, let error): return "corrupt, \(error.text)"
    case StoreError.newerFormat(_, let version): return "newer format \(version)"
    case StoreError.system(let call, _, let number): return "\(call): \(String(cString: strerror(number)))"
    case StoreError.notAFile: return "not a file"
    case StoreError.foreignOwner(_, let user): return "foreign owner \(user)"
    case StoreError.foreignLock: return "foreign lock"
    case StoreError.noLocation(let reason): return "\(reason)"
    case StoreError.readOnly(_, .newerFormat(let version)): return "read-only, newer format \(version)"
    case StoreError.readOnly: return "read-only"
    case StoreError.busy: return "busy"
    case StoreError.reentrant: return "reentrant"
    default: return "\(error)"
    }
}

/// What `body` throws, in words; "" when it doesn't.
func failure(_ body: () throws -> Void) -> String {
    do { try body() } catch { return reason(error) }
    return ""
}
