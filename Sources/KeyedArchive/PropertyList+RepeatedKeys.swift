// Which entries of a dictionary share their key with a later one. Not in the table's own file: only formats that
// say "the last one counts" ask.

extension PropertyList {
    /// The offsets, in rising order, of the keys that stand again further on. All of them must be strings.
    ///
    /// n log n comparisons whatever the keys are: a hash alone could be made to collide.
    func supersededEntries(of keys: ArraySlice<Reference>) -> [Int] {
        guard keys.count > 1 else { return [] }
        let hashes = keys.map { hash(of: $0) }
        func text(_ offset: Int) -> ArraySlice<UInt8> {
            guard case .string(let range) = self[keys[keys.startIndex + offset]] else { return [] }
            return bytes(in: range)
        }
        // Equal keys stay in their order.
        let order = Ordering.sorted(keys.count) { left, right in
            if hashes[left] != hashes[right] { return hashes[left] < hashes[right] }
            return text(left).lexicographicallyPrecedes(text(right))
        }
        var isSuperseded = Array(repeating: false, count: keys.count)
        for (offset, next) in zip(order, order.dropFirst())
        where hashes[offset] == hashes[next] && text(offset).elementsEqual(text(next)) {
            isSuperseded[offset] = true
        }
        var superseded: [Int] = []
        for offset in 0..<keys.count where isSuperseded[offset] { superseded.append(offset) }
        return superseded
    }

    private func hash(of key: Reference) -> UInt64 {
        guard case .string(let range) = self[key] else { return 0 }
        return FNV1a.hash(bytes(in: range))
    }
}
