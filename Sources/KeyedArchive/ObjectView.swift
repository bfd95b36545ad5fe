// ObjectView: what an object of a property list is to somebody who looks at it: in a keyed archive, an NSDictionary's
// entries rather than its two lists of UIDs. It looks at one object at a time, so nothing recurses, and writes nothing.

/// A look at one object. An object, so that what it sees needn't be handed on.
final class ObjectView {
    enum Kind: UInt8 {
        case leaf, list, set, orderedSet, dictionary
    }

    let list: PropertyList
    /// Nil: UIDs are shown as they stand.
    let archive: KeyedArchive?

    private(set) var kind = Kind.leaf
    /// The object itself: what a UID leads to, and of an object that is a string, a date or data the value in it.
    private(set) var subject: PropertyList.Reference
    /// Whether it is the archive's nil.
    private(set) var isNil = false
    /// Whether a leaf that is a number is a time, and data is text.
    private(set) var isDate = false
    private(set) var isText = false
    /// Of an object that has a class, and is none of those.
    private(set) var className: Range<Int>?
    /// The key of an entry that isn't shown where it stands: the class has its own place, and all objects have theirs.
    private(set) var hidden: StaticString?
    /// Positions of references: a container's members, and the keys of a dictionary.
    private(set) var keys = 0..<0
    private(set) var values = 0..<0

    /// For each array: one more than the index of the object whose members it has; 0: none that was looked at. Empty until
    /// the first.
    private var owners: [UInt32] = []

    /// Longer names would make an output that repeats them much larger than the input.
    static let longestRepeated = 128

    init(_ list: PropertyList, _ archive: KeyedArchive?) {
        self.list = list
        self.archive = archive
        subject = list.root
    }

    func look(at reference: PropertyList.Reference) {
        subject = reference
        (kind, isNil, isDate, isText, className) = (.leaf, false, false, false, nil)
        (keys, values, hidden) = (0..<0, 0..<0, nil)
        if let archive, case .uid(let uid) = list[reference], let object = archive.object(uid) {
            subject = object
            isNil = list.isString(object, "$null")
        }
        switch list[subject] {
        case .array(let members): (kind, values) = (.list, members)
        case .set(let members): (kind, values) = (.set, members)
        case .orderedSet(let members): (kind, values) = (.orderedSet, members)
        case .dictionary(let keys, let values):
            (kind, self.keys, self.values) = (.dictionary, keys, values)
            guard let archive else { return }
            lookAtClass(archive)
            if reference == list.root { hidden = "$objects" }
        default: break
        }
    }

    /// Whether a leaf is so long that it is shown once only.
    var isLong: Bool {
        switch list[subject] {
        case .string(let range), .data(let range): return range.count > Self.longestRepeated
        default: return false
        }
    }

    /// Well-known classes are seen as what they are when they hold what they should, and nothing else.
    private func lookAtClass(_ archive: KeyedArchive) {
        guard let name = try? archive.className(of: subject), name.count <= Self.longestRepeated else { return }
        func isNamed(_ one: StaticString, _ other: StaticString) -> Bool {
            list.bytes(in: name, equal: one) || list.bytes(in: name, equal: other)
        }
        func part(_ key: StaticString) -> PropertyList.Reference? { try? archive.value(forKey: key, of: subject) }
        (className, hidden) = (name, "$class")
        if values.count == 3, isNamed("NSDictionary", "NSMutableDictionary") {
            guard let keys = part("NS.keys"), let objects = part("NS.objects"), case .array(let keyRange) = list[keys],
                case .array(let range) = list[objects], keyRange.count == range.count,
                owns(keys, keyRange.count), owns(objects, range.count)
            else { return }
            (self.keys, values, hidden) = (keyRange, range, nil)
            return
        }
        guard values.count == 2 else { return }
        if isNamed("NSArray", "NSMutableArray") || isNamed("NSSet", "NSMutableSet") {
            guard let objects = part("NS.objects"), case .array(let range) = list[objects], owns(objects, range.count)
            else { return }
            kind = isNamed("NSSet", "NSMutableSet") ? .set : .list
            (keys, values, hidden) = (0..<0, range, nil)
        } else if isNamed("NSString", "NSMutableString") {
            if let text = part("NS.string"), case .string = list[text] { return take(text) }
            if let text = part("NS.bytes"), case .data = list[text] {
                take(text)
                isText = true
            }
        } else if isNamed("NSDate", "__NSDate"), let time = part("NS.time") {
            switch list[time] {
            case .real, .integer:
                take(time)
                isDate = true
            default: return
            }
        } else if isNamed("NSData", "NSMutableData"), let data = part("NS.data"), case .data = list[data] {
            take(data)
        }
    }

    /// Whether the array's members are the subject's alone. Where many objects share a long one, only the first is seen as
    /// what it is: the others would repeat all members.
    private func owns(_ array: PropertyList.Reference, _ count: Int) -> Bool {
        if count <= 8 { return true }
        if owners.isEmpty { owners = Array(repeating: 0, count: list.count) }
        if owners[Int(array.index)] == 0 { owners[Int(array.index)] = subject.index &+ 1 }
        return owners[Int(array.index)] == subject.index &+ 1
    }

    private func take(_ leaf: PropertyList.Reference) {
        (kind, subject, className) = (.leaf, leaf, nil)
        (keys, values, hidden) = (0..<0, 0..<0, nil)
    }
}
