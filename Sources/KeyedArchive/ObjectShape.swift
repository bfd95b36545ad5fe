// ObjectShape: which coder keys an object has, and where. Objects of one class have the same as a rule, so that whoever has looked at
// one finds its way in the next by comparing numbers instead of names.

/// The coder keys and the class of an object.
package struct ObjectShape: Sendable {
    private let keys: [PropertyList.Reference]
    private let classPosition: Int
    private let classUID: UInt64

    /// The shape of an object that has a class; nil when `object` is something else.
    package init?(_ object: PropertyList.Reference, in list: PropertyList) {
        guard let (start, count) = list.pairs(object), count <= KeyedArchive.mostCoderKeys else { return nil }
        var keys: [PropertyList.Reference] = []
        var found: (position: Int, uid: UInt64)?
        for position in 0..<count {
            let key = list.reference(at: start + position)
            keys.append(key)
            if found == nil, list.isString(key, "$class"),
                let uid = list.uid(list.reference(at: start + count + position))
            {
                found = (position, uid)
            }
        }
        guard let found else { return nil }
        self.keys = keys
        (classPosition, classUID) = (found.position, found.uid)
    }

    /// Which of the object's values the key has; nil when it has no such key.
    package func position(of key: StaticString, in list: PropertyList) -> Int? {
        keys.firstIndex { list.isString($0, key) }
    }

    /// How many coder keys there are, the class among them.
    package var count: Int { keys.count }

    /// Where the values of `object` begin, when it has this shape.
    package func values(of object: PropertyList.Reference, in list: PropertyList) -> Int? {
        guard let (start, count) = list.pairs(object), count == keys.count else { return nil }
        for position in 0..<count where list.reference(at: start + position) != keys[position] { return nil }
        guard list.uid(list.reference(at: start + count + classPosition)) == classUID else { return nil }
        return start + count
    }
}
