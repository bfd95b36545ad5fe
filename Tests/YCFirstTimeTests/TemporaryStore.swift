// TemporaryStore: a directory of a test's own, and instances over the archive in it.

import FirstTime
import Foundation
import Synchronization

@testable import YCFirstTime

/// A fresh directory with an archive, removed when the last reference goes.
final class TemporaryStore: Sendable {
    let directory: String
    private let counter = Mutex(0)
    var path: String { directory + "/firsttime.archive" }

    init() throws {
        let parent = FileManager.default.temporaryDirectory
        directory = parent.appendingPathComponent("firsttime-tests-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// A fresh instance over the same state, as `YCFirstTime()` is in an app. Its version is "1.0", and its clock stands.
    func instance() -> YCFirstTime {
        let path = path
        let instance = YCFirstTime { try FirstTime(path: path) }
        instance.versionProvider = { "1.0" }
        instance.nowProvider = { Date(timeIntervalSince1970: 1_700_000_000) }
        return instance
    }

    /// For closures that run on any thread.
    func count() { counter.withLock { $0 += 1 } }
    var counted: Int { counter.withLock { $0 } }

    /// Bytes that are no archive.
    func spoil() throws { try Data("no archive".utf8).write(to: URL(fileURLWithPath: path)) }
}
