// BinaryPropertyList+ReadLeaf: the objects that hold no others, made of a body whose bytes all exist.

extension BinaryPropertyListReader {
    /// Appends the object at `object`, whose body is `body`.
    mutating func readLeaf(
        _ kind: BinaryPropertyList.Kind, at object: Int, _ body: Range<Int>
    ) throws(DecodingError) -> PropertyList.Reference {
        switch kind {
        case .integer: return list.append(integer: integer(in: body))
        case .real: return list.append(real: real(in: body))
        case .date: return list.append(date: real(in: body))
        case .data: return list.append(dataAt: body)
        case .asciiString, .utf8String: return try narrowString(kind, at: object, body)
        case .utf16String: return try wideString(at: object, body)
        case .uid:
            guard let value = bounds.unsigned(in: body) else {
                throw DecodingError(.byte(object), "a UID is wider than 64 bits")
            }
            return list.append(uid: value)
        default:
            let marker = bytes[object]
            if marker == BinaryPropertyList.nullMarker { return list.appendNull() }
            return list.append(boolean: marker == BinaryPropertyList.trueMarker)
        }
    }

    /// Integers of 1, 2 and 4 bytes are unsigned; those of 8 and 16 are signed.
    private func integer(in range: Range<Int>) -> Int128 {
        guard range.count <= 8 else {
            let high = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: 8)
            let low = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound + 8, size: 8)
            return Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low))
        }
        let value = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: range.count)
        return range.count == 8 ? Int128(Int64(bitPattern: value)) : Int128(value)
    }

    private func real(in range: Range<Int>) -> Double {
        let bits = BinaryPropertyList.bigEndian(bytes, at: range.lowerBound, size: range.count)
        return range.count == 8
            ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private mutating func narrowString(
        _ kind: BinaryPropertyList.Kind, at object: Int, _ range: Range<Int>
    ) throws(DecodingError) -> PropertyList.Reference {
        // Some writers put UTF-8 into a string marked as ASCII, and Foundation reads it.
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        guard WTF8.isASCII(text) || WTF8.isUTF8(text) else {
            throw DecodingError(
                .byte(object), kind == .utf8String ? "a string is not UTF-8" : "a string is neither ASCII nor UTF-8")
        }
        return list.append(stringAt: range)
    }

    private mutating func wideString(
        at object: Int, _ range: Range<Int>
    ) throws(DecodingError) -> PropertyList.Reference {
        // Two bytes may become three, and the table counts a string's bytes in 32 bits.
        guard range.count <= Int(UInt32.max) / 3 * 2 else {
            throw DecodingError(.byte(object), "a string is too long")
        }
        text.removeAll(keepingCapacity: true)
        WTF8.appendWTF8(utf16BigEndian: UnsafeBufferPointer(rebasing: bytes[range]), to: &text)
        return list.append(string: text)
    }
}
