// Base64, as property lists hold data. Bytes to bytes; no lines, no XML.

enum Base64 {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Appends what `text` stands for to `output`; false when it isn't base64.
    ///
    /// White space may stand anywhere. Padding may be missing at the end, and text may go on after it: some writers
    /// encode in pieces, and Foundation reads the pieces as one.
    static func decode(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) -> Bool {
        output.reserveCapacity(output.count + text.count / 4 * 3)
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                guard digits >= 2, digits + padding <= 4 else { return false }
                if digits + padding == 4 {
                    flush(bits, digits, to: &output)
                    (bits, digits, padding) = (0, 0, 0)
                }
            } else if let value = value(of: byte) {
                guard padding == 0 else { return false }
                bits = bits << 6 | value
                digits += 1
                if digits == 4 {
                    flush(bits, 4, to: &output)
                    (bits, digits) = (0, 0)
                }
            } else if !isSpace(byte) {
                return false
            }
        }
        guard digits != 1, padding == 0 else { return false }
        flush(bits, digits, to: &output)
        return true
    }

    /// Appends one group of up to three bytes as four digits.
    static func encode(_ group: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var bits: UInt32 = 0
        for byte in group.prefix(3) { bits = bits << 8 | UInt32(byte) }
        bits <<= UInt32(8 * (3 - min(group.count, 3)))
        for digit in 0..<4 {
            let isPadding = digit > group.count
            let value = Int(bits >> UInt32(18 - 6 * digit) & 0x3F)
            output.append(isPadding ? UInt8(ascii: "=") : alphabet.utf8Start[value])
        }
    }

    private static func flush(_ bits: UInt32, _ digits: Int, to output: inout [UInt8]) {
        guard digits >= 2 else { return }
        let group = bits << UInt32(6 * (4 - digits))
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        if digits >= 3 { output.append(UInt8(truncatingIfNeeded: group >> 8)) }
        if digits == 4 { output.append(UInt8(truncatingIfNeeded: group)) }
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): return 62
        case UInt8(ascii: "/"): return 63
        default: return nil
        }
    }
}
