// Archive+DecodeFirstTime: `FirstTime`, the dictionary in which we keep what is not a record. It must not look at anything
// else: whether this version can read the rest is asked here first.

import KeyedArchive

extension ArchiveDecoder {
    /// Our own dictionary. Where a file is no longer whole it may have to be found by what is in it.
    private var ours: Reference? {
        if let named = source.list.value(forKey: "FirstTime", in: source.list.root) { return named }
        guard source.isSalvaged else { return nil }
        return source.list.all.first {
            source.list.value(forKey: "formatVersion", in: $0) != nil
                && source.list.value(forKey: "readableFrom", in: $0) != nil
        }
    }

    /// Reads the format version; returns it when that says this version can't read the file.
    func decodeFormat() throws(DecodingError) -> Int128? {
        guard let ours else { return nil }
        guard case .dictionary = source[ours] else { throw source.error(at: ours, "FirstTime is no dictionary") }
        guard let version = source.list.value(forKey: "formatVersion", in: ours) else { return nil }
        let formatVersion = try integer(version)
        foreign.content.formatVersion = formatVersion
        var readableFrom = Int128.max
        if let oldest = source.list.value(forKey: "readableFrom", in: ours) { readableFrom = try integer(oldest) }
        let isReadable = formatVersion <= Archive.currentFormat || readableFrom <= Archive.currentFormat
        return isReadable ? nil : formatVersion
    }

    /// Takes the events and triggers.
    func decodeTables() throws(DecodingError) {
        guard let ours else { return }
        if let events = source.list.value(forKey: "events", in: ours) { try decode(.events, in: events) }
        if let triggers = source.list.value(forKey: "triggers", in: ours) { try decode(.triggers, in: triggers) }
    }

    /// Takes all but the format and the tables.
    func decodeFirstTime() throws(DecodingError) {
        guard let ours, case .dictionary(let keys, let values) = source[ours] else { return }
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            let value = source.list.reference(at: valuePosition)
            if source.list.isString(key, "sequence") {
                archive.sequence = min(UInt64(clamping: try integer(value)), Archive.largestSequence)
            } else if source.list.isString(key, "storeID") {
                archive.storeID = UInt64(clamping: try integer(value))
            } else if Self.others.contains(where: { source.list.isString(key, $0) }) {
                continue
            } else if !source.isSalvaged {
                foreign.content.firstTime.append(foreign.coded(key, value))
            }
        }
        if !source.isSalvaged {
            if archive.sequence == nil { archive.sequence = 0 }
        } else if archive.sequence == nil || archive.storeID == nil {
            // Half of it would be worse than nothing: a sequence that nobody knows the store of.
            throw source.error(at: ours, "FirstTime without its sequence or storeID")
        }
    }

    private static var others: [StaticString] { ["formatVersion", "readableFrom", "events", "triggers"] }

    private func integer(_ reference: Reference) throws(DecodingError) -> Int128 {
        guard case .integer(let value) = source[reference] else {
            throw source.error(at: reference, "not an integer, in FirstTime")
        }
        return value
    }
}
