// KeyedArchive: what NSKeyedArchiver wrote, seen as a graph of objects. Reads one object at a time, on demand, so nothing
// recurses and a cycle among objects does no harm. It knows the layout of strings, dates and dictionaries; which classes
// an application has is not its business.

/// A keyed archive: a property list whose objects refer to each other by UID. An object, which is handed on with little
/// code; nothing changes it.
package final class KeyedArchive: Sendable {
    package typealias Reference = PropertyList.Reference

    package let list: PropertyList
    /// Positions of the references in `$objects`; a UID counts from the first.
    private let objects: Range<Int>
    /// The `$top` dictionary.
    package let top: Reference
    /// Whether it was damaged: objects may be missing then, with a null in their places.
    package let isSalvaged: Bool

    /// Whether `list` says of itself that it is a keyed archive.
    package static func isArchive(_ list: PropertyList) -> Bool {
        list.value(forKey: "$archiver", in: list.root) != nil || list.value(forKey: "$objects", in: list.root) != nil
    }

    package convenience init(_ list: PropertyList) throws(DecodingError) {
        guard case .dictionary = list[list.root] else {
            throw DecodingError(list.position(of: list.root), "not a keyed archive: the top object is no dictionary")
        }
        guard let archiver = list.value(forKey: "$archiver", in: list.root), case .string = list[archiver] else {
            throw DecodingError(list.position(of: list.root), "not a keyed archive: $archiver is missing")
        }
        guard let version = list.value(forKey: "$version", in: list.root), case .integer(100_000) = list[version] else {
            throw DecodingError(list.position(of: list.root), "not a keyed archive of version 100000")
        }
        guard let top = list.value(forKey: "$top", in: list.root), case .dictionary = list[top] else {
            throw DecodingError(list.position(of: list.root), "not a keyed archive: $top is missing or no dictionary")
        }
        guard let table = list.value(forKey: "$objects", in: list.root), case .array(let objects) = list[table] else {
            throw DecodingError(list.position(of: list.root), "not a keyed archive: $objects is missing or no array")
        }
        self.init(list, top: top, objects: objects, isSalvaged: false)
    }

    init(_ list: PropertyList, top: Reference, objects: Range<Int>, isSalvaged: Bool) {
        self.list = list
        self.top = top
        self.objects = objects
        self.isSalvaged = isSalvaged
    }
}

// MARK: - Objects

extension KeyedArchive {
    /// Coder keys that an object may have. Keys are searched one by one, so without a limit a file in which a million
    /// objects share one class of a million keys would take hours.
    static let mostCoderKeys = 256

    package subscript(reference: Reference) -> PropertyList.Object { list[reference] }

    /// The value of a coder key as it stands, a UID say; nil when `object` has no such key.
    package func codedValue(forKey key: StaticString, of object: Reference) throws(DecodingError) -> Reference? {
        if case .dictionary(let keys, _) = list[object], keys.count > Self.mostCoderKeys {
            throw error(at: object, "an object with more than 256 coder keys")
        }
        return list.value(forKey: key, in: object)
    }

    package func error(at reference: Reference, _ reason: StaticString) -> DecodingError {
        DecodingError(list.position(of: reference), reason)
    }

    /// The object in `$objects` with that UID.
    package func object(_ uid: UInt64) -> Reference? {
        guard uid < UInt64(objects.count) else { return nil }
        return list.reference(at: objects.lowerBound + Int(uid))
    }

    /// What `reference` stands for: the object that a UID names, nil for the archive's nil, anything else itself.
    ///
    /// The text "$null" means nil wherever it stands, as it does for NSKeyedUnarchiver.
    package func resolve(_ reference: Reference) throws(DecodingError) -> Reference? {
        guard case .uid(let uid) = list[reference] else { return reference }
        guard let object = object(uid) else { throw error(at: reference, "a UID beyond the end of $objects") }
        return list.isString(object, "$null") ? nil : object
    }

    /// The value of an object's coder key; nil when the key is missing or its value is the archive's nil.
    package func value(forKey key: StaticString, of object: Reference) throws(DecodingError) -> Reference? {
        guard let value = try codedValue(forKey: key, of: object) else { return nil }
        return try resolve(value)
    }

    /// The bytes of an object's class name; nil when `object` is a plain value and has no class.
    package func className(of object: Reference) throws(DecodingError) -> Range<Int>? {
        guard case .dictionary = list[object] else { return nil }
        guard let value = try codedValue(forKey: "$class", of: object) else {
            throw error(at: object, "an object without $class")
        }
        guard case .uid = list[value], let description = try resolve(value), case .dictionary = list[description],
            let name = try codedValue(forKey: "$classname", of: description), case .string(let range) = list[name]
        else { throw error(at: object, "$class names no class") }
        return range
    }

    /// Whether `object` is of one of two classes.
    package func isInstance(
        _ object: Reference, of name: StaticString, or other: StaticString
    ) throws(DecodingError) -> Bool {
        try isInstance(object) { list.bytes(in: $0, equal: name) || list.bytes(in: $0, equal: other) }
    }

    /// Whether `object` is of a class whose name satisfies `isWanted`. In an archive that was damaged it may be of any:
    /// whoever asks goes on to look for the coder keys of the class, and they tell as much as its name.
    package func isInstance(_ object: Reference, _ isWanted: (Range<Int>) -> Bool) throws(DecodingError) -> Bool {
        if isSalvaged, case .dictionary = list[object] { return true }
        guard let name = try className(of: object) else { return false }
        return isWanted(name)
    }
}

// MARK: - Values

extension KeyedArchive {
    /// The text of a string: a plain one, an NSString or an NSMutableString. Nil when `object` is anything else.
    package func text(of object: Reference) throws(DecodingError) -> Range<Int>? {
        if case .string(let range) = list[object] { return range }
        guard try isInstance(object, of: "NSString", or: "NSMutableString") else { return nil }
        if let string = try value(forKey: "NS.string", of: object), case .string(let range) = list[string] {
            return range
        }
        if let bytes = try value(forKey: "NS.bytes", of: object), case .data(let range) = list[bytes] { return range }
        throw error(at: object, "a string object without its text")
    }

    /// The time of a date in seconds since 2001: an NSDate, or a plain date. Nil when `object` is anything else.
    package func date(of object: Reference) throws(DecodingError) -> Double? {
        if case .date(let time) = list[object] { return time }
        guard try isInstance(object, of: "NSDate", or: "__NSDate") else { return nil }
        guard let time = try value(forKey: "NS.time", of: object) else {
            throw error(at: object, "a date without NS.time")
        }
        switch list[time] {
        case .real(let seconds): return seconds
        case .integer(let seconds): return Double(seconds)
        default: throw error(at: object, "a date whose NS.time is no number")
        }
    }

    /// The positions of a dictionary's keys and values, as many of either. Nil when `object` is no NSDictionary or
    /// NSMutableDictionary.
    package func entries(
        of object: Reference
    ) throws(DecodingError) -> (keys: Range<Int>, values: Range<Int>)? {
        guard try isInstance(object, of: "NSDictionary", or: "NSMutableDictionary") else { return nil }
        guard let keys = list.value(forKey: "NS.keys", in: object), case .array(let keyRange) = list[keys],
            let values = list.value(forKey: "NS.objects", in: object), case .array(let valueRange) = list[values]
        else { throw error(at: object, "a dictionary without NS.keys and NS.objects") }
        guard keyRange.count == valueRange.count else {
            throw error(at: object, "a dictionary with unlike numbers of NS.keys and NS.objects")
        }
        return (keyRange, valueRange)
    }
}
