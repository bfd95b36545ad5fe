// BinaryPropertyList+Write: a table of objects to bytes, as Apple's writer lays them out. Equal tables give equal bytes. It
// must not recurse, and writes only what the root reaches.

extension BinaryPropertyList {
    /// The property list as a file: header, objects, offset table and trailer, with nothing in between.
    ///
    /// `longestShared`: strings of more bytes are written as often as they are in the table, equal or not.
    package static func write(_ list: PropertyList, longestShared: Int = .max) -> [UInt8] {
        guard list.count > 0 else { return [] }
        var order = WritingOrder(list, longestShared: longestShared)
        order.visitAll()
        var writer = BinaryPropertyListWriter(list, order)
        writer.writeAll()
        return writer.output
    }
}

/// Which objects are written, and in what order: each before its members, a dictionary's keys before its values. Equal
/// leaves are written once; containers are not compared, but one that is shared in the table stays shared.
private struct WritingOrder {
    let list: PropertyList
    /// The objects to write, each at the position that references to it will say.
    private(set) var objects: [PropertyList.Reference] = []
    /// For each object of the table: one more than its position in `objects`, 0 while it has none.
    private var numbers: [UInt32]
    private var table = UniquingTable()
    /// For each UID below the number of objects: one more than its position, 0 while it has none.
    private var uids: [UInt32] = []
    /// Members that are still to visit, of containers inside each other.
    private var pending: [Range<Int>] = []

    private let longestShared: Int

    init(_ list: PropertyList, longestShared: Int) {
        self.list = list
        self.longestShared = longestShared
        numbers = Array(repeating: 0, count: list.count)
    }

    func position(of reference: PropertyList.Reference) -> UInt64 { UInt64(numbers[Int(reference.index)] &- 1) }

    mutating func visitAll() {
        if let members = visit(list.root) { pending.append(members) }
        while var members = pending.popLast() {
            while let next = members.first {
                members = next + 1..<members.upperBound
                if let inner = visit(list.reference(at: next)) {
                    pending.append(members)
                    members = inner
                }
            }
        }
    }

    /// Gives the object a position unless it has one; returns the members if that makes them the next to visit.
    private mutating func visit(_ reference: PropertyList.Reference) -> Range<Int>? {
        guard numbers[Int(reference.index)] == 0 else { return nil }
        let object = list[reference]
        let next = UInt32(truncatingIfNeeded: objects.count)
        let members = object.members
        let position = members == nil ? position(ofLeaf: object, next: next) : next
        numbers[Int(reference.index)] = position &+ 1
        if position == next { objects.append(reference) }
        return members
    }

    /// Where an equal leaf already is, else `next`.
    private mutating func position(ofLeaf leaf: PropertyList.Object, next: UInt32) -> UInt32 {
        if case .uid(let value) = leaf, value < UInt64(numbers.count) {
            // Most leaves of a keyed archive: small numbers in nearly ascending order, which an array holds best.
            if uids.isEmpty { uids = Array(repeating: 0, count: numbers.count) }
            if uids[Int(value)] == 0 { uids[Int(value)] = next &+ 1 }
            return uids[Int(value)] &- 1
        }
        if case .string(let text) = leaf, text.count > longestShared { return next }
        return table.number(hash: list.hashLeaf(leaf), next: next) { known in
            list.isEqualLeaf(leaf, to: list[objects[Int(known)]], in: list)
        }
    }
}

/// The state of one writing.
private struct BinaryPropertyListWriter {
    private let list: PropertyList
    private let order: WritingOrder
    private let referenceSize: Int
    private(set) var output: [UInt8] = []

    init(_ list: PropertyList, _ order: WritingOrder) {
        self.list = list
        self.order = order
        // Apple's readers want references that could hold the count itself: 256 objects take two bytes.
        referenceSize = Self.size(of: UInt64(order.objects.count))
    }

    mutating func writeAll() {
        let magic: StaticString = "bplist00"
        output.append(contentsOf: UnsafeBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
        var offsets: [Int] = []
        offsets.reserveCapacity(order.objects.count)
        for reference in order.objects {
            offsets.append(output.count)
            write(list[reference])
        }
        let offsetTable = output.count
        let offsetSize = Self.size(of: UInt64(offsetTable))
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        append(0, size: 6)
        append(UInt64(offsetSize), size: 1)
        append(UInt64(referenceSize), size: 1)
        append(UInt64(offsets.count), size: 8)
        append(0, size: 8)
        append(UInt64(offsetTable), size: 8)
    }

    private mutating func write(_ object: PropertyList.Object) {
        switch object {
        case .null: output.append(BinaryPropertyList.nullMarker)
        case .boolean(let value):
            output.append(value ? BinaryPropertyList.trueMarker : BinaryPropertyList.falseMarker)
        case .integer(let value): write(integer: value)
        case .real(let value):
            appendMarker(.real, 3)
            append(value.bitPattern, size: 8)
        case .date(let value):
            appendMarker(.date, 3)
            append(value.bitPattern, size: 8)
        case .data(let range):
            appendMarker(.data, count: range.count)
            output.append(contentsOf: list.bytes(in: range))
        case .string(let range): write(stringAt: range)
        case .uid(let value):
            let size = Self.size(of: value)
            appendMarker(.uid, UInt8(size - 1))
            append(value, size: size)
        case .array(let range): write(.array, count: range.count, members: range)
        case .set(let range): write(.set, count: range.count, members: range)
        case .orderedSet(let range): write(.orderedSet, count: range.count, members: range)
        case .dictionary(let keys, let values):
            write(.dictionary, count: keys.count, members: keys.lowerBound..<values.upperBound)
        }
    }

    private mutating func write(_ kind: BinaryPropertyList.Kind, count: Int, members: Range<Int>) {
        appendMarker(kind, count: count)
        for position in members { append(order.position(of: list.reference(at: position)), size: referenceSize) }
    }

    /// Unsigned in 1, 2 and 4 bytes, signed in 8 and 16: the smallest that says the value.
    private mutating func write(integer value: Int128) {
        if let value = Int64(exactly: value) {
            let size = value < 0 ? 8 : Self.size(of: UInt64(value))
            appendMarker(.integer, UInt8(size.trailingZeroBitCount))
            append(UInt64(bitPattern: value), size: size)
        } else {
            appendMarker(.integer, 4)
            append(UInt64(truncatingIfNeeded: value >> 64), size: 8)
            append(UInt64(truncatingIfNeeded: value), size: 8)
        }
    }

    private mutating func write(stringAt range: Range<Int>) {
        if list.withBytes(in: range, WTF8.isASCII) {
            appendMarker(.asciiString, count: range.count)
            output.append(contentsOf: list.bytes(in: range))
        } else {
            appendMarker(.utf16String, count: list.withBytes(in: range, WTF8.utf16Count))
            list.withBytes(in: range) { WTF8.appendUTF16BigEndian(wtf8: $0, to: &output) }
        }
    }

    private mutating func appendMarker(_ kind: BinaryPropertyList.Kind, _ low: UInt8) {
        output.append(kind.rawValue << 4 | low)
    }

    private mutating func appendMarker(_ kind: BinaryPropertyList.Kind, count: Int) {
        if count < Int(BinaryPropertyList.countFollows) {
            appendMarker(kind, UInt8(count))
        } else {
            appendMarker(kind, BinaryPropertyList.countFollows)
            write(integer: Int128(count))
        }
    }

    private mutating func append(_ value: UInt64, size: Int) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// The smallest of 1, 2, 4 and 8 bytes that holds the value.
    private static func size(of value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }
}
