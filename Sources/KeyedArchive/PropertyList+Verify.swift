// PropertyList+Verify: everything that is wrong with bytes as a property list, and with a keyed archive as a graph of
// objects, whosever it is. It goes on where the readers stop. What the objects mean is not its business.

extension PropertyList {
    /// What the bytes hold, and all that is wrong with them; without a problem it is all that they hold. Nil: nothing can be
    /// read without guessing.
    package static func verify(_ bytes: [UInt8]) -> (list: PropertyList?, problems: [DecodingError]) {
        do throws(DecodingError) {
            if bytes.count <= BinaryPropertyList.largestInput, BinaryPropertyList.isBinary(bytes) {
                return try BinaryPropertyList.verify(bytes)
            }
            return (try PropertyList(bytes: bytes), [])
        } catch { return (nil, [error]) }
    }
}

extension BinaryPropertyList {
    /// Looks at every entry of the offset table, whether the top object reaches it or not. Only the trailer must be right.
    fileprivate static func verify(
        _ bytes: [UInt8]
    ) throws(DecodingError) -> (list: PropertyList?, problems: [DecodingError]) {
        let list = PropertyList(over: bytes)
        return try bytes.withUnsafeBufferPointer { bytes throws(DecodingError) in
            var reader = BinaryPropertyListReader(bytes, try Trailer(bytes), list)
            reader.salvageAll()
            return (reader.list, reader.problems)
        }
    }
}

extension KeyedArchive {
    /// UIDs that lead nowhere, and objects whose class or entries can't be told. Cycles are no problem: objects that know
    /// their owner make them.
    package func problems() -> [DecodingError] {
        var problems: [DecodingError] = []
        for reference in list.all {
            switch list[reference] {
            case .uid(let uid) where object(uid) == nil:
                problems.append(error(at: reference, "a UID beyond the end of $objects"))
            case .dictionary(let keys, _) where keys.count <= 256 && list.value(forKey: "$class", in: reference) != nil:
                do throws(DecodingError) { _ = try className(of: reference) } catch { problems.append(error) }
                if hasUnlikeEntries(reference) {
                    problems.append(
                        error(at: reference, "a dictionary with unlike numbers of NS.keys and NS.objects"))
                }
            default: break
            }
        }
        return problems
    }

    private func hasUnlikeEntries(_ object: Reference) -> Bool {
        guard let keys = list.value(forKey: "NS.keys", in: object), case .array(let keys) = list[keys],
            let objects = list.value(forKey: "NS.objects", in: object), case .array(let objects) = list[objects]
        else { return false }
        return keys.count != objects.count
    }
}

extension DecodingError {
    /// In the order of their places, each once.
    package static func sorted(_ problems: [DecodingError]) -> [DecodingError] {
        var order: [UInt64] = []
        for (index, problem) in problems.enumerated() {
            order.append(UInt64(truncatingIfNeeded: problem.offset) << 32 | UInt64(truncatingIfNeeded: index))
        }
        order.sort()
        var sorted: [DecodingError] = []
        for entry in order {
            let problem = problems[Int(entry & 0xFFFF_FFFF)]
            if sorted.last != problem { sorted.append(problem) }
        }
        return sorted
    }

    /// Bytes from the input's start; for XML the line.
    package var offset: Int {
        switch position {
        case .byte(let value), .line(let value): return value
        }
    }

    /// The same of bytes that begin so far into the file.
    package func moved(by base: Int) -> DecodingError {
        guard case .byte(let offset) = position else { return self }
        return DecodingError(.byte(offset + base), reason)
    }
}
