// When two property lists are the same value.

import KeyedArchive
import Testing

@Suite("Comparing property lists")
struct PropertyListEqualTests {
    private static let one: [UInt8] = [0x10, 1]
    private static let two: [UInt8] = [0x10, 2]
    private static let a: [UInt8] = [0x51, 0x61]
    private static let b: [UInt8] = [0x51, 0x62]

    struct Pair: CustomTestStringConvertible, Sendable {
        let name: String
        let left: [[UInt8]]
        let right: [[UInt8]]
        let isEqual: Bool
        var testDescription: String { name }
    }

    private static func same(_ name: String, _ left: [[UInt8]], _ right: [[UInt8]]) -> Pair {
        Pair(name: name, left: left, right: right, isEqual: true)
    }
    private static func different(_ name: String, _ left: [[UInt8]], _ right: [[UInt8]]) -> Pair {
        Pair(name: name, left: left, right: right, isEqual: false)
    }

    static let pairs = [
        same("integers of any width", [[0x10, 1]], [[0x13, 0, 0, 0, 0, 0, 0, 0, 1]]),
        same("text in any encoding", [[0x51, 0x61]], [[0x61, 0, 0x61]]),
        same("reals of any width", [[0x22, 0x3F, 0xC0, 0, 0]], [[0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]]),
        same("the same NaN", [[0x23, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1]], [[0x23, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1]]),
        same(
            "entries in another order", [[0xD2, 1, 2, 3, 4], a, b, one, two], [[0xD2, 2, 1, 4, 3], a, b, one, two]),
        same("members of a set in another order", [[0xC2, 1, 2], a, b], [[0xC2, 2, 1], a, b]),
        same("a set that says a member twice", [[0xC3, 1, 2, 1], a, b], [[0xC2, 2, 1], a, b]),
        same("shared and repeated", [[0xA2, 1, 1], a], [[0xA2, 1, 2], a, a]),
        same("objects that the root doesn't reach", [[0x09], a], [[0x09]]),
        different("integer and real", [[0x10, 0]], [[0x22, 0, 0, 0, 0]]),
        different("integer and boolean", [[0x10, 1]], [[0x09]]),
        different("integer and UID", [[0x10, 1]], [[0x80, 1]]),
        different("real and date", [[0x23] + bigEndian(0, 8)], [[0x33] + bigEndian(0, 8)]),
        different("data and text", [[0x41, 0x61]], [[0x51, 0x61]]),
        different("false and null", [[0x08]], [[0x00]]),
        different("0 and -0", [[0x22, 0, 0, 0, 0]], [[0x22, 0x80, 0, 0, 0]]),
        different("2^64 - 1 and -1", [[0x14] + bigEndian(0, 8) + bigEndian(.max, 8)], [[0x13] + bigEndian(.max, 8)]),
        different("composed and decomposed text", [[0x61, 0, 0xE9]], [[0x62, 0, 0x65, 0x03, 0x01]]),
        different("array and ordered set", [[0xA0]], [[0xB0]]),
        different("array and set", [[0xA1, 1], a], [[0xC1, 1], a]),
        different("array and dictionary", [[0xA2, 1, 2], a, b], [[0xD1, 1, 2], a, b]),
        different("arrays in another order", [[0xA2, 1, 2], a, b], [[0xA2, 2, 1], a, b]),
        different("ordered sets in another order", [[0xB2, 1, 2], a, b], [[0xB2, 2, 1], a, b]),
        different("another value", [[0xD1, 1, 2], a, one], [[0xD1, 1, 2], a, two]),
        different("values exchanged", [[0xD2, 1, 2, 3, 4], a, b, one, two], [[0xD2, 1, 2, 4, 3], a, b, one, two]),
        different(
            "another first value of a key that repeats", [[0xD2, 1, 1, 2, 3], a, one, two],
            [[0xD2, 1, 1, 3, 2], a, one, two]),
        different(
            "deep inside", [[0xA1, 1], [0xA1, 2], [0xD1, 3, 4], a, one],
            [[0xA1, 1], [0xA1, 2], [0xD1, 3, 4], a, two]),
    ]

    @Test("Values decide, not how they are written", arguments: pairs)
    func pair(_ pair: Pair) throws {
        let left = try BinaryPropertyList.read(BinaryFile(pair.left).bytes)
        let right = try BinaryPropertyList.read(BinaryFile(pair.right).bytes)
        #expect(left.isEqual(to: right) == pair.isEqual)
        #expect(right.isEqual(to: left) == pair.isEqual)
        #expect(left.isEqual(to: left) && right.isEqual(to: right))
    }

    @Test("A tree of 2^200 is compared at once")
    func sharing() {
        func doubled(_ leaf: Bool) -> PropertyList {
            var list = PropertyList()
            list.root = list.append(boolean: leaf)
            for _ in 0..<200 { list.root = list.append(array: [list.root, list.root]) }
            return list
        }
        #expect(doubled(true).isEqual(to: doubled(true)))
        #expect(!doubled(true).isEqual(to: doubled(false)))
    }

    @Test("Empty tables are equal to each other only")
    func empty() {
        var list = PropertyList()
        #expect(list.isEqual(to: PropertyList()))
        list.root = list.appendNull()
        #expect(!list.isEqual(to: PropertyList()) && !PropertyList().isEqual(to: list))
    }
}
