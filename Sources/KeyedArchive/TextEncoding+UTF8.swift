// Text of any known encoding to UTF-8, checked on the way: what comes after may rely on it.
// Knows nothing of XML but how lines end, for the errors.

extension TextEncoding {
    /// `bytes` as UTF-8 without a byte-order mark. UTF-8 is handed back as it is, its mark included: see `start`.
    static func utf8(from bytes: [UInt8]) throws(DecodingError) -> (text: [UInt8], start: Int) {
        let (text, start, error) = utf8(salvaging: bytes)
        if let error { throw error }
        return (text, start)
    }

    /// The same up to the first error. A declaration that can't be true is taken for UTF-8's.
    static func utf8(salvaging bytes: [UInt8]) -> (text: [UInt8], start: Int, DecodingError?) {
        if let (encoding, start) = detected(in: bytes) {
            let (text, error) = encoding.width > 1 ? encoding.transcode(bytes, from: start) : checked(bytes)
            return (text, encoding.width > 1 ? 0 : start, error)
        }
        guard let encoding = declared(in: bytes) else {
            let error = DecodingError(.line(1), "the declared encoding is not known, or not the text's")
            return (checked(bytes).text, 0, error)
        }
        switch encoding {
        case .latin1:
            let (text, error) = encoding.transcode(bytes, from: 0)
            return (text, 0, error)
        case .ascii:
            guard let offset = bytes.firstIndex(where: { $0 >= 0x80 }) else { return (bytes, 0, nil) }
            return (Array(bytes[..<offset]), 0, error("not ASCII, as it declares", at: offset, in: bytes))
        default:
            let (text, error) = checked(bytes)
            return (text, 0, error)
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

    private func transcode(_ bytes: [UInt8], from start: Int) -> (text: [UInt8], DecodingError?) {
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
                return (text, Self.error("half a character, or none at all", at: text.count, in: text))
            }
            WTF8.appendWTF8(scalar.value, to: &text)
        }
        guard offset == bytes.count else {
            return (text, Self.error("the last character is cut off", at: text.count, in: text))
        }
        return (text, nil)
    }

    private static func checked(_ bytes: [UInt8]) -> (text: [UInt8], DecodingError?) {
        let valid = bytes.withUnsafeBytes { WTF8.validUTF8Prefix(of: $0) }
        if valid == bytes.count { return (bytes, nil) }
        return (Array(bytes[..<valid]), error("not UTF-8", at: valid, in: bytes))
    }

    private static func error(_ reason: StaticString, at offset: Int, in text: [UInt8]) -> DecodingError {
        DecodingError(.line(line(of: offset, in: text)), reason)
    }
}
