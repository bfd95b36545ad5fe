// DecimalText: doubles as decimal text, whatever the host program's locale. One spelling each way; what a format makes of
// white space, infinity and NaN is its own business.

import CSystem

package enum DecimalText {
    /// The number that all of the text spells: "1", "-1.5e3", "nan", "inf". Nil when it is anything else.
    package static func double(from text: ArraySlice<UInt8>) -> Double? {
        var value = 0.0
        let isNumber = text.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return false }
                return csystem_parse_double(start, characters.count, &value)
            }
        }
        return isNumber ? value : nil
    }

    /// Appends the shortest text that reads back to the same number.
    package static func append(_ value: Double, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let start = buffer.baseAddress else { return }
            let count = min(csystem_print_double(value, start), 31)
            for index in 0..<count { output.append(UInt8(bitPattern: buffer[index])) }
        }
    }
}
