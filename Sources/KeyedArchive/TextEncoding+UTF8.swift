// Text of any known encoding to UTF-8, checked on the way: what comes after may rely on it.
// Knows nothing of XML but how lines end, for the errors.

extension TextEncoding {
    /// `bytes` as UTF-8 without a byte-order mark. UTF-8 is handed back as it is, its mark included: see `start`.
    static func utf8(from bytes: [UInt8]) throws(DecodingError) -> (text: [UInt8], start: Int) {
        if let (encoding, start) = detected(in: bytes) {
            if encoding.width > 1 { return (try encoding.transcode(bytes, from: start), 0) }
            return (try checked(bytes), start)
        }
        guard let encoding = declared(in: bytes) else {
            throw DecodingError(.line(1), "the declared encoding is not known, or not the text's")
        }
        switch encoding {
        case .latin1:
            return (try encoding.transcode(bytes, from: 0), 0)
        case .ascii:
            if let offset = bytes.firstIndex(where: { $0 >= 0x80 }) {
                throw DecodingError(.line(line(of: offset, in: bytes)), "not ASCII, as it declares")
            }
            return (bytes, 0)
        default:
            return (try checked(bytes), 0)
        }
    }

    /// The line that holds an offset, counted from 1. A line ends with LF, CR LF or CR.
    static func line(of offset: Int, in text: [UInt8]) -> Int {
        var line = 1
        for index in 0..<min(offset, text.count) {
            switch text[index] {
            case 0x0A: line += 1
            case 0x0D where index + 1 >= text.count || text[index + 1] != 0x0A: line += 1
            default: break
            }
        }
        return line
    }

    private func transcode(_ bytes: [UInt8], from start: Int) throws(DecodingError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / width + bytes.count / 8)
        var offset = start
        while let unit = unit(of: bytes, at: offset) {
            offset += width
            var scalar = unit
            if width == 2, unit & 0xFC00 == 0xD800, let low = self.unit(of: bytes, at: offset), low & 0xFC00 == 0xDC00 {
                scalar = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
                offset += width
            }
            guard let scalar = Unicode.Scalar(scalar) else {
                throw DecodingError(
                    .line(Self.line(of: text.count, in: text)), "half a character, or none at all")
            }
            appendUTF8(scalar, to: &text)
        }
        guard offset == bytes.count else {
            throw DecodingError(.line(Self.line(of: text.count, in: text)), "the last character is cut off")
        }
        return text
    }

    private static func checked(_ bytes: [UInt8]) throws(DecodingError) -> [UInt8] {
        let valid = bytes.withUnsafeBytes { validUTF8Prefix(of: $0) }
        guard valid == bytes.count else { throw DecodingError(.line(line(of: valid, in: bytes)), "not UTF-8") }
        return bytes
    }
}

/// Appends a character in UTF-8.
func appendUTF8(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    let value = scalar.value
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | value >> shift & 0x3F) }
    switch value {
    case ..<0x80:
        text.append(UInt8(truncatingIfNeeded: value))
    case ..<0x800:
        text.append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
        text.append(tail(0))
    case ..<0x10000:
        text.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
        text.append(tail(6))
        text.append(tail(0))
    default:
        text.append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
        text.append(tail(12))
        text.append(tail(6))
        text.append(tail(0))
    }
}

/// How many of the bytes are UTF-8: all of them, or those before the first that isn't. Surrogates and overlong forms aren't.
func validUTF8Prefix(of bytes: UnsafeRawBufferPointer) -> Int {
    var index = 0
    while index < bytes.count {
        let first = bytes[index]
        if first < 0x80 {
            // Eight at a time while they are ASCII, as nearly all of a property list is.
            if index <= bytes.count - 8,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            } else {
                index += 1
            }
            continue
        }
        func isTail(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + offset < bytes.count && range.contains(bytes[index + offset])
        }
        switch first {
        case 0xC2...0xDF where isTail(1): index += 2
        case 0xE0 where isTail(1, 0xA0...0xBF) && isTail(2): index += 3
        case 0xED where isTail(1, 0x80...0x9F) && isTail(2): index += 3
        case 0xE1...0xEF where first != 0xED && isTail(1) && isTail(2): index += 3
        case 0xF0 where isTail(1, 0x90...0xBF) && isTail(2) && isTail(3): index += 4
        case 0xF1...0xF3 where isTail(1) && isTail(2) && isTail(3): index += 4
        case 0xF4 where isTail(1, 0x80...0x8F) && isTail(2) && isTail(3): index += 4
        default: return index
        }
    }
    return index
}
