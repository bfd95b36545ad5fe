// ByteSink+Text: strings, numbers and dates as JSON and dumps spell them. It decides nothing about what they belong to.

extension ByteSink {
    /// Text in quotes, as JSON has it.
    @inline(never)
    package func put(quoted text: UnsafeBufferPointer<UInt8>) {
        put(byte: UInt8(ascii: "\""))
        put(escaped: text)
        put(byte: UInt8(ascii: "\""))
    }

    package func put(quoted text: [UInt8]) { text.withUnsafeBufferPointer { put(quoted: $0) } }

    /// WTF-8 as it may stand in a JSON string, and on a terminal: control characters, those that turn the direction of
    /// what follows, and lone surrogates are escaped. What isn't WTF-8 becomes U+FFFD.
    @inline(never)
    package func put(escaped text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            spill()
            let byte = text[index]
            if byte >= 0x20, byte < 0x7F {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { put(byte: UInt8(ascii: "\\")) }
                put(byte: byte)
                index += 1
                continue
            }
            let (scalar, next) = WTF8.decodeWTF8(text, at: index) ?? (0xFFFD, index + 1)
            index = next
            switch scalar {
            case 0x0A: put("\\n")
            case 0x09: put("\\t")
            case ..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xD800...0xDFFF, 0xFFFE...0xFFFF: put(escape: scalar)
            default: WTF8.appendWTF8(scalar, to: &bytes)
            }
        }
    }

    private func put(escape scalar: UInt32) {
        put("\\u")
        put(hexadecimal: UInt8(truncatingIfNeeded: scalar >> 8))
        put(hexadecimal: UInt8(truncatingIfNeeded: scalar))
    }

    @inline(never)
    func put(hexadecimal byte: UInt8) {
        let digits: StaticString = "0123456789abcdef"
        put(byte: digits.utf8Start[Int(byte >> 4)])
        put(byte: digits.utf8Start[Int(byte & 0xF)])
    }

    @inline(never)
    package func put(integer: Int128) { XMLNumbers.append(integer, to: &bytes) }

    /// A real as JSON has it, or `nan`, `inf`, `-inf`. Never one that looks like an integer.
    @inline(never)
    package func put(real: Double) {
        let start = bytes.count
        DecimalText.append(real, to: &bytes)
        for byte in bytes[start...] where byte != UInt8(ascii: "-") && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
        {
            return
        }
        put(".0")
    }

    /// A date in seconds since 2001, as ISO 8601 with up to six digits of a fraction; false when its year has none.
    func put(date seconds: Double) -> Bool {
        var whole = seconds.rounded(.down)
        var fraction = ((seconds - whole) * 1_000_000).rounded()
        if fraction >= 1_000_000 { (whole, fraction) = (whole + 1, 0) }
        guard ISO8601.append(whole, to: &bytes) else { return false }
        guard fraction > 0 else { return true }
        bytes.removeLast()
        put(byte: UInt8(ascii: "."))
        appendDecimal(UInt64(fraction), width: 6, to: &bytes)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        put(byte: UInt8(ascii: "Z"))
        return true
    }

    func put(base64 data: ArraySlice<UInt8>) {
        var rest = data
        while !rest.isEmpty {
            Base64.encode(rest.prefix(3), to: &bytes)
            rest = rest.dropFirst(3)
            spill()
        }
    }
}
