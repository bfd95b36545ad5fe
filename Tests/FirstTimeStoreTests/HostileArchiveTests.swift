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

    private func sharedVersion(_ length: Int, records: Int) -> PropertyList {
        archive(count: records) { archiver in
            [
                archiver.append(string: Array(repeating: 97, count: length)),
                archiver.class("YCFirstTimeObject", "NSObject"),
            ]
        } entry: { archiver, shared, number in
            (key(&archiver, number), record(&archiver, class: shared[1], version: shared[0]))
        }
    }

    @Test("A version of a megabyte that some records share is taken; that many do, refused")
    func longVersion() throws {
        let few = try decode(sharedVersion(1 << 20, records: 19), within: .seconds(60))
        #expect(few.reason.isEmpty)
        #expect(few.archive?.records.count == 19)
        let many = try decode(sharedVersion(1 << 20, records: 300), within: .seconds(60))
        #expect(many.reason.hasSuffix("a version so large that it can't be that of so many records"))
    }

    @Test("Versions that don't fit are not even copied, by those who go on after an error")
    func manyLongVersions() {
        let bytes = BinaryPropertyList.write(sharedVersion(1 << 20, records: 20_000))
        let start = ContinuousClock.now
        // 20 GB each otherwise.
        #expect(ArchiveVerification(bytes).problems.count > 19_000)
        #expect(Archive(salvaging: Array(bytes.dropLast(16))).records.count < 40)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(
        "What is written is never refused, however long the versions", arguments: [1, 64, 65, 65_535], [false, true])
    func ownLongVersions(length: Int, isStarted: Bool) throws {
        var archive = Archive()
        archive.sequence = 1
        let version = Array(repeating: UInt8(ascii: "v"), count: length)
        var record = Record.run(after: nil, version: version, time: 1)
        if isStarted { record = Record.started(after: record, version: version, time: 2) }
        let count = length > 1000 ? 200 : 500
        for number in 0..<count {
            guard let key = Key(Array("k\(number)".utf8)) else { return }
            archive.records[key] = record
            archive.events[key] = record.settled
        }
        let bytes = archive.bytes()
        // Without what the budget gives to any file.
        var budget = VersionBudget(fileSize: bytes.count - (1 << 22))
        let isAllowed = budget.allow(count * length * (isStarted ? 6 : 4))
        #expect(isAllowed)
        let again = try Archive(bytes: bytes)
        #expect(again.records.count == count)
        #expect(again.events.count == count)
    }

    @Test("A file in which all records have begun takes no time that grows with the square of their number")
    func manyStarted() throws {
        let list = archive(count: 60_000) {
            [$0.class("YCFirstTimeObject", "NSObject")]
        } entry: {
            archiver, shared, number in
            let none = archiver.list.append(dictionaryKeys: [], values: [])
            let null = archiver.list.append(uid: 0)
            let coded = [
                (archiver.name("lastVersion"), null), (archiver.name("lastTime"), null),
                (archiver.name("started"), none),
            ]
            return (key(&archiver, number), archiver.append(archiver.object(coded, class: shared[0])))
        }
        let start = ContinuousClock.now
        let archive = try Archive(list)
        #expect(archive.records.started.count == 60_000)
        var table = archive.records
        for key in archive.records.keys() { table[key] = table[key]?.settled }
        #expect(table.started.isEmpty)
        // A minute and more, if each looked through all.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("Room is made for as many records as there can be, not for as many as a list of keys has places")
    func longListOfKeys() throws {
        let list = archive(count: 3) {
            [$0.append(string: [0x6B]), $0.class("YCFirstTimeObject", "NSObject")]
        } entry: {
            archiver, shared, number in
            (shared[0], record(&archiver, class: shared[1]))
        }
        let before = peakMemory()
        #expect(try Archive(list).records.count == 1)
        var archiver = KeyedArchiver()
        let text = archiver.append(string: [0x6B])
        let value = record(&archiver, class: archiver.class("YCFirstTimeObject", "NSObject"))
        let (keyUID, valueUID) = (archiver.list.append(uid: text), archiver.list.append(uid: value))
        let kind = archiver.class("NSMutableDictionary", "NSDictionary", "NSObject")
        let coded = [
            (archiver.name("NS.keys"), archiver.list.append(array: Array(repeating: keyUID, count: 1_000_000))),
            (archiver.name("NS.objects"), archiver.list.append(array: Array(repeating: valueUID, count: 1_000_000))),
        ]
        let group = archiver.append(archiver.object(coded, class: kind))
        let name = archiver.append(string: Array("sharedGroup".utf8))
        let root = archiver.append(archiver.mutableDictionary([(name, group)]))
        let top = [(archiver.name("root"), archiver.list.append(uid: root))]
        #expect(throws: ArchiveError.self) { try Archive(archiver.finish(top: top, extra: [])) }
        #expect(peakMemory() - before < 48 << 10)
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
