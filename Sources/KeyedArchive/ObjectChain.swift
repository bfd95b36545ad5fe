// ObjectChain: where the objects of a damaged binary property list begin. Two witnesses are heard: objects, which follow each
// other without a gap in the order of the offset table, so that each says where the next begins; and the table itself. It
// looks at objects' extents only; what they hold is the reader's business.

/// The beginnings of objects, found in time linear in the file.
///
/// An object counts as sound when it begins where the one before ends, or where the table says, and when it ends where
/// the table, or failing that the next objects, say that another begins. So a damaged object costs itself, and a
/// damaged entry of the table costs nothing.
struct ObjectChain {
    /// An offset table, of whose entries any may be wrong.
    struct Table {
        let start: Int
        let offsetSize: Int
        let count: Int
    }

    /// Set in the beginnings of objects that are damaged.
    static let lost: UInt64 = 1 << 40
    /// Set, too, where it isn't even known where they begin.
    static let unplaced: UInt64 = 1 << 41

    let bounds: BinaryPropertyList.Bounds
    /// What offsets count from: there may be junk in front.
    private let base: Int
    private let table: Table?
    /// For each object, by its number: where it begins.
    var offsets: [UInt64] = []
    /// Where the last sound object ended. None begins before.
    private var reached: Int

    /// How often a run may contradict the table and go on: a block of zeros spoils an entry at each of its ends.
    private static let patience = 3

    init(_ bounds: BinaryPropertyList.Bounds, base: Int, table: Table?) {
        self.bounds = bounds
        self.base = base
        self.table = table
        reached = base + BinaryPropertyList.headerSize
    }

    mutating func follow() {
        var next: Int? = reached
        while offsets.count < table?.count ?? .max {
            let entry = offsets.count
            let start = next ?? said(entry)
            let end = start.flatMap { run(from: $0, isKnown: next != nil) }
            next = end
            if let end {
                reached = end
            } else if table == nil {
                // Nothing says where the next one would be.
                return
            } else if offsets.count == entry {
                offsets.append(UInt64(start ?? reached) | (start == nil ? Self.lost | Self.unplaced : Self.lost))
            }
        }
    }

    /// Where the table says that an object begins, or the last one ends; nil when it says nothing that can be true.
    private func said(_ entry: Int) -> Int? {
        guard let table, entry <= table.count else { return nil }
        guard entry < table.count else { return bounds.end }
        let place = table.start + entry * table.offsetSize
        let offset = BinaryPropertyList.bigEndian(bounds.bytes, at: place, size: table.offsetSize)
        guard offset < UInt64(bounds.end - base), base + Int(offset) >= reached else { return nil }
        return base + Int(offset)
    }

    /// Takes one object after the other until the table agrees with where the next begins, and returns that. Nil when
    /// it never does: then the first object is the damaged one, and not taken, unless it was known to begin here and
    /// the table had nothing against those after it.
    private mutating func run(from start: Int, isKnown: Bool) -> Int? {
        let first = offsets.count
        var position = start
        var contradictions = 0
        /// The object after which table and objects first disagreed, when what the table says looks as good.
        var doubtful: Int?
        while let end = end(of: position) {
            offsets.append(UInt64(position))
            position = end
            guard let said = said(offsets.count) else { continue }
            if said == position {
                if let doubtful {
                    offsets[doubtful] |= Self.lost
                    offsets[doubtful + 1] |= Self.lost
                }
                return position
            }
            contradictions += 1
            // The table may be right. If so, the next object begins where it says in its next entry, too.
            if doubtful != nil || contradictions > Self.patience || offsets.count == table?.count { break }
            if contradictions == 1, let end = self.end(of: said), end == self.said(offsets.count + 1) {
                doubtful = offsets.count - 1
            }
        }
        if contradictions > 0 || !isKnown {
            offsets.removeSubrange(first...)
        } else {
            reached = position
        }
        return nil
    }

    /// Where the object at `position` ends; nil when there is none. Without a table a null is none: no keyed archive holds
    /// one, and zeros would be a great many.
    private func end(of position: Int) -> Int? {
        guard position < bounds.end, table != nil || bounds.bytes[position] != BinaryPropertyList.nullMarker else {
            return nil
        }
        return bounds.end(of: position)
    }

    /// How many dictionaries have strings for keys, less those that don't: with a wrong size of references hardly any do.
    var score: Int {
        var score = 0
        for offset in offsets where offset < Self.lost {
            let object = Int(offset)
            guard let kind = try? bounds.kind(of: object), kind == .dictionary,
                let body = try? bounds.body(of: object, kind), !body.isEmpty
            else { continue }
            score += hasStrings(in: body.lowerBound..<body.lowerBound + body.count / 2) ? 1 : -1
        }
        return score
    }

    /// Whether the references in `keys` are to strings.
    func hasStrings(in keys: Range<Int>) -> Bool {
        for position in stride(from: keys.lowerBound, to: keys.upperBound, by: bounds.referenceSize) {
            let entry = BinaryPropertyList.bigEndian(bounds.bytes, at: position, size: bounds.referenceSize)
            // What is lost speaks neither for it nor against.
            guard entry < UInt64(offsets.count), offsets[Int(entry)] < Self.lost else { continue }
            switch BinaryPropertyList.Kind(rawValue: bounds.bytes[Int(offsets[Int(entry)])] >> 4) {
            case .asciiString, .utf16String, .utf8String: continue
            default: return false
            }
        }
        return true
    }
}
