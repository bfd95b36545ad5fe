// RecordView: where a table of records lies in memory, and how a key is found there. Trivial, so that threads may look side by
// side without counting references: whoever has one knows that the table stays.

/// A text among a table's bytes: 48 bits of offset, 16 of length; of a text that is longer, 8 bytes before it have that.
struct TextPlace {
    static let longest: UInt64 = 0xFFFF
    var bits: UInt64 = 0

    init() {}

    init(offset: Int, length: Int) { bits = UInt64(offset) << 16 | min(UInt64(length), Self.longest) }

    var offset: Int { Int(bits >> 16) }
    var length: UInt64 { bits & Self.longest }
}

/// A record in a table.
struct RecordEntry {
    struct Parts: OptionSet {
        var rawValue: UInt32
        static let lastTime = Parts(rawValue: 1)
        static let firstTime = Parts(rawValue: 2)
        static let lastVersion = Parts(rawValue: 4)
        static let firstVersion = Parts(rawValue: 8)
        /// The table knows it by its key.
        static let former = Parts(rawValue: 16)
    }

    var parts: Parts = []
    var extras: UInt32 = 0
    var lastTime = 0.0
    var firstTime = 0.0
    var count: UInt64 = 0
    var key = TextPlace()
    var lastVersion = TextPlace()
    var firstVersion = TextPlace()
}

/// The memory of a table.
struct RecordView: @unchecked Sendable {
    /// Half of a hash and an entry's number plus 1, or 0; where the other half of the hash, and what lies in the way, says.
    var index: UnsafeMutablePointer<UInt64>?
    /// One less than there are places in the index, a power of two.
    var mask = 0
    var entries: UnsafeMutablePointer<RecordEntry>?
    var bytes: UnsafeMutableRawPointer?
    /// Nobody who makes keys knows it.
    var seed: UInt64 = 0

    /// The entry's number.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer) -> Int? {
        guard let index, let entries else { return nil }
        let hash = hash(key)
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let found = index[place]
            if found == 0 { return nil }
            if found >> 32 == hash >> 32 {
                let number = Int(found & 0xFFFF_FFFF) - 1
                if isEqual(entries[number].key, key) { return number }
            }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func isEqual(_ place: TextPlace, _ key: UnsafeRawBufferPointer) -> Bool {
        guard place.length == key.count, let bytes else { return false }
        let text = bytes + place.offset
        var offset = 0
        while offset + 8 <= key.count {
            if text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != key.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset += 8
        }
        while offset < key.count {
            if text.load(fromByteOffset: offset, as: UInt8.self) != key[offset] { return false }
            offset += 1
        }
        return true
    }

    /// Products of 64 bits folded, eight bytes at a time.
    @inline(__always)
    func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let product = left.multipliedFullWidth(by: right)
            return product.high ^ product.low
        }
        var hash = seed ^ UInt64(truncatingIfNeeded: text.count)
        var offset = 0
        while offset + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = folded(hash ^ word, 0x9E37_79B9_7F4A_7C15)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = rest << 8 | UInt64(text[offset])
            offset += 1
        }
        return folded(hash ^ rest, 0xD6E8_FEB8_6659_FD93 ^ seed)
    }

    func text(_ place: TextPlace) -> UnsafeRawBufferPointer {
        guard let bytes else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let start = bytes + place.offset
        if place.length < TextPlace.longest { return UnsafeRawBufferPointer(start: start, count: Int(place.length)) }
        return UnsafeRawBufferPointer(start: start, count: (start - 8).loadUnaligned(as: Int.self))
    }
}
