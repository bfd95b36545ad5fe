// KeyedArchiver: values -> a keyed archive, in the layout that NSKeyedUnarchiver and the other readers accept. It builds
// the property list; turning that into bytes is BinaryPropertyList's and XMLPropertyList's work.

/// Builds a keyed archive, one object after the other.
package struct KeyedArchiver {
    package typealias Reference = PropertyList.Reference

    /// Where plain values for objects are appended.
    package var list = PropertyList()
    /// `$objects`: a UID is an index here. The first is nil.
    private var objects: [Reference]
    private var classes: [(name: StaticString, uid: UInt64)] = []
    private var names: [(text: StaticString, reference: Reference)] = []
    private var strings: [[UInt8]: UInt64] = .init()
    private var lastString: (text: [UInt8], uid: UInt64)?

    /// The UID of nil.
    package static let null: UInt64 = 0

    package init() {
        objects = []
        objects.append(list.append(string: "$null"))
    }

    /// Takes a place in `$objects`; its content follows with `fill`.
    package mutating func reserve() -> UInt64 {
        objects.append(objects[0])
        return UInt64(objects.count - 1)
    }

    package mutating func fill(_ uid: UInt64, with object: Reference) {
        guard uid < UInt64(objects.count) else { return }
        objects[Int(uid)] = object
    }

    package mutating func append(_ object: Reference) -> UInt64 {
        objects.append(object)
        return UInt64(objects.count - 1)
    }

    /// A coder key, or other text of ours that many objects use.
    package mutating func name(_ text: StaticString) -> Reference {
        for known in names where known.text.utf8Start == text.utf8Start { return known.reference }
        let reference = list.append(string: text)
        names.append((text, reference))
        return reference
    }

    /// The content of an object: its coder keys with their values, and its class.
    package mutating func object(
        _ coded: [(key: Reference, value: Reference)], class uid: UInt64
    ) -> Reference {
        let keys = coded.map { $0.key } + [name("$class")]
        let values = coded.map { $0.value } + [list.append(uid: uid)]
        return list.append(dictionaryKeys: keys, values: values)
    }

    /// The class object for `name`, whose superclasses follow it in `chain`.
    package mutating func `class`(_ name: StaticString, _ chain: StaticString...) -> UInt64 {
        for known in classes where known.name.utf8Start == name.utf8Start { return known.uid }
        let nameReference = list.append(string: name)
        let members = [nameReference] + chain.map { list.append(string: $0) }
        let keys = [self.name("$classes"), self.name("$classname")]
        let uid = append(list.append(dictionaryKeys: keys, values: [list.append(array: members), nameReference]))
        classes.append((name, uid))
        return uid
    }

    /// A string. The text "$null" goes into an NSString object, because readers take the plain text for nil.
    package mutating func append(string: [UInt8]) -> UInt64 {
        let text = list.append(string: string)
        guard list.isString(text, "$null") else { return append(text) }
        return append(object([(name("NS.string"), text)], class: self.class("NSString", "NSObject")))
    }

    /// A string that many objects share: the same text gets the same UID.
    package mutating func append(sharedString string: [UInt8]) -> UInt64 {
        // Most often it is the one before, held once: then comparing costs nothing, and hashing would cost its length.
        if let last = lastString, last.text == string { return last.uid }
        let known = strings[string]
        let uid = known ?? append(string: string)
        if known == nil { strings[string] = uid }
        lastString = (string, uid)
        return uid
    }

    /// An NSDate.
    package mutating func append(date: Double) -> UInt64 {
        let time = list.append(real: date)
        return append(object([(name("NS.time"), time)], class: self.class("NSDate", "NSObject")))
    }

    /// The content of an NSMutableDictionary. `extra`: coder keys beside its own.
    package mutating func mutableDictionary(
        _ entries: [(key: UInt64, value: UInt64)], extra: [(key: Reference, value: Reference)] = []
    ) -> Reference {
        let keys = entries.map { list.append(uid: $0.key) }
        let values = entries.map { list.append(uid: $0.value) }
        var coded = extra
        coded.append((name("NS.keys"), list.append(array: keys)))
        coded.append((name("NS.objects"), list.append(array: values)))
        return object(coded, class: self.class("NSMutableDictionary", "NSDictionary", "NSObject"))
    }

    /// The whole archive. `top`: the entries of `$top`; `extra`: top-level keys beside the archive's own.
    ///
    /// `$objects` comes last, so that a file that was cut off has lost objects first.
    package mutating func finish(
        top: [(key: Reference, value: Reference)], extra: [(key: Reference, value: Reference)]
    ) -> PropertyList {
        let keys =
            [list.append(string: "$version"), list.append(string: "$archiver"), list.append(string: "$top")]
            + extra.map { $0.key } + [list.append(string: "$objects")]
        let values =
            [
                list.append(integer: 100_000), list.append(string: "NSKeyedArchiver"),
                list.append(dictionaryKeys: top.map { $0.key }, values: top.map { $0.value }),
            ] + extra.map { $0.value } + [list.append(array: objects)]
        list.root = list.append(dictionaryKeys: keys, values: values)
        return list
    }
}
