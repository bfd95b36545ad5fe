// What an archive holds that isn't ours goes through every rewrite as it was.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Foreign content")
struct ForeignContentTests {
    private static let own = PlainArchive.own
    private static func group(_ entries: [(UInt64, UInt64)]) -> Plain { PlainArchive.dictionary(entries) }
    private static let unknownClass: Plain = ["$classname": "Thing", "$classes": ["Thing", "NSObject"]]

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let archive: PlainArchive

        init(_ description: String, _ change: (inout PlainArchive) -> Void) {
            testDescription = description
            var archive = PlainArchive()
            change(&archive)
            self.archive = archive
        }
    }

    static let cases: [Case] = [
        Case("nothing") { _ in },
        Case("a second group") {
            $0.objects[1] = group([(15, 16), (3, 2)])
            $0.objects += ["otherGroup", PlainArchive.dictionary([(4, 5), (8, 12)])]
        },
        Case("an immutable group, and one that is empty") {
            $0.objects[1] = group([(3, 2), (15, 16), (14, 17)])
            let (full, empty) = ([(UInt64(4), UInt64(5))], [(UInt64, UInt64)]())
            let kind = PlainArchive.immutableClass
            $0.objects += [
                "immutable", PlainArchive.dictionary(full, class: kind), PlainArchive.dictionary(empty, class: kind),
            ]
        },
        Case("an unknown class with nested values, in the root and in the group") {
            $0.objects[1] = group([(3, 2), (15, 16)])
            $0.objects[2] = group([(4, 5), (14, 16), (8, 12)])
            $0.objects += [
                "thing",
                [
                    "list": [1, [2.5, [.uid(18), .data([1, 2, 255])]], .boolean(true), .date(-0.0), .uid(0)],
                    "map": ["x": ["y": .uid(6)], "set": .set([1, 2])], "big": .integer(1 << 64), "$class": .uid(17),
                ],
                unknownClass, "text",
            ]
        },
        Case("objects in circles") {
            $0.objects[1] = group([(3, 2), (15, 16)])
            $0.objects += [
                "a circle", ["next": .uid(17), "self": .uid(16), "$class": .uid(18)],
                ["next": .uid(16), "list": [.uid(17), .uid(16)], "$class": .uid(18)], unknownClass,
            ]
        },
        Case("objects that refer to the root and to sharedGroup") {
            $0.objects[1] = group([(15, 16), (3, 2)])
            $0.objects[2] = group([(4, 5), (14, 16), (8, 12)])
            $0.objects += ["back", ["root": .uid(1), "groups": [.uid(2)], "$class": .uid(17)], unknownClass]
            $0.top.append(("group", .uid(2)))
        },
        Case("coder keys of records, the root and the group") {
            $0.objects[1] = PlainArchive.dictionary([(3, 2)], extra: [("color", .uid(14)), ("n", 7)])
            $0.objects[2] = PlainArchive.dictionary([(4, 5), (8, 12)], extra: [("groupKey", [1, .uid(15)])])
            $0.objects[5] = PlainArchive.record(version: 6, time: 7, extra: [("mood", .uid(15)), ("started", 1.5)])
            $0.objects[12] = PlainArchive.record(version: 0, time: 0, extra: [("mood", .uid(15))])
            $0.objects += [["feels": .uid(14), "$class": .uid(16)], unknownClass]
        },
        Case("entries of $top and of the property list") {
            $0.top += [("other", .uid(15)), ("plain", 5), ("", .uid(2))]
            $0.extra = [("note", "hello"), ("", [1, 2]), ("map", ["a": [.uid(15)]])]
            $0.objects += [["a": 1, "$class": .uid(16)], unknownClass]
        },
        Case("keys of FirstTime") {
            $0.extra = [
                (
                    "FirstTime",
                    [
                        "formatVersion": 1, "readableFrom": 1, "sequence": 41, "events": ["open": ["count": 3]],
                        "triggers": ["t": ["count": 1, "lastTime": 1.5], "": 7], "future": ["x": [1, 2, .uid(14)]],
                    ]
                )
            ]
        },
        Case("a nil key, and keys that can't be said") {
            $0.objects[2] = group([(4, 5), (0, 16), (8, 12), (15, 16), (17, 5), (18, 12), (19, 5), (20, 16)])
            $0.objects += [
                "", PlainArchive.record(version: 6, time: 0), .text([97, 0, 98]), .text([0xED, 0xA0, 0x80]),
                .text(Array(repeating: 97, count: 65536)), "$null",
            ]
        },
    ]

    @Test("Two rewrites change nothing in it", arguments: cases)
    func rewrites(_ testCase: Case) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        try put(testCase.archive.bytes, at: path)
        let before = try ArchiveGraph(contents(path)).lines
        for run in 1...3 {
            let store = try Store.open(path)
            defer { try? store.close() }
            try store.record("new \(run)", at: Double(run))
            try store.record("a", at: 1000 + Double(run))
        }
        #expect(try ArchiveGraph(contents(path)).lines.filter { !$0.hasPrefix("record new") } == before)
        let store = try Store.open(path)
        defer { try? store.close() }
        #expect(try store.keys() == ["a", "b", "new 1", "new 2", "new 3"])
        #expect(try store.time("a") == 1003)
        #expect(try store.record(for: #require(Key([97])))?.count == 3)
    }

    @Test("Coder keys of a record go with the record, and stay with others", arguments: [true, false])
    func resetting(all: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory("firsttime.archive")
        var archive = PlainArchive()
        archive.objects[1] = PlainArchive.dictionary([(3, 2), (14, 14)])
        archive.objects[5] = PlainArchive.record(version: 6, time: 7, extra: [("mood", 1)])
        archive.objects[12] = PlainArchive.record(version: 0, time: 0, extra: [("mood", 2)])
        try put(archive.bytes, at: path)
        let store = try Store.open(path)
        defer { try? store.close() }
        let key = try #require(Key([97]))
        if all {
            try store.commit { for key in $0.records.keys() { _ = $0.remove(key) } }
        } else {
            #expect(try store.forget(key))
        }
        let lines = try ArchiveGraph(contents(path)).lines
        #expect(lines.filter { $0.hasPrefix("record") }.count == (all ? 0 : 1))
        #expect(lines.contains { $0.hasPrefix("root:") })
    }

    @Test("Entries that are left out are told of, with their place")
    func leftOut() throws {
        var archive = PlainArchive()
        archive.objects[1] = PlainArchive.dictionary([(3, 2), (14, 14)])
        archive.objects[2] = PlainArchive.dictionary([(0, 5), (4, 14), (15, 5)])
        archive.objects.append("")
        let decoded = try Archive(bytes: archive.bytes)
        #expect(decoded.records.count == 0)
        let reasons = decoded.leftOut.map { "\($0.reason)" }.sorted()
        #expect(
            reasons == [
                "its key is nil", "its key is not 1 to 65535 bytes of UTF-8 without U+0000",
                "its value is no YCFirstTimeObject", "not part of sharedGroup",
            ])
        for problem in decoded.leftOut {
            guard case .byte(let byte) = problem.position else {
                Issue.record("\(problem)")
                continue
            }
            #expect(byte >= 8)
        }
    }
}
