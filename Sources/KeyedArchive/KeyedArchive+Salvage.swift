// KeyedArchive+Salvage: the archive in what is left of a property list. It finds the archive's own parts, by name or by
// shape; what the objects mean is not its business.

extension KeyedArchive {
    /// As much of an archive as there is: without `$top` nothing is in `top`, and without `$objects` no UID leads anywhere.
    package convenience init(salvaging list: PropertyList) {
        var list = list
        if list.value(forKey: "$objects", in: list.root) == nil {
            // Not the trailer's top object, then: the one whose entries say what it is.
            let root = list.all.first { list.value(forKey: "$objects", in: $0) != nil }
            list.root = root ?? list.root
        }
        var objects = Self.objects(namedIn: list) ?? 0..<0
        if objects.isEmpty { objects = Self.largestArray(in: list) }
        self.init(
            list, top: list.value(forKey: "$top", in: list.root) ?? list.root, objects: objects, isSalvaged: true)
    }

    private static func objects(namedIn list: PropertyList) -> Range<Int>? {
        guard let table = list.value(forKey: "$objects", in: list.root), case .array(let objects) = list[table] else {
            return nil
        }
        return objects
    }

    /// Each object of an archive is in `$objects`, so there is no larger array; and the first of them is always the same.
    private static func largestArray(in list: PropertyList) -> Range<Int> {
        var largest = 0..<0
        for object in list.all {
            guard case .array(let members) = list[object], members.count > largest.count,
                list.isString(list.reference(at: members.lowerBound), "$null")
            else { continue }
            largest = members
        }
        return largest
    }
}
