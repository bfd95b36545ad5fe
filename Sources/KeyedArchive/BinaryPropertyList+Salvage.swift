// BinaryPropertyList+Salvage: what is left of a damaged binary property list. It finds where the objects are, writes an
// offset table that says so, and has the reader read by it.

extension BinaryPropertyList {
    /// All objects that can still be told apart, in the file that begins at `base`; the root may be none of them.
    ///
    /// Objects must lie in the order of the offset table, without gaps, as those of all known writers do.
    static func salvage(_ bytes: [UInt8], from base: Int) -> PropertyList {
        guard bytes.count < largestInput, base <= bytes.count - headerSize else { return .nothing }
        // Numbers are loaded eight bytes at a time, and a file that is cut off may end with one.
        let padding = [UInt8](repeating: 0, count: trailerSize)
        var repaired = bytes + padding
        let damaged = repaired.withUnsafeBufferPointer { DamagedFile($0, base: base, end: bytes.count) }
        guard !damaged.offsets.isEmpty else { return .nothing }
        for header in damaged.headers {
            for (offset, byte) in header.bytes.enumerated() { repaired[header.start + offset] = byte }
        }
        let table = repaired.count
        for offset in damaged.offsets {
            withUnsafeBytes(of: offset.bigEndian) { repaired.append(contentsOf: $0) }
        }
        repaired += padding
        let trailer = Trailer(
            offsetSize: 8, referenceSize: damaged.referenceSize, objectCount: damaged.offsets.count, top: damaged.top,
            offsetTable: table, end: damaged.end)
        let list = PropertyList(over: repaired)
        let salvaged = try? repaired.withUnsafeBufferPointer { bytes throws(DecodingError) in
            try BinaryPropertyListReader.read(bytes, trailer, list) { reader in
                reader.salvageAll()
                return reader.list
            }
        }
        return salvaged ?? list
    }
}

/// What can be found out about a damaged file.
private struct DamagedFile {
    /// Where the objects begin, by number.
    private(set) var offsets: [UInt64] = []
    /// What has to be written over damaged ones.
    private(set) var headers: [ObjectChain.Header] = []
    private(set) var referenceSize = 1
    private(set) var top = 0
    /// The objects end before this byte.
    private(set) var end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, base: Int, end: Int) {
        self.end = end
        var sizes = [1, 2, 4, 8]
        var table: ObjectChain.Table?
        if let trailer = Self.trailer(in: bytes, base: base, end: end) {
            table = ObjectChain.Table(
                start: trailer.offsetTable, offsetSize: trailer.offsetSize, count: trailer.objectCount)
            self.end = trailer.offsetTable
            top = trailer.top
            // First, so that it wins where several sizes are as good.
            sizes.insert(trailer.referenceSize, at: 0)
        }
        var best: ObjectChain?
        var bestScore = 0
        for size in sizes where 1...8 ~= size {
            let bounds = BinaryPropertyList.Bounds(bytes: bytes, end: self.end, referenceSize: size)
            var chain = ObjectChain(bounds, base: base, table: table)
            chain.follow()
            let score = chain.score
            if score > bestScore { (best, bestScore, referenceSize) = (chain, score, size) }
        }
        guard var best else { return }
        headers = best.mend()
        offsets = best.offsets
    }

    /// The last trailer whose offset table ends where it begins, as that of a file does that is nothing but a list. So what
    /// a damaged trailer says isn't believed, and junk may follow a sound one.
    private static func trailer(
        in bytes: UnsafeBufferPointer<UInt8>, base: Int, end: Int
    ) -> BinaryPropertyList.Trailer? {
        var start = end - BinaryPropertyList.trailerSize
        while start >= base + BinaryPropertyList.headerSize {
            if let trailer = BinaryPropertyList.Trailer(exactlyAt: start, in: bytes, base: base) { return trailer }
            start -= 1
        }
        return nil
    }
}

extension BinaryPropertyList.Trailer {
    fileprivate init?(exactlyAt start: Int, in bytes: UnsafeBufferPointer<UInt8>, base: Int) {
        func number(_ offset: Int) -> UInt64 { BinaryPropertyList.bigEndian(bytes, at: start + offset, size: 8) }
        let size = Int(bytes[start + 6])
        guard 1...8 ~= size else { return nil }
        let (count, table) = (number(8), number(24))
        let available = UInt64(start - base)
        guard table >= UInt64(BinaryPropertyList.headerSize), table < available,
            count <= available, table + count * UInt64(size) == available
        else { return nil }
        // The rest has to be right only in a file that is sound.
        self.init(
            offsetSize: size, referenceSize: Int(bytes[start + 7]), objectCount: Int(count),
            top: Int(truncatingIfNeeded: min(number(16), count)), offsetTable: base + Int(table), end: start)
    }
}
