// PropertyList+Salvage: what is left of a damaged property list, of either format. Which format it was is guessed from
// what of it can be found; the rest is the formats' own.

extension PropertyList {
    /// The objects that can still be read in bytes that `init(bytes:)` refuses. Never an error, and never without an
    /// object: a null stands for each that is lost, the root perhaps among them.
    package init(salvaging bytes: [UInt8]) {
        let binary = Self.find("bplist0", in: bytes)
        let xml =
            XMLPropertyList.looksLikeXML(bytes)
            ? 0 : Self.find("<?xml", in: bytes) ?? Self.find("<plist", in: bytes) ?? Self.find("<dict", in: bytes)
        if let xml, xml < binary ?? .max {
            self = XMLPropertyList.salvage(bytes, from: xml)
        } else {
            // Without its first bytes a binary list is still one; what never was one has no sound objects.
            self = BinaryPropertyList.salvage(bytes, from: binary ?? 0)
        }
    }

    /// A list of which everything is lost.
    static var nothing: PropertyList {
        var list = PropertyList()
        list.root = list.appendNull()
        return list
    }

    /// All objects, members before their containers.
    package var all: some Sequence<Reference> {
        (0..<UInt32(truncatingIfNeeded: count)).lazy.map { Reference(index: $0) }
    }

    private static func find(_ text: StaticString, in bytes: [UInt8]) -> Int? {
        let first = text.utf8Start[0]
        for index in bytes.indices where bytes[index] == first && matches(bytes, at: index, text) { return index }
        return nil
    }
}
