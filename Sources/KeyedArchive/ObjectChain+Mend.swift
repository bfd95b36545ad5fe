// ObjectChain+Mend: containers whose beginning is damaged, though what they hold is not: how many members there are follows
// from where the next object begins. Without that, one byte in the array of all objects would cost all of them.

extension ObjectChain {
    /// What to write at the beginning of a container to have it fill its place.
    struct Header {
        let start: Int
        let bytes: [UInt8]
    }

    /// The headers of the damaged objects that can be containers, which count as sound from here on. One that is made of
    /// what never was a container does no harm: nothing that is looked for is like it.
    mutating func mend() -> [Header] {
        var headers: [Header] = []
        for entry in offsets.indices where offsets[entry] >= Self.lost && offsets[entry] < Self.unplaced {
            let next = entry + 1 < offsets.count ? offsets[entry + 1] : UInt64(bounds.end)
            let start = offsets[entry] ^ Self.lost
            guard next < Self.lost, next > start, let header = header(start: Int(start), end: Int(next)) else {
                continue
            }
            headers.append(header)
            offsets[entry] = start
        }
        return headers
    }

    private func header(start: Int, end: Int) -> Header? {
        for size in [1, 3, 4, 6] where end - start > size {
            let body = start + size..<end
            let (count, rest) = body.count.quotientAndRemainder(dividingBy: bounds.referenceSize)
            guard rest == 0 else { continue }
            let isDictionary = count % 2 == 0 && hasStrings(in: body.lowerBound..<body.lowerBound + body.count / 2)
            let kind = isDictionary ? BinaryPropertyList.Kind.dictionary : .array
            let bytes = bytes(of: kind, count: isDictionary ? count / 2 : count)
            if bytes.count == size { return Header(start: start, bytes: bytes) }
        }
        return nil
    }

    private func bytes(of kind: BinaryPropertyList.Kind, count: Int) -> [UInt8] {
        let marker = kind.rawValue << 4
        func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: count >> shift) }
        let follows = marker | BinaryPropertyList.countFollows
        switch count {
        case ..<15: return [marker | byte(0)]
        case ..<0x100: return [follows, 0x10, byte(0)]
        case ..<0x1_0000: return [follows, 0x11, byte(8), byte(0)]
        default: return [follows, 0x12, byte(24), byte(16), byte(8), byte(0)]
        }
    }
}
