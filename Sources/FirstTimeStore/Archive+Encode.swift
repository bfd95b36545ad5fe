// Archive+Encode: records and foreign content -> a keyed archive in the layout that YCFirstTime and ten other readers
// take. docs/FORMAT.md says what each choice is for.

import KeyedArchive

extension Archive {
    /// The bytes of the archive file.
    package func bytes() -> [UInt8] {
        BinaryPropertyList.write(propertyList(), longestShared: VersionBudget.longestShared)
    }

    @inline(never)
    package func propertyList() -> PropertyList {
        ArchiveEncoder(self).encode()
    }
}

/// One encoding. An object, which is handed on with little code.
private final class ArchiveEncoder {
    private let archive: Archive
    private var archiver = KeyedArchiver()
    private var foreign: ForeignPlacer?

    init(_ archive: Archive) {
        self.archive = archive
        if let source = archive.foreign.archive { foreign = ForeignPlacer(source) }
    }

    func encode() -> PropertyList {
        let content = archive.foreign
        // The root comes first among the objects, as Apple's writer has it.
        let root = archiver.reserve()
        let group = archiver.reserve()
        foreign?.setOwn(root: root, group: group)
        let groupKey = archiver.append(string: Array(staticString: "sharedGroup"))
        var rootEntries = placed(content.rootEntries)
        rootEntries.insert((groupKey, group), at: 0)
        let rootObject = archiver.mutableDictionary(rootEntries, extra: placed(content.rootCoded))
        archiver.fill(root, with: rootObject)
        let entries = recordEntries() + placed(content.groupEntries)
        let groupObject = archiver.mutableDictionary(entries, extra: placed(content.groupCoded))
        archiver.fill(group, with: groupObject)
        let rootUID = archiver.list.append(uid: root)
        var top = placed(content.top)
        top.insert((archiver.name("root"), rootUID), at: 0)
        var extra = placed(content.topLevel)
        extra.append((archiver.name("FirstTime"), firstTime()))
        return archiver.finish(top: top, extra: extra)
    }

    private func recordEntries() -> [ForeignContent.Entry] {
        archive.records.keys().map { key in
            let keyUID = archiver.append(string: key.bytes)
            let object = recordObject(archive.records[key] ?? Record())
            return (keyUID, archiver.append(object))
        }
    }

    private func recordObject(_ record: Record) -> PropertyList.Reference {
        let version = record.lastVersion.map { self.version($0) } ?? KeyedArchiver.null
        let time = record.lastTime.map { archiver.append(date: $0) } ?? KeyedArchiver.null
        // Both are always present: Foundation refuses the whole archive when one is missing.
        var coded: [ForeignContent.Coded] = [
            (archiver.name("lastVersion"), archiver.list.append(uid: version)),
            (archiver.name("lastTime"), archiver.list.append(uid: time)),
        ]
        // Ours stand inline, where old readers pass them over.
        if record.count > 0 {
            coded.append((archiver.name("count"), archiver.list.append(integer: Int128(record.count))))
        }
        coded += beginning(record.firstVersion, record.firstTime)
        if let former = record.former { coded.append((archiver.name("started"), dictionary(of: former.record))) }
        if record.extras > 0, Int(record.extras) <= archive.foreign.records.count {
            coded += placed(archive.foreign.records[Int(record.extras) - 1])
        }
        return archiver.object(coded, class: archiver.class("YCFirstTimeObject", "NSObject"))
    }

    private func version(_ text: [UInt8]) -> UInt64 {
        if text.count > VersionBudget.longestShared { return archiver.append(string: text) }
        return archiver.append(sharedString: text)
    }

    private func beginning(_ version: [UInt8]?, _ time: Double?) -> [ForeignContent.Coded] {
        var coded: [ForeignContent.Coded] = []
        if let version {
            coded.append((archiver.name("firstVersion"), archiver.list.append(string: version)))
        }
        if let time {
            coded.append((archiver.name("firstTime"), archiver.list.append(real: time)))
        }
        return coded
    }

    /// A record as a plain dictionary; it always has a count, so that an empty one means none.
    private func dictionary(of record: Record?) -> PropertyList.Reference {
        guard let record else { return dictionary([]) }
        let beginning = beginning(record.firstVersion, record.firstTime)
        return dictionary(ending(record.count, record.lastVersion, record.lastTime) + beginning)
    }

    private func ending(_ count: UInt64, _ version: [UInt8]?, _ time: Double?) -> [ForeignContent.Coded] {
        var coded: [ForeignContent.Coded] = [
            (archiver.name("count"), archiver.list.append(integer: Int128(count)))
        ]
        if let version {
            coded.append((archiver.name("lastVersion"), archiver.list.append(string: version)))
        }
        if let time {
            coded.append((archiver.name("lastTime"), archiver.list.append(real: time)))
        }
        return coded
    }

    private func dictionary(_ coded: [ForeignContent.Coded]) -> PropertyList.Reference {
        archiver.list.append(dictionaryKeys: coded.map { $0.key }, values: coded.map { $0.value })
    }

    private func firstTime() -> PropertyList.Reference {
        var coded: [ForeignContent.Coded] = [
            (archiver.name("formatVersion"), archiver.list.append(integer: Archive.currentFormat)),
            (archiver.name("readableFrom"), archiver.list.append(integer: Archive.readableFrom)),
            (archiver.name("sequence"), archiver.list.append(integer: Int128(archive.sequence ?? 0))),
        ]
        if let id = archive.storeID {
            coded.append((archiver.name("storeID"), archiver.list.append(integer: Int128(id))))
        }
        coded.append((archiver.name("events"), table(archive.events, archive.foreign.events)))
        coded.append((archiver.name("triggers"), table(archive.triggers, archive.foreign.triggers)))
        coded += placed(archive.foreign.firstTime)
        return dictionary(coded)
    }

    /// The events, or the triggers.
    private func table(_ records: RecordTable, _ foreign: [ForeignContent.Coded]) -> PropertyList.Reference {
        var coded: [ForeignContent.Coded] = []
        for name in records.keys() {
            coded.append((archiver.list.append(string: name.bytes), dictionary(of: records[name])))
        }
        return dictionary(coded + placed(foreign))
    }

    private func placed(_ entries: [ForeignContent.Entry]) -> [ForeignContent.Entry] {
        entries.map { foreign?.entry($0, in: &archiver) ?? $0 }
    }

    private func placed(_ coded: [ForeignContent.Coded]) -> [ForeignContent.Coded] {
        coded.map { foreign?.coded($0, in: &archiver) ?? $0 }
    }
}

/// Puts foreign content back into an archive that is being written.
private struct ForeignPlacer {
    private var copier: ObjectCopier

    init(_ source: KeyedArchive) { copier = ObjectCopier(from: source) }

    mutating func setOwn(root: UInt64, group: UInt64) {
        copier.substitute(ForeignCollector.root, with: root)
        copier.substitute(ForeignCollector.group, with: group)
    }

    mutating func entry(_ entry: ForeignContent.Entry, in archiver: inout KeyedArchiver) -> ForeignContent.Entry {
        (copier.copy(object: entry.key, into: &archiver), copier.copy(object: entry.value, into: &archiver))
    }

    mutating func coded(_ coded: ForeignContent.Coded, in archiver: inout KeyedArchiver) -> ForeignContent.Coded {
        (copier.copy(value: coded.key, into: &archiver), copier.copy(value: coded.value, into: &archiver))
    }
}
