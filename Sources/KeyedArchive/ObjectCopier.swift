// ObjectCopier: carries objects from one keyed archive into another, whatever they are, with every UID renumbered. What
// is reached twice is copied once, so a graph keeps its shape (cycles too) and its size. No recursion.

/// Copies objects and plain values out of one archive into an archiver.
package struct ObjectCopier {
    package typealias Reference = PropertyList.Reference

    private let source: KeyedArchive
    /// The new UID of each old one that was reached.
    private var uids: [UInt64: UInt64] = .init()
    /// Objects that have a new UID but no content yet.
    private var waiting: [UInt64] = []
    /// The new reference of each plain value that was reached, by its own: indices, in the numbers that UIDs have.
    private var values: [UInt64: UInt64] = .init()

    package init(from source: KeyedArchive) { self.source = source }

    /// Has references to the object with that UID refer to the new `other` instead of a copy.
    package mutating func substitute(_ uid: UInt64, with other: UInt64) { uids[uid] = other }

    /// Copies the object with that UID and all it refers to; returns its new UID.
    package mutating func copy(object uid: UInt64, into archiver: inout KeyedArchiver) -> UInt64 {
        let new = renumber(uid, in: &archiver)
        copyWaiting(into: &archiver)
        return new
    }

    /// Copies a plain value and all the objects it refers to.
    package mutating func copy(value: Reference, into archiver: inout KeyedArchiver) -> Reference {
        let new = copyValue(value, into: &archiver)
        copyWaiting(into: &archiver)
        return new
    }

    private func new(for value: Reference) -> Reference? {
        values[UInt64(value.index)].map { Reference(index: UInt32(truncatingIfNeeded: $0)) }
    }

    private mutating func copyWaiting(into archiver: inout KeyedArchiver) {
        while let uid = waiting.popLast() {
            guard let object = source.object(uid), let new = uids[uid] else { continue }
            archiver.fill(new, with: copyValue(object, into: &archiver))
        }
    }

    private mutating func renumber(_ uid: UInt64, in archiver: inout KeyedArchiver) -> UInt64 {
        // A UID beyond the end names nothing: nil is what a reader makes of it at best.
        guard uid != KeyedArchiver.null, source.object(uid) != nil else { return KeyedArchiver.null }
        if let known = uids[uid] { return known }
        let new = archiver.reserve()
        uids[uid] = new
        waiting.append(uid)
        return new
    }

    /// Children first: a container stays on the stack until all it holds has been copied.
    private mutating func copyValue(_ root: Reference, into archiver: inout KeyedArchiver) -> Reference {
        var stack = [root]
        while let reference = stack.last {
            if new(for: reference) == nil {
                let object = source[reference]
                let depth = stack.count
                pushMissing(of: object, onto: &stack)
                if stack.count > depth { continue }
                values[UInt64(reference.index)] = UInt64(append(object, to: &archiver).index)
            }
            stack.removeLast()
        }
        return new(for: root) ?? root
    }

    private func pushMissing(of object: PropertyList.Object, onto stack: inout [Reference]) {
        func push(_ range: Range<Int>) {
            for position in range {
                let child = source.list.reference(at: position)
                if new(for: child) == nil { stack.append(child) }
            }
        }
        switch object {
        case .array(let range), .set(let range), .orderedSet(let range): push(range)
        case .dictionary(let keys, let members):
            push(keys)
            push(members)
        default: break
        }
    }

    private mutating func append(_ object: PropertyList.Object, to archiver: inout KeyedArchiver) -> Reference {
        switch object {
        case .null: return archiver.list.appendNull()
        case .boolean(let value): return archiver.list.append(boolean: value)
        case .integer(let value): return archiver.list.append(integer: value)
        case .real(let value): return archiver.list.append(real: value)
        case .date(let value): return archiver.list.append(date: value)
        case .data(let range): return archiver.list.append(data: source.list.bytes(in: range))
        case .string(let range): return archiver.list.append(string: source.list.bytes(in: range))
        case .uid(let uid):
            let new = renumber(uid, in: &archiver)
            return archiver.list.append(uid: new)
        case .array(let range): return archiver.list.append(array: copied(range))
        case .set(let range): return archiver.list.append(set: copied(range))
        case .orderedSet(let range): return archiver.list.append(orderedSet: copied(range))
        case .dictionary(let keys, let members):
            return archiver.list.append(dictionaryKeys: copied(keys), values: copied(members))
        }
    }

    private func copied(_ range: Range<Int>) -> [Reference] {
        range.map { position in
            let child = source.list.reference(at: position)
            return new(for: child) ?? child
        }
    }
}
