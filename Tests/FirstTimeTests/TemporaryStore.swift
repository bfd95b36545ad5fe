// TemporaryStore: a directory of a test's own, and a store in it whose clock and version the test sets.

import Foundation
import Synchronization

@testable import FirstTime

/// A fresh directory, removed when the last reference goes.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory
        path = parent.appendingPathComponent("firsttime-tests-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A store with a clock that stands still until it is moved.
struct TemporaryStore {
    final class Seams: Sendable {
        let now = Mutex(1_700_000_000.0)
        let version = Mutex<String?>("1.0")
    }

    let directory: TemporaryDirectory
    let seams = Seams()
    let store: FirstTime

    init(in directory: TemporaryDirectory? = nil) throws {
        self.directory = try directory ?? TemporaryDirectory()
        store = try FirstTime(path: self.directory.path + "/firsttime.archive")
        let seams = seams
        store.setClock { seams.now.withLock { $0 } }
        store.setVersionProvider { seams.version.withLock { $0 } }
    }

    func advance(by seconds: Double) { seams.now.withLock { $0 += seconds } }
    func setVersion(_ version: String?) { seams.version.withLock { $0 = version } }
}
