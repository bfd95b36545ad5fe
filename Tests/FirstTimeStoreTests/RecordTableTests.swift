// RecordTableTests: the table of records behaves as a dictionary does, whatever happens to it.

import Testing

@testable import FirstTimeStore

@Suite("The table of records")
struct RecordTableTests {
    /// What the table should hold, by the simplest means.
    private struct Model {
        var table = RecordTable()
        var records: [Key: Record] = [:]

        mutating func set(_ record: Record?, for key: Key) {
            table[key] = record
            records[key] = record
        }

        func check() {
            #expect(table.count == records.count)
            let sorted = records.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            #expect(table.keys() == sorted)
            for key in sorted { #expect(isSame(table[key], records[key])) }
        }

        private func isSame(_ one: Record?, _ other: Record?) -> Bool {
            guard let one, let other else { return one == nil && other == nil }
            return one.lastVersion == other.lastVersion && one.lastTime?.bitPattern == other.lastTime?.bitPattern
                && one.firstVersion == other.firstVersion && one.firstTime?.bitPattern == other.firstTime?.bitPattern
                && one.count == other.count && one.extras == other.extras
                && (one.former == nil) == (other.former == nil)
                && one.former?.record?.firstVersion == other.former?.record?.firstVersion
        }
    }

    private static func key(_ number: Int, length: Int = 0) -> Key {
        Key(Array("key.\(number)".utf8) + Array(repeating: 0x2E, count: length)) ?? .init([0x78])!
    }

    private static func record(_ random: inout SplitMix64) -> Record {
        var record = Record()
        if random.next() % 4 != 0 { record.lastVersion = Array("2.\(random.next() % 5)".utf8) }
        if random.next() % 4 != 0 { record.lastTime = Double(random.next() % 1000) }
        let number = random.next()
        if number % 4 != 0 { record.firstVersion = number % 8 == 1 ? [] : Array("1.\(number)".utf8) }
        if random.next() % 4 != 0 { record.firstTime = .nan }
        record.count = random.next()
        record.extras = UInt32(random.next() % 3)
        if random.next() % 16 == 0 { record.former = FormerRecord(random.next() % 2 == 0 ? nil : record) }
        return record
    }

    @Test("Sets, removals and questions in any order are a dictionary's", arguments: 0..<40)
    func behavesAsADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var model = Model()
        let keys = [3, 20, 300, 2000][Int(seed % 4)]
        for step in 0..<4000 {
            let key = Self.key(Int(random.next() % UInt64(keys)), length: Int(random.next() % 2) * 7)
            model.set(random.next() % 3 == 0 ? nil : Self.record(&random), for: key)
            if step % 1000 == 999 { model.check() }
        }
    }

    @Test("A copy keeps what it had, and the two go on apart")
    func copyIsASnapshot() {
        var random = SplitMix64(seed: 7)
        var model = Model()
        for number in 0..<500 { model.set(Self.record(&random), for: Self.key(number)) }
        let before = model
        var copy = model
        for number in 0..<1000 {
            model.set(number % 2 == 0 ? nil : Self.record(&random), for: Self.key(number))
            copy.set(number % 3 == 0 ? nil : Self.record(&random), for: Self.key(number))
        }
        before.check()
        model.check()
        copy.check()
    }

    @Test("Texts as long as an import may bring them come back whole", arguments: [65534, 65535, 65536, 200_000])
    func longTexts(length: Int) {
        var table = RecordTable()
        var record = Record()
        record.lastVersion = Array(repeating: 0x39, count: length)
        record.firstVersion = Array(repeating: 0x38, count: length + 1)
        for number in 0..<5 { table[Self.key(number)] = record }
        #expect(table[Self.key(3)]?.lastVersion == record.lastVersion)
        #expect(table[Self.key(4)]?.firstVersion == record.firstVersion)
        let longest = Key(Array(repeating: 0x6B, count: Key.longest))!
        table[longest] = record
        #expect(table[longest]?.lastVersion == record.lastVersion)
        #expect(table.keys().last == longest)
    }

    @Test("A version that changes again and again does not make the table grow")
    func versionsAreForgotten() {
        var table = RecordTable()
        for key in 0..<20 { table[Self.key(key)] = Record.run(after: nil, version: [0x31], time: 1) }
        var largest = 0
        for version in 0..<20_000 {
            let key = Self.key(version % 20)
            table[key] = Record.run(after: table[key], version: Array("version \(version)".utf8), time: 2)
            largest = max(largest, table.byteCount)
        }
        #expect(largest < 20_000)
        for key in 0..<20 {
            #expect(table[Self.key(key)]?.firstVersion == [0x31])
            #expect(table[Self.key(key)]?.lastVersion == Array("version \(19_980 + key)".utf8))
        }
    }

    @Test("Keys are put in the order of their bytes, those with a prefix alone when one is given")
    func order() {
        var table = RecordTable()
        let texts = ["b", "a", "aa", "a\u{1}", "ab", "abcdefgh", "abcdefghi", "abcdefgz", "é", "Z", "\u{10FFFF}"]
        for text in texts { table[Key(Array(text.utf8))!] = Record() }
        let sorted = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(table.keys().map { $0.bytes } == sorted)
        let prefix = Array("abcdefg".utf8)
        #expect(table.keys(withPrefix: prefix).map { $0.bytes } == sorted.filter { $0.starts(with: prefix) })
        #expect(table.count(withPrefix: prefix) == 3)
    }
}
