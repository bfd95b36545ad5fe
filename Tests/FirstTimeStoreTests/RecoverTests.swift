// Recovering: what can't be decoded is kept under another name, and what could be saved is there.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("Recovering a store")
struct RecoverTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("firsttime.archive")
    }

    /// Commits a to d; the archive has the first two by itself.
    private func fill() throws {
        let store = Store(path: FilePath(path), running: RunningKeys())
        for (time, key) in [(1.0, "a"), (2, "b")] { try store.record(key, at: time) }
        try store.flush()
        for (time, key) in [(3.0, "c"), (4, "d")] { try store.record(key, at: time) }
        #expect(try store.forget(Key([97])!))
    }

    private func recover(isReadOnly: Bool = false) throws -> Store {
        try Store.open(FilePath(path), isReadOnly: isReadOnly, recovers: true)
    }

    /// What is kept under another name: the bytes by the file's beginning.
    private func aside(_ suffix: String = "") -> [[UInt8]] {
        var found: [[UInt8]] = []
        guard let stream = opendir(directory.path) else { return [] }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("firsttime.archive\(suffix).corrupt-") { found.append(contents(directory(name))) }
        }
        return found
    }

    @Test("A sound store is only opened")
    func sound() throws {
        try fill()
        let store = try recover()
        #expect(try store.keys() == ["b", "c", "d"])
        #expect(aside().isEmpty && aside("-journal").isEmpty)
        try store.close()
        let empty = try Store.open(FilePath(directory("none")), recovers: true)
        #expect(try empty.keys().isEmpty && FileState(directory("none")) == nil)
        try empty.close()
    }

    @Test(
        "An archive that can't be decoded is set aside; what is left of it, and the journal, are the store",
        arguments: ["", "garbage", "bplist00", "cut off", "zeros"])
    func archive(damage: String) throws {
        try fill()
        let whole = contents(path)
        let bad: [UInt8]
        switch damage {
        case "cut off": bad = Array(whole.dropLast(20))
        case "zeros": bad = [UInt8](repeating: 0, count: 500)
        default: bad = Array(damage.utf8)
        }
        try put(bad, at: path, mode: 0o640)
        #expect(failure { _ = try Store.open(path) }.hasPrefix("corrupt, "))
        let store = try recover()
        // b's record is in the archive alone.
        #expect(try store.keys() == (damage == "cut off" ? ["b", "c", "d"] : ["c", "d"]))
        #expect(aside() == [bad] && aside("-journal").isEmpty)
        #expect(FileState(path)?.mode == 0o640)
        try store.record("e")
        try store.close()
        let again = try Store.open(path)
        #expect(try again.keys().suffix(3) == ["c", "d", "e"])
        try again.close()
    }

    @Test("A damaged journal is set aside; all records that are whole count", arguments: [0, 20, 50, 110])
    func journal(offset: Int) throws {
        try fill()
        var bad = contents(path + "-journal")
        bad[offset] ^= 0x40
        try put(bad, at: path + "-journal")
        #expect(failure { _ = try Store.open(path) }.hasPrefix("corrupt, "))
        let store = try recover()
        // The first record is c's, from byte 40 on; damage before that costs none, and a's removal is the last.
        #expect(
            try store.keys() == (offset < 40 ? ["b", "c", "d"] : offset < 99 ? ["b", "d"] : ["b", "c"]), "\(offset)")
        #expect(aside().isEmpty && aside("-journal") == [bad])
        try store.record("e")
        try store.close()
    }

    @Test("A journal without its archive is what there is")
    func gone() throws {
        try fill()
        #expect(unlink(path) == 0)
        let store = try recover()
        #expect(try store.keys() == ["c", "d"])
        #expect(aside().isEmpty && aside("-journal").isEmpty)
        try store.close()
        #expect(try Archive(bytes: contents(path)).records.count == 2)
    }

    @Test("Twice within a second nothing is overwritten")
    func twice() throws {
        for bad in ["one", "two", "three"] {
            try put(Array(bad.utf8), at: path)
            try recover().close()
        }
        #expect(Set(aside()) == [Array("one".utf8), Array("two".utf8), Array("three".utf8)])
    }

    @Test("A newer version's files are not set aside")
    func newer() throws {
        var archive = PlainArchive()
        archive.extra = [("FirstTime", ["formatVersion": 9, "readableFrom": 9])]
        try put(archive.bytes, at: path)
        #expect(failure { _ = try recover() } == "newer format 9")
        try put(Array(archive.bytes.dropLast(0)), at: path)
        #expect(contents(path) == archive.bytes && aside().isEmpty)
    }

    @Test("A handle that never writes recovers nothing")
    func readOnly() throws {
        try put([1, 2, 3], at: path)
        #expect(failure { _ = try recover(isReadOnly: true) }.hasPrefix("corrupt, "))
        #expect(contents(path) == [1, 2, 3] && aside().isEmpty)
    }

    @Test("What another handle of the process knows is saved, too, and opening looks at once")
    func whileOpen() throws {
        try fill()
        let known = try Store.open(path)
        #expect(try known.keys() == ["b", "c", "d"])
        try put(Array("garbage".utf8), at: path)
        #expect(failure { _ = try Store.open(path) }.hasPrefix("corrupt, "))
        let store = try recover()
        #expect(try store.keys() == ["b", "c", "d"] && known.keys() == ["b", "c", "d"])
        #expect(aside() == [Array("garbage".utf8)])
        try store.close()
        try known.close()
        #expect(try Archive(bytes: contents(path)).records.count == 3)
    }
}
