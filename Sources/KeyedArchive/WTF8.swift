// WTF8: the encoding that property lists' text is held in, and its way to and from UTF-16, without the standard library's String, whose Unicode
// tables the core does without. It decides nothing about what invalid text means: callers do.

package enum WTF8 {
    /// Whether every byte is below 0x80.
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without an early exit the loop is vectorised, and text is short.
        var union: UInt8 = 0
        for byte in bytes { union |= byte }
        return union < 0x80
    }

    /// Whether the bytes are UTF-8: nothing overlong, no surrogates, nothing above U+10FFFF, nothing cut off.
    package static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        validUTF8Prefix(of: UnsafeRawBufferPointer(bytes)) == bytes.count
    }

    /// How many of the bytes are UTF-8: all of them, or those before the first that isn't.
    package static func validUTF8Prefix(of bytes: UnsafeRawBufferPointer) -> Int {
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

    /// The code point at `index`, and where the next one starts. A surrogate is a code point here. Nil when the bytes
    /// are no such thing.
    package static func decodeWTF8(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, next: Int)? {
        let lead = bytes[index]
        if lead < 0x80 { return (UInt32(lead), index + 1) }
        let (size, smallest): (Int, UInt32)
        switch lead {
        case 0xC2...0xDF: (size, smallest) = (2, 0x80)
        case 0xE0...0xEF: (size, smallest) = (3, 0x800)
        case 0xF0...0xF4: (size, smallest) = (4, 0x10000)
        default: return nil
        }
        guard bytes.count - index >= size else { return nil }
        var scalar = UInt32(lead) & (0x7F >> UInt32(size))
        for position in index + 1..<index + size {
            guard bytes[position] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(bytes[position] & 0x3F)
        }
        guard scalar >= smallest, scalar <= 0x10FFFF else { return nil }
        return (scalar, index + size)
    }

    /// Appends one code point, which may be a surrogate.
    package static func appendWTF8(_ scalar: UInt32, to text: inout [UInt8]) {
        func append(_ bits: UInt32) { text.append(UInt8(truncatingIfNeeded: bits)) }
        if scalar < 0x80 {
            append(scalar)
        } else if scalar < 0x800 {
            append(0xC0 | scalar >> 6)
            append(0x80 | scalar & 0x3F)
        } else if scalar < 0x10000 {
            append(0xE0 | scalar >> 12)
            append(0x80 | scalar >> 6 & 0x3F)
            append(0x80 | scalar & 0x3F)
        } else {
            append(0xF0 | scalar >> 18)
            append(0x80 | scalar >> 12 & 0x3F)
            append(0x80 | scalar >> 6 & 0x3F)
            append(0x80 | scalar & 0x3F)
        }
    }

    /// Appends big-endian UTF-16 as WTF-8: a pair of surrogates becomes one code point, a lone one stays itself.
    static func appendWTF8(utf16BigEndian bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        func unit(_ index: Int) -> UInt32 { UInt32(bytes[2 * index]) << 8 | UInt32(bytes[2 * index + 1]) }
        let count = bytes.count / 2
        var index = 0
        while index < count {
            var scalar = unit(index)
            index += 1
            if 0xD800...0xDBFF ~= scalar, index < count {
                let low = unit(index)
                if 0xDC00...0xDFFF ~= low {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
                    index += 1
                }
            }
            appendWTF8(scalar, to: &text)
        }
    }

    /// How many UTF-16 code units `appendUTF16BigEndian` makes of the bytes.
    static func utf16Count(wtf8 bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        var index = 0
        while index < bytes.count {
            let (scalar, next) = decodeWTF8(bytes, at: index) ?? (0xFFFD, index + 1)
            index = next
            count += scalar < 0x10000 ? 1 : 2
        }
        return count
    }

    /// Appends WTF-8 as big-endian UTF-16. Bytes that are not WTF-8, which no reader makes, become U+FFFD.
    static func appendUTF16BigEndian(wtf8 bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        func append(_ unit: UInt32) {
            output.append(UInt8(truncatingIfNeeded: unit >> 8))
            output.append(UInt8(truncatingIfNeeded: unit))
        }
        var index = 0
        while index < bytes.count {
            let (scalar, next) = decodeWTF8(bytes, at: index) ?? (0xFFFD, index + 1)
            index = next
            if scalar < 0x10000 {
                append(scalar)
            } else {
                append(0xD800 + (scalar - 0x10000) >> 10)
                append(0xDC00 + (scalar - 0x10000) & 0x3FF)
            }
        }
    }
}
