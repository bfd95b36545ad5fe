// BinaryPropertyList+ReadLeaf: the objects that hold no others, and the counts in front of a body. Every read of a byte
// here comes after `body(of:from:size:)` has said that it exists.

extension BinaryPropertyListReader {
    mutating func readLeaf(
        _ kind: BinaryPropertyList.Kind, at object: Int
    ) throws(DecodingError) -> PropertyList.Reference {
        switch kind {
        case .integer: return list.append(integer: try integer(at: object))
        case .real: return list.append(real: try real(at: object))
        case .date: return list.append(date: try date(at: object))
        case .data: return list.append(dataAt: try countedBody(of: object, unit: 1))
        case .asciiString, .utf8String: return try narrowString(kind, at: object)
        case .utf16String: return try wideString(at: object)
        case .uid: return list.append(uid: try uid(at: object))
        default: return try singleton(at: object)
        }
    }

    private mutating func singleton(at object: Int) throws(DecodingError) -> PropertyList.Reference {
        _ = try body(of: object, from: object + 1, size: 0)
        switch bytes[object] {
        case BinaryPropertyList.nullMarker: return list.appendNull()
        case BinaryPropertyList.falseMarker: return list.append(boolean: false)
        case BinaryPropertyList.trueMarker: return list.append(boolean: true)
        default: throw DecodingError(.byte(object), "unknown kind of object")
        }
    }

    /// Integers of 1, 2 and 4 bytes are unsigned; those of 8 and 16 are signed.
    private mutating func integer(at object: Int) throws(DecodingError) -> Int128 {
        let power = bytes[object] & 0xF
        guard power <= 4 else { throw DecodingError(.byte(object), "an integer is wider than 16 bytes") }
        let range = try body(of: object, from: object + 1, size: 1 << UInt64(power))
        guard range.count <= 8 else {
            let high = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: 8)
            let low = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound + 8, size: 8)
            return Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low))
        }
        let value = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: range.count)
        return range.count == 8 ? Int128(Int64(bitPattern: value)) : Int128(value)
    }

    private mutating func real(at object: Int) throws(DecodingError) -> Double {
        switch bytes[object] & 0xF {
        case 2:
            let range = try body(of: object, from: object + 1, size: 4)
            let bits = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: 4)
            return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3:
            let range = try body(of: object, from: object + 1, size: 8)
            return Double(bitPattern: BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: 8))
        default: throw DecodingError(.byte(object), "a real is not 4 or 8 bytes wide")
        }
    }

    private mutating func date(at object: Int) throws(DecodingError) -> Double {
        guard bytes[object] & 0xF == 3 else { throw DecodingError(.byte(object), "a date is not 8 bytes wide") }
        let range = try body(of: object, from: object + 1, size: 8)
        return Double(bitPattern: BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: 8))
    }

    private mutating func uid(at object: Int) throws(DecodingError) -> UInt64 {
        let range = try body(of: object, from: object + 1, size: UInt64(bytes[object] & 0xF) + 1)
        guard let value = unsigned(in: range) else { throw DecodingError(.byte(object), "a UID is wider than 64 bits") }
        return value
    }

    private mutating func narrowString(
        _ kind: BinaryPropertyList.Kind, at object: Int
    ) throws(DecodingError) -> PropertyList.Reference {
        let range = try countedBody(of: object, unit: 1)
        // Some writers put UTF-8 into a string marked as ASCII, and Foundation reads it.
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        guard WTF8.isASCII(text) || WTF8.isUTF8(text) else {
            throw DecodingError(
                .byte(object), kind == .utf8String ? "a string is not UTF-8" : "a string is neither ASCII nor UTF-8")
        }
        return list.append(stringAt: range)
    }

    private mutating func wideString(at object: Int) throws(DecodingError) -> PropertyList.Reference {
        let range = try countedBody(of: object, unit: 2)
        // Two bytes may become three, and the table counts a string's bytes in 32 bits.
        guard range.count <= Int(UInt32.max) / 3 * 2 else {
            throw DecodingError(.byte(object), "a string is too long")
        }
        text.removeAll(keepingCapacity: true)
        WTF8.appendWTF8(utf16BigEndian: UnsafeBufferPointer(rebasing: bytes[range]), to: &text)
        return list.append(string: text)
    }

    /// The body of an object that consists of so many units as its marker, or the integer after it, says.
    mutating func countedBody(of object: Int, unit: Int) throws(DecodingError) -> Range<Int> {
        let inline = bytes[object] & 0xF
        var count = UInt64(inline)
        var start = object + 1
        if inline == BinaryPropertyList.countFollows {
            guard start < trailer.end else { throw DecodingError(.byte(object), "an object is cut off") }
            let marker = bytes[start]
            guard marker >> 4 == BinaryPropertyList.Kind.integer.rawValue, marker & 0xF <= 4 else {
                throw DecodingError(.byte(start), "a count is not an integer")
            }
            let size = 1 << Int(marker & 0xF)
            start += 1
            guard size <= trailer.end - start else { throw DecodingError(.byte(object), "an object is cut off") }
            // A count that needs more than 64 bits is a count past the end like any other.
            count = unsigned(in: start..<start + size) ?? .max
            start += size
        }
        let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(unit))
        return try body(of: object, from: start, size: overflow ? .max : size)
    }

    /// The big-endian number in `range`; nil when it needs more than 64 bits.
    private func unsigned(in range: Range<Int>) -> UInt64? {
        var value: UInt64 = 0
        for position in range {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(bytes[position])
        }
        return value
    }
}
