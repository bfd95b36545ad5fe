// ByteCoding: integers and counted bytes, big-endian, to and from bytes. For the journal; it knows no meaning.

/// Bytes that are put together.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    mutating func append<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer) {
        append(UInt64(value), bits: Integer.bitWidth)
    }

    private mutating func append(_ value: UInt64, bits: Int) {
        var shift = bits
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// The length in 32 bits, then the bytes.
    mutating func append(text: [UInt8]) {
        append(UInt32(truncatingIfNeeded: text.count))
        bytes += text
    }
}

/// Bytes that are taken apart. Whatever they are, it answers nil rather than read beyond the end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(_: Integer.Type) -> Integer? {
        number(size: Integer.bitWidth / 8).map { Integer(truncatingIfNeeded: $0) }
    }

    private mutating func number(size: Int) -> UInt64? {
        guard rest.count >= size else { return nil }
        var value: UInt64 = 0
        for byte in rest.prefix(size) { value = value << 8 | UInt64(byte) }
        rest = rest.dropFirst(size)
        return value
    }

    mutating func text() -> ArraySlice<UInt8>? {
        guard let count = integer(UInt32.self), Int(count) <= rest.count else { return nil }
        let text = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return text
    }
}
