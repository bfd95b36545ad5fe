// VersionComparison: which of two versions is the later one. Versions are bytes; any bytes are a version. A pure
// function, in time linear in their length.

/// The order of versions.
///
/// A version is a release, "1.10.2", and what may follow it from the first letter on, "beta2": a pre-release, which comes
/// before its release. Each version is read as these two lists, and lists are compared in one order, so the order is
/// total: of versions that aren't equal one is the later, and whatever is later than that is later, too.
package enum VersionComparison {
    /// -1: `left` is the earlier one; 0: they are equal; 1: it is the later one. No version is earlier than any.
    package static func compare(_ left: [UInt8]?, _ right: [UInt8]?) -> Int {
        guard let left else { return right == nil ? 0 : -1 }
        guard let right else { return 1 }
        return compare(VersionReader(left), VersionReader(right))
    }

    private static func compare(_ left: VersionReader, _ right: VersionReader) -> Int {
        var (left, right) = (left, right)
        while true {
            let (number, other) = (left.nextNumber(), right.nextNumber())
            if number == nil, other == nil { break }
            // A release that ends goes on with zeros.
            let order = compare(number: number ?? [], other ?? [])
            if order != 0 { return order }
        }
        return comparePreReleases(&left, &right)
    }

    private static func comparePreReleases(_ left: inout VersionReader, _ right: inout VersionReader) -> Int {
        // None at all is the release itself, which they come before.
        if left.isAtEnd || right.isAtEnd { return left.isAtEnd == right.isAtEnd ? 0 : left.isAtEnd ? 1 : -1 }
        while true {
            let (part, other) = (left.nextPart(), right.nextPart())
            // One that goes on comes after the one that ends.
            guard let part else { return other == nil ? 0 : -1 }
            guard let other else { return 1 }
            let order: Int
            switch (part, other) {
            case (.number(let number), .number(let other)): order = compare(number: number, other)
            case (.number, .word): order = -1
            case (.word, .number): order = 1
            case (.word(let word), .word(let other)): order = compare(word: word, other)
            }
            if order != 0 { return order }
        }
    }

    /// By the value of the digits, however many there are.
    private static func compare(number left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        let (left, right) = (withoutZeros(left), withoutZeros(right))
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        return compareBytes(left, right)
    }

    private static func withoutZeros(_ digits: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        digits.drop { $0 == UInt8(ascii: "0") }
    }

    /// By the bytes, with A to Z as a to z.
    private static func compare(word left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        let order = compareBytes(left, right)
        if order != 0 { return order }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }

    /// Of those that both have.
    private static func compareBytes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        for (left, right) in zip(left, right) {
            let (left, right) = (lowercased(left), lowercased(right))
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
