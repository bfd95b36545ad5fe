// RuleToken: the words, numbers, strings and signs that the text of a rule consists of. RuleTokenizer finds them.

/// One token. An object, which is handed on with little code; nothing changes it.
final class RuleToken {
    enum Kind {
        case word, number, string
        case and, or, not, open, close, comma, atLeast
        case end
        /// Nothing that a rule can hold.
        case unknown
    }

    let kind: Kind
    /// Where it stands in the text, in bytes.
    let range: Range<Int>
    /// What a word, a number or a string says; a string without quotes and escapes.
    let text: ArraySlice<UInt8>

    init(kind: Kind, range: Range<Int>, text: ArraySlice<UInt8>) {
        self.kind = kind
        self.range = range
        self.text = text
    }

    func isWord(_ word: StaticString) -> Bool {
        kind == .word && text.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// The value of a number that is whole and fits.
    var wholeNumber: UInt64? {
        guard kind == .number else { return nil }
        var value: UInt64 = 0
        for byte in text {
            guard let digit = RuleTokenizer.digit(byte) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooLarge, !isOver else { return nil }
            value = sum
        }
        return value
    }
}
