// Dumps: what they look like, that the JSON is JSON, and that they stay small and quick whatever is in the list.

import Foundation
import Testing

@testable import KeyedArchive

@Suite("Dumps of property lists")
struct PropertyListDumpTests {
    private func dump(_ list: PropertyList, isJSON: Bool = false, isRaw: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        let sink = ByteSink { piece in
            text.append(contentsOf: piece)
            return true
        }
        PropertyListDump(list, isJSON: isJSON, isRaw: isRaw, to: sink).write()
        return text
    }

    private func text(_ list: PropertyList, isJSON: Bool = false, isRaw: Bool = false) -> String {
        String(decoding: dump(list, isJSON: isJSON, isRaw: isRaw), as: UTF8.self)
    }

    /// Both outputs, each within a number of bytes.
    private func check(_ list: PropertyList, atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        for isRaw in [false, true] {
            let text = dump(list, isJSON: false, isRaw: isRaw)
            let json = dump(list, isJSON: true, isRaw: isRaw)
            #expect(text.count <= limit && json.count <= limit, sourceLocation: sourceLocation)
            #expect(text.last == UInt8(ascii: "\n") && json.last == UInt8(ascii: "\n"), sourceLocation: sourceLocation)
        }
    }

    @Test(
        "Fixtures look as docs/FORMAT.md has it",
        arguments: [
            ("archive/events_and_triggers.bplist", "events_and_triggers.txt"),
            ("archive/events_and_triggers.bplist", "events_and_triggers.json"),
            ("legacy/apple-layout/nil_version.xml.plist", "nil_version.txt"),
            ("legacy/apple-layout/nil_version.xml.plist", "nil_version.raw.txt"),
            ("legacy/apple-layout/nil_version.xml.plist", "nil_version.raw.json"),
            ("import/RuleKitEvents.plist", "RuleKitEvents.json"),
        ])
    func expected(_ fixture: (name: String, output: String)) throws {
        let directory = Fixtures.root.appendingPathComponent("Tests/Fixtures")
        let bytes = Array(try Data(contentsOf: directory.appendingPathComponent(fixture.name)))
        let output = directory.appendingPathComponent("moving/\(fixture.output)")
        let isJSON = fixture.output.hasSuffix("json")
        let isRaw = fixture.output.contains(".raw.")
        let list = try PropertyList(bytes: bytes)
        #expect(text(list, isJSON: isJSON, isRaw: isRaw) == (try String(contentsOf: output, encoding: .utf8)))
    }

    @Test("Whatever can be read is shown, and as JSON that others can read", arguments: Fixtures.all)
    func fixtures(_ fixture: Fixture) throws {
        guard fixture.size < 200_000, let list = try? PropertyList(bytes: fixture.bytes()) else { return }
        for isRaw in [false, true] {
            #expect(!dump(list, isRaw: isRaw).isEmpty)
            let json = Data(dump(list, isJSON: true, isRaw: isRaw))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) }
        }
    }

    @Test("Sets, data, far-off dates, odd keys and text")
    func kinds() throws {
        var list = PropertyList()
        let one = list.append(integer: 1)
        let set = list.append(set: [one])
        let ordered = list.append(orderedSet: [one, list.append(real: .infinity)])
        let far = list.append(date: 1e300)
        let nan = list.append(date: .nan)
        let date = list.append(date: -0.75)
        let data = list.append(data: Array(repeating: UInt8(0xAB), count: 40))
        let surrogate = list.append(string: [0xED, 0xA0, 0x80, 0xE2, 0x80, 0xAE, 0xF0, 0x9F, 0x98, 0x80])
        let pairs = list.append(dictionaryKeys: [one, one], values: [list.appendNull(), list.append(boolean: false)])
        list.root = list.append(array: [set, ordered, far, nan, date, data, surrogate, pairs])
        #expect(
            text(list) == """
                [
                  0 => set [
                    1
                  ]
                  1 => ordered set [
                    1
                    inf
                  ]
                  2 => date 1e+300
                  3 => date nan
                  4 => 2000-12-31T23:59:59.25Z
                  5 => data of 40 bytes: \(String(repeating: "ab", count: 32))...
                  6 => "\\ud800\\u202e😀"
                  7 => {
                    1 => null
                    1 => false
                  }
                ]

                """)
        // Foundation doesn't read lone surrogates.
        list.root = list.append(array: [set, ordered, far, nan, date, data, pairs])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(dump(list, isJSON: true))) as? [[String: Any]])
        #expect(json[0]["$set"] as? [Int] == [1])
        #expect(json[2]["$date"] as? Double == 1e300)
        #expect(json[3]["$date"] as? [String: String] == ["$real": "nan"])
        #expect(json[5]["$data"] as? String == Data(repeating: 0xAB, count: 40).base64EncodedString())
        #expect((json[6]["$entries"] as? [[Any]])?.count == 2)
    }

    @Test(
        "Keys that only JSON has are written in pairs",
        arguments: [
            ("$id", true), ("$entries", true), ("$orderedSet", true), ("$uid", true), ("$", false), ("$class", false),
            ("$ref$uid", false), ("$objects", false), ("id", false), ("", false),
        ])
    func ourKeys(_ key: (text: String, isOurs: Bool)) {
        var list = PropertyList()
        let text = list.append(string: Array(key.text.utf8))
        list.root = list.append(dictionaryKeys: [text], values: [list.append(integer: 1)])
        #expect(self.text(list, isJSON: true).contains("$entries\": [[") == false)
        #expect(self.text(list, isJSON: true).hasPrefix("{\"$entries\": [\n") == key.isOurs)
    }

    // MARK: - Lists that stand for much more than they are

    @Test("Arrays that each hold the one before twice are shown once each")
    func doubling() {
        var list = PropertyList()
        var inner = list.append(array: [list.append(string: "x")])
        for _ in 0..<1000 { inner = list.append(array: [inner, inner]) }
        list.root = inner
        check(list, atMost: 400_000)
    }

    @Test("A list nested twenty thousand deep is shown without a deep stack, also when it is stopped midway")
    func nesting() {
        var list = PropertyList()
        var inner = list.append(array: [])
        for _ in 0..<20_000 { inner = list.append(array: [inner]) }
        list.root = inner
        check(list, atMost: 4_000_000)
        var pieces = 0
        let sink = ByteSink { _ in
            pieces += 1
            return pieces < 20
        }
        PropertyListDump(list, isJSON: true, isRaw: false, to: sink).write()
        #expect(sink.isStopped && pieces == 20)
    }

    @Test("A long string, long data and a long key in many places are shown once")
    func sharedLeaves() {
        var list = PropertyList()
        let long = list.append(string: Array(repeating: UInt8(ascii: "a"), count: 100_000))
        let data = list.append(data: Array(repeating: UInt8(1), count: 100_000))
        let dictionary = list.append(dictionaryKeys: [long], values: [long])
        list.root = list.append(
            array: Array(repeating: long, count: 1000) + Array(repeating: data, count: 1000) + [dictionary])
        check(list, atMost: 400_000)
        #expect(text(list, isJSON: true).contains(#"{"$entries": ["#))
    }

    /// An archive of `count` objects, made by `object` from the UID of a class and of a list with as many members.
    private func archive(
        class name: [UInt8], count: Int,
        _ object: (inout PropertyList, _ uid: PropertyList.Reference, _ members: PropertyList.Reference) ->
            PropertyList.Reference
    ) -> PropertyList {
        var list = PropertyList()
        let text = list.append(string: name)
        let classUID = list.append(uid: 1)
        let members = list.append(array: Array(repeating: list.append(uid: 2), count: count))
        var objects = [list.append(string: "$null")]
        objects.append(list.append(dictionaryKeys: [list.append(string: "$classname")], values: [text]))
        objects.append(list.append(string: "x"))
        var uids: [PropertyList.Reference] = []
        for _ in 0..<count {
            uids.append(list.append(uid: UInt64(objects.count)))
            objects.append(object(&list, classUID, members))
        }
        let top = list.append(dictionaryKeys: [list.append(string: "root")], values: [list.append(array: uids)])
        let keys = ["$archiver", "$version", "$top", "$objects"].map { list.append(string: Array($0.utf8)) }
        let archiver = list.append(string: "NSKeyedArchiver")
        let version = list.append(integer: 100_000)
        list.root = list.append(dictionaryKeys: keys, values: [archiver, version, top, list.append(array: objects)])
        return list
    }

    @Test(
        "Objects that share a long list of members, or a long class name, don't repeat it each",
        arguments: [false, true])
    func sharedMembers(hasKeys: Bool) {
        let count = 2000
        let list = archive(class: Array((hasKeys ? "NSDictionary" : "NSArray").utf8), count: count) {
            list, uid, members in
            var keys = [list.append(string: "NS.objects"), list.append(string: "$class")]
            var values = [members, uid]
            if hasKeys {
                keys.append(list.append(string: "NS.keys"))
                values.append(members)
            }
            return list.append(dictionaryKeys: keys, values: values)
        }
        check(list, atMost: 1_000_000)
        let named = archive(class: Array(repeating: UInt8(ascii: "C"), count: 50_000), count: count) { list, uid, _ in
            list.append(dictionaryKeys: [list.append(string: "$class")], values: [uid])
        }
        check(named, atMost: 1_000_000)
    }
}
