// What others do to the file while it is open: another store's commits count on, anything else is merged.

import CSystem
import Glibc
import Testing

@testable import FirstTimeStore

@Suite("An archive that others change")
struct ReplacedFileTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("firsttime.archive")
        store = try Store.open(path)
    }

    /// A store on the same file that shares no memory with the first, as another process has it.
    private func other() -> Store { Store(path: store.path, running: RunningKeys()) }

    @Test("Two processes see each other's runs and resets")
    func others() throws {
        let other = other()
        try store.record("a", at: 1)
        try other.record("b", at: 2)
        #expect(try store.keys() == ["a", "b"])
        #expect(try store.forget(Key([97])!))
        #expect(try other.keys() == ["b"])
        try other.record("c", at: 3)
        #expect(try store.keys() == ["b", "c"])
        try? store.close()
    }

    @Test("A file that another process made anew after a deletion loses nothing, however often it was written")
    func madeAnew() throws {
        try store.record("mine", at: 1)
        try store.flush()
        for suffix in ["", "-journal"] { #expect(unlink(path + suffix) == 0) }
        let other = other()
        for time in 2...5 { try other.record("theirs", at: Double(time)) }
        #expect(try store.keys() == ["mine", "theirs"])
        try store.flush()
        #expect(try other.keys() == ["mine", "theirs"])
        #expect(try store.forget(Key(Array("mine".utf8))!))
        #expect(try other.keys() == ["theirs"])
        try? store.close()
    }

    @Test("A file that is deleted is written again, by flush too", arguments: [true, false])
    func deleted(byFlush: Bool) throws {
        try store.record("a", at: 1)
        try store.flush()
        #expect(unlink(path) == 0 && unlink(path + "-lock") == 0)
        #expect(try store.keys() == ["a"])
        if byFlush { try store.flush() } else { try store.record("b", at: 2) }
        #expect(try other().keys() == (byFlush ? ["a"] : ["a", "b"]))
        try? store.close()
    }

    @Test("Its directory that is deleted is made again")
    func deletedDirectory() throws {
        let deep = try Store.open(directory("deep/f"))
        defer { try? deep.close() }
        try deep.record("a", at: 1)
        try deep.flush()
        for name in ["deep/f", "deep/f-lock", "deep/f-journal"] { #expect(unlink(directory(name)) == 0) }
        #expect(rmdir(directory("deep")) == 0)
        try deep.record("b", at: 2)
        #expect(try deep.keys() == ["a", "b"])
        try deep.flush()
        #expect(FileState(directory("deep/f")) != nil)
        try? store.close()
    }

    @Test("An older copy that is put back is merged: for each key the newest time wins")
    func older() throws {
        try store.record("a", at: 1)
        try store.record("b", at: 5)
        try store.flush()
        let old = contents(path)
        try store.record("a", at: 10)
        try store.record("c", at: 3)
        try store.flush()
        try put(old, at: path)
        #expect(try store.keys() == ["a", "b", "c"])
        #expect(try store.time("a") == 10)
        try store.flush()
        #expect(try other().keys() == ["a", "b", "c"])
        #expect(try other().time("a") == 10)
        #expect(try other().time("b") == 5)
        try? store.close()
    }

    @Test("A legacy archive put in its place is merged, and keeps what isn't ours", arguments: [50.0, 200.0])
    func legacy(time: Double) throws {
        try store.record("a", at: time)
        try store.record("mine", at: 3)
        var archive = PlainArchive()
        archive.objects[1] = PlainArchive.dictionary([(3, 2), (14, 14)])
        archive.objects[5] = PlainArchive.record(version: 6, time: 7, extra: [("mood", 1)])
        try put(archive.bytes, at: path)
        let foreign = try ArchiveGraph(contents(path)).lines
        #expect(try store.keys() == ["a", "b", "mine"])
        #expect(try store.time("a") == max(time, 100.25))
        try store.flush()
        #expect(try other().keys() == ["a", "b", "mine"])
        #expect(try other().time("a") == max(time, 100.25))
        #expect(try ArchiveGraph(contents(path)).lines == foreign)
        try? store.close()
    }

    @Test("One legacy archive put in another's place is merged too")
    func twoLegacy() throws {
        try put(PlainArchive().bytes, at: directory("g"))
        let store = try Store.open(directory("g"))
        defer { try? store.close() }
        #expect(try store.keys() == ["a", "b"])
        var archive = PlainArchive()
        archive.objects[4] = "z"
        try put(archive.bytes, at: directory("g"))
        try store.record("c")
        #expect(try store.keys() == ["a", "b", "c", "z"])
        try? store.close()
    }

    @Test("What a failed commit was to set is remembered, and goes with the next")
    func remembered() throws {
        try store.record("a", at: 1)
        // A descriptor that can't be written to stands for a disk that fails; no archive can be made where a directory
        // stands.
        let journal = try #require(store.memory.journal)
        store.memory.journal = journal.readOnly()
        #expect(mkdir(path + "-new", 0o700) == 0)
        let key = try #require(Key([98]))
        let words = failure {
            try store.commit(remembering: true) { $0.set(.run(after: nil, version: nil, time: 2), for: key) }
        }
        #expect(words == "write: Bad file descriptor")
        #expect(failure { try store.record("lost", at: 3) } == "write: Bad file descriptor")
        #expect(try store.keys() == ["a", "b"])
        #expect(try other().keys() == ["a"])
        #expect(failure { try store.flush() } == "not a file")
        #expect(rmdir(path + "-new") == 0)
        store.memory.journal = journal
        // Another process commits first: both are kept.
        try other().record("c", at: 4)
        #expect(try store.keys() == ["a", "b", "c"])
        try store.flush()
        #expect(try other().keys() == ["a", "b", "c"])
        try? store.close()
    }

    @Test("A record that is gone from an archive which is no further on stays known, and is written again")
    func spoiledInPlace() throws {
        try store.record("a", at: 1)
        try store.record("b", at: 2)
        try store.flush()
        // A wrong bit in the group's name.
        var bytes = contents(path)
        let name = Array("sharedGroup".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[place + 6] ^= 1
        try put(bytes, at: path)
        #expect(
            failure { _ = try store.keys() }.hasSuffix(
                "its root has no sharedGroup: it is damaged, or other software's"))
        var empty = try Archive(bytes: PlainArchive().bytes)
        empty.records = RecordTable()
        empty.storeID = store.memory.archive.storeID
        empty.sequence = 2
        try put(empty.bytes(), at: path)
        #expect(try store.keys() == ["a", "b"])
        try store.flush()
        #expect(try Archive(bytes: contents(path)).records.count == 2)
        try? store.close()
    }

    @Test("The lock file replaced while commits go on is noticed")
    func replacedLock() throws {
        try store.record("a")
        #expect(unlink(path + "-lock") == 0)
        try store.record("b")
        #expect(FileState(path + "-lock") != nil)
        try? store.close()
    }

    @Test("A sequence at its end goes on", arguments: [Int128(UInt64.max), Int128(UInt64.max) * 4, -7])
    func sequence(value: Int128) throws {
        var archive = PlainArchive()
        archive.extra = [("FirstTime", ["formatVersion": 1, "sequence": .integer(value)])]
        try put(archive.bytes, at: directory("g"))
        let store = try Store.open(directory("g"))
        defer { try? store.close() }
        for run in 1...3 { try store.record("k", at: Double(run)) }
        #expect(try Store(path: store.path, running: RunningKeys()).time("k") == 3)
        try? store.close()
    }
}

extension OpenJournal {
    /// The same file, in which writing fails.
    fileprivate func readOnly() -> OpenJournal {
        let number = path.withCString { csystem_open_to_lock($0) }
        return OpenJournal(
            path: path, descriptor: Descriptor(number), isWritable: true, identity: identity, header: header,
            sequence: sequence, end: end, isAnchored: true)
    }
}
