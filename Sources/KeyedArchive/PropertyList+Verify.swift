// PropertyList+Verify: everything that is wrong with bytes as a property list, and with a keyed archive as a graph of
// objects, whosever it is. It goes on where the readers stop. What the objects mean is not its business.

extension PropertyList {
    /// What the bytes hold; without a problem it is all that they hold. Nil: nothing can be read without guessing.
    package init?(verifying bytes: [UInt8], _ problems: inout [DecodingError]) {
        do throws(DecodingError) {
            if bytes.count <= BinaryPropertyList.largestInput, BinaryPropertyList.isBinary(bytes) {
                self = try BinaryPropertyList.verify(bytes, &problems)
            } else {
                self = try PropertyList(bytes: bytes)
            }
        } catch {
            problems.append(error)
            return nil
        }
    }
}

extension BinaryPropertyList {
    /// Looks at every entry of the offset table, whether the top object reaches it or not. Only the trailer must be right.
    fileprivate static func verify(
        _ bytes: [UInt8], _ problems: inout [DecodingError]
    ) throws(DecodingError) -> PropertyList {
        let list = PropertyList(over: bytes)
        return try bytes.withUnsafeBufferPointer { bytes throws(DecodingError) in
            var reader = BinaryPropertyListReader(bytes, try Trailer(bytes), list)
            defer { reader.end() }
            reader.salvageAll()
            problems = reader.problems
            return reader.list
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
    /// Bytes from the input's start; for XML the line.
    package var offset: Int {
        switch position {
        case .byte(let value), .line(let value): return value
        }
    }

    /// The same of bytes that begin so far into the file.
    package func moved(by base: Int) -> DecodingError { moved(to: .byte(base)) }

    /// The same of bytes that stand there: in XML, as data, which has no lines of its own.
    package func moved(to place: Position) -> DecodingError {
        switch (place, position) {
        case (.byte(0), _), (.byte, .line): return self
        case (.byte(let base), .byte(let offset)): return DecodingError(.byte(offset + base), reason)
        default: return DecodingError(place, reason)
        }
    }
}
