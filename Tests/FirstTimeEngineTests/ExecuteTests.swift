// Running keys: what runs, what is recorded, and what is told.

import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeEngine
@testable import FirstTimeStore

@Suite("Running a key")
struct ExecuteTests {
    private let test: TestEngine

    init() throws { test = try TestEngine(version: "1.0") }

    @Test("The first callback runs once, the other from then on")
    func once() throws {
        #expect(test.execute("k", first: 0, after: 0) == "first, ran")
        #expect(test.execute("k", first: 0, after: 0) == "after, ranAfter")
        #expect(test.execute("k", first: 0) == "notDue")
        #expect(test.execute("other", first: 0) == "first, ran")
    }

    @Test("A callback that isn't there does nothing, and its case stays as it is")
    func missing() throws {
        #expect(test.execute("k", first: nil, after: 0) == "notDue")
        #expect(test.execute("k", first: nil) == "notDue")
        #expect(!test.exists)
        #expect(try test.record("k") == nil)
        #expect(test.execute("k", first: 0) == "first, ran")
        #expect(test.execute("k", first: nil, after: 0) == "after, ranAfter")
    }

    @Test("A callback that fails is told; of the first nothing is recorded, of the other nothing is lost")
    func failing() throws {
        #expect(test.execute("k", first: 7) == "first, callback first(7)".replacingOccurrences(of: "(7)", with: " 7"))
        #expect(try test.record("k") == nil)
        #expect(test.execute("k", first: 0) == "first, ran")
        #expect(test.execute("k", first: 0, after: -1) == "after, callback after -1")
        #expect(try test.record("k")?.count == 1)
    }

    @Test("A run is recorded with the clock when it ended, and the version it was decided for")
    func recording() throws {
        let test = test
        let version = Box("1.0")
        test.engine.set(versionProvider: { Array(version.value.utf8) })
        let key = try #require(Key([97]))
        let outcome = try test.engine.execute(
            key, Policy(isPerVersion: true),
            first: {
                test.time += 50
                version.value = "2.0"
                return 0
            }, after: nil)
        #expect(outcome == .ran)
        var record = try #require(try test.record("a"))
        #expect(record.lastTime == 1_000_050 - Record.epoch && record.firstTime == record.lastTime)
        #expect(record.lastVersion == Array("1.0".utf8) && record.firstVersion == record.lastVersion)
        #expect(test.execute("a", Policy(isPerVersion: true)) == "first, ran")
        #expect(test.execute("a", Policy(isPerVersion: true)) == "notDue")
        record = try #require(try test.record("a"))
        #expect(record.count == 2 && record.firstVersion == Array("1.0".utf8))
        #expect(record.lastVersion == Array("2.0".utf8))
        test.engine.set(versionProvider: { nil })
        #expect(test.execute("a", Policy(isPerVersion: true)) == "first, ran")
        test.engine.set(versionProvider: nil)
        #expect(test.execute("a", Policy(isPerVersion: true)) == "first, ran")
    }

    @Test("A version that can't be recorded is refused before anything runs")
    func badVersions() throws {
        for version in [[0xFF], [97, 0], Array(repeating: 97, count: 65536)] as [[UInt8]] {
            test.engine.set(versionProvider: { version })
            #expect(test.execute("k").hasPrefix("argument: the app's version is not UTF-8"))
        }
        test.engine.set(versionProvider: { [] })
        #expect(test.execute("k") == "first, ran")
    }

    @Test("A clock that gives no time is refused before anything runs", arguments: [Double.nan, .infinity, -.infinity])
    func badClocks(time: Double) throws {
        test.time = time
        let key = try #require(Key([97]))
        let refusal = "argument: the store's clock returned no finite time"
        #expect(test.execute("a") == refusal)
        #expect(words { "\(try test.engine.isDue(key, Policy()))" } == refusal)
        #expect(words { "\(try test.engine.nextDue(key, Policy()))" } == refusal)
        #expect(
            words {
                try test.engine.mark(key)
                return ""
            } == refusal)
        #expect(try !test.engine.wasExecuted(key))
        #expect(!test.exists)
        test.engine.set(clock: nil)
        #expect(test.execute("a") == "first, ran")
    }

    @Test("A clock that fails once the callback ran loses no run")
    func clockFailsLate() throws {
        let test = test
        let key = try #require(Key([97]))
        let outcome = try test.engine.execute(
            key, Policy(),
            first: {
                test.time = .nan
                return 0
            }, after: nil)
        #expect(outcome == .ran)
        #expect(try test.record("a")?.lastTime == 1_000_000 - Record.epoch)
    }

    @Test("A version that fails once the callback ran doesn't change when it ended")
    func versionFailsLate() throws {
        let test = test
        let outcome = try test.engine.execute(
            #require(Key([97])), Policy(),
            first: {
                test.time += 50
                test.engine.set(versionProvider: { [0xFF] })
                return 0
            }, after: nil)
        #expect(outcome == .ran)
        #expect(try test.record("a")?.lastTime == 1_000_050 - Record.epoch)
    }

    @Test("What isn't due runs `after` where no other process can be told of it; what became due meanwhile doesn't run")
    func withoutLock() throws {
        let test = test
        #expect(test.execute("k") == "first, ran")
        try FileManager.default.removeItem(atPath: test.path + "-lock")
        try FileManager.default.createDirectory(atPath: test.path + "-lock", withIntermediateDirectories: false)
        #expect(test.execute("k", after: 0) == "after, ranAfter")
        // The version changes between the first look and the second.
        let versions = Box(["1.0", "2.0"])
        test.engine.set(versionProvider: {
            var rest = versions.value
            let version = rest.removeFirst()
            versions.value = rest
            return Array(version.utf8)
        })
        #expect(test.execute("k", Policy(isPerVersion: true), after: 0).contains("notAFile"))
    }

    @Test("Its own key is reentrant inside a callback, others run, and closing is refused")
    func reentrancy() throws {
        let test = test
        let key = try #require(Key(Array("k".utf8)))
        var inside: [String] = []
        _ = try test.engine.execute(
            key, Policy(),
            first: {
                inside = [
                    test.execute("k"), test.execute("other"),
                    words {
                        try test.engine.close()
                        return "closed"
                    },
                    words { "\(try test.engine.wasExecuted(key))" },
                    words {
                        try test.engine.mark(key)
                        return "marked"
                    },
                ]
                return 0
            }, after: nil)
        #expect(inside == ["reentrant", "first, ran", "reentrant", "false", "marked"])
        #expect(try test.record("k")?.count == 2)
    }

    @Test("A file that can't be decoded any more: nothing runs, and it stays as it is")
    func corrupt() throws {
        #expect(test.execute("k") == "first, ran")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: test.path))
        #expect(test.execute("k", after: 0).hasPrefix("corrupt: "))
        #expect(test.execute("due").hasPrefix("corrupt: "))
        #expect(test.bytes == Data([1, 2, 3]))
    }

    @Test("A run that can't be recorded is told, remembered, and recorded by flush")
    func notRecorded() throws {
        let test = test
        #expect(test.execute("k") == "first, ran")
        // A journal that can't be written to stands for a disk that fails.
        let journal = try #require(test.engine.store.memory.journal)
        test.engine.store.memory.journal = journal.readOnly()
        #expect(test.execute("late") == "first, not recorded")
        #expect(test.execute("late", after: 0) == "after, ranAfter")
        try test.engine.flush()
        let archive = try Archive(bytes: Array(try #require(test.bytes)))
        #expect(archive.records.count == 2)
    }

    @Test("A legacy record of neither version nor time gets no first run when it runs again")
    func legacyBeginning() throws {
        var record = Record()
        #expect(Record.run(after: record, version: nil, time: 5).firstTime == nil)
        #expect(Record.run(after: nil, version: [49], time: 5).firstTime == 5)
        record.count = .max
        #expect(Record.run(after: record, version: nil, time: 5).count == .max)
    }

    @Test("Records are counted, listed and forgotten by prefix")
    func prefixes() throws {
        for key in ["a", "a.b", "a.c", "b", "é"] { #expect(test.execute(key) == "first, ran") }
        #expect(try test.engine.count(prefix: []) == 5)
        #expect(try test.engine.count(prefix: Array("a.".utf8)) == 2)
        #expect(try test.engine.count(prefix: [0xC3]) == 1)
        var seen: [String] = []
        let all = try test.engine.each(prefix: Array("a".utf8)) { key, _ in
            seen.append(String(decoding: key.bytes, as: UTF8.self))
            return seen.count < 2
        }
        #expect(!all && seen == ["a", "a.b"])
        try test.engine.reset(prefix: Array("a.".utf8))
        #expect(try test.engine.count(prefix: []) == 3)
        #expect(try test.engine.reset(#require(Key([97]))))
        #expect(try !test.engine.reset(#require(Key([97]))))
        try test.engine.reset(prefix: [])
        #expect(try test.engine.count(prefix: []) == 0)
        #expect(test.execute("a") == "first, ran")
    }
}

/// A value that closures share.
final class Box<Value: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()
    private var stored: Value
    init(_ value: Value) { stored = value }
    var value: Value {
        get { monitor.withLock { stored } }
        set { monitor.withLock { stored = newValue } }
    }
}
