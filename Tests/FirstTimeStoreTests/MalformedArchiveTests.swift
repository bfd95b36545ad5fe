// Archives that can't be decoded: opening says where and why, and the file keeps its bytes and its time.

import Glibc
import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Malformed archives")
struct MalformedArchiveTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// Without the offset.
        let reason: String

        init(_ description: String, _ reason: String, _ change: (inout PlainArchive) -> Void) {
            var archive = PlainArchive()
            change(&archive)
            self.init(description, reason, bytes: archive.bytes)
        }

        init(_ description: String, _ reason: String, bytes: [UInt8]) {
            testDescription = description
            self.bytes = bytes
            self.reason = reason
        }
    }

    private static let sound = PlainArchive().bytes

    static let graphs: [Case] = [
        Case("a class that is a string", "$class names no class") {
            $0.objects[5] = ["lastVersion": .uid(6), "$class": .uid(6)]
        },
        Case("a class that is no UID", "$class names no class") { $0.objects[5] = ["$class": "YCFirstTimeObject"] },
        Case("a class that is nil", "$class names no class") { $0.objects[5] = ["$class": .uid(0)] },
        Case("a class without a name", "$class names no class") { $0.objects[10] = ["$classes": []] },
        Case("a class beyond the end", "a UID beyond the end of $objects") { $0.objects[5] = ["$class": .uid(999)] },
        Case("an object without a class", "an object without $class") { $0.objects[5] = ["lastVersion": .uid(6)] },
        Case("a version beyond the end", "a UID beyond the end of $objects") {
            $0.objects[5] = PlainArchive.record(version: UInt64(UInt32.max), time: 7)
        },
        Case("a value beyond the end", "a UID beyond the end of $objects") {
            $0.objects[2] = PlainArchive.dictionary([(4, 99)])
        },
        Case("a root beyond the end", "a UID beyond the end of $objects") { $0.top = [("root", .uid(.max))] },
        Case("fewer values than keys", "a dictionary with unlike numbers of NS.keys and NS.objects") {
            $0.objects[2] = ["NS.keys": [.uid(4), .uid(8)], "NS.objects": [.uid(5)], "$class": .uid(9)]
        },
        Case("no keys", "a dictionary without NS.keys and NS.objects") {
            $0.objects[2] = ["NS.objects": [.uid(5)], "$class": .uid(9)]
        },
        Case("keys in a set", "a dictionary without NS.keys and NS.objects") {
            $0.objects[2] = ["NS.keys": .set([.uid(4)]), "NS.objects": .set([.uid(5)]), "$class": .uid(9)]
        },
        Case("an entry that is no UID", "an entry of a dictionary that is no UID") {
            $0.objects[1] = ["NS.keys": ["k"], "NS.objects": [.uid(5)], "$class": .uid(9)]
        },
        Case("a date without its time", "a date without NS.time") { $0.objects[7] = ["$class": .uid(11)] },
        Case("a date whose time is text", "a date whose NS.time is no number") {
            $0.objects[7] = ["NS.time": "100", "$class": .uid(11)]
        },
        Case("a time that is text", "lastTime is no date") {
            $0.objects[5] = PlainArchive.record(version: 6, time: 6)
        },
        Case("a version that is a number", "lastVersion is no string") { $0.objects[6] = 1 },
        Case("a string object without text", "a string object without its text") {
            $0.objects[6] = ["$class": .uid(15)]
            $0.objects.append(["$classname": "NSString"])
        },
        Case("$top without a root", "$top has no root") { $0.top = [("$0", .uid(1))] },
        Case("a root that is nil", "the root is no dictionary") { $0.top = [("root", .uid(0))] },
        Case("a root that is a string", "the root is no dictionary") { $0.top = [("root", .uid(3))] },
        Case("a root that is a record", "the root is no dictionary") { $0.top = [("root", .uid(5))] },
        Case("a group that is a record", "sharedGroup is no dictionary") {
            $0.objects[1] = PlainArchive.dictionary([(3, 5)])
        },
        Case("a group that is nil", "sharedGroup is no dictionary") {
            $0.objects[1] = PlainArchive.dictionary([(3, 0)])
        },
        Case("other software's root", "its root has no sharedGroup: it is damaged, or other software's") {
            $0.objects[1] = PlainArchive.dictionary([(6, 2)])
        },
        Case("FirstTime that is a number", "FirstTime is no dictionary") { $0.extra = [("FirstTime", 1)] },
        Case("a format version that is text", "not an integer, in FirstTime") {
            $0.extra = [("FirstTime", ["formatVersion": "1"])]
        },
        Case("a sequence that is a real", "not an integer, in FirstTime") {
            $0.extra = [("FirstTime", ["sequence": 1.0])]
        },
    ]

    static let lists: [Case] = [
        Case("no dictionary", "not a keyed archive: the top object is no dictionary", bytes: Plain.array([]).bytes),
        Case("no archiver", "not a keyed archive: $archiver is missing", bytes: Plain.dictionary([]).bytes),
        Case("another version", "not a keyed archive of version 100000", bytes: list(version: 100_001)),
        Case("a version in words", "not a keyed archive of version 100000", bytes: list(version: "100000")),
        Case("$top an array", "not a keyed archive: $top is missing or no dictionary", bytes: list(top: [])),
        Case(
            "$objects a dictionary", "not a keyed archive: $objects is missing or no array", bytes: list(objects: [:])),
        Case("no bytes", "the file is empty", bytes: []),
        Case("zeros", "neither a binary nor an XML property list", bytes: Array(repeating: 0, count: 4096)),
        Case("text", "neither a binary nor an XML property list", bytes: Array("hello\n".utf8)),
        Case("no objects", "a UID beyond the end of $objects", bytes: list(objects: [])),
        Case("the header alone", "the file is too short for a header and a trailer", bytes: Array(sound.prefix(8))),
    ]

    private static func list(
        version: Plain = 100_000, top: Plain = ["root": .uid(1)], objects: Plain = ["$null"]
    ) -> [UInt8] {
        let plain: Plain = ["$archiver": "NSKeyedArchiver", "$version": version, "$top": top, "$objects": objects]
        return plain.bytes
    }

    @Test("Opening says why, and touches nothing", arguments: graphs + lists)
    func refused(_ testCase: Case) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        try put(testCase.bytes, at: path, mode: 0o644)
        let before = FileState(path)
        let words = failure { _ = try Store.open(path) }
        #expect(words.hasPrefix("corrupt, "))
        #expect(words.hasSuffix(": \(testCase.reason)"), "\(words)")
        #expect(FileState(path) == before)
        #expect(FileState(path + "-lock") == nil)
    }

    private static let damaged: [Case] = [
        Case("cut in half", "", bytes: Array(sound.prefix(sound.count / 2))),
        Case("without its last byte", "", bytes: sound.dropLast()),
        Case("XML garbage", "", bytes: Array("<?xml version=\"1.0\"?><plist><dict><key>".utf8)),
        Case("XML that is no archive", "", bytes: Array("<plist><dict/></plist>".utf8)),
    ]

    @Test("The same for files put in the place of one that is open", arguments: graphs + lists + damaged)
    func replaced(_ testCase: Case) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        let store = try Store.open(path)
        try store.record("mine")
        try put(testCase.bytes, at: path)
        let before = FileState(path)
        for _ in 1...2 {
            #expect(failure { _ = try store.keys() }.hasPrefix("corrupt, "))
            #expect(failure { try store.record("more") }.hasPrefix("corrupt, "))
            #expect(failure { try store.flush() }.hasPrefix("corrupt, "))
        }
        #expect(failure { try store.commit(remembering: true) { _ in } }.hasPrefix("corrupt, "))
        #expect(FileState(path) == before)
        try? store.close()
        #expect(FileState(path) == before)
    }

    @Test(
        "A newer format that can be read is read, and never written",
        arguments: [(2, 1), (2, 0), (1 << 70, -5)] as [(Int128, Int128)])
    func readable(format: Int128, from: Int128) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        var archive = PlainArchive()
        archive.extra = [("FirstTime", ["formatVersion": .integer(format), "readableFrom": .integer(from)])]
        try put(archive.bytes, at: path)
        let before = FileState(path)
        let store = try Store.open(path)
        defer { try? store.close() }
        #expect(try store.keys() == ["a", "b"])
        #expect(failure { try store.prepareToWrite() } == "read-only, newer format \(format)")
        #expect(failure { try store.record("c") } == "read-only, newer format \(format)")
        #expect(failure { try store.flush() } == "")
        #expect(FileState(path) == before)
    }

    @Test("A newer format that can't be read is told apart from damage", arguments: [true, false])
    func unreadable(isStated: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        var archive = PlainArchive()
        // Whatever else there is, only the newer version knows what it means.
        archive.top = [("firstTimeTwo", 1)]
        archive.extra = [
            ("FirstTime", Plain(dictionaryLiteral: ("formatVersion", 2)).adding(isStated ? [("readableFrom", 2)] : []))
        ]
        try put(archive.bytes, at: path)
        let before = FileState(path)
        #expect(failure { _ = try Store.open(path) } == "newer format 2")
        #expect(FileState(path) == before)
    }

    @Test("A newer file that comes between a commit's check and its lock is not written over")
    func newerWhileOpen() throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        let store = try Store.open(path)
        defer { try? store.close() }
        try store.record("mine")
        var archive = PlainArchive()
        archive.extra = [("FirstTime", ["formatVersion": 2, "readableFrom": 1, "sequence": 50])]
        try put(archive.bytes, at: path)
        let before = FileState(path)
        #expect(failure { try store.record("more") } == "read-only, newer format 2")
        #expect(FileState(path) == before)
    }
}
