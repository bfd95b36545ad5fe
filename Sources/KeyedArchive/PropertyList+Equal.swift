// PropertyList+Equal: whether two tables hold the same value, and whether two of their leaves do. It must not recurse, nor
// follow shared objects twice: a table of a hundred objects can stand for a tree of 2^100.

extension PropertyList {
    /// Whether the two roots have the same value. Dictionaries and sets have no order. Of entries with equal keys the
    /// first is the one that counts, so their order among each other does matter. Reals and dates are the same when
    /// their bits are: NaN equals itself, 0 and -0 differ.
    package func isEqual(to other: PropertyList) -> Bool {
        guard count > 0, other.count > 0 else { return count == other.count }
        var values = ValueNumbering(lists: (self, other))
        let left = values.numberObjects(of: 0)
        let right = values.numberObjects(of: 1)
        return left[Int(root.index)] == right[Int(other.root.index)]
    }

    /// Whether two objects, neither of them a container, have the same kind and value.
    func isEqualLeaf(_ object: Object, to other: Object, in list: PropertyList) -> Bool {
        switch (object, other) {
        case (.null, .null): return true
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.uid(let left), .uid(let right)): return left == right
        case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
            return left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)), (.data(let left), .data(let right)):
            guard left.count == right.count else { return false }
            return withBytes(in: left) { left in list.withBytes(in: right) { left.elementsEqual($0) } }
        default: return false
        }
    }

    /// A keyed hash of an object that is not a container.
    func hashLeaf(_ object: Object) -> Int {
        var hasher = Hasher()
        switch object {
        case .boolean(let value): hasher.combine(value)
        case .integer(let value):
            hasher.combine(UInt64(truncatingIfNeeded: value))
            hasher.combine(UInt64(truncatingIfNeeded: value >> 64))
        case .real(let value), .date(let value): hasher.combine(value.bitPattern)
        case .uid(let value): hasher.combine(value)
        case .data(let range), .string(let range):
            withBytes(in: range) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        default: break
        }
        return hasher.finalize()
    }
}

/// Gives each object of two tables the number of its value. Members come before their container in a table, so one pass
/// does it: a container's value is its kind and the numbers of its members.
private struct ValueNumbering {
    private enum Value {
        case leaf(list: Int, PropertyList.Object)
        /// The kind, and where its members' numbers lie in `pool`.
        case container(UInt8, Range<Int>)
    }

    let lists: (PropertyList, PropertyList)
    private var table = UniquingTable()
    private var values: [Value] = []
    private var pool: [UInt32] = []

    init(lists: (PropertyList, PropertyList)) { self.lists = lists }

    private func list(_ index: Int) -> PropertyList { index == 0 ? lists.0 : lists.1 }

    mutating func numberObjects(of index: Int) -> [UInt32] {
        let list = list(index)
        var numbers: [UInt32] = []
        numbers.reserveCapacity(list.count)
        for position in 0..<list.count {
            let object = list[PropertyList.Reference(index: UInt32(truncatingIfNeeded: position))]
            if let kind = addMembers(of: object, in: list, numbers) {
                numbers.append(numberContainer(kind.0, from: kind.start))
            } else {
                numbers.append(numberLeaf(object, in: index))
            }
        }
        return numbers
    }

    private mutating func numberLeaf(_ object: PropertyList.Object, in index: Int) -> UInt32 {
        let own = list(index)
        let next = UInt32(truncatingIfNeeded: values.count)
        let number = table.number(hash: own.hashLeaf(object), next: next) { known in
            guard case .leaf(let owner, let other) = values[Int(known)] else { return false }
            return own.isEqualLeaf(object, to: other, in: owner == 0 ? lists.0 : lists.1)
        }
        if number == next { values.append(.leaf(list: index, object)) }
        return number
    }

    /// Puts the numbers of a container's members at the end of the pool, in an order that only depends on its value.
    /// Nil when the object is not a container.
    private mutating func addMembers(
        of object: PropertyList.Object, in list: PropertyList, _ numbers: [UInt32]
    ) -> (UInt8, start: Int)? {
        func number(_ position: Int) -> UInt32 { numbers[Int(list.reference(at: position).index)] }
        let start = pool.count
        switch object {
        case .array(let range):
            for position in range { pool.append(number(position)) }
            return (0, start)
        case .orderedSet(let range):
            for position in range { pool.append(number(position)) }
            return (1, start)
        case .set(let range):
            var last: UInt32?
            for member in range.map(number).sorted() where member != last {
                pool.append(member)
                last = member
            }
            return (2, start)
        case .dictionary(let keys, let values):
            // Key above, position below: sorting by it keeps entries with equal keys in order.
            let order = keys.indices.map { position in
                UInt64(number(position)) << 32 | UInt64(position - keys.lowerBound)
            }.sorted()
            for entry in order {
                pool.append(UInt32(truncatingIfNeeded: entry >> 32))
                pool.append(number(values.lowerBound + Int(entry & 0xFFFF_FFFF)))
            }
            return (3, start)
        default: return nil
        }
    }

    private mutating func numberContainer(_ kind: UInt8, from start: Int) -> UInt32 {
        let members = start..<pool.count
        var hasher = Hasher()
        hasher.combine(kind)
        for member in pool[members] { hasher.combine(member) }
        let next = UInt32(truncatingIfNeeded: values.count)
        let number = table.number(hash: hasher.finalize(), next: next) { known in
            guard case .container(let otherKind, let other) = values[Int(known)] else { return false }
            return kind == otherKind && pool[members].elementsEqual(pool[other])
        }
        if number == next {
            values.append(.container(kind, members))
        } else {
            pool.removeSubrange(members)
        }
        return number
    }
}
