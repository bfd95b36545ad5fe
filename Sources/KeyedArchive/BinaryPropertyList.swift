// BinaryPropertyList: Apple's binary property list format, "bplist00", as bytes. What reading and writing share: the
// format's constants and the trailer. It must not know what a property list is used for.
//
// A file is a header, objects, a table with the offset of each object, and a trailer of 32 bytes that says where that
// table is. An object is a marker byte, whose upper half is its kind and whose lower half its size, and a body.
// Containers name their members by position in the offset table. Everything is big-endian.

/// The binary property list format.
package enum BinaryPropertyList {
    /// The most bytes that are read: offsets and counts then fit 32 bits everywhere in memory.
    package static let largestInput = Int(UInt32.max)

    static let headerSize = 8
    static let trailerSize = 32

    /// Whether the bytes begin as a binary property list does. The character after "bplist0" is a version that no
    /// reader has ever cared about.
    package static func isBinary(_ bytes: [UInt8]) -> Bool {
        let magic: StaticString = "bplist0"
        guard bytes.count >= headerSize else { return false }
        for index in 0..<magic.utf8CodeUnitCount where bytes[index] != magic.utf8Start[index] { return false }
        return true
    }

    /// The upper half of a marker byte.
    enum Kind: UInt8 {
        case singleton = 0x0
        case integer = 0x1
        case real = 0x2
        case date = 0x3
        case data = 0x4
        case asciiString = 0x5
        case utf16String = 0x6
        case utf8String = 0x7
        case uid = 0x8
        case array = 0xA
        case orderedSet = 0xB
        case set = 0xC
        case dictionary = 0xD
    }

    /// Whole markers of the objects without a body.
    static let nullMarker: UInt8 = 0x00
    static let falseMarker: UInt8 = 0x08
    static let trueMarker: UInt8 = 0x09
    /// The lower half of a marker when the count follows as an integer object.
    static let countFollows: UInt8 = 0xF

    /// The big-endian number in the `size` bytes, 1 to 8, at `start`. Eight bytes are loaded, whatever the size: in a file
    /// at least a trailer follows every number. Where they don't exist it is 0, not a trap.
    @inline(__always)
    static func bigEndian(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, size: Int) -> UInt64 {
        guard start >= 0, start <= bytes.count - 8 else { return 0 }
        let loaded = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self)
        return UInt64(bigEndian: loaded) >> UInt64(truncatingIfNeeded: 64 - 8 * size)
    }

    /// What the last 32 bytes say. What they promise exists.
    struct Trailer {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let top: Int
        let offsetTable: Int
        /// Objects end before this byte, where the trailer itself begins.
        let end: Int
    }
}

extension BinaryPropertyList.Trailer {
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodingError) {
        guard bytes.count >= BinaryPropertyList.headerSize + BinaryPropertyList.trailerSize else {
            throw DecodingError(.byte(bytes.count), "the file is too short for a header and a trailer")
        }
        end = bytes.count - BinaryPropertyList.trailerSize
        // The six bytes before these are unused, and some writers leave something there.
        offsetSize = Int(bytes[end + 6])
        guard 1...8 ~= offsetSize else { throw DecodingError(.byte(end + 6), "the offset size is not 1 to 8") }
        referenceSize = Int(bytes[end + 7])
        guard 1...8 ~= referenceSize else {
            throw DecodingError(.byte(end + 7), "the reference size is not 1 to 8")
        }
        let table = BinaryPropertyList.bigEndian(bytes, at: end + 24, size: 8)
        guard table >= UInt64(BinaryPropertyList.headerSize), table <= UInt64(end) else {
            throw DecodingError(.byte(end + 24), "the offset table is outside the file")
        }
        offsetTable = Int(table)
        // Everything that is allocated by this count is linear in bytes that exist, once this is checked.
        let count = BinaryPropertyList.bigEndian(bytes, at: end + 8, size: 8)
        guard count <= UInt64((end - offsetTable) / offsetSize) else {
            throw DecodingError(.byte(end + 8), "the offset table runs past the trailer")
        }
        objectCount = Int(count)
        let top = BinaryPropertyList.bigEndian(bytes, at: end + 16, size: 8)
        guard top < count else { throw DecodingError(.byte(end + 16), "the top object is not in the offset table") }
        self.top = Int(top)
    }
}
