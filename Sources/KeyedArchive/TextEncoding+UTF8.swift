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

    /// The line that holds an offset, counted from 1.
    static func line(of offset: Int, in text: [UInt8]) -> Int { 1 + lineEnds(in: text, from: 0, to: offset) }

    /// How many lines end between two offsets. A line ends with LF, CR LF or CR.
    static func lineEnds(in text: [UInt8], from start: Int, to end: Int) -> Int {
        var count = 0
        for index in start..<max(start, min(end, text.count)) {
            switch text[index] {
            case 0x0A: count += 1
            case 0x0D where index + 1 >= text.count || text[index + 1] != 0x0A: count += 1
            default: break
            }
        }
        return count
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
            WTF8.appendWTF8(scalar.value, to: &text)
        }
        guard offset == bytes.count else {
            throw DecodingError(.line(Self.line(of: text.count, in: text)), "the last character is cut off")
        }
        return text
    }

    private static func checked(_ bytes: [UInt8]) throws(DecodingError) -> [UInt8] {
        let valid = bytes.withUnsafeBytes { WTF8.validUTF8Prefix(of: $0) }
        guard valid == bytes.count else { throw DecodingError(.line(line(of: valid, in: bytes)), "not UTF-8") }
        return bytes
    }
}
