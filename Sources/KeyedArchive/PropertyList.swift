// PropertyList: any property list, held as a flat table of objects that refer to each other by index.
//
// Flat, so that nothing about it can recurse: a list nested a million deep is freed, copied and walked like any other,
// and objects that many containers share are held once. References run only from a container to objects that
// were there before it, so a table never holds a cycle. No I/O, no text format: readers fill it, writers walk it.

/// A property list: a table of objects, one of which is the root.
///
/// Text is held as WTF-8: UTF-8 in which a lone UTF-16 surrogate is three bytes, so that every UTF-16 string that a file
/// can hold passes through unchanged. Dates are NSDate's: seconds since 2001-01-01 UTC.
package struct PropertyList: Sendable {
    /// The index of an object in its table.
    package struct Reference: Equatable, Sendable {
        package let index: UInt32
    }

    /// One object, as seen from outside. A range of bytes is read with `bytes(in:)`, one of references with `reference(at:)`.
    package enum Object: Equatable, Sendable {
        case null
        case boolean(Bool)
        case integer(Int128)
        case real(Double)
        case date(Double)
        case data(Range<Int>)
        case string(Range<Int>)
        case uid(UInt64)
        case array(Range<Int>)
        case set(Range<Int>)
        case orderedSet(Range<Int>)
        /// The references of the keys, and as many of the values in the same order.
        case dictionary(keys: Range<Int>, values: Range<Int>)

        /// Where a container's references are, a dictionary's keys before its values. Nil for what holds no others.
        package var members: Range<Int>? {
            switch self {
            case .array(let range), .set(let range), .orderedSet(let range): return range
            case .dictionary(let keys, let values): return keys.lowerBound..<values.upperBound
            default: return nil
            }
        }
    }

    /// Where the objects begin.
    package var root = Reference(index: 0)

    /// Where in the input the objects appended from now on stand: readers set it, so that whoever finds fault with an
    /// object later can say where it is.
    package var position = DecodingError.Position.byte(0)

    private var nodes: [Node] = []
    private var positions: [UInt32] = []
    private var storage: [UInt8]
    private var references: [Reference] = []

    /// An empty table; `root` means something once an object has been appended.
    package init() { storage = [] }

    /// An empty table whose objects may point into `bytes`, the file being read, without copying them.
    package init(over bytes: [UInt8]) { storage = bytes }

    package var count: Int { nodes.count }
    /// The bytes that strings and data are ranges of.
    package var byteCount: Int { storage.count }

    package mutating func reserveCapacity(objects: Int, references: Int) {
        nodes.reserveCapacity(objects)
        positions.reserveCapacity(objects)
        self.references.reserveCapacity(references)
    }
}

// MARK: - Looking

extension PropertyList {
    package subscript(reference: Reference) -> Object {
        let node = nodes[Int(reference.index)]
        let start = Int(truncatingIfNeeded: node.payload)
        let range = start..<start + Int(node.count)
        switch node.kind {
        case .null: return .null
        case .boolean: return .boolean(node.payload != 0)
        case .integer: return .integer(Int128(Int64(bitPattern: node.payload)))
        case .wideInteger: return .integer(wideInteger(at: start))
        case .real: return .real(Double(bitPattern: node.payload))
        case .date: return .date(Double(bitPattern: node.payload))
        case .data: return .data(range)
        case .string: return .string(range)
        case .uid: return .uid(node.payload)
        case .array: return .array(range)
        case .set: return .set(range)
        case .orderedSet: return .orderedSet(range)
        case .dictionary:
            let middle = start + Int(node.count)
            return .dictionary(keys: range, values: middle..<middle + Int(node.count))
        }
    }

    /// Where `reference` stood in the input.
    package func position(of reference: Reference) -> DecodingError.Position {
        let value = Int(positions[Int(reference.index)])
        if case .line = position { return .line(value) }
        return .byte(value)
    }

    /// The object that the `position`th reference names; positions come from a container's range.
    package func reference(at position: Int) -> Reference { references[position] }

    /// The bytes of a string or of data.
    package func bytes(in range: Range<Int>) -> ArraySlice<UInt8> { storage[range] }

    /// Calls `body` with the bytes of a string or of data, which it may read only until it returns.
    package func withBytes<Result>(in range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Whether the bytes are those of `text`.
    package func bytes(in range: Range<Int>, equal text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return storage.withUnsafeBufferPointer { storage in
            let start = text.utf8Start
            for offset in 0..<range.count where storage[range.lowerBound + offset] != start[offset] { return false }
            return true
        }
    }

    /// Whether `reference` is the string `text`.
    package func isString(_ reference: Reference, _ text: StaticString) -> Bool {
        guard case .string(let range) = self[reference] else { return false }
        return bytes(in: range, equal: text)
    }

    /// The value of the first entry whose key is the string `key`; nil when there is none or `dictionary` isn't one.
    package func value(forKey key: StaticString, in dictionary: Reference) -> Reference? {
        guard case .dictionary(let keys, let values) = self[dictionary] else { return nil }
        for (keyPosition, valuePosition) in zip(keys, values) where isString(references[keyPosition], key) {
            return references[valuePosition]
        }
        return nil
    }

    private func wideInteger(at start: Int) -> Int128 {
        var value: UInt128 = 0
        for byte in storage[start..<start + 16] { value = value << 8 | UInt128(byte) }
        return Int128(truncatingIfNeeded: value)
    }
}

// MARK: - Building

extension PropertyList {
    package mutating func appendNull() -> Reference { append(.null) }
    package mutating func append(boolean: Bool) -> Reference { append(.boolean, payload: boolean ? 1 : 0) }
    package mutating func append(real: Double) -> Reference { append(.real, payload: real.bitPattern) }
    package mutating func append(date: Double) -> Reference { append(.date, payload: date.bitPattern) }
    package mutating func append(uid: UInt64) -> Reference { append(.uid, payload: uid) }

    package mutating func append(integer: Int128) -> Reference {
        if let small = Int64(exactly: integer) { return append(.integer, payload: UInt64(bitPattern: small)) }
        let start = storage.count
        for shift in stride(from: 120, through: 0, by: -8) {
            storage.append(UInt8(truncatingIfNeeded: integer >> Int128(shift)))
        }
        return append(.wideInteger, count: 16, payload: UInt64(start))
    }

    package mutating func append(string: StaticString) -> Reference {
        append(string: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    }

    /// Appends text; `string` is WTF-8.
    package mutating func append(string: some Collection<UInt8>) -> Reference { append(.string, bytes: string) }
    package mutating func append(data: some Collection<UInt8>) -> Reference { append(.data, bytes: data) }

    /// Appends text that already lies in the table's bytes, as the file's own do.
    package mutating func append(stringAt range: Range<Int>) -> Reference {
        append(.string, count: range.count, payload: UInt64(range.lowerBound))
    }
    package mutating func append(dataAt range: Range<Int>) -> Reference {
        append(.data, count: range.count, payload: UInt64(range.lowerBound))
    }

    package mutating func append(array: some Collection<Reference>) -> Reference { append(.array, members: array) }
    package mutating func append(set: some Collection<Reference>) -> Reference { append(.set, members: set) }
    package mutating func append(orderedSet: some Collection<Reference>) -> Reference {
        append(.orderedSet, members: orderedSet)
    }

    /// Appends a dictionary; keys without a value, or values without a key, at the longer one's end are left out.
    package mutating func append(
        dictionaryKeys keys: some Collection<Reference>, values: some Collection<Reference>
    ) -> Reference {
        let start = references.count
        let pairs = min(keys.count, values.count)
        references.append(contentsOf: keys.prefix(pairs))
        references.append(contentsOf: values.prefix(pairs))
        return append(.dictionary, count: pairs, payload: UInt64(start))
    }

    /// How many references there are: where the members of the next container will start.
    package var referenceCount: Int { references.count }

    /// For readers that find the members of a container one by one: this one belongs to the container appended next.
    package mutating func append(member: Reference) { references.append(member) }

    mutating func append(arrayFrom start: Int) -> Reference { append(.array, membersFrom: start) }
    mutating func append(setFrom start: Int) -> Reference { append(.set, membersFrom: start) }
    mutating func append(orderedSetFrom start: Int) -> Reference { append(.orderedSet, membersFrom: start) }
    /// The members are as many keys as values, keys first.
    package mutating func append(dictionaryFrom start: Int) -> Reference {
        append(.dictionary, count: (references.count - start) / 2, payload: UInt64(start))
    }

    private mutating func append(_ kind: Node.Kind, membersFrom start: Int) -> Reference {
        append(kind, count: references.count - start, payload: UInt64(start))
    }

    private mutating func append(_ kind: Node.Kind, bytes: some Collection<UInt8>) -> Reference {
        let start = storage.count
        storage.append(contentsOf: bytes)
        return append(kind, count: bytes.count, payload: UInt64(start))
    }

    private mutating func append(_ kind: Node.Kind, members: some Collection<Reference>) -> Reference {
        let start = references.count
        references.append(contentsOf: members)
        return append(kind, count: members.count, payload: UInt64(start))
    }

    private mutating func append(_ kind: Node.Kind, count: Int = 0, payload: UInt64 = 0) -> Reference {
        switch position {
        case .byte(let value), .line(let value): positions.append(UInt32(truncatingIfNeeded: value))
        }
        nodes.append(Node(kind: kind, count: UInt32(truncatingIfNeeded: count), payload: payload))
        return Reference(index: UInt32(truncatingIfNeeded: nodes.count - 1))
    }
}

/// An object as stored: 16 bytes, so that a table of millions stays small.
private struct Node: Sendable {
    enum Kind: UInt8, Sendable {
        case null, boolean, integer, wideInteger, real, date, data, string, uid, array, set, orderedSet, dictionary
    }

    var kind: Kind
    /// Bytes, members or pairs. Readers refuse input of 4 GiB and more, so it fits.
    var count: UInt32
    /// The value itself, or where its bytes or references start.
    var payload: UInt64
}
