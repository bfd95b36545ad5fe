// Archives that YCFirstTime, in its versions and on its platforms, left behind: each is read as exactly what it holds, and
// is the same once it was written by this library.

import FirstTimeStore
import KeyedArchive
import Testing

@testable import FirstTimeEngine

@Suite("Legacy archives")
struct LegacyFixtureTests {
    static let archives = Fixtures.legacy.filter { !$0.form.hasPrefix("RuleKit") }
    /// The manifest shows only the first three of its records, and the rule for the rest.
    private static let abridged = "apple-layout/keys_33000_uid4.bplist"

    private func read(_ fixture: Fixture) throws -> ImportSource {
        try ImportSource(fixture.bytes(), format: .automatic, defaultsKey: Array("YCFirstTime".utf8), path: nil)
    }

    @Test("The fixtures are there") func fixtures() {
        #expect(Self.archives.count >= 30)
    }

    @Test("Each holds exactly what the manifest says, to the bit", arguments: archives)
    func content(_ fixture: Fixture) throws {
        let source = try read(fixture)
        var expected = try ExpectedRecords(json: fixture.expected)
        if fixture.name == Self.abridged {
            for number in 0..<33_000 {
                let digits = "\(number)"
                let key = "k" + String(repeating: "0", count: 5 - digits.count) + digits
                expected.records[Array(key.utf8)] = .init(version: nil, time: Double(number))
            }
        }
        // What the API can't say is carried, and told.
        let unsayable = expected.records.keys.filter { Key($0) == nil }
        for key in unsayable { expected.records[key] = nil }
        #expect(source.archive.leftOut.count >= unsayable.count)
        #expect(ExpectedRecords(source.archive.records) == expected)
        for key in source.archive.records.keys() {
            let record = source.archive.records[key]
            #expect(record?.count == 0 && record?.firstTime == nil && record?.firstVersion == nil)
        }
        let format: ImportSource.Format =
            fixture.form.hasPrefix("UserDefaults") ? .defaults : fixture.form == "xml" ? .archiveXML : .archive
        #expect(source.format == format)
    }

    @Test("Each is the same once it has been rewritten", arguments: archives)
    func rewriting(_ fixture: Fixture) throws {
        let archive = try read(fixture).archive
        let once = try Archive(bytes: archive.bytes())
        #expect(ExpectedRecords(once.records) == ExpectedRecords(archive.records))
        #expect(once.leftOut.count == archive.leftOut.count)
        guard fixture.size < 100_000 else { return }
        let twice = try Archive(bytes: once.bytes())
        #expect(twice.bytes() == once.bytes())
    }
}

/// What a manifest says that an archive holds. Keys are bytes: two spellings of one letter are two keys.
struct ExpectedRecords: Equatable {
    struct Record: Equatable {
        let version: [UInt8]?
        /// The bits, so that -0.0 and NaN are themselves.
        let time: UInt64?

        init(version: [UInt8]?, time: Double?) {
            self.version = version
            self.time = time?.bitPattern
        }
    }

    var records: [[UInt8]: Record] = [:]

    init(_ table: RecordTable) {
        for key in table.keys() {
            records[key.bytes] = Record(version: table[key]?.lastVersion, time: table[key]?.lastTime)
        }
    }

    init(json text: String) throws {
        var json = JSON(text)
        try json.object { key, json in
            var version: [UInt8]?
            var time: Double?
            try json.object { name, json in
                if name == Array("lastVersion".utf8) {
                    version = try json.isNull() ? nil : json.string()
                } else {
                    time = try json.isNull() ? nil : json.number()
                }
            }
            records[key] = Record(version: version, time: time)
        }
    }
}

/// As much of JSON as manifests use. Foundation's reader takes two spellings of one key for the same.
private struct JSON {
    struct Malformed: Error { let rest: String }

    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    private func malformed() -> Malformed { Malformed(rest: String(decoding: rest.prefix(40), as: UTF8.self)) }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    mutating func isNull() throws -> Bool { skip("null") }

    mutating func object(_ member: ([UInt8], inout JSON) throws -> Void) throws {
        guard skip("{") else { throw malformed() }
        if skip("}") { return }
        repeat {
            let key = try string()
            guard skip(":") else { throw malformed() }
            try member(key, &self)
        } while skip(",")
        guard skip("}") else { throw malformed() }
    }

    mutating func string() throws -> [UInt8] {
        guard skip("\"") else { throw malformed() }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return bytes }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let escapes: [UInt8: UInt8] = [
                UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "\""): 34, UInt8(ascii: "\\"): 92,
            ]
            guard let escape = rest.popFirst(), let escaped = escapes[escape] else { throw malformed() }
            bytes.append(escaped)
        }
        throw malformed()
    }

    mutating func number() throws -> Double {
        let digits = rest.prefix { !Array(",}".utf8).contains($0) }
        guard let number = Double(String(decoding: digits, as: UTF8.self)) else { throw malformed() }
        rest = rest.dropFirst(digits.count)
        return number
    }
}
