// UniquingTable: gives equal values the same number. It holds numbers and hashes, never the values: the caller has those,
// and says which are equal. It must be given keyed hashes, or a hostile file could make it quadratic.

struct UniquingTable {
    private struct Slot {
        var hash: UInt32 = 0
        /// One more than the value's number; 0 is an empty slot.
        var number: UInt32 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 16)
    private var count = 0

    /// The number given before to a value that `isEqual` to this one; otherwise `next`, which is remembered.
    mutating func number(hash: Int, next: UInt32, isEqual: (UInt32) -> Bool) -> UInt32 {
        // Half empty at least: then a probe ends soon.
        if count * 2 >= slots.count { grow() }
        let hash = UInt32(truncatingIfNeeded: hash)
        var position = Int(hash) & (slots.count - 1)
        while slots[position].number != 0 {
            let known = slots[position]
            if known.hash == hash, isEqual(known.number - 1) { return known.number - 1 }
            position = (position + 1) & (slots.count - 1)
        }
        slots[position] = Slot(hash: hash, number: next &+ 1)
        count += 1
        return next
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.number != 0 {
            var position = Int(slot.hash) & (slots.count - 1)
            while slots[position].number != 0 { position = (position + 1) & (slots.count - 1) }
            slots[position] = slot
        }
    }
}
