// ForeignCollector: takes what isn't ours out of an archive that was read, into a small one that stays in memory. So a
// file with a million records and one unknown object costs one object.

import KeyedArchive

struct ForeignCollector {
    typealias Reference = PropertyList.Reference

    private let source: KeyedArchive
    private var archiver = KeyedArchiver()
    private var copier: ObjectCopier
    var content = ForeignContent()

    /// Stand for the root and the group, which are written anew each time, where foreign content refers to them.
    static let root: UInt64 = 1
    static let group: UInt64 = 2

    init(_ source: KeyedArchive) {
        self.source = source
        copier = ObjectCopier(from: source)
        _ = archiver.reserve()
        _ = archiver.reserve()
    }

    mutating func setRoot(_ reference: Reference) { substitute(reference, with: Self.root) }
    mutating func setGroup(_ reference: Reference) { substitute(reference, with: Self.group) }

    private mutating func substitute(_ reference: Reference, with uid: UInt64) {
        if case .uid(let old) = source[reference] { copier.substitute(old, with: uid) }
    }

    /// An entry of a dictionary object: two UIDs.
    mutating func entry(_ key: Reference, _ value: Reference) throws(DecodingError) -> ForeignContent.Entry {
        guard case .uid(let keyUID) = source[key], case .uid(let valueUID) = source[value] else {
            throw source.error(at: key, "an entry of a dictionary that is no UID")
        }
        return (copier.copy(object: keyUID, into: &archiver), copier.copy(object: valueUID, into: &archiver))
    }

    /// A plain key and its value.
    mutating func coded(_ key: Reference, _ value: Reference) -> ForeignContent.Coded {
        (copier.copy(value: key, into: &archiver), copier.copy(value: value, into: &archiver))
    }

    /// The coder keys of an object that are not `known`, nor its class.
    mutating func unknownCoded(
        of object: Reference, known: [StaticString]
    ) throws(DecodingError) -> [ForeignContent.Coded] {
        guard case .dictionary(let keys, let values) = source[object] else { return [] }
        var unknown: [ForeignContent.Coded] = []
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            if source.list.isString(key, "$class") || known.contains(where: { source.list.isString(key, $0) }) {
                continue
            }
            unknown.append(coded(key, source.list.reference(at: valuePosition)))
        }
        return unknown
    }

    mutating func finish() -> ForeignContent {
        let isEmpty =
            content.rootEntries.isEmpty && content.groupEntries.isEmpty && content.rootCoded.isEmpty
            && content.groupCoded.isEmpty && content.top.isEmpty && content.topLevel.isEmpty
            && content.firstTime.isEmpty && content.events.isEmpty && content.triggers.isEmpty
            && content.records.isEmpty
        // Its own top has no entries, so it can't fail to decode; and were it to, nothing of ours would be lost.
        if !isEmpty { content.archive = try? KeyedArchive(archiver.finish(top: [], extra: [])) }
        return content
    }
}
