// Which entries of a dictionary share their key with a later one. Not in the table's own file: only formats that
// say "the last one counts" ask.

extension PropertyList {
    /// The offsets, in rising order, of the keys that stand again further on. All of them must be strings.
    ///
    /// n log n comparisons whatever the keys are: a hash alone could be made to collide.
    func supersededEntries(of keys: ArraySlice<Reference>) -> [Int] {
        guard keys.count > 1 else { return [] }
        var entries: [(hash: UInt64, offset: Int)] = []
        entries.reserveCapacity(keys.count)
        for (offset, key) in keys.enumerated() { entries.append((hash(of: key), offset)) }
        func text(_ offset: Int) -> ArraySlice<UInt8> {
            guard case .string(let range) = self[keys[keys.startIndex + offset]] else { return [] }
            return bytes(in: range)
        }
        entries.sort { left, right in
            if left.hash != right.hash { return left.hash < right.hash }
            let (leftText, rightText) = (text(left.offset), text(right.offset))
            if leftText.elementsEqual(rightText) { return left.offset < right.offset }
            return leftText.lexicographicallyPrecedes(rightText)
        }
        var superseded: [Int] = []
        for (entry, next) in zip(entries, entries.dropFirst())
        where entry.hash == next.hash && text(entry.offset).elementsEqual(text(next.offset)) {
            superseded.append(entry.offset)
        }
        superseded.sort()
        return superseded
    }

    private func hash(of key: Reference) -> UInt64 {
        guard case .string(let range) = self[key] else { return 0 }
        return FNV1a.hash(bytes(in: range))
    }
}
