// Opening, asking and importing through the Swift API, and what it shares with the C functions.

import CFirstTime
import FirstTimeEngine
import FirstTimeStore
import Foundation
import Synchronization
import Testing

@testable import FirstTime

private final class Counters: Sendable {
    let values: Mutex<[Int]>
    init(_ count: Int) { values = Mutex(Array(repeating: 0, count: count)) }
}

@Suite("A store in Swift")
struct SwiftStoreTests {
    @Test("Records tell first and last run, and how many there were")
    func records() throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try store.executeOncePerVersion(forKey: "a.1") {}
        temporary.setVersion("2.0")
        temporary.advance(by: 10)
        try store.executeOncePerVersion(forKey: "a.1") {}
        try store.mark("b")
        let record = try #require(try store.record(forKey: "a.1"))
        #expect(record.firstVersion == "1.0" && record.lastVersion == "2.0" && record.count == 2)
        #expect(record.firstTime == 1_700_000_000 && record.lastTime == 1_700_000_010)
        #expect(try store.records().map(\.key) == ["a.1", "b"])
        #expect(try store.records(withPrefix: "a.").count == 1)
        #expect(try store.lastExecution(forKey: "b") == 1_700_000_010)
        #expect(try store.lastExecution(forKey: "none") == nil)
        #expect(try store.record(forKey: "none") == nil)
        #expect(try store.isDue("none") && !store.isDue("b"))
    }

    @Test("Resetting forgets a key, a prefix, or all")
    func resetting() throws {
        let store = try TemporaryStore().store
        for key in ["a", "b.1", "b.2", "c"] { try store.mark(key) }
        #expect(try store.reset("a") && !store.reset("a"))
        try store.reset(prefix: "b.")
        #expect(try store.records().map(\.key) == ["c"])
        let error = #expect(throws: FirstTimeError.self) { try store.reset(prefix: "") }
        #expect(error?.code == .argument)
        try store.reset()
        #expect(try store.records().isEmpty)
    }

    @Test("A closed store throws, and closing twice does nothing")
    func closed() throws {
        let store = try TemporaryStore().store
        try store.close()
        try store.close()
        let error = #expect(throws: FirstTimeError.self) { try store.mark("k") }
        #expect(error?.code == .argument)
    }

    @Test("A file that can't be decoded is refused with its name and the place, and left alone")
    func corrupt() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/broken"
        let bytes = Data("bplist00 nothing".utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: FirstTimeError.self) { try FirstTime(path: path) }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains(path) == true && error?.description.contains("byte") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("A path with U+0000 in it is refused: the system would see the beginning only")
    func cutPaths() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: FirstTimeError.self) { try FirstTime(path: directory.path + "/a\0b") }
        #expect(error?.code == .argument)
        let store = try FirstTime(path: directory.path + "/a")
        let refusal = #expect(throws: FirstTimeError.self) { try store.importArchive(at: directory.path + "/a\0b") }
        #expect(refusal?.code == .argument)
        try store.mark("k")
    }

    @Test("Any duration is a wait limit", arguments: [-1, 0, 1, Int64.max / 1000, Int64.max / 1_000_000])
    func waitLimits(seconds: Int64) throws {
        let directory = try TemporaryDirectory()
        let store = try FirstTime(path: directory.path + "/a", waitLimit: .seconds(seconds) + .milliseconds(999))
        #expect(try store.executeOnce(forKey: "k") {} == .ran)
    }

    @Test("Waiting for a write is told apart from waiting for a key")
    func busy() {
        let (key, write) = (StoreError.busy(process: nil, thread: nil), StoreError.locked(path: Array("/f-lock".utf8)))
        #expect(FirstTimeError(.store(key)).description == "still being run by another process")
        #expect(FirstTimeError(.store(write)).description.hasPrefix("/f-lock: fcntl: another process has been"))
        for error in [key, write] { #expect(FirstTimeError(.store(error)).code == .busy) }
    }

    @Test("C and Swift share one store in a process")
    func sharedWithC() throws {
        let temporary = try TemporaryStore()
        var store: OpaquePointer?
        let opened = temporary.store.path.withCString { path in
            var options = firsttime_options()
            options.size = MemoryLayout<firsttime_options>.size
            options.path = path
            return firsttime_open(&options, &store)
        }
        #expect(opened == FIRSTTIME_OK)
        #expect(firsttime_mark(store, "from C") == FIRSTTIME_OK)
        #expect(try temporary.store.wasExecuted("from C"))
        try temporary.store.mark("from Swift")
        #expect(firsttime_was_executed(store, "from Swift") == FIRSTTIME_YES)
        #expect(firsttime_close(store) == FIRSTTIME_OK)
    }

    @Test("Sixteen threads run each of a hundred keys once")
    func threads() async throws {
        let store = try TemporaryStore().store
        let runs = Counters(100)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for key in 0..<100 {
                        _ = try? store.executeOnce(forKey: "key \(key)") { runs.values.withLock { $0[key] += 1 } }
                    }
                }
            }
        }
        #expect(runs.values.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test("An old archive is taken over, from a file and from memory, and twice does no harm")
    func importing() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Fixtures/legacy/userdefaults/com.example.three_plain.plist")
        let store = try TemporaryStore().store
        #expect(try store.importArchive(at: file.path, isDryRun: true).added == 3)
        #expect(try store.records().isEmpty)
        #expect(try store.importArchive(at: file.path).added == 3)
        let report = try store.importArchive(try Data(contentsOf: file))
        #expect(report.added == 0 && report.updated == 0 && report.kept == 3 && report.skipped == 0)
        #expect(try store.lastExecution(forKey: "onboarding") == 700_000_000.125 + 978_307_200)
        let error = #expect(throws: FirstTimeError.self) { try store.importArchive([1, 2, 3]) }
        #expect(error?.code == .corrupt)
    }
}
