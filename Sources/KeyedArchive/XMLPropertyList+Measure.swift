// Before writing: whether XML can hold every object, and how large all of it gets. Looks at each object once, however
// many places it is in, and writes nothing.

extension XMLPropertyList {
    /// An upper bound for the bytes that `list` takes; it stops rising just above `limit`.
    ///
    /// Members stand before their containers in the table, so one pass down finds what belongs to the root, and one pass
    /// up adds up sizes: a table whose every array holds the one before twice costs no more than any other.
    static func measure(_ list: PropertyList, limit: Int) throws(EncodingError) -> Int {
        let count = Int(list.root.index) + 1
        let reached = objectsReached(in: list)
        // Never above limit + 1, so that no sum can overflow.
        var sizes = [Int](repeating: 0, count: count)
        let ceiling = min(limit, Int.max / 4) + 1
        for index in 0..<count where reached[index] {
            let object = PropertyList.Reference(index: UInt32(truncatingIfNeeded: index))
            var size = try ownSize(of: object, in: list)
            for position in members(of: object, in: list) {
                size = min(size, ceiling) + sizes[Int(list.reference(at: position).index)]
            }
            sizes[index] = min(size, ceiling)
        }
        return min(sizes[count - 1] + 200, ceiling)
    }

    private static func objectsReached(in list: PropertyList) -> [Bool] {
        var reached = [Bool](repeating: false, count: Int(list.root.index) + 1)
        reached[Int(list.root.index)] = true
        for index in stride(from: reached.count - 1, through: 0, by: -1) where reached[index] {
            for position in members(of: PropertyList.Reference(index: UInt32(truncatingIfNeeded: index)), in: list) {
                reached[Int(list.reference(at: position).index)] = true
            }
        }
        return reached
    }

    /// Where the references of a container stand. Those of a dictionary's keys and values lie side by side.
    private static func members(of object: PropertyList.Reference, in list: PropertyList) -> Range<Int> {
        switch list[object] {
        case .array(let values): return values
        case .dictionary(let keys, let values): return keys.lowerBound..<values.upperBound
        default: return 0..<0
        }
    }

    /// The size without members, and everything that can be wrong with the object.
    private static func ownSize(
        of object: PropertyList.Reference, in list: PropertyList
    ) throws(EncodingError) -> Int {
        let line = deepestIndentation + 1
        switch list[object] {
        case .boolean, .integer, .real:
            return line + 64
        case .date(let seconds):
            var text: [UInt8] = []
            guard ISO8601.append(seconds, to: &text) else {
                throw EncodingError(object, "a date that is not a number, or too far off")
            }
            return line + 64
        case .data(let range):
            let digits = (range.count + 2) / 3 * 4
            return 2 * (line + 7) + digits + (digits / 12 + 1) * 9
        case .string(let range):
            return line + 17 + (try escapedSize(of: range, of: object, in: list))
        case .uid:
            return 4 * line + 100
        case .array:
            return 2 * (line + 8)
        case .dictionary(let keys, let values):
            try check(keys, values, of: object, in: list)
            return 2 * (line + 7)
        case .null:
            throw EncodingError(object, "XML property lists have no null")
        case .set, .orderedSet:
            throw EncodingError(object, "XML property lists have no sets")
        }
    }

    private static func check(
        _ keys: Range<Int>, _ values: Range<Int>, of object: PropertyList.Reference, in list: PropertyList
    ) throws(EncodingError) {
        var references: [PropertyList.Reference] = []
        references.reserveCapacity(keys.count)
        for position in keys {
            let key = list.reference(at: position)
            guard case .string = list[key] else { throw EncodingError(object, "a key that is not a string") }
            references.append(key)
        }
        guard list.supersededEntries(of: references[...]).isEmpty else {
            throw EncodingError(object, "a key that stands twice, of which readers would keep one")
        }
        if let key = references.first, references.count == 1, list.isString(key, "CF$UID"),
            case .integer(let number) = list[list.reference(at: values.lowerBound)], UInt64(exactly: number) != nil
        {
            throw EncodingError(object, "a dictionary that would read back as a UID")
        }
    }

    private static func escapedSize(
        of range: Range<Int>, of object: PropertyList.Reference, in list: PropertyList
    ) throws(EncodingError) -> Int {
        let text = list.bytes(in: range)
        guard text.withUnsafeBytes({ WTF8.validUTF8Prefix(of: $0) }) == text.count else {
            throw EncodingError(object, "a lone surrogate, which XML can't hold")
        }
        var size = text.count
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "&"), 0x0D: size += 4
            case UInt8(ascii: "<"), UInt8(ascii: ">"): size += 3
            case 0x09, 0x0A: break
            case ..<0x20: throw EncodingError(object, "a control character, which XML can't hold")
            // U+FFFE and U+FFFF. The text is UTF-8, so two more bytes follow.
            case 0xEF where text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
                throw EncodingError(object, "U+FFFE or U+FFFF, which XML can't hold")
            default: break
            }
        }
        return size
    }
}
