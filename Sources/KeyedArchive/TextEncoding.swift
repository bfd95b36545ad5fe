// TextEncoding: which encoding a text file is in, from its first bytes or from its XML declaration.
// Decides only; TextEncoding+UTF8 does the converting.

/// An encoding that XML property lists are read in.
enum TextEncoding: Sendable {
    case utf8, ascii, latin1
    case utf16LittleEndian, utf16BigEndian
    case utf32LittleEndian, utf32BigEndian

    /// Bytes in one code unit.
    var width: Int {
        switch self {
        case .utf8, .ascii, .latin1: return 1
        case .utf16LittleEndian, .utf16BigEndian: return 2
        case .utf32LittleEndian, .utf32BigEndian: return 4
        }
    }

    /// What the first bytes say: the encoding, and where the text starts after a byte-order mark. Nil for both when
    /// they say nothing, which leaves it to the declaration.
    static func detected(in bytes: [UInt8]) -> (encoding: TextEncoding, start: Int)? {
        // Past the end reads as 1, which is part of no pattern.
        func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 1 }
        let first = (byte(0), byte(1), byte(2), byte(3))
        // UTF-32 first: its little-endian mark begins with UTF-16's.
        switch first {
        case (0xFF, 0xFE, 0, 0): return (.utf32LittleEndian, 4)
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        // No mark: XML starts with `<` or white space, so the zeros show the width.
        case (let mark, 0, 0, 0) where startsXML(mark): return (.utf32LittleEndian, 0)
        case (0, 0, 0, let mark) where startsXML(mark): return (.utf32BigEndian, 0)
        case (let mark, 0, _, _) where startsXML(mark): return (.utf16LittleEndian, 0)
        case (0, let mark, _, _) where startsXML(mark): return (.utf16BigEndian, 0)
        default: return nil
        }
    }

    /// The code unit at a byte offset; nil past the end.
    func unit(of bytes: [UInt8], at offset: Int) -> UInt32? {
        guard offset <= bytes.count - width else { return nil }
        func byte(_ index: Int) -> UInt32 { UInt32(bytes[offset + index]) }
        switch self {
        case .utf8, .ascii, .latin1: return byte(0)
        case .utf16LittleEndian: return byte(1) << 8 | byte(0)
        case .utf16BigEndian: return byte(0) << 8 | byte(1)
        case .utf32LittleEndian: return byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0)
        case .utf32BigEndian: return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3)
        }
    }
}

// MARK: - The XML declaration

extension TextEncoding {
    /// The encoding that the declaration of a text in single bytes names: UTF-8 without one, nil for one not known here.
    static func declared(in bytes: [UInt8]) -> TextEncoding? {
        guard let name = declaredName(in: bytes) else { return .utf8 }
        if equal(name, "utf-8") || equal(name, "utf8") { return .utf8 }
        if equal(name, "us-ascii") || equal(name, "ascii") { return .ascii }
        if equal(name, "iso-8859-1") || equal(name, "latin1") { return .latin1 }
        return nil
    }

    /// What stands between the quotes after `encoding=` in `<?xml ... ?>`.
    private static func declaredName(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard matches(bytes, at: 0, "<?xml") else { return nil }
        var index = 5
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            guard matches(bytes, at: index, "encoding") else {
                index += 1
                continue
            }
            index += 8
            while index < bytes.count, isSpace(bytes[index]) || bytes[index] == UInt8(ascii: "=") { index += 1 }
            guard index < bytes.count else { return nil }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            let rest = bytes[(index + 1)...]
            guard let end = rest.firstIndex(of: quote) else { return nil }
            return rest[..<end]
        }
        return nil
    }

    /// Without regard to the case of ASCII letters; `lowercase` is in lower case.
    private static func equal(_ name: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
        guard name.count == lowercase.utf8CodeUnitCount else { return false }
        for (offset, byte) in name.enumerated() {
            let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            if (isUpper ? byte | 0x20 : byte) != lowercase.utf8Start[offset] { return false }
        }
        return true
    }
}

// MARK: - Bytes of ASCII text

/// Whether XML calls the byte white space.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

/// Whether an XML document can start with the byte.
private func startsXML(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || isSpace(byte) }

/// Whether `text` stands in `bytes` at `index`.
func matches(_ bytes: [UInt8], at index: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index <= bytes.count - count else { return false }
    for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
    return true
}
