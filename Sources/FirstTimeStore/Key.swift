// Key: the name of something that runs once. Bytes of UTF-8, compared as bytes, so that no Unicode tables are needed and
// two spellings of one letter stay two keys.

import KeyedArchive

/// A key that the API can say: 1 to 65535 bytes of UTF-8 without U+0000.
package struct Key: Hashable, Sendable {
    package static let longest = 65535

    package let bytes: [UInt8]

    /// Nil when the bytes are no key.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (1...Self.longest).contains(bytes.count) else { return nil }
        let bytes = Array(bytes)
        guard Text.isValid(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Whether bytes without a NUL are a key.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (1...longest).contains(bytes.count) && WTF8.validUTF8Prefix(of: bytes) == bytes.count
    }

    /// Bytes that were a key's before.
    init(known bytes: UnsafeRawBufferPointer) { self.bytes = [UInt8](bytes) }
}

/// What the API takes as text.
package enum Text {
    /// UTF-8 without U+0000, which C can't pass.
    package static func isValid(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { WTF8.isUTF8($0) } && !bytes.contains(0)
    }

    /// The bytes of a C string, at most `limit`.
    package static func bytes(of text: UnsafePointer<CChar>, limit: Int = .max) -> [UInt8] {
        var count = 0
        while count < limit, text[count] != 0 { count += 1 }
        return Array(UnsafeRawBufferPointer(start: text, count: count))
    }

    /// `bytes` with U+FFFD in place of U+0000 and of what isn't UTF-8: lone surrogates, which files can hold.
    package static func replacingInvalid(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let (scalar, next) = WTF8.decodeWTF8(bytes, at: index) ?? (0, index + 1)
                let isShown = scalar != 0 && !(0xD800...0xDFFF ~= scalar)
                WTF8.appendWTF8(isShown ? scalar : 0xFFFD, to: &text)
                index = next
            }
        }
        return text
    }
}

extension [UInt8] {
    /// A number's digits, behind a minus when it is below zero.
    package init(decimal number: some BinaryInteger) { self.init(wideDecimal: Int128(number)) }

    /// Not generic: one function for all types of numbers.
    private init(wideDecimal number: Int128) {
        var digits: [UInt8] = []
        var rest = number.magnitude
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest != 0
        if number < 0 { digits.append(UInt8(ascii: "-")) }
        self = digits.reversed()
    }

    package init(staticString text: StaticString) {
        self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
