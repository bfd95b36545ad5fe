// Archive+Salvage: what can still be read in an archive that is damaged: records, events and triggers. It decodes with
// the same rules as Archive+Decode, one at a time, and looks for the records where what leads to them is lost.

import KeyedArchive

extension Archive {
    /// Every record, event and trigger that can be saved from bytes that `init(bytes:)` refuses; none is an answer too.
    /// `leftOut` says what is lost. A `sequence` says which file it was, not that all of it is there.
    ///
    /// Whatever else the file held is left behind.
    package init(salvaging bytes: [UInt8]) {
        let decoder = ArchiveDecoder(KeyedArchive(salvaging: PropertyList(salvaging: bytes)))
        decoder.salvageFirstTime()
        if decoder.foreign.content.unreadableFormat == nil {
            decoder.salvageTables()
            decoder.salvageRecords()
        }
        self = decoder.finish()
    }
}

extension ArchiveDecoder {
    fileprivate func salvageFirstTime() {
        do {
            foreign.content.unreadableFormat = try decodeFormat()
            if foreign.content.unreadableFormat == nil { try decodeFirstTime() }
        } catch {
            archive = Archive()
            foreign.content = ForeignContent()
            foreign.content.leftOut = [error]
        }
    }

    fileprivate func salvageTables() {
        do { try decodeTables() } catch { foreign.content.leftOut.append(error) }
    }

    fileprivate func salvageRecords() {
        keyBytes = source.list.byteCount
        // Of a sound file. In a hostile one many dictionaries could share their entries.
        var budget = source.list.referenceCount
        do {
            if let entries = try salvagedGroup() {
                salvage(entries)
                return
            }
        } catch { foreign.content.leftOut.append(error) }
        // No way leads to them. So each dictionary is taken for the group that has a record among its values.
        for object in source.list.all {
            guard case .dictionary = source[object], let entries = try? source.entries(of: object) else { continue }
            budget -= entries.keys.count
            guard budget >= 0 else { break }
            if holdRecord(entries) { salvage(entries) }
        }
        if archive.records.count == 0 {
            foreign.content.leftOut.append(DecodingError(.byte(0), "nothing in which records could be found"))
        }
    }

    /// The entries of the group, where the way to it is whole.
    private func salvagedGroup() throws(DecodingError) -> (keys: Range<Int>, values: Range<Int>)? {
        guard let root = source.list.value(forKey: "root", in: source.top),
            let object = try source.resolve(root), let entries = try source.entries(of: object)
        else { return nil }
        for (keyPosition, valuePosition) in zip(entries.keys, entries.values)
        where isGroupKey(source.list.reference(at: keyPosition)) {
            guard let group = try source.resolve(source.list.reference(at: valuePosition)) else { continue }
            return try source.entries(of: group)
        }
        return nil
    }

    private func isGroupKey(_ key: Reference) -> Bool {
        guard let text = try? text(of: key) else { return false }
        return source.list.bytes(in: text, equal: "sharedGroup")
    }

    private func holdRecord(_ entries: (keys: Range<Int>, values: Range<Int>)) -> Bool {
        for (keyPosition, valuePosition) in zip(entries.keys, entries.values) {
            // In the root, which isn't meant, a record may have taken the group's place.
            if isGroupKey(source.list.reference(at: keyPosition)) { continue }
            if (try? record(of: source.list.reference(at: valuePosition))) != nil { return true }
        }
        return false
    }

    private func salvage(_ entries: (keys: Range<Int>, values: Range<Int>)) {
        for (keyPosition, valuePosition) in zip(entries.keys, entries.values) {
            let key = source.list.reference(at: keyPosition)
            do {
                guard let reason = try decodeEntry(key, source.list.reference(at: valuePosition)) else { continue }
                foreign.content.leftOut.append(source.error(at: key, reason))
            } catch { foreign.content.leftOut.append(error) }
        }
    }
}
