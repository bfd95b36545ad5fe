// The text inside an element: references, CDATA and line ends resolved.

extension XMLTokenizer {
    enum Text {
        /// It stands in the file just as it is meant.
        case plain(Range<Int>)
        /// It had to be put together: it is in the scratch buffer.
        case decoded
    }

    /// The text from `position` through the closing tag of the element that `tag` opened.
    mutating func text(of tag: Tag, scratch: inout [UInt8]) throws(DecodingError) -> Text {
        let start = position
        skipPlain()
        if at("</") {
            let range = start..<position
            try close(tag)
            return .plain(range)
        }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: text[start..<position])
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "&"):
                try appendReference(to: &scratch)
            case 0x0D:
                // XML has one line end, whatever the file's system had.
                position += 1
                if position >= text.count || text[position] != 0x0A { scratch.append(0x0A) }
            case UInt8(ascii: "<"):
                if at("</") {
                    try close(tag)
                    return .decoded
                }
                if at("<![CDATA[") {
                    try appendCDATA(to: &scratch)
                } else if try !skipRemark() {
                    throw error("an element inside a value", at: position)
                }
            default:
                let start = position
                skipPlain()
                scratch.append(contentsOf: text[start..<position])
            }
        }
        throw error("an element that never ends", at: tag.start)
    }

    /// Moves to the next byte that isn't simply text.
    private mutating func skipPlain() {
        var index = position
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0x0D { break }
            index += 1
        }
        position = index
    }

    private mutating func close(_ opening: Tag) throws(DecodingError) {
        let closing = try tag()
        guard closing.element == opening.element else {
            throw error("a closing tag that doesn't match", at: closing.start)
        }
    }

    private mutating func appendCDATA(to scratch: inout [UInt8]) throws(DecodingError) {
        let start = position + 9
        let end = try find("]]>", from: start, position, "a CDATA section that never ends")
        var index = start
        while index < end {
            if text[index] != 0x0D {
                scratch.append(text[index])
            } else if text[index + 1] != 0x0A {
                scratch.append(0x0A)
            }
            index += 1
        }
        position = end + 3
    }

    // MARK: - References

    private mutating func appendReference(to scratch: inout [UInt8]) throws(DecodingError) {
        if at("&#") {
            WTF8.appendWTF8(try character().value, to: &scratch)
        } else if at("&amp;") {
            take(5, UInt8(ascii: "&"), &scratch)
        } else if at("&lt;") {
            take(4, UInt8(ascii: "<"), &scratch)
        } else if at("&gt;") {
            take(4, UInt8(ascii: ">"), &scratch)
        } else if at("&quot;") {
            take(6, UInt8(ascii: "\""), &scratch)
        } else if at("&apos;") {
            take(6, UInt8(ascii: "'"), &scratch)
        } else {
            throw error("an unknown entity, or a bare \"&\"", at: position)
        }
    }

    private mutating func take(_ count: Int, _ byte: UInt8, _ scratch: inout [UInt8]) {
        position += count
        scratch.append(byte)
    }

    /// The character that the reference at `position` names.
    ///
    /// A pair of references to surrogates is the one character they spell: some writers know only UTF-16. Control
    /// characters are let through, though XML has no place for them, because Foundation writes and reads them.
    private mutating func character() throws(DecodingError) -> Unicode.Scalar {
        let start = position
        var value = try referenceNumber()
        if value & 0xFFFF_FC00 == 0xD800, at("&#") {
            let low = try referenceNumber()
            guard low & 0xFFFF_FC00 == 0xDC00 else { throw error("a reference to half a character", at: start) }
            value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("a reference to half a character", at: start) }
        return scalar
    }

    private mutating func referenceNumber() throws(DecodingError) -> UInt32 {
        let start = position
        position += 2
        let isHexadecimal = at("x")
        if isHexadecimal { position += 1 }
        let firstDigit = position
        var value: UInt32 = 0
        while position < text.count, let digit = hexadecimalDigit(text[position]), isHexadecimal || digit < 10 {
            value = value * (isHexadecimal ? 16 : 10) + digit
            guard value <= 0x10FFFF else { throw error("a reference past the last character", at: start) }
            position += 1
        }
        guard position > firstDigit, at(";") else { throw error("a character reference that is not one", at: start) }
        position += 1
        return value
    }
}

/// The value of a hexadecimal digit.
package func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return UInt32(byte - UInt8(ascii: "A")) + 10
    default: return nil
    }
}
