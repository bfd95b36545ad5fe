// BinaryFile: a binary property list taken apart, to build by hand or to change and put together again. What it builds is
// as consistent as its fields say and no more. It uses nothing of the reader or writer that it tests.

struct BinaryFile {
    var header = Array("bplist00".utf8)
    var objects: [[UInt8]]
    var top = 0
    var referenceSize = 1
    /// Nil: the smallest that reaches the offset table.
    var offsetSize: Int?
    /// Offsets to write instead of the true ones, by entry.
    var falseOffsets: [Int: UInt64] = [:]

    init(_ objects: [[UInt8]], top: Int = 0, referenceSize: Int = 1, offsetSize: Int? = nil) {
        self.objects = objects
        self.top = top
        self.referenceSize = referenceSize
        self.offsetSize = offsetSize
    }

    var bytes: [UInt8] {
        var bytes = header
        var offsets: [UInt64] = []
        for object in objects {
            offsets.append(UInt64(bytes.count))
            bytes += object
        }
        let table = bytes.count
        let size = offsetSize ?? (1...8).first { table < 1 << (8 * $0) } ?? 8
        for (entry, offset) in offsets.enumerated() { bytes += bigEndian(falseOffsets[entry] ?? offset, size) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(size), UInt8(truncatingIfNeeded: referenceSize)]
        return bytes + bigEndian(UInt64(objects.count), 8) + bigEndian(UInt64(top), 8) + bigEndian(UInt64(table), 8)
    }

    /// Takes a sound file apart: each object is the bytes from its offset to the next. Nil when the trailer makes no
    /// sense.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count >= 40 else { return nil }
        let end = bytes.count - 32
        func number(_ start: Int, _ size: Int) -> Int? {
            var value: UInt64 = 0
            for position in start..<start + size { value = value << 8 | UInt64(bytes[position]) }
            return Int(exactly: value)
        }
        let size = Int(bytes[end + 6])
        guard 1...8 ~= size, let count = number(end + 8, 8), let top = number(end + 16, 8),
            let table = number(end + 24, 8), table <= end, count <= (end - table) / size
        else { return nil }
        let offsets = (0..<count).compactMap { number(table + $0 * size, size) }
        guard offsets.count == count, offsets.allSatisfy({ 8..<end ~= $0 }) else { return nil }
        let order = (0..<count).sorted { offsets[$0] < offsets[$1] }
        objects = Array(repeating: [], count: count)
        for (rank, entry) in order.enumerated() {
            let next = rank + 1 < count ? offsets[order[rank + 1]] : max(table, offsets[entry])
            objects[entry] = Array(bytes[offsets[entry]..<next])
        }
        header = Array(bytes[..<8])
        self.top = top
        referenceSize = Int(bytes[end + 7])
    }
}

func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
    stride(from: 8 * (size - 1), through: 0, by: -8).map { $0 < 64 ? UInt8(truncatingIfNeeded: value >> $0) : 0 }
}
