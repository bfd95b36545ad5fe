// Archive+DecodeRecords: the objects of the group that are records, one at a time. Which objects those are, and what else
// the archive holds, is Archive+Decode's.

import KeyedArchive

extension ArchiveDecoder {
    /// The record that a value of the group is; nil when it is something else.
    func record(of value: Reference) throws(DecodingError) -> Record? {
        guard let object = try source.resolve(value) else { return nil }
        if let record = recordLikeLast(object) { return record }
        guard try source.isInstance(object, isRecord) else { return nil }
        let record = try newRecord(object)
        if record.former == nil, record.extras == 0, looksAtLast, !source.isSalvaged {
            last = LastRecord(object, in: source)
        }
        return record
    }

    /// A record of which nothing is known but its class.
    private func newRecord(_ object: Reference) throws(DecodingError) -> Record {
        if source.isSalvaged { try checkWhole(object) }
        var record = Record()
        if let version = try source.value(forKey: "lastVersion", of: object) {
            guard let text = try source.text(of: version) else {
                throw source.error(at: version, "lastVersion is no string")
            }
            record.lastVersion = try versionText(in: text, of: version)
        }
        if let time = try source.value(forKey: "lastTime", of: object) {
            guard let date = try source.date(of: time) else { throw source.error(at: time, "lastTime is no date") }
            record.lastTime = date
        }
        try decodeExtras(of: object, into: &record)
        return record
    }

    private func decodeExtras(of object: Reference, into record: inout Record) throws(DecodingError) {
        if let count = try source.codedValue(forKey: "count", of: object), case .integer(let value) = source[count] {
            record.count = UInt64(clamping: value)
        }
        if let version = try source.codedValue(forKey: "firstVersion", of: object),
            case .string(let text) = source[version]
        {
            record.firstVersion = try versionText(in: text, of: version)
        }
        if let time = try source.codedValue(forKey: "firstTime", of: object), case .real(let value) = source[time] {
            record.firstTime = value
        }
        // What the archive's other objects were, nobody can say any more; and a run that had begun counts as done.
        if source.isSalvaged { return }
        var known: [StaticString] = ["lastVersion", "lastTime", "count", "firstVersion", "firstTime"]
        var former: FormerRecord?
        if let started = try source.codedValue(forKey: "started", of: object) { former = try formerRecord(in: started) }
        // Anything but a small dictionary is another's, whatever it means.
        if former != nil { known.append("started") }
        let unknown = try foreign.unknownCoded(of: object, known: known)
        if !unknown.isEmpty {
            unknownKeys -= unknown.count
            guard unknownKeys >= 0 else { throw source.error(at: object, "an object that is a record again and again") }
            foreign.content.records.append(unknown)
            record.extras = UInt32(clamping: foreign.content.records.count)
        }
        // The unknown keys belong to the object, which stays.
        record.former = former.map { former in
            var before = former.record
            before?.extras = record.extras
            return FormerRecord(before)
        }
    }

    /// What `started` holds: the fields of a record, or nothing when there was none. Nil when it is no such dictionary.
    private func formerRecord(in started: Reference) throws(DecodingError) -> FormerRecord? {
        // Larger than any version's, it could make many records that share it a great deal of work.
        guard case .dictionary(let keys, _) = source[started], keys.count <= 32 else { return nil }
        if keys.isEmpty { return FormerRecord(nil) }
        var record = Record()
        if case .string(let text)? = plain("lastVersion", in: started) {
            record.lastVersion = try versionText(in: text, of: started)
        }
        if case .real(let time)? = plain("lastTime", in: started) { record.lastTime = time }
        if case .integer(let count)? = plain("count", in: started) { record.count = UInt64(clamping: count) }
        if case .string(let text)? = plain("firstVersion", in: started) {
            record.firstVersion = try versionText(in: text, of: started)
        }
        if case .real(let time)? = plain("firstTime", in: started) { record.firstTime = time }
        return FormerRecord(record)
    }

    private func plain(_ key: StaticString, in dictionary: Reference) -> PropertyList.Object? {
        source.list.value(forKey: key, in: dictionary).map { source[$0] }
    }

    /// A record that was damaged is lost, not one that says less than it did. So all that it holds must be what records
    /// hold: leaves with names.
    private func checkWhole(_ object: Reference) throws(DecodingError) {
        guard case .dictionary(let keys, let values) = source[object],
            try source.codedValue(forKey: "lastVersion", of: object) != nil,
            try source.codedValue(forKey: "lastTime", of: object) != nil
        else { throw source.error(at: object, "no record: without lastVersion or lastTime") }
        for (key, value) in zip(keys, values) {
            let part = source[source.list.reference(at: value)]
            let name = source.list.reference(at: key)
            let isLeaf = part.members == nil || source.list.isString(name, "started")
            guard case .string = source[name], part != .null, isLeaf else {
                throw source.error(at: object, "a record of which a part is lost")
            }
        }
    }

    func versionText(
        in text: Range<Int>, of string: PropertyList.Reference
    ) throws(DecodingError) -> [UInt8] {
        guard versions.allow(text.count) else { throw source.error(at: string, VersionBudget.reason) }
        let version = Array(source.list.bytes(in: text))
        // What a block of zeros makes of a text.
        if source.isSalvaged, version.contains(0) {
            throw source.error(at: string, "a version with U+0000 in it")
        }
        return version
    }

    /// The class of records, in any module, and under the name it had in 2014.
    func isRecord(_ name: Range<Int>) -> Bool {
        let base: StaticString = "YCFirstTimeObject"
        let start = name.upperBound - base.utf8CodeUnitCount
        guard start >= name.lowerBound else { return false }
        guard start == name.lowerBound || source.list.bytes(in: start - 1..<start, equal: ".") else { return false }
        return source.list.bytes(in: start..<name.upperBound, equal: base)
            || source.list.bytes(in: start..<name.upperBound, equal: "FKFirstTimeObject")
    }
}
