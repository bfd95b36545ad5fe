// RuleKitEvents: the file in which RuleKit keeps its donations and the last time of each trigger: a property list as
// PropertyListEncoder writes it. It reads; merging is Engine+Import's.

import FirstTimeStore
import KeyedArchive

/// One reading of `RuleKitEvents.plist`. An object, which is handed on with little code.
final class RuleKitEvents {
    private typealias Reference = PropertyList.Reference

    private let list: PropertyList
    /// Its events and triggers; no records.
    private(set) var archive = Archive()
    /// Entries whose names can't be said.
    private(set) var leftOut: [DecodingError] = []
    /// What a table's names may still take. In a sound file no two entries share one, so there can't be more than the file holds.
    private var nameBytes = 0
    private var versions: VersionBudget

    /// Whether a list is such a file.
    static func isOne(_ list: PropertyList) -> Bool {
        list.value(forKey: "donations", in: list.root) != nil && list.value(forKey: "lastTrigger", in: list.root) != nil
    }

    init(_ list: PropertyList) {
        self.list = list
        versions = VersionBudget(fileSize: list.byteCount)
    }

    func read() throws(DecodingError) {
        for (name, value) in try entries("donations") {
            let donations = try donations(value)
            guard versions.allow(donations) else { throw error(value, VersionBudget.reason) }
            archive.events[name] = donations
        }
        for (name, value) in try entries("lastTrigger") {
            var record = TriggerRecord()
            // How often it fired, RuleKit doesn't say.
            record.lastTime = try date(value)
            archive.triggers[name] = record
        }
    }

    private func entries(_ table: StaticString) throws(DecodingError) -> [(Key, Reference)] {
        guard let dictionary = list.value(forKey: table, in: list.root),
            case .dictionary(let names, let values) = list[dictionary]
        else { throw error(list.root, "no RuleKit events: donations or lastTrigger is missing, or no dictionary") }
        // Each table has its own: an event and a trigger may have one name.
        nameBytes = list.byteCount
        var entries: [(Key, Reference)] = []
        for (namePosition, valuePosition) in zip(names, values) {
            let name = list.reference(at: namePosition)
            guard case .string(let text) = list[name] else { throw error(name, "a name that is no string") }
            nameBytes -= text.count
            guard nameBytes >= 0 else { throw error(name, "a name that stands again and again") }
            if let key = Key(list.bytes(in: text)) {
                entries.append((key, list.reference(at: valuePosition)))
            } else {
                leftOut.append(error(name, "its name is not 1 to 65535 bytes of UTF-8 without U+0000"))
            }
        }
        return entries
    }

    private func donations(_ value: Reference) throws(DecodingError) -> Donations {
        guard let count = try field("count", of: value), case .integer(let number) = list[count] else {
            throw error(value, "donations without a count")
        }
        var donations = Donations()
        donations.count = UInt64(clamping: number)
        if let first = try field("first", of: value) {
            (donations.firstTime, donations.firstVersion) = try donation(first)
        }
        if let last = try field("last", of: value) {
            (donations.lastTime, donations.lastVersion) = try donation(last)
        }
        return donations
    }

    private func donation(_ value: Reference) throws(DecodingError) -> (time: Double, version: [UInt8]?) {
        guard let date = try field("date", of: value) else { throw error(value, "a donation without a date") }
        let time = try self.date(date)
        guard let version = try field("appVersion", of: value) else { return (time, nil) }
        guard let raw = try field("rawVersion", of: version), case .string(let text) = list[raw] else {
            throw error(version, "an appVersion without a rawVersion")
        }
        return (time, Array(list.bytes(in: text)))
    }

    private func date(_ value: Reference) throws(DecodingError) -> Double {
        guard case .date(let time) = list[value] else { throw error(value, "a date that is none") }
        return time
    }

    private func field(_ name: StaticString, of value: Reference) throws(DecodingError) -> Reference? {
        // Larger than any version's, it could make many entries that share it a great deal of work.
        guard case .dictionary(let keys, _) = list[value], keys.count <= 32 else {
            throw error(value, "no small dictionary, where RuleKit has one")
        }
        return list.value(forKey: name, in: value)
    }

    private func error(_ reference: Reference, _ reason: StaticString) -> DecodingError {
        DecodingError(list.position(of: reference), reason)
    }
}
