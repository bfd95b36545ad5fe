// Archive+Salvage: the records that can still be read in an archive that is damaged. It decodes with the same rules as
// Archive+Decode, one record at a time, and looks for the records where what leads to them is lost.

import KeyedArchive

extension Archive {
    /// Every record that can be saved from bytes that `init(bytes:)` refuses; none is an answer too. `leftOut` says what
    /// is lost. A `sequence` says which file it was, not that all of it is there.
    ///
    /// Whatever else the file held is left behind, but for what is whole in `FirstTime`.
    package init(salvaging bytes: [UInt8]) {
        var decoder = ArchiveDecoder(KeyedArchive(salvaging: PropertyList(salvaging: bytes)))
        decoder.salvageFirstTime()
        if decoder.archive.unreadableFormat == nil { decoder.salvageRecords() }
        self = decoder.finish()
    }
}

extension ArchiveDecoder {
    fileprivate mutating func salvageFirstTime() {
        let before = self
        do {
            archive.unreadableFormat = try decodeFormat()
            if archive.unreadableFormat == nil { try decodeFirstTime() }
        } catch {
            self = before
            archive.leftOut.append(error)
        }
    }

    fileprivate mutating func salvageRecords() {
        // More entries than there are references in the file: dictionaries that share theirs.
        var budget = source.list.referenceCount
        do {
            if let entries = try salvagedGroup() {
                salvage(entries, &budget)
                return
            }
        } catch { archive.leftOut.append(error) }
        // No way leads to them. So each dictionary is taken for the group that has a record among its values.
        for object in source.list.all {
            guard case .dictionary = source[object], let entries = try? source.entries(of: object) else { continue }
            let before = (archive.leftOut.count, archive.records.count)
            salvage(entries, &budget)
            if archive.records.count == before.1 { archive.leftOut.removeSubrange(before.0...) }
        }
        if archive.records.count == 0 {
            archive.leftOut.append(DecodingError(.byte(0), "nothing in which records could be found"))
        }
    }

    /// The entries of the group, where the way to it is whole.
    private func salvagedGroup() throws(DecodingError) -> (keys: Range<Int>, values: Range<Int>)? {
        guard let root = source.list.value(forKey: "root", in: source.top),
            let object = try source.resolve(root), let entries = try source.entries(of: object)
        else { return nil }
        for (keyPosition, valuePosition) in zip(entries.keys, entries.values) {
            guard let text = try? text(of: source.list.reference(at: keyPosition)),
                source.list.bytes(in: text, equal: "sharedGroup"),
                let group = try source.resolve(source.list.reference(at: valuePosition))
            else { continue }
            return try source.entries(of: group)
        }
        return nil
    }

    private mutating func salvage(_ entries: (keys: Range<Int>, values: Range<Int>), _ budget: inout Int) {
        budget -= entries.keys.count
        guard budget >= 0 else { return }
        for (keyPosition, valuePosition) in zip(entries.keys, entries.values) {
            let key = source.list.reference(at: keyPosition)
            do {
                guard let reason = try decodeEntry(key, source.list.reference(at: valuePosition)) else { continue }
                archive.leftOut.append(source.error(at: key, reason))
            } catch { archive.leftOut.append(error) }
        }
    }
}
