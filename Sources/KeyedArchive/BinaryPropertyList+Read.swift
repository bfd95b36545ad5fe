// BinaryPropertyList+Read: bytes to a table of objects. It trusts nothing: whatever the bytes are, the result is a table
// or an error, in time and memory linear in their number. It must not recurse, and must not interpret what it reads.

extension BinaryPropertyList {
    /// The property list in `bytes`; strings and data in it point into them. Only what the top object reaches is read.
    package static func read(
        _ bytes: [UInt8], limit: Int = largestInput
    ) throws(DecodingError) -> PropertyList {
        guard bytes.count <= limit else { throw DecodingError(.byte(limit), "the file is 4 GiB or larger") }
        guard isBinary(bytes) else { throw DecodingError(.byte(0), "the file does not begin with \"bplist0\"") }
        let list = PropertyList(over: bytes)
        return try bytes.withUnsafeBufferPointer { bytes throws(DecodingError) in
            var reader = BinaryPropertyListReader(bytes, try Trailer(bytes), list)
            try reader.readAll()
            return reader.list
        }
    }
}

/// The state of one reading: a walk in which an object is appended after everything it refers to.
struct BinaryPropertyListReader {
    /// A container that is being read. 20 bytes, because hostile files nest millions deep.
    private struct Frame {
        var entry: UInt32
        /// Its references lie from `start` to `end`; those before `next` have been read.
        var start: UInt32
        var next: UInt32
        var end: UInt32
        var kind: BinaryPropertyList.Kind
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let trailer: BinaryPropertyList.Trailer
    var list: PropertyList
    /// For each entry of the offset table: one more than its object's index, or one of the two below.
    private var numbers: [UInt32]
    private var frames: [Frame] = []
    var text: [UInt8] = []
    /// Bytes that may still belong to objects. Small containers that each claim the rest of the file would otherwise
    /// make reading quadratic. In a sound file no two objects share a byte.
    private var budget: Int

    private static let unread: UInt32 = 0
    private static let unfinished = UInt32.max

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ trailer: BinaryPropertyList.Trailer, _ list: PropertyList) {
        self.bytes = bytes
        self.trailer = trailer
        self.list = list
        // In a sound file each object but one is referred to, once at least.
        self.list.reserveCapacity(objects: trailer.objectCount, references: trailer.objectCount)
        numbers = Array(repeating: Self.unread, count: trailer.objectCount)
        // All of the file, not only the objects' part: so some entries may repeat an object, as careless writers do.
        budget = bytes.count
    }

    mutating func readAll() throws(DecodingError) {
        if let top = try readObject(trailer.top) { frames.append(top) }
        while let frame = frames.popLast() { try advance(frame) }
        list.root = reference(numbers[trailer.top])
    }

    /// Reads members until one is a container, which then comes first, or until there are none left.
    private mutating func advance(_ interrupted: Frame) throws(DecodingError) {
        var frame = interrupted
        let size = trailer.referenceSize
        while frame.next < frame.end {
            let position = Int(frame.next)
            let entry = try self.entry(at: position)
            frame.next += UInt32(size)
            switch numbers[entry] {
            case Self.unfinished: throw DecodingError(.byte(position), "a container is inside itself")
            case Self.unread:
                if let container = try readObject(entry) {
                    frames.append(frame)
                    frames.append(container)
                    return
                }
            default: break
            }
        }
        finish(frame)
    }

    private mutating func finish(_ frame: Frame) {
        let first = list.referenceCount
        let size = trailer.referenceSize
        for position in stride(from: Int(frame.start), to: Int(frame.end), by: size) {
            let entry = BinaryPropertyList.bigEndian(bytes, at: position, size: size)
            list.append(member: reference(numbers[Int(entry)]))
        }
        list.position = .byte(offset(of: Int(frame.entry)))
        switch frame.kind {
        case .dictionary: record(frame.entry, list.append(dictionaryFrom: first))
        case .set: record(frame.entry, list.append(setFrom: first))
        case .orderedSet: record(frame.entry, list.append(orderedSetFrom: first))
        default: record(frame.entry, list.append(arrayFrom: first))
        }
    }

    /// The entry of the offset table that the reference at `position` names.
    @inline(__always)
    private func entry(at position: Int) throws(DecodingError) -> Int {
        let entry = BinaryPropertyList.bigEndian(bytes, at: position, size: trailer.referenceSize)
        guard entry < UInt64(trailer.objectCount) else {
            throw DecodingError(.byte(position), "a reference is not in the offset table")
        }
        return Int(entry)
    }

    /// Where the object of an entry that has been read begins.
    private func offset(of entry: Int) -> Int {
        let position = trailer.offsetTable + entry * trailer.offsetSize
        return Int(BinaryPropertyList.bigEndian(bytes, at: position, size: trailer.offsetSize))
    }

    private func reference(_ number: UInt32) -> PropertyList.Reference { PropertyList.Reference(index: number &- 1) }

    private mutating func record(_ entry: UInt32, _ reference: PropertyList.Reference) {
        numbers[Int(entry)] = reference.index &+ 1
    }

    /// Reads one object. A container is not appended yet but returned, to have its members read.
    private mutating func readObject(_ entry: Int) throws(DecodingError) -> Frame? {
        let place = trailer.offsetTable + entry * trailer.offsetSize
        let offset = BinaryPropertyList.bigEndian(bytes, at: place, size: trailer.offsetSize)
        guard offset >= UInt64(BinaryPropertyList.headerSize), offset < UInt64(trailer.end) else {
            throw DecodingError(.byte(place), "an object's offset is outside the file")
        }
        let object = Int(offset)
        guard let kind = BinaryPropertyList.Kind(rawValue: bytes[object] >> 4) else {
            throw DecodingError(.byte(object), "unknown kind of object")
        }
        switch kind {
        case .array, .set, .orderedSet: return try container(kind, entry, object, unit: trailer.referenceSize)
        case .dictionary: return try container(kind, entry, object, unit: 2 * trailer.referenceSize)
        default:
            list.position = .byte(object)
            record(UInt32(entry), try readLeaf(kind, at: object))
            return nil
        }
    }

    private mutating func container(
        _ kind: BinaryPropertyList.Kind, _ entry: Int, _ object: Int, unit: Int
    ) throws(DecodingError) -> Frame {
        let references = try countedBody(of: object, unit: unit)
        numbers[entry] = Self.unfinished
        let start = UInt32(references.lowerBound)
        return Frame(
            entry: UInt32(entry), start: start, next: start, end: UInt32(references.upperBound), kind: kind)
    }

    /// The `size` bytes from `start` as part of the object at `object`, once it is known that they exist.
    mutating func body(of object: Int, from start: Int, size: UInt64) throws(DecodingError) -> Range<Int> {
        guard size <= UInt64(trailer.end - start) else { throw DecodingError(.byte(object), "an object is cut off") }
        let end = start + Int(size)
        budget -= end - object
        guard budget >= 0 else { throw DecodingError(.byte(object), "objects overlap") }
        return start..<end
    }
}
