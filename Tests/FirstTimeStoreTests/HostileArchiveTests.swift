// Archives that are sound property lists, and made to cost time or memory out of proportion to their size.

import Glibc
import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Hostile archives", .serialized)
struct HostileArchiveTests {
    /// Decodes, and writes what was decoded; in a debug build too within the limit. The reason of the error, if any.
    private func decode(_ list: PropertyList, within limit: Duration) throws -> (reason: String, archive: Archive?) {
        let bytes = BinaryPropertyList.write(list)
        let before = peakMemory()
        let start = ContinuousClock.now
        var archive: Archive?
        let reason = failure {
            archive = try Archive(bytes: bytes)
            let again = archive?.bytes() ?? []
            #expect(again.count <= 40 * bytes.count + 65536)
        }
        #expect(ContinuousClock.now - start < limit)
        #expect(peakMemory() - before < 192 << 10 + bytes.count / 8)
        return (reason, archive)
    }

    private func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    /// An archive whose group has `count` entries, made by `entry` from common objects.
    private func archive(
        count: Int, common: (inout KeyedArchiver) -> [UInt64],
        entry: (inout KeyedArchiver, [UInt64], Int) -> (key: UInt64, value: UInt64)
    ) -> PropertyList {
        var archiver = KeyedArchiver()
        let shared = common(&archiver)
        let entries = (0..<count).map { entry(&archiver, shared, $0) }
        let groupObject = archiver.mutableDictionary(entries)
        let group = archiver.append(groupObject)
        let name = archiver.append(string: Array("sharedGroup".utf8))
        let rootObject = archiver.mutableDictionary([(name, group)])
        let uid = archiver.list.append(uid: archiver.append(rootObject))
        return archiver.finish(top: [(archiver.name("root"), uid)], extra: [])
    }

    private func record(
        _ archiver: inout KeyedArchiver, class uid: UInt64, version: UInt64 = 0, extra: [String] = []
    ) -> UInt64 {
        let null = archiver.list.append(uid: 0)
        let text = archiver.list.append(uid: version)
        var coded = extra.map { (archiver.list.append(string: Array($0.utf8)), null) }
        coded += [(archiver.name("lastVersion"), text), (archiver.name("lastTime"), null)]
        return archiver.append(archiver.object(coded, class: uid))
    }

    private func key(_ archiver: inout KeyedArchiver, _ number: Int) -> UInt64 {
        archiver.append(string: Array("k\(number)".utf8))
    }

    @Test("Plain values that double sixty times are copied once each")
    func doubling() throws {
        var archiver = KeyedArchiver()
        var value = archiver.list.append(integer: 1)
        for _ in 0..<60 { value = archiver.list.append(array: [value, value]) }
        let name = archiver.append(string: Array("doubling".utf8))
        let kind = archiver.class("Thing", "NSObject")
        let thing = archiver.append(archiver.object([(archiver.name("value"), value)], class: kind))
        let groupName = archiver.append(string: Array("sharedGroup".utf8))
        let group = archiver.append(archiver.mutableDictionary([]))
        let entries = [(key: name, value: thing), (key: groupName, value: group)]
        let rootObject = archiver.mutableDictionary(entries, extra: [(archiver.name("also"), value)])
        let uid = archiver.list.append(uid: archiver.append(rootObject))
        let list = archiver.finish(top: [(archiver.name("root"), uid)], extra: [(archiver.name("too"), value)])
        let (reason, archive) = try decode(list, within: .seconds(10))
        #expect(reason.isEmpty)
        #expect((archive?.bytes().count ?? 0) < 4096)
    }

    @Test("Objects in a chain thirty thousand long are copied without recursion")
    func chain() throws {
        var archiver = KeyedArchiver()
        let kind = archiver.class("Thing", "NSObject")
        var uid: UInt64 = 0
        for _ in 0..<30_000 {
            let next = archiver.list.append(uid: uid)
            uid = archiver.append(archiver.object([(archiver.name("next"), next)], class: kind))
        }
        let name = archiver.append(string: Array("chain".utf8))
        let groupName = archiver.append(string: Array("sharedGroup".utf8))
        let group = archiver.append(archiver.mutableDictionary([]))
        let entries = [(key: name, value: uid), (key: groupName, value: group)]
        let root = archiver.list.append(uid: archiver.append(archiver.mutableDictionary(entries)))
        let list = archiver.finish(top: [(archiver.name("root"), root)], extra: [])
        #expect(try decode(list, within: .seconds(60)).reason.isEmpty)
    }

    @Test(
        "A class name of a megabyte is not read through for each of its objects", arguments: ["", "YCFirstTimeObject"])
    func longClassName(end: String) throws {
        let list = archive(count: 5_000) { archiver in
            let name = archiver.list.append(
                string: Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + Array(end.utf8))
            let coded = archiver.list.append(dictionaryKeys: [archiver.name("$classname")], values: [name])
            return [archiver.append(coded)]
        } entry: { archiver, shared, number in
            (key(&archiver, number), record(&archiver, class: shared[0]))
        }
        let (reason, archive) = try decode(list, within: .seconds(60))
        #expect(reason.isEmpty)
        #expect(archive?.leftOut.count == 5_000)
    }

    @Test("A long version may be that of many records, one of a megabyte may not", arguments: [1 << 15, 1 << 20])
    func longVersion(length: Int) throws {
        let list = archive(count: 300) { archiver in
            [
                archiver.append(string: Array(repeating: 97, count: length)),
                archiver.class("YCFirstTimeObject", "NSObject"),
            ]
        } entry: { archiver, shared, number in
            (key(&archiver, number), record(&archiver, class: shared[1], version: shared[0]))
        }
        let (reason, archive) = try decode(list, within: .seconds(60))
        if length == 1 << 20 {
            #expect(reason.hasSuffix("a version so large that it can't be that of so many records"))
        } else {
            #expect(reason.isEmpty)
            #expect(archive?.records.count == 300)
        }
    }

    @Test("One key of 64 KiB named ten thousand times is refused")
    func repeatedKey() throws {
        let list = archive(count: 10_000) { archiver in
            let kind = archiver.class("YCFirstTimeObject", "NSObject")
            return [archiver.append(string: Array(repeating: 97, count: 65535)), record(&archiver, class: kind)]
        } entry: { _, shared, _ in
            (shared[0], shared[1])
        }
        #expect(try decode(list, within: .seconds(10)).reason.hasSuffix("a key that stands again and again"))
    }

    @Test("One record with unknown coder keys named ten thousand times is refused")
    func repeatedRecord() throws {
        let list = archive(count: 10_000) { archiver in
            let kind = archiver.class("YCFirstTimeObject", "NSObject")
            return [record(&archiver, class: kind, extra: (0..<200).map { "extra\($0)" })]
        } entry: { archiver, shared, number in
            (key(&archiver, number), shared[0])
        }
        #expect(try decode(list, within: .seconds(30)).reason.hasSuffix("an object that is a record again and again"))
    }

    @Test("A class description of hundreds of keys that many objects share is refused", arguments: [300, 20_000])
    func wideClass(keys: Int) throws {
        let list = archive(count: 5_000) { archiver in
            var names = (0..<keys).map { archiver.list.append(integer: Int128($0)) }
            names.append(archiver.name("$classname"))
            let value = archiver.list.append(string: "YCFirstTimeObject")
            return [archiver.append(archiver.list.append(dictionaryKeys: names, values: names.map { _ in value }))]
        } entry: { archiver, shared, number in
            (key(&archiver, number), record(&archiver, class: shared[0]))
        }
        #expect(try decode(list, within: .seconds(30)).reason.hasSuffix("an object with more than 256 coder keys"))
    }
}
