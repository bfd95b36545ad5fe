// The journal in use: what commits leave on disk, what other processes see of it, and what a crash leaves behind.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("A store's journal")
struct StoreJournalTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("firsttime.archive")
    }

    /// A store that shares nothing with others on the same file, as another process has it.
    private func process() -> Store { Store(path: FilePath(path), running: RunningKeys()) }

    private func size(_ suffix: String) -> Int { contents(path + suffix).count }

    @Test("A commit is a record of the journal, whatever the number of keys; the archive comes with flush")
    func appending() throws {
        let store = process()
        try store.record("a", at: 1)
        let first = size("-journal")
        try store.commit { transaction in
            for number in 0..<500 {
                transaction.set(.run(after: nil, version: nil, time: 2), for: Key(Array("k\(number)".utf8))!)
            }
        }
        #expect(FileState(path) == nil)
        var reader = JournalReader(
            Array(contents(path + "-journal").dropFirst(JournalHeader.size)), from: JournalHeader.size, after: 0)
        #expect(try reader.next()?.changes.count == 1 && reader.end == first)
        #expect(try reader.next()?.changes.count == 500 && reader.isAtEnd)
        #expect(try process().keys().count == 501)
        try store.flush()
        #expect(size("-journal") == JournalHeader.size)
        let archive = try Archive(bytes: contents(path))
        #expect(archive.records.count == 501 && archive.sequence == 2)
        #expect(try JournalHeader(contents(path + "-journal")) == JournalHeader(storeID: archive.storeID!, base: 2))
    }

    @Test("Another process's commit is seen at the next question, and an unchanged store isn't looked at")
    func generation() throws {
        let (one, two) = (process(), process())
        try one.record("a")
        try two.record("b")
        #expect(try one.askedKeys() == ["a", "b"] && two.askedKeys() == ["a", "b"])
        #expect(one.seen.page != nil && two.seen.page != nil)
        // Not told by the page, so not looked for.
        let known = one.seen
        _ = try one.askedKeys()
        #expect(one.seen.time == known.time && one.seen.generation == known.generation)
        try two.record("c")
        #expect(try one.askedKeys() == ["a", "b", "c"])
        #expect(try one.record(for: Key(Array("c".utf8))!, closely: true) != nil)
    }

    @Test("What was never acknowledged is cut off by the next commit, and by nobody else", arguments: [1, 20, 60])
    func tornTail(count: Int) throws {
        let store = process()
        try store.record("a")
        let whole = size("-journal")
        let torn = Array(contents(path + "-journal").dropFirst(JournalHeader.size).prefix(count))
        try append(torn)
        let other = process()
        #expect(try other.keys() == ["a"] && store.record(for: Key([97])!, closely: true) != nil)
        #expect(size("-journal") == whole + torn.count)
        try other.record("b")
        #expect(try store.record(for: Key([98])!, closely: true) != nil)
        #expect(try process().keys() == ["a", "b"])
    }

    private func append(_ bytes: [UInt8]) throws { try put(contents(path + "-journal") + bytes, at: path + "-journal") }

    @Test("A damaged record that others were acknowledged after is an error that names its place; nothing is changed")
    func damaged() throws {
        let store = process()
        for key in ["a", "b", "c"] { try store.record(key) }
        var bytes = contents(path + "-journal")
        bytes[JournalHeader.size + 30] ^= 1
        try put(bytes, at: path + "-journal")
        let words = "corrupt, 40: a commit that was acknowledged is missing or damaged"
        #expect(failure { _ = try process().keys() } == words)
        #expect(failure { try process().record("d") } == words)
        #expect(failure { try process().flush() } == words)
        #expect(contents(path + "-journal") == bytes && FileState(path) == nil)
    }

    @Test("A journal of a newer version, or with a change that may not be skipped, is an error; nothing is changed")
    func newer() throws {
        let store = process()
        try store.record("a")
        let sound = contents(path + "-journal")
        var newer = sound
        newer[19] = 9
        try put(newer, at: path + "-journal")
        #expect(failure { _ = try process().keys() } == "newer format 9")
        #expect(failure { try process().record("d") } == "newer format 9")
        #expect(contents(path + "-journal") == newer)
    }

    @Test("Files that are no journal of ours are errors, and are left as they are")
    func foreign() throws {
        for bytes in [[], Array("hello".utf8), [UInt8](repeating: 0, count: 100)] {
            try put(bytes, at: path + "-journal")
            #expect(failure { _ = try process().keys() } == "corrupt, 0: not a journal of this library")
            #expect(failure { try process().record("k") } == "corrupt, 0: not a journal of this library")
            #expect(contents(path + "-journal") == bytes)
        }
    }

    @Test("A journal whose archive is gone is an error, unless it begins at nothing")
    func goneArchive() throws {
        let store = process()
        try store.record("a")
        #expect(try process().keys() == ["a"])
        try store.flush()
        try store.record("b")
        #expect(unlink(path) == 0)
        #expect(
            failure { _ = try process().keys() }.hasPrefix("corrupt, 0: it goes on from an archive that is gone"))
        // Who had it open still has everything.
        try store.record("c")
        #expect(try process().keys() == ["a", "b", "c"])
    }

    @Test(
        "An archive of other software put beside a journal is merged with it, and written at once",
        arguments: [1.0, 500])
    func replacedArchive(time: Double) throws {
        let store = process()
        try store.record("a", at: time)
        try store.record("gone", at: 5)
        #expect(try store.forget(Key(Array("gone".utf8))!))
        try put(PlainArchive().bytes, at: path)
        let other = process()
        #expect(try other.keys() == ["a", "b"])
        #expect(try other.time("a") == max(time, 100.25))
        try other.record("c", at: 2)
        let archive = try Archive(bytes: contents(path))
        #expect(archive.records.count == 3 && archive.storeID != nil)
        #expect(try process().keys() == ["a", "b", "c"] && store.keys() == ["a", "b", "c"])
    }

    @Test("The first commit to an archive of other software makes it ours, and its journal begins there")
    func legacy() throws {
        try put(PlainArchive().bytes, at: path)
        let store = process()
        try store.flush()
        #expect(contents(path) == PlainArchive().bytes)
        #expect(try store.forget(Key(Array("a".utf8))!))
        #expect(try Archive(bytes: contents(path)).records.count == 1)
        try store.record("c")
        #expect(try Archive(bytes: contents(path)).records.count == 1)
        #expect(try process().keys() == ["b", "c"])
    }

    @Test("A checkpoint comes when the journal has outgrown 64 KiB and the archive")
    func growth() throws {
        let store = process()
        let version = String(repeating: "v", count: 1000)
        for run in 0..<200 { try store.record("k\(run % 3)", at: Double(run), version: version) }
        #expect(try Archive(bytes: contents(path)).sequence.map { $0 > 20 } == true)
        #expect(size("-journal") < 100_000)
        #expect(try process().time("k1") == 199)
    }

    @Test("A commit between a checkpoint's two halves is carried over to the new journal", arguments: [true, false])
    func carriedTail(isOwn: Bool) throws {
        let (one, two) = (process(), process())
        try one.record("a")
        try two.record("b")
        try one.withCheckpointLock(.forever) { () throws(StoreError) in
            guard case (let journal?, let sequence)? = try one.writeArchive() else { return }
            try (isOwn ? one : two).commit { $0.set(.run(after: nil, version: nil, time: 9), for: Key([108])!) }
            try one.shorten(journal, through: sequence)
        }
        #expect(try JournalHeader(contents(path + "-journal")).base == 2)
        for store in [one, two, process()] { #expect(try store.keys() == ["a", "b", "l"]) }
        try two.record("m")
        #expect(try process().keys() == ["a", "b", "l", "m"] && one.keys() == ["a", "b", "l", "m"])
    }

    @Test("A journal that ends before its archive is replaced by the next commit")
    func shortJournal() throws {
        let store = process()
        try store.record("a")
        let old = contents(path + "-journal")
        try store.record("b")
        try store.flush()
        // The checkpoint's second half was lost, and with it the journal's last record.
        try put(old, at: path + "-journal")
        let other = process()
        #expect(try other.keys() == ["a", "b"])
        try other.record("c")
        #expect(try process().keys() == ["a", "b", "c"])
        #expect(try JournalHeader(contents(path + "-journal")).base > 1)
    }

    @Test("What is damaged before the archive's own sequence is no loss, however often one looks")
    func damagedBeforeArchive() throws {
        let store = process()
        for key in ["a", "b", "c"] { try store.record(key) }
        let old = contents(path + "-journal")
        try store.flush()
        // The checkpoint's second half was lost, and the power after one more commit.
        let later = JournalRecord(sequence: 4, durable: 3, changes: [.remove(Key([97])!)])
        var bytes = old + later.bytes
        bytes[JournalHeader.size + 30] ^= 1
        try put(bytes, at: path + "-journal")
        let other = process()
        for _ in 0..<3 { #expect(try other.keys() == ["a", "b", "c"]) }
        try other.record("d")
        #expect(try process().keys() == ["a", "b", "c", "d"])
    }

    @Test("A pending change gives way to what another process did to the key later")
    func pending() throws {
        let (one, two) = (process(), process())
        try one.record("k", at: 1)
        var pending = PendingChanges()
        let key = Key([107])!
        pending.remember(.set(key, .run(after: nil, version: nil, time: 5)))
        one.withAccess { one.memory.pending = pending }
        #expect(try two.forget(key))
        #expect(try one.keys() == [])
        try one.flush()
        #expect(try process().keys() == [])
        one.withAccess {
            one.memory.pending = PendingChanges()
            one.memory.pending.remember(.set(key, .run(after: nil, version: nil, time: 5)))
        }
        try two.record("k", at: 4)
        #expect(try one.time("k") == 5)
        try one.flush()
        #expect(try process().time("k") == 5)
    }

    @Test("A fire that could not be taken back on disk is with the next commit, unless something else came after it")
    func pendingTrigger() throws {
        let (one, two) = (process(), process())
        let name = Key(Array("trigger".utf8))!
        let fired = TriggerRecord().fired(at: 5)
        func trigger(_ store: Store) throws -> TriggerRecord? { try store.read { $0.triggers[name] } }
        func takeBack() { one.remember { $0.takeBack(fired, of: name, former: nil) } }
        // A record's pending change is another, whatever its key.
        one.remember { $0.set(.run(after: nil, version: nil, time: 1), for: name) }

        try one.commit { $0.set(trigger: fired, named: name) }
        takeBack()
        #expect(try trigger(one) == nil && trigger(two) == fired)
        try two.record("a")
        #expect(try one.keys() == ["a", "trigger"] && trigger(one) == nil)
        try one.record("b")
        #expect(try trigger(process()) == nil)

        // Another process has forgotten it, and fired anew, or has written everything anew.
        try one.commit { $0.set(trigger: fired, named: name) }
        takeBack()
        try two.commit { $0.set(trigger: fired.fired(at: 6), named: name) }
        try one.record("c")
        #expect(try trigger(one)?.count == 2 && trigger(process())?.count == 2)
        try one.commit { $0.set(trigger: fired, named: name) }
        takeBack()
        try two.flush()
        #expect(try trigger(one) == nil)
        try one.flush()
        #expect(try trigger(process()) == nil)
    }

    @Test("A side file of another user is refused, whoever the directory belongs to", .enabled(if: getuid() == 0))
    func planted() throws {
        for suffix in ["-lock", "-journal"] {
            let store = process()
            try store.record("a")
            try store.flush()
            #expect(chown(path, 12345, 12345) == 0 && chown(path + suffix, 54321, 54321) == 0)
            #expect(failure { try process().record("b") } == "foreign owner 54321")
            for name in ["", "-lock", "-journal"] { unlink(path + name) }
        }
    }
}
