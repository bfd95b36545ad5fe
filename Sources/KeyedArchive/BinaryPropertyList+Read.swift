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
            try BinaryPropertyListReader.read(bytes, try Trailer(bytes), list) { reader throws(DecodingError) in
                try reader.readAll()
                return reader.list
            }
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
    let bounds: BinaryPropertyList.Bounds
    private let trailer: BinaryPropertyList.Trailer
    var list: PropertyList
    /// For each entry of the offset table: one more than its object's index, or one of the two below.
    private let numbers: UnsafeMutableBufferPointer<UInt32>
    private var frames: [Frame] = []
    var text: [UInt8] = []
    /// Bytes that may still belong to objects. Small containers that each claim the rest of the file would otherwise
    /// make reading quadratic. In a sound file no two objects share a byte.
    private var budget: Int
    private var isOverBudget = false
    /// What stands for the objects that can't be read. Nil: the first of those is an error.
    private var lost: PropertyList.Reference?
    /// Everything that `salvageAll` found wrong. Objects that overlap are told of once: none can be read after that.
    private(set) var problems: [DecodingError] = []

    private static let unread: UInt32 = 0
    private static let unfinished = UInt32.max

    /// Calls `body` with a reader, whose memory is gone afterwards.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ trailer: BinaryPropertyList.Trailer, _ list: PropertyList,
        _ body: (inout BinaryPropertyListReader) throws(DecodingError) -> PropertyList
    ) throws(DecodingError) -> PropertyList {
        var reader = BinaryPropertyListReader(bytes, trailer, list)
        defer { reader.numbers.deallocate() }
        return try body(&reader)
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ trailer: BinaryPropertyList.Trailer, _ list: PropertyList) {
        self.bytes = bytes
        self.trailer = trailer
        self.list = list
        bounds = BinaryPropertyList.Bounds(bytes: bytes, end: trailer.end, referenceSize: trailer.referenceSize)
        // In a sound file each object but one is referred to, once at least.
        self.list.reserveCapacity(objects: trailer.objectCount, references: trailer.objectCount)
        numbers = .allocate(capacity: trailer.objectCount)
        numbers.initialize(repeating: Self.unread)
        // All of the file, not only the objects' part: so some entries may repeat an object, as careless writers do.
        budget = bytes.count
    }

    mutating func readAll() throws(DecodingError) {
        try readAll(from: trailer.top)
        list.root = Self.reference(numbers[trailer.top])
    }

    /// Reads all that can be read, whether the top object reaches it or not. In place of an object that can't, and of a
    /// reference that leads nowhere, there is a null, which no keyed archive holds of its own.
    mutating func salvageAll() {
        lost = list.appendNull()
        for entry in 0..<trailer.objectCount where numbers[entry] == Self.unread { try? readAll(from: entry) }
        if trailer.top < trailer.objectCount { list.root = Self.reference(numbers[trailer.top]) }
    }

    // Called by both of the above, which would each have a copy of all that reads.
    @inline(never)
    private mutating func readAll(from entry: Int) throws(DecodingError) {
        if let container = try read(entry) { frames.append(container) }
        while let frame = frames.popLast() { try advance(frame) }
    }

    /// Reads members until one is a container, which then comes first, or until there are none left.
    private mutating func advance(_ interrupted: Frame) throws(DecodingError) {
        let (bytes, numbers, size) = (bytes, numbers, trailer.referenceSize)
        var position = Int(interrupted.next)
        while position < Int(interrupted.end) {
            let entry = Self.entry(bytes, at: position, size: size)
            let here = position
            position &+= size
            guard entry < numbers.count else {
                try report(DecodingError(.byte(here), "a reference is not in the offset table"))
                continue
            }
            let number = numbers[entry]
            if number != Self.unread, number != Self.unfinished { continue }
            if number == Self.unfinished {
                try report(DecodingError(.byte(here), "a container is inside itself"))
            } else if let container = try read(entry) {
                var frame = interrupted
                frame.next = UInt32(position)
                frames.append(frame)
                frames.append(container)
                return
            }
        }
        finish(interrupted)
    }

    /// The entry of the offset table that a reference names: there are fewer entries than `Int.max`.
    @inline(__always)
    private static func entry(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, size: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        switch size {
        case 1: return Int(bytes[position])
        case 2: return Int(UInt16(bigEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
        case 4: return Int(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        default: return Int(clamping: BinaryPropertyList.bigEndian(bytes, at: position, size: size))
        }
    }

    private mutating func report(_ error: DecodingError) throws(DecodingError) {
        guard lost != nil else { throw error }
        problems.append(error)
    }

    private mutating func finish(_ frame: Frame) {
        let first = list.referenceCount
        let (bytes, numbers, size, lost) = (bytes, numbers, trailer.referenceSize, lost)
        var position = Int(frame.start)
        list.append(members: (Int(frame.end) - position) / size) {
            let entry = Self.entry(bytes, at: position, size: size)
            position &+= size
            // What it names has been read, unless it is lost.
            if let lost {
                guard entry < numbers.count, numbers[entry] != Self.unfinished else { return lost }
            }
            return Self.reference(numbers[entry])
        }
        list.position = .byte(offset(of: Int(frame.entry)))
        switch frame.kind {
        case .dictionary: record(frame.entry, list.append(dictionaryFrom: first))
        case .set: record(frame.entry, list.append(setFrom: first))
        case .orderedSet: record(frame.entry, list.append(orderedSetFrom: first))
        default: record(frame.entry, list.append(arrayFrom: first))
        }
    }

    /// Where the object of an entry begins, as the offset table has it.
    private func offset(of entry: Int) -> Int {
        let position = trailer.offsetTable + entry * trailer.offsetSize
        return Int(truncatingIfNeeded: BinaryPropertyList.bigEndian(bytes, at: position, size: trailer.offsetSize))
    }

    private static func reference(_ number: UInt32) -> PropertyList.Reference {
        PropertyList.Reference(index: number &- 1)
    }

    private mutating func record(_ entry: UInt32, _ reference: PropertyList.Reference) {
        numbers[Int(entry)] = reference.index &+ 1
    }

    /// Reads one object. A container is not appended yet but returned, to have its members read.
    private mutating func read(_ entry: Int) throws(DecodingError) -> Frame? {
        do { return try readObject(entry) } catch {
            if budget >= 0 || !isOverBudget { try report(error) }
            isOverBudget = budget < 0
            // Each has a null of its own, to say where it was.
            list.position = .byte(offset(of: entry) & Int(UInt32.max))
            record(UInt32(entry), list.appendNull())
            return nil
        }
    }

    private mutating func readObject(_ entry: Int) throws(DecodingError) -> Frame? {
        let place = trailer.offsetTable + entry * trailer.offsetSize
        let offset = BinaryPropertyList.bigEndian(bytes, at: place, size: trailer.offsetSize)
        guard offset >= UInt64(BinaryPropertyList.headerSize), offset < UInt64(trailer.end) else {
            throw DecodingError(.byte(place), "an object's offset is outside the file")
        }
        let object = Int(offset)
        let kind = try bounds.kind(of: object)
        let body = try bounds.body(of: object, kind)
        budget -= body.upperBound - object
        guard budget >= 0 else { throw DecodingError(.byte(object), "objects overlap") }
        switch kind {
        case .array, .set, .orderedSet, .dictionary:
            numbers[entry] = Self.unfinished
            let start = UInt32(body.lowerBound)
            return Frame(entry: UInt32(entry), start: start, next: start, end: UInt32(body.upperBound), kind: kind)
        default:
            list.position = .byte(object)
            record(UInt32(entry), try readLeaf(kind, at: object, body))
            return nil
        }
    }
}
