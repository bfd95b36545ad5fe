// VersionReader: a version, part by part: the numbers of the release first, then what follows it. It knows what is a part,
// not which comes before which.

/// Reads a version from its beginning.
struct VersionReader {
    /// A part of what follows the release.
    enum Part {
        case number(ArraySlice<UInt8>)
        case word(ArraySlice<UInt8>)
    }

    private enum Kind {
        case digit, letter, separator
    }

    private var rest: ArraySlice<UInt8>
    /// Places of the release that are still to come with nothing in them, as between the dots of "1..2".
    private var empty: Int

    init(_ version: [UInt8]) {
        // What is built into a release doesn't make it another, as Semantic Versioning has it.
        rest = version.prefix { $0 != UInt8(ascii: "+") }
        empty = 0
        empty = skipSeparators()
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v"), let next = rest.dropFirst().first,
            Self.kind(next) == .digit
        {
            rest = rest.dropFirst()
        }
    }

    /// Whether nothing is left but separators.
    var isAtEnd: Bool { rest.isEmpty }

    /// The release's next number, empty where there is nothing in its place; nil when the release ends.
    mutating func nextNumber() -> ArraySlice<UInt8>? {
        guard let first = rest.first, Self.kind(first) == .digit else { return nil }
        if empty > 0 {
            empty -= 1
            return []
        }
        let digits = take(.digit)
        empty = max(skipSeparators() - 1, 0)
        return digits
    }

    /// The next part of what follows the release; nil when it ends.
    mutating func nextPart() -> Part? {
        guard let first = rest.first else { return nil }
        let kind = Self.kind(first)
        let part = take(kind)
        _ = skipSeparators()
        return kind == .digit ? .number(part) : .word(part)
    }

    private mutating func take(_ kind: Kind) -> ArraySlice<UInt8> {
        let part = rest.prefix { Self.kind($0) == kind }
        rest = rest.dropFirst(part.count)
        return part
    }

    /// Passes what only separates, and tells how many dots are in it.
    private mutating func skipSeparators() -> Int {
        var dots = 0
        for byte in take(.separator) where byte == UInt8(ascii: ".") { dots += 1 }
        return dots
    }

    /// Bytes of other alphabets are letters.
    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: return .letter
        default: return .separator
        }
    }
}
