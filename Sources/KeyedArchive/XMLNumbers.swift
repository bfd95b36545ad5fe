// Integers and reals as XML property lists spell them. Bytes to numbers and back; no elements.

enum XMLNumbers {
    /// Decimal, or hexadecimal after `0x`, with a sign; white space around it and after the sign. Nil for anything else,
    /// and for what 128 bits don't hold.
    static func integer(from text: ArraySlice<UInt8>) -> Int128? {
        var rest = trimmed(text)
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest = trimmed(rest.dropFirst())
        }
        var base: Int128 = 10
        if rest.count > 1, rest.first == UInt8(ascii: "0"), rest[rest.startIndex + 1] | 0x20 == UInt8(ascii: "x") {
            base = 16
            rest = rest.dropFirst(2)
        }
        guard !rest.isEmpty else { return nil }
        var value: Int128 = 0
        for byte in rest {
            guard let digit = hexadecimalDigit(byte).map({ Int128($0) }), digit < base else { return nil }
            // Counted down below zero when negative, so that the least value needs no special case.
            let (product, tooLarge) = value.multipliedReportingOverflow(by: base)
            let (sum, overflow) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { return nil }
            value = sum
        }
        return value
    }

    /// A decimal number, `nan`, `inf` or `infinity` in letters of any case, with a sign; white space around it.
    static func real(from text: ArraySlice<UInt8>) -> Double? {
        // One NaN for all: the text has no place for the others' bits.
        DecimalText.double(from: trimmed(text)).map { $0.isNaN ? .nan : $0 }
    }

    /// The shortest text that reads back to the same bits, in Foundation's spelling where there are no digits.
    static func append(_ value: Double, to output: inout [UInt8]) {
        if value.isInfinite {
            append(value < 0 ? "-infinity" : "+infinity", to: &output)
            return
        }
        DecimalText.append(value, to: &output)
    }

    static func append(_ value: Int128, to output: inout [UInt8]) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if let small = UInt64(exactly: magnitude) {
            appendDecimal(small, width: 1, to: &output)
            return
        }
        // At most 39 digits: two halves of 19 and what is before them.
        let half: UInt128 = 10_000_000_000_000_000_000
        let (upper, lower) = magnitude.quotientAndRemainder(dividingBy: half)
        let (top, middle) = upper.quotientAndRemainder(dividingBy: half)
        if top > 0 { appendDecimal(UInt64(truncatingIfNeeded: top), width: 1, to: &output) }
        appendDecimal(UInt64(truncatingIfNeeded: middle), width: top > 0 ? 19 : 1, to: &output)
        appendDecimal(UInt64(truncatingIfNeeded: lower), width: 19, to: &output)
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

/// Without the white space at both ends.
func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let byte = rest.first, isSpace(byte) { rest.removeFirst() }
    while let byte = rest.last, isSpace(byte) { rest.removeLast() }
    return rest
}

/// Appends decimal digits, with zeros in front up to `width`, which is at most 19.
func appendDecimal(_ value: UInt64, width: Int, to output: inout [UInt8]) {
    var unit: UInt64 = 1
    var digits = 1
    while value / unit >= 10 || digits < width {
        unit *= 10
        digits += 1
    }
    while unit > 0 {
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
        unit /= 10
    }
}
