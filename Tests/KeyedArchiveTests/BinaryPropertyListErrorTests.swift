// Every way in which reading a binary property list can fail, with the place it is reported at.

import KeyedArchive
import Testing

@Suite("Errors in binary property lists")
struct BinaryPropertyListErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let error: String
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ error: String) {
            self.name = name
            self.bytes = bytes
            self.error = error
        }

        /// The objects begin at byte 8.
        init(_ name: String, _ objects: [UInt8]..., error: String) {
            self.init(name, BinaryFile(objects).bytes, error)
        }
    }

    /// `true` alone is 42 bytes: an object at 8, a table at 9, a trailer at 10.
    private static func trailer(_ position: Int, _ byte: UInt8) -> [UInt8] {
        var bytes = BinaryFile([[0x09]]).bytes
        bytes[10 + position] = byte
        return bytes
    }

    private static func falseOffset(_ offset: UInt64) -> [UInt8] {
        var file = BinaryFile([[0x09]], offsetSize: 2)
        file.falseOffsets[0] = offset
        return file.bytes
    }

    private static let trailers = [
        Case("empty", [], "0: the file does not begin with \"bplist0\""),
        Case("not a property list", Array("hello, world".utf8), "0: the file does not begin with \"bplist0\""),
        Case("no trailer", Array("bplist00".utf8), "8: the file is too short for a header and a trailer"),
        Case("offset size 0", trailer(6, 0), "16: the offset size is not 1 to 8"),
        Case("offset size 9", trailer(6, 9), "16: the offset size is not 1 to 8"),
        Case("reference size 0", trailer(7, 0), "17: the reference size is not 1 to 8"),
        Case("reference size 9", trailer(7, 9), "17: the reference size is not 1 to 8"),
        Case("count too large", trailer(15, 2), "18: the offset table runs past the trailer"),
        Case("count huge", trailer(8, 0xFF), "18: the offset table runs past the trailer"),
        Case("no objects", trailer(15, 0), "26: the top object is not in the offset table"),
        Case("top too large", trailer(23, 1), "26: the top object is not in the offset table"),
        Case("table in the header", trailer(31, 7), "34: the offset table is outside the file"),
        Case("table after the trailer", trailer(31, 11), "34: the offset table is outside the file"),
        Case("table huge", trailer(24, 0xFF), "34: the offset table is outside the file"),
        Case("offset in the header", falseOffset(7), "9: an object's offset is outside the file"),
        Case("offset in the trailer", falseOffset(11), "9: an object's offset is outside the file"),
    ]

    private static let objects = [
        Case("fill byte", [0x0F], error: "8: unknown kind of object"),
        Case("unused singleton", [0x01], error: "8: unknown kind of object"),
        Case("unused kind", [0x90], error: "8: unknown kind of object"),
        Case("unused kind inside", [0xA1, 1], [0xF0], error: "10: unknown kind of object"),
        Case("32-byte integer", [0x15], error: "8: an integer is wider than 16 bytes"),
        Case("2-byte real", [0x21, 0, 0], error: "8: a real is not 4 or 8 bytes wide"),
        Case("16-byte real", [0x24], error: "8: a real is not 4 or 8 bytes wide"),
        Case("4-byte date", [0x32, 0, 0, 0, 0], error: "8: a date is not 8 bytes wide"),
        Case(
            "UID of 9 bytes that needs them", [0x88, 1, 0, 0, 0, 0, 0, 0, 0, 0], error: "8: a UID is wider than 64 bits"
        ),
        Case("count that is text", [0x4F, 0x51, 0x61], error: "9: a count is not an integer"),
        Case("count of 32 bytes", [0x4F, 0x15], error: "9: a count is not an integer"),
        Case("Latin-1 marked as ASCII", [0x51, 0xE9], error: "8: a string is neither ASCII nor UTF-8"),
        Case("a surrogate marked as ASCII", [0x53, 0xED, 0xA0, 0xBD], error: "8: a string is neither ASCII nor UTF-8"),
        Case("overlong UTF-8", [0x72, 0xC1, 0x81], error: "8: a string is not UTF-8"),
        Case("overlong UTF-8 of 3 bytes", [0x73, 0xE0, 0x80, 0x80], error: "8: a string is not UTF-8"),
        Case("UTF-8 above U+10FFFF", [0x74, 0xF4, 0x90, 0x80, 0x80], error: "8: a string is not UTF-8"),
        Case("UTF-8 cut off", [0x72, 0x61, 0xC3], error: "8: a string is not UTF-8"),
        Case("UTF-8 without its second byte", [0x72, 0xC3, 0x61], error: "8: a string is not UTF-8"),
        Case("integer past the end", [0x14], error: "8: an object is cut off"),
        Case("real past the end", [0x23], error: "8: an object is cut off"),
        Case("date past the end", [0x33], error: "8: an object is cut off"),
        Case("data past the end", [0x43, 1], error: "8: an object is cut off"),
        Case("text past the end", [0x5E], error: "8: an object is cut off"),
        Case("UTF-16 past the end", [0x61], error: "8: an object is cut off"),
        Case("UID past the end", [0x8F], error: "8: an object is cut off"),
        Case("array past the end", [0xA3, 0], error: "8: an object is cut off"),
        Case("dictionary past the end", [0xD2, 1, 1], error: "8: an object is cut off"),
        Case("count past the end", [0x4F, 0x13, 0], error: "8: an object is cut off"),
        Case(
            "a count of 2^64 - 1", [0xDF, 0x13] + [UInt8](repeating: 0xFF, count: 8), error: "8: an object is cut off"),
        Case(
            "a count above 64 bits", [0x4F, 0x14, 1] + [UInt8](repeating: 0, count: 15),
            error: "8: an object is cut off"),
        Case("reference past the table", [0xA2, 1, 2], [0x09], error: "10: a reference is not in the offset table"),
        Case("array inside itself", [0xA1, 0], error: "9: a container is inside itself"),
        Case("set inside itself", [0xC2, 1, 0], [0x09], error: "10: a container is inside itself"),
        Case("its own key", [0xD1, 0, 1], [0x09], error: "9: a container is inside itself"),
        Case(
            "a circle of three", [0xA1, 1], [0xD1, 3, 2], [0xB1, 0], [0x50], error: "14: a container is inside itself"),
    ]

    @Test("Each fault is reported with its place", arguments: trailers + objects)
    func fault(_ sample: Case) throws {
        let error = #expect(throws: DecodingError.self) { _ = try BinaryPropertyList.read(sample.bytes) }
        #expect(error?.text == sample.error)
    }

    @Test("A count at the very end of the objects is cut off")
    func countAtTheEnd() throws {
        // The marker is the last byte before the trailer, so that even the count's marker is missing.
        var file = BinaryFile([[0x09]])
        file.falseOffsets[0] = 9
        var bytes = file.bytes
        bytes.insert(0x4F, at: 10)
        bytes[9] = 10
        let error = #expect(throws: DecodingError.self) { _ = try BinaryPropertyList.read(bytes) }
        #expect(error?.text == "10: an object is cut off")
    }

    @Test("Input above the limit is refused")
    func limit() throws {
        let bytes = BinaryFile([[0x09]]).bytes
        #expect(BinaryPropertyList.largestInput == 0xFFFF_FFFF)
        #expect(try BinaryPropertyList.read(bytes, limit: bytes.count).text == "true")
        let error = #expect(throws: DecodingError.self) { _ = try BinaryPropertyList.read(bytes, limit: 41) }
        #expect(error?.text == "41: the file is 4 GiB or larger")
    }

    @Test("Data that each claim the rest of the file are refused early")
    func overlappingData() throws {
        // A member begins every six bytes and claims all that follow: read one by one, 30 GB.
        let count = 100_000
        let start = 8 + 6 + 3 * count
        var file = BinaryFile([[0xAF, 0x12] + bigEndian(UInt64(count), 4)], referenceSize: 3)
        for member in 0..<count { file.objects[0] += bigEndian(UInt64(member + 1), 3) }
        for member in 0..<count {
            file.objects.append([0x4F, 0x12] + bigEndian(UInt64(6 * (count - 1 - member)), 4))
        }
        let error = #expect(throws: DecodingError.self) { _ = try BinaryPropertyList.read(file.bytes) }
        #expect(error?.text == "\(start + 6): objects overlap")
    }

    @Test("Containers that share their references are refused early")
    func overlappingContainers() throws {
        var file = BinaryFile([[0xAF, 0x10, 30] + (1...30), [0xAF, 0x10, 40] + [UInt8](repeating: 31, count: 40)])
        for entry in 2...30 {
            file.objects.append([])
            file.falseOffsets[entry] = 41
        }
        file.objects.append([0x09])
        let error = #expect(throws: DecodingError.self) { _ = try BinaryPropertyList.read(file.bytes) }
        #expect(error?.text == "41: objects overlap")
    }
}
