// ObjectTable: the objects of a property list in memory: one block of objects, one of the references that containers have. It
// knows what an object is made of, and nothing of what it means.

import CSystem

/// The memory of a property list. One list's alone when it is changed.
final class ObjectTable: @unchecked Sendable {
    enum Kind: UInt32 {
        case null, boolean, integer, wideInteger, real, date, data, string, uid, array, set, orderedSet, dictionary
    }

    /// An object as it is stored: 20 bytes, so that a table of millions stays small.
    struct Node {
        /// The lower and the upper half of the payload: the value itself, or where its bytes or references start.
        fileprivate var low, high: UInt32
        /// Bytes, members or pairs. Readers refuse input of 4 GiB and more, so it fits.
        fileprivate(set) var count: UInt32
        fileprivate(set) var position: UInt32
        fileprivate var rawKind: UInt32

        var payload: UInt64 { UInt64(high) << 32 | UInt64(low) }
        var kind: Kind { Kind(rawValue: rawKind) ?? .null }
    }

    private(set) var count = 0
    private(set) var referenceCount = 0
    private var capacity = 0
    private var referenceCapacity = 0
    private var nodes: UnsafeMutablePointer<Node>?
    private var references: UnsafeMutablePointer<PropertyList.Reference>?

    init() {}

    private init(copying other: ObjectTable) {
        reserve(objects: other.count, references: other.referenceCount)
        if let from = other.nodes { nodes?.update(from: from, count: other.count) }
        if let from = other.references { references?.update(from: from, count: other.referenceCount) }
        (count, referenceCount) = (other.count, other.referenceCount)
    }

    deinit {
        csystem_free(nodes)
        csystem_free(references)
    }

    func copy() -> ObjectTable { ObjectTable(copying: self) }

    func reserve(objects: Int, references: Int) {
        if objects > capacity { resizeNodes(objects) }
        if references > referenceCapacity { resizeReferences(references) }
    }

    private func resizeNodes(_ wanted: Int) {
        capacity = wanted
        nodes = csystem_resize(nodes, wanted * MemoryLayout<Node>.stride).assumingMemoryBound(to: Node.self)
    }

    private func resizeReferences(_ wanted: Int) {
        referenceCapacity = wanted
        references = csystem_resize(references, wanted * MemoryLayout<PropertyList.Reference>.stride)
            .assumingMemoryBound(to: PropertyList.Reference.self)
    }
}

extension ObjectTable {
    // References and positions come from this table; were one another's, there is nothing there.

    @inline(__always)
    func node(_ reference: PropertyList.Reference) -> Node {
        guard let nodes, Int(reference.index) < count else {
            return Node(low: 0, high: 0, count: 0, position: 0, rawKind: 0)
        }
        return nodes[Int(reference.index)]
    }

    @inline(__always)
    func reference(at position: Int) -> PropertyList.Reference {
        guard let references, position >= 0, position < referenceCount else {
            return PropertyList.Reference(index: .max)
        }
        return references[position]
    }

    @inline(__always)
    func append(
        _ kind: Kind, count members: Int, payload: UInt64, at position: DecodingError.Position
    ) -> PropertyList.Reference {
        if count == capacity { resizeNodes(max(capacity + capacity / 2, 16)) }
        let place: Int
        switch position {
        case .byte(let value), .line(let value): place = value
        }
        nodes?[count] = Node(
            low: UInt32(truncatingIfNeeded: payload), high: UInt32(truncatingIfNeeded: payload >> 32),
            count: UInt32(truncatingIfNeeded: members), position: UInt32(truncatingIfNeeded: place),
            rawKind: kind.rawValue)
        count += 1
        return PropertyList.Reference(index: UInt32(truncatingIfNeeded: count - 1))
    }

    @inline(__always)
    func append(_ member: PropertyList.Reference) {
        if referenceCount == referenceCapacity { resizeReferences(max(referenceCapacity + referenceCapacity / 2, 16)) }
        references?[referenceCount] = member
        referenceCount += 1
    }

    /// Room for so many references more, to be filled.
    func appendReferences(_ count: Int) -> UnsafeMutablePointer<PropertyList.Reference>? {
        let wanted = referenceCount + count
        if wanted > referenceCapacity {
            resizeReferences(max(wanted, referenceCapacity + referenceCapacity / 2))
        }
        defer { referenceCount = wanted }
        return references.map { $0 + referenceCount }
    }
}
