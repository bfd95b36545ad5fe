// XMLElement: the elements of a property list, by name.

enum XMLElement: Equatable, Sendable {
    case plist, array, dict, key, string, data, date, integer, real, `true`, `false`

    /// The element that the bytes at `range` name; nil for any other name. Names are case-sensitive.
    init?(_ text: [UInt8], _ range: Range<Int>) {
        func named(_ name: StaticString) -> Bool {
            range.count == name.utf8CodeUnitCount && matches(text, at: range.lowerBound, name)
        }
        guard let first = range.first, first < text.count else { return nil }
        // By first letter, so that the common ones cost one comparison.
        switch text[first] {
        case UInt8(ascii: "s") where named("string"): self = .string
        case UInt8(ascii: "k") where named("key"): self = .key
        case UInt8(ascii: "i") where named("integer"): self = .integer
        case UInt8(ascii: "r") where named("real"): self = .real
        case UInt8(ascii: "d") where named("dict"): self = .dict
        case UInt8(ascii: "d") where named("date"): self = .date
        case UInt8(ascii: "d") where named("data"): self = .data
        case UInt8(ascii: "a") where named("array"): self = .array
        case UInt8(ascii: "t") where named("true"): self = .true
        case UInt8(ascii: "f") where named("false"): self = .false
        case UInt8(ascii: "p") where named("plist"): self = .plist
        default: return nil
        }
    }
}
