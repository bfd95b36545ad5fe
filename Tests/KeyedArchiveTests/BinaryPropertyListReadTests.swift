// Reading binary property lists made by hand: every kind of object, and what the format allows but few writers do.

import KeyedArchive
import Testing

@Suite("Reading binary property lists")
struct BinaryPropertyListReadTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let object: [UInt8]
        let text: String
        var testDescription: String { name }

        init(_ name: String, _ object: [UInt8], _ text: String) {
            self.name = name
            self.object = object
            self.text = text
        }
    }

    static let ff: [UInt8] = Array(repeating: 0xFF, count: 8)
    static let zeros: [UInt8] = Array(repeating: 0, count: 8)

    static let leaves = [
        Case("null", [0x00], "null"),
        Case("false", [0x08], "false"),
        Case("true", [0x09], "true"),
        Case("1-byte integers are unsigned", [0x10, 0xFF], "255"),
        Case("2-byte integers are unsigned", [0x11, 0xFF, 0xFE], "65534"),
        Case("4-byte integers are unsigned", [0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
        Case("8-byte integers are signed", [0x13] + ff, "-1"),
        Case("8-byte minimum", [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], "-9223372036854775808"),
        Case("16-byte integers above 63 bits", [0x14] + zeros + ff, "18446744073709551615"),
        Case("16-byte integers are signed", [0x14] + ff + ff, "-1"),
        Case(
            "16-byte maximum", [0x14, 0x7F] + ff + ff.dropFirst(), "170141183460469231731687303715884105727"),
        Case("an integer wider than it needs to be", [0x13, 0, 0, 0, 0, 0, 0, 0, 5], "5"),
        Case("4-byte real", [0x22, 0x3F, 0xC0, 0, 0], "real(1.5)"),
        Case("8-byte real", [0x23, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0], "real(-1.5)"),
        Case("infinity", [0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], "real(inf)"),
        Case("date", [0x33, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0], "date(-1.5)"),
        Case("no data", [0x40], "0x"),
        Case("data", [0x42, 0xAB, 0x01], "0xab01"),
        Case("data with its count in front", [0x4F, 0x10, 2, 0xAB, 0x01], "0xab01"),
        Case("a count in 8 bytes", [0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 2, 0xAB, 0x01], "0xab01"),
        Case("a count in 16 bytes", [0x4F, 0x14] + zeros + [0, 0, 0, 0, 0, 0, 0, 1, 0xAB], "0xab"),
        Case("empty text", [0x50], "\"\""),
        Case("ASCII", [0x52, 0x68, 0x69], "\"hi\""),
        Case("UTF-8 marked as ASCII", [0x52, 0xC3, 0xA9], "text(c3a9)"),
        Case("UTF-16", [0x62, 0x00, 0x68, 0x00, 0xE9], "text(68c3a9)"),
        Case("UTF-16 of ASCII only", [0x62, 0x00, 0x68, 0x00, 0x69], "\"hi\""),
        Case("UTF-16 above U+07FF", [0x61, 0x65, 0xE5], "text(e697a5)"),
        Case("a surrogate pair is one code point", [0x62, 0xD8, 0x3D, 0xDE, 0x00], "text(f09f9880)"),
        Case("a lone high surrogate stays", [0x62, 0xD8, 0x3D, 0x00, 0x41], "text(eda0bd41)"),
        Case("a lone high surrogate at the end stays", [0x61, 0xD8, 0x3D], "text(eda0bd)"),
        Case("a lone low surrogate stays", [0x61, 0xDE, 0x00], "text(edb880)"),
        Case("surrogates the wrong way round stay two", [0x62, 0xDE, 0x00, 0xD8, 0x3D], "text(edb880eda0bd)"),
        Case("two high surrogates and a low one", [0x63, 0xD8, 0x3D, 0xD8, 0x3D, 0xDE, 0x00], "text(eda0bdf09f9880)"),
        Case("UTF-8", [0x73, 0x61, 0xC3, 0xA9], "text(61c3a9)"),
        Case("UTF-8 with NUL", [0x72, 0x61, 0x00], "\"a\0\""),
        Case("1-byte UID", [0x80, 0xFF], "uid(255)"),
        Case("3-byte UID", [0x82, 1, 0, 0], "uid(65536)"),
        Case("8-byte UID", [0x87] + ff, "uid(18446744073709551615)"),
        Case("16-byte UID whose value fits", [0x8F] + zeros + [0, 0, 0, 0, 0, 0, 0, 7], "uid(7)"),
        Case("empty array", [0xA0], "[]"),
        Case("empty ordered set", [0xB0], "ordered[]"),
        Case("empty set", [0xC0], "set[]"),
        Case("empty dictionary", [0xD0], "{}"),
    ]

    @Test("Each kind of object is read", arguments: leaves)
    func leaf(_ sample: Case) throws {
        #expect(try BinaryPropertyList.read(BinaryFile([sample.object]).bytes).text == sample.text)
    }

    @Test(
        "Containers are read in order",
        arguments: [
            Case("array", [0xA2, 1, 2], "[1, 2]"),
            Case("ordered set", [0xB2, 2, 1], "ordered[2, 1]"),
            Case("set", [0xC2, 1, 2], "set[1, 2]"),
            Case("dictionary: keys, then values", [0xD2, 3, 4, 1, 2], "{\"a\": 1, \"b\": 2}"),
            Case("keys need not be text", [0xD1, 1, 2], "{1: 2}"),
            Case("keys may repeat", [0xD2, 3, 3, 1, 2], "{\"a\": 1, \"a\": 2}"),
            Case("a count in front", [0xAF, 0x10, 2, 1, 2], "[1, 2]"),
            Case("a member twice", [0xA3, 1, 1, 1], "[1, 1, 1]"),
            Case("containers inside", [0xA2, 5, 6], "[[1], {\"a\": [1]}]"),
        ])
    func container(_ sample: Case) throws {
        let file = BinaryFile([
            sample.object, [0x10, 1], [0x10, 2], [0x51, 0x61], [0x51, 0x62], [0xA1, 1], [0xD1, 3, 5],
        ])
        #expect(try BinaryPropertyList.read(file.bytes).text == sample.text)
    }

    @Test("References and offsets are 1 to 8 bytes", arguments: 1...8, 1...8)
    func sizes(referenceSize: Int, offsetSize: Int) throws {
        let references = bigEndian(2, referenceSize) + bigEndian(0, referenceSize)
        let file = BinaryFile(
            [[0x51, 0x61], [0xA2] + references, [0x10, 9]], top: 1, referenceSize: referenceSize, offsetSize: offsetSize
        )
        #expect(try BinaryPropertyList.read(file.bytes).text == "[9, \"a\"]")
    }

    @Test("Whatever the version and the trailer's unused bytes say, the file is read", arguments: Array("01?~".utf8))
    func ignoredBytes(version: UInt8) throws {
        var bytes = BinaryFile([[0x09]]).bytes
        bytes[7] = version
        for unused in 0..<6 { bytes[bytes.count - 32 + unused] = 0xEE }
        #expect(BinaryPropertyList.isBinary(bytes))
        #expect(try BinaryPropertyList.read(bytes).text == "true")
    }

    @Test("Gaps, a table before the objects, and objects that nothing refers to are fine")
    func layout() throws {
        var bytes = Array("bplist00".utf8) + [0xFF, 11, 14]  // a gap, then the offset table
        bytes += [0xA1, 1, 0xEE, 0x10, 7, 0xEE, 0xEE]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(9, 8)
        #expect(try BinaryPropertyList.read(bytes).text == "[7]")
        #expect(try BinaryPropertyList.read(BinaryFile([[0x09], [0xF3], [0xAF]]).bytes).text == "true")
    }

    @Test("A shared object is decoded once")
    func sharing() throws {
        // Forty levels, each holding the next one twice: a tree of 2^40.
        let levels = (1...40).map { [0xA2, UInt8($0), UInt8($0)] }
        let list = try BinaryPropertyList.read(BinaryFile(levels + [[0x09]]).bytes)
        #expect(list.count == 41)
    }

    @Test("Several entries of the offset table may name the same object")
    func repeatedOffsets() throws {
        var file = BinaryFile([[0xA3, 1, 2, 3], [0x09], [], []])
        file.falseOffsets = [2: 12, 3: 12]
        #expect(try BinaryPropertyList.read(file.bytes).text == "[true, true, true]")
    }

    @Test("A list nested a hundred thousand deep is read, compared and written")
    func nesting() throws {
        let depth = 100_000
        let levels = (1...depth).map { [0xA1] + bigEndian(UInt64($0), 3) }
        let list = try BinaryPropertyList.read(BinaryFile(levels + [[0x09]], referenceSize: 3).bytes)
        #expect(list.count == depth + 1)
        let again = try BinaryPropertyList.read(BinaryPropertyList.write(list))
        #expect(again.isEqual(to: list))
    }

    @Test("Text and data point into the file")
    func borrowing() throws {
        let bytes = BinaryFile([[0xA2, 1, 2], [0x52, 0x68, 0x69], [0x41, 0xAB]]).bytes
        let list = try BinaryPropertyList.read(bytes)
        guard case .array(let members) = list[list.root] else { Issue.record("not an array"); return }
        #expect(list[list.reference(at: members.lowerBound)] == .string(12..<14))
        #expect(list[list.reference(at: members.lowerBound + 1)] == .data(15..<16))
    }

    @Test(
        "Only the header tells a binary property list",
        arguments: [("bplist00", true), ("bplist15", false), ("bplist0", false), ("", false), ("<?xml version", false)])
    func detection(header: String, isBinary: Bool) {
        #expect(BinaryPropertyList.isBinary(Array(header.utf8)) == isBinary)
    }
}
