// Archive+Decode: a keyed archive -> records and foreign content. What it doesn't know it carries, what is malformed it
// refuses; it never guesses.

import KeyedArchive

extension Archive {
    /// Decodes the bytes of an archive file, binary or XML.
    package init(bytes: [UInt8]) throws(ArchiveError) {
        let list: PropertyList
        do { list = try PropertyList(bytes: bytes) } catch { throw .damaged(error) }
        try self.init(list)
    }

    package init(_ list: PropertyList) throws(ArchiveError) {
        let decoder: ArchiveDecoder
        let unreadable: Int128?
        do {
            decoder = ArchiveDecoder(try KeyedArchive(list))
            unreadable = try decoder.decodeFormat()
        } catch { throw .damaged(error) }
        // Asked before anything else is looked at: only the newer version knows what the rest means.
        if let unreadable { throw .newerFormat(unreadable) }
        do { try decoder.decodeAll() } catch { throw .damaged(error) }
        self = decoder.finish()
    }
}

/// One decoding. An object, which is handed on with little code.
final class ArchiveDecoder {
    typealias Reference = PropertyList.Reference

    let source: KeyedArchive
    var archive = Archive()
    var foreign: ForeignCollector
    /// What the next record is like, most often.
    var last: LastRecord?
    /// Whether that is asked; only tests do without.
    var looksAtLast = true
    /// What the keys of one table, and unknown coder keys of records, may still take. In a sound file no two entries of a
    /// table share them, so there can't be more than the file holds; in a hostile one, entries of a few bytes could each
    /// name the same large object.
    var keyBytes: Int
    var unknownKeys: Int
    /// The same of versions, which records do share: each would be copied, and written to the journal of who imports them.
    var versions: VersionBudget
    /// Whether an entry that is refused doesn't end it: `foreign.content.leftOut` then has each.
    var collectsProblems = false

    init(_ source: KeyedArchive) {
        self.source = source
        foreign = ForeignCollector(source)
        keyBytes = source.list.byteCount
        unknownKeys = source.list.referenceCount
        versions = VersionBudget(fileSize: source.list.byteCount)
    }

    func finish() -> Archive {
        archive.foreign = foreign.finish()
        return archive
    }
}

// MARK: - The graph

extension ArchiveDecoder {
    /// Everything but the format.
    func decodeAll() throws(DecodingError) {
        try decodeFirstTime()
        try decodeTables()
        try decodeTop()
        try decodeTopLevel()
    }

    /// Carries the top-level keys that are neither the archive's nor ours.
    func decodeTopLevel() throws(DecodingError) {
        guard case .dictionary(let keys, let values) = source[source.list.root] else { return }
        let known: [StaticString] = ["$archiver", "$version", "$top", "$objects", "FirstTime"]
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            if known.contains(where: { source.list.isString(key, $0) }) { continue }
            foreign.content.topLevel.append(foreign.coded(key, source.list.reference(at: valuePosition)))
        }
    }

    func decodeTop() throws(DecodingError) {
        guard case .dictionary(let keys, let values) = source[source.top] else { return }
        guard let root = source.list.value(forKey: "root", in: source.top) else {
            throw source.error(at: source.top, "$top has no root")
        }
        guard let object = try source.resolve(root), let entries = try source.entries(of: object) else {
            throw source.error(at: root, "the root is no dictionary")
        }
        foreign.setRoot(root)
        try decodeRoot(object, keys: entries.keys, values: entries.values)
        var isRootKnown = false
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            if !isRootKnown, source.list.isString(key, "root") {
                isRootKnown = true
                continue
            }
            foreign.content.top.append(foreign.coded(key, source.list.reference(at: valuePosition)))
        }
    }

    private func decodeRoot(
        _ root: Reference, keys: Range<Int>, values: Range<Int>
    ) throws(DecodingError) {
        // The group comes before what may refer to it.
        var groupKey: Int?
        for (keyPosition, valuePosition) in zip(keys, values) {
            guard let text = try text(of: source.list.reference(at: keyPosition)),
                source.list.bytes(in: text, equal: "sharedGroup")
            else { continue }
            groupKey = keyPosition
            try decodeGroup(source.list.reference(at: valuePosition))
            break
        }
        foreign.content.rootCoded = try foreign.unknownCoded(of: root, known: ["NS.keys", "NS.objects"])
        for (keyPosition, valuePosition) in zip(keys, values) where keyPosition != groupKey {
            let key = source.list.reference(at: keyPosition)
            foreign.content.rootEntries.append(try foreign.entry(key, source.list.reference(at: valuePosition)))
            foreign.content.leftOut.append(source.error(at: key, "not part of sharedGroup"))
        }
        // An empty root is YCFirstTime's before its first run; one with other things in it is another program's archive.
        // What this library writes always has a group, be it empty.
        guard groupKey != nil || keys.isEmpty && archive.sequence ?? 0 == 0 else {
            throw source.error(at: root, "its root has no sharedGroup: it is damaged, or other software's")
        }
    }

    private func decodeGroup(_ reference: Reference) throws(DecodingError) {
        guard let group = try source.resolve(reference), let entries = try source.entries(of: group) else {
            throw source.error(at: reference, "sharedGroup is no dictionary")
        }
        foreign.setGroup(reference)
        foreign.content.groupCoded = try foreign.unknownCoded(of: group, known: ["NS.keys", "NS.objects"])
        try decodeGroup(keys: entries.keys, values: entries.values)
    }

    private func decodeGroup(keys: Range<Int>, values: Range<Int>) throws(DecodingError) {
        keyBytes = source.list.byteCount
        // Keys that differ are objects of their own.
        archive.records.reserveCapacity(min(keys.count, source.list.count))
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            let value = source.list.reference(at: valuePosition)
            do throws(DecodingError) {
                guard let reason = try decodeEntry(key, value) else { continue }
                foreign.content.groupEntries.append(try foreign.entry(key, value))
                foreign.content.leftOut.append(source.error(at: key, reason))
            } catch {
                guard collectsProblems else { throw error }
                foreign.content.leftOut.append(error)
            }
        }
    }

    /// Takes an entry of the group for a record. The reason why it is none that the API can show; nil when it is one.
    func decodeEntry(_ key: Reference, _ value: Reference) throws(DecodingError) -> StaticString? {
        let text = try text(of: key)
        keyBytes -= text?.count ?? 0
        guard keyBytes >= 0 else { throw source.error(at: key, "a key that stands again and again") }
        guard let record = try record(of: value) else { return "its value is no YCFirstTimeObject" }
        guard let text else { return "its key is nil" }
        guard let key = Key(source.list.bytes(in: text)) else {
            return "its key is not 1 to 65535 bytes of UTF-8 without U+0000"
        }
        // A key twice, which no writer of ours makes: the newest run is the one to believe.
        if let known = archive.records[key], !known.isOlder(than: record) { return nil }
        archive.records[key] = record
        return nil
    }

    func text(of reference: Reference) throws(DecodingError) -> Range<Int>? {
        guard let object = try source.resolve(reference) else { return nil }
        return try source.text(of: object)
    }
}
