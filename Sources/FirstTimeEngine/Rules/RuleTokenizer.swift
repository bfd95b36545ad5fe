// RuleTokenizer: the text of a rule, token by token, and where in it something is wrong. It knows no grammar.

import KeyedArchive

/// Reads a text from its beginning, each byte once.
struct RuleTokenizer {
    private let bytes: [UInt8]
    private let start: Int
    private var index: Int

    /// Takes UTF-8, with a byte order mark in front or without.
    init(_ bytes: [UInt8]) throws(EngineError) {
        self.bytes = bytes
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        index = start
        let valid = bytes.withUnsafeBytes { WTF8.validUTF8Prefix(of: $0) }
        guard valid == bytes.count else { throw error(at: valid, "the text is not UTF-8") }
    }

    /// The error that something is wrong at a byte.
    func error(at offset: Int, _ reason: StaticString) -> EngineError {
        var (line, column) = (1, 1)
        for byte in bytes[start..<max(start, min(offset, bytes.count))] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // A character's other bytes aren't counted.
                column += 1
            }
        }
        return .ruleText(line: line, column: column, reason: reason)
    }

    mutating func next() throws(EngineError) -> RuleToken {
        skipSpace()
        let first = index
        guard let byte = peek() else { return token(.end, from: first) }
        if Self.isLetter(byte) {
            skip { Self.isLetter($0) || Self.digit($0) != nil }
            return token(.word, from: first)
        }
        if Self.digit(byte) != nil {
            skipNumber()
            return token(.number, from: first)
        }
        if byte == UInt8(ascii: "\"") { return try string() }
        index += 1
        switch byte {
        case UInt8(ascii: "!"): return token(.not, from: first)
        case UInt8(ascii: "("): return token(.open, from: first)
        case UInt8(ascii: ")"): return token(.close, from: first)
        case UInt8(ascii: ","): return token(.comma, from: first)
        case UInt8(ascii: "&") where skip("&"): return token(.and, from: first)
        case UInt8(ascii: "|") where skip("|"): return token(.or, from: first)
        case UInt8(ascii: ">") where skip("="): return token(.atLeast, from: first)
        default: return token(.unknown, from: first)
        }
    }

    // MARK: - Bytes

    static func digit(_ byte: UInt8) -> UInt8? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? byte - UInt8(ascii: "0") : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
            return true
        default: return false
        }
    }

    private func token(_ kind: RuleToken.Kind, from first: Int) -> RuleToken {
        RuleToken(kind: kind, range: first..<index, text: bytes[first..<index])
    }

    /// The next byte, or one further on; nil: the text ends before it.
    private func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while let byte = peek(), isSkipped(byte) { index += 1 }
    }

    /// Whether this is the next byte, which is then passed.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// White space and comments.
    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): index += 1
            case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
            default: return
            }
        }
    }

    // MARK: - Numbers and strings

    /// Digits, a fraction and an exponent.
    private mutating func skipNumber() {
        skip { Self.digit($0) != nil }
        if peek() == UInt8(ascii: "."), let next = peek(1), Self.digit(next) != nil {
            index += 1
            skip { Self.digit($0) != nil }
        }
        guard let letter = peek(), letter | 0x20 == UInt8(ascii: "e"), let next = peek(1) else { return }
        let hasSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
        guard let digit = hasSign ? peek(2) : next, Self.digit(digit) != nil else { return }
        index += hasSign ? 2 : 1
        skip { Self.digit($0) != nil }
    }

    private mutating func string() throws(EngineError) -> RuleToken {
        let first = index
        var text: [UInt8] = []
        index += 1
        while let byte = peek(), byte != UInt8(ascii: "\n") {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return RuleToken(kind: .string, range: first..<index, text: text[...])
            case UInt8(ascii: "\\"): try appendEscaped(to: &text)
            default: text.append(byte)
            }
        }
        throw error(at: first, "expected a string that ends with a quotation mark on its line")
    }

    /// Behind a backslash.
    private mutating func appendEscaped(to text: inout [UInt8]) throws(EngineError) {
        let backslash = index - 1
        let byte = peek()
        index += byte == nil ? 0 : 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte ?? 0)
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "u"):
            guard let scalar = codePoint() else {
                throw error(at: backslash, "expected a character's hexadecimal number, as in \\u{1F600}")
            }
            WTF8.appendWTF8(scalar.value, to: &text)
        default: throw error(at: backslash, "expected one of \\\", \\\\, \\n, \\t and \\u{...}")
        }
    }

    /// One to six hexadecimal digits in braces; nil when it isn't, or no character but U+0000 has that number.
    private mutating func codePoint() -> Unicode.Scalar? {
        guard skip("{") else { return nil }
        let first = index
        var value: UInt32 = 0
        while let byte = peek(), let digit = hexadecimalDigit(byte), index - first < 6 {
            value = value << 4 | UInt32(digit)
            index += 1
        }
        guard index > first, skip("}"), value != 0 else { return nil }
        return Unicode.Scalar(value)
    }
}
