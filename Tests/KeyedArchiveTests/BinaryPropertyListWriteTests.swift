// The bytes that are written, checked by hand.

import KeyedArchive
import Testing

@Suite("Writing binary property lists")
struct BinaryPropertyListWriteTests {
    private static func written(_ build: (inout PropertyList) -> PropertyList.Reference) -> [UInt8] {
        var list = PropertyList()
        list.root = build(&list)
        return BinaryPropertyList.write(list)
    }

    /// The one object of a file with one object.
    private func object(_ build: (inout PropertyList) -> PropertyList.Reference) -> String {
        let bytes = Self.written(build)
        return hexadecimal(bytes[8..<bytes.count - 33])
    }

    @Test("Header, objects, offset table and trailer fill the file exactly")
    func layout() {
        let bytes = Self.written { list in
            let key = list.append(string: "a")
            let value = list.append(integer: 1)
            return list.append(dictionaryKeys: [key], values: [value])
        }
        #expect(bytes == BinaryFile([[0xD1, 1, 2], [0x51, 0x61], [0x10, 1]]).bytes)
    }

    @Test(
        "Integers take the smallest size that says them",
        arguments: [
            (0, "1000"), (255, "10ff"), (256, "110100"), (65535, "11ffff"), (65536, "1200010000"),
            (0xFFFF_FFFF, "12ffffffff"), (0x1_0000_0000, "130000000100000000"), (-1, "13ffffffffffffffff"),
            (Int128(Int64.max), "137fffffffffffffff"), (Int128(Int64.min), "138000000000000000"),
            (Int128(Int64.max) + 1, "1400000000000000008000000000000000"),
            (Int128(UInt64.max), "140000000000000000ffffffffffffffff"),
            (Int128(Int64.min) - 1, "14ffffffffffffffff7fffffffffffffff"),
        ] as [(Int128, String)])
    func integer(value: Int128, bytes: String) { #expect(object { $0.append(integer: value) } == bytes) }

    @Test(
        "UIDs take 1, 2, 4 or 8 bytes",
        arguments: [
            (0, "8000"), (255, "80ff"), (256, "810100"), (65536, "8300010000"), (1 << 32, "870000000100000000"),
        ] as [(UInt64, String)])
    func uid(value: UInt64, bytes: String) { #expect(object { $0.append(uid: value) } == bytes) }

    @Test(
        "Text is ASCII where it can be, else UTF-16",
        arguments: [
            ("", "50"), ("hi", "526869"), ("é", "6100e9"), ("日", "6165e5"), ("a😀", "630061d83dde00"),
            ("abcdefghijklmn", "5e6162636465666768696a6b6c6d6e"),
            ("abcdefghijklmno", "5f100f6162636465666768696a6b6c6d6e6f"),
        ])
    func text(value: String, bytes: String) { #expect(object { $0.append(string: Array(value.utf8)) } == bytes) }

    @Test("A lone surrogate is written as it came")
    func surrogate() { #expect(object { $0.append(string: [0xED, 0xA0, 0xBD]) } == "61d83d") }

    @Test("Bytes that no reader takes for text become the replacement character", arguments: [[0xFF], [0xC3], [0x80]])
    func broken(bytes: [UInt8]) { #expect(object { $0.append(string: bytes) } == "61fffd") }

    @Test("Null, booleans, reals, dates and data")
    func others() {
        #expect(object { $0.appendNull() } == "00")
        #expect(object { $0.append(boolean: false) } == "08")
        #expect(object { $0.append(boolean: true) } == "09")
        #expect(object { $0.append(real: 1.5) } == "233ff8000000000000")
        #expect(object { $0.append(date: -1.5) } == "33bff8000000000000")
        #expect(object { $0.append(data: [0xAB]) } == "41ab")
        #expect(object { $0.append(set: []) } == "c0")
        #expect(object { $0.append(orderedSet: []) } == "b0")
    }

    @Test("Equal leaves are written once, and kinds are told apart")
    func uniquing() throws {
        let bytes = Self.written { list in
            var members: [PropertyList.Reference] = []
            for _ in 0..<2 {
                members.append(list.append(string: "a"))
                members.append(list.append(data: [0x61]))
                members.append(list.append(integer: 0))
                members.append(list.append(real: 0))
                members.append(list.append(real: -0.0))
                members.append(list.append(date: 0))
                members.append(list.append(uid: 0))
                members.append(list.append(boolean: false))
                members.append(list.append(integer: 1 << 100))
            }
            return list.append(array: members)
        }
        let file = try #require(BinaryFile(parsing: bytes))
        #expect(file.objects.count == 10)
        #expect(file.objects[0] == [0xAF, 0x10, 18] + (1...9) + (1...9))
    }

    @Test("A shared container is written once, equal ones are not compared")
    func sharing() throws {
        let bytes = Self.written { list in
            let shared = list.append(array: [list.append(boolean: true)])
            let equal = list.append(array: [list.append(boolean: true)])
            return list.append(array: [shared, shared, equal])
        }
        #expect(bytes == BinaryFile([[0xA3, 1, 1, 3], [0xA1, 2], [0x09], [0xA1, 2]]).bytes)
    }

    @Test("What the root does not reach is left out")
    func unreachable() {
        let bytes = Self.written { list in
            _ = list.append(string: "left out")
            return list.append(boolean: true)
        }
        #expect(bytes == BinaryFile([[0x09]]).bytes)
    }

    @Test("References take two bytes from 256 objects on", arguments: [(254, 1), (255, 2), (65534, 2), (65535, 4)])
    func referenceSize(members: Int, size: Int) throws {
        let bytes = Self.written { list in
            let members = (0..<members).map { list.append(integer: Int128($0)) }
            return list.append(array: members)
        }
        #expect(Int(bytes[bytes.count - 25]) == size)
        guard case let list = try BinaryPropertyList.read(bytes), case .array(let range) = list[list.root] else {
            Issue.record("not an array")
            return
        }
        #expect(range.count == members)
        #expect(list[list.reference(at: range.upperBound - 1)] == .integer(Int128(members - 1)))
    }

    @Test("Offsets take two bytes once the offset table is beyond 255", arguments: [(244, 1), (245, 2), (65532, 4)])
    func offsetSize(data: Int, size: Int) {
        let bytes = Self.written { $0.append(data: [UInt8](repeating: 0, count: data)) }
        #expect(Int(bytes[bytes.count - 26]) == size)
    }

    @Test("The same table gives the same bytes")
    func deterministic() throws {
        let list = try BinaryPropertyList.read(
            BinaryFile([[0xD2, 1, 2, 3, 4], [0x51, 0x62], [0x51, 0x61], [0x09], [0xA1, 1]]).bytes)
        #expect(BinaryPropertyList.write(list) == BinaryPropertyList.write(list))
    }

    @Test("An empty table is no file") func empty() { #expect(BinaryPropertyList.write(PropertyList()) == []) }
}
