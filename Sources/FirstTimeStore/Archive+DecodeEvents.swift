// Archive+DecodeEvents: the tables in `FirstTime`: the donations of events and the records of triggers, as plain values. A
// malformed one is refused like a malformed record: an event that counts anew would be worse.

import KeyedArchive

extension ArchiveDecoder {
    /// Takes the entries of a table. In a file that is salvaged, those that are whole.
    func decode(_ table: Change.Table, in dictionary: Reference) throws(DecodingError) {
        guard case .dictionary(let names, let values) = source[dictionary] else {
            throw source.error(at: dictionary, "events or triggers, in FirstTime, is no dictionary")
        }
        // Each table has its own: a key may be the name of an event and of a trigger, too, and they are one string then.
        keyBytes = source.list.byteCount
        for (namePosition, valuePosition) in zip(names, values) {
            let name = source.list.reference(at: namePosition)
            do throws(DecodingError) {
                try decodeEntry(of: table, name, source.list.reference(at: valuePosition))
            } catch {
                guard source.isSalvaged || collectsProblems else { throw error }
                foreign.content.leftOut.append(error)
            }
        }
    }

    private func decodeEntry(
        of table: Change.Table, _ name: Reference, _ value: Reference
    ) throws(DecodingError) {
        guard case .string(let text) = source[name] else { throw source.error(at: name, "a name that is no string") }
        keyBytes -= text.count
        guard keyBytes >= 0 else { throw source.error(at: name, "a name that stands again and again") }
        guard let key = Key(source.list.bytes(in: text)) else {
            return leaveOut(table, name, value)
        }
        let donations = try donations(in: value)
        // A name twice, which no writer of ours makes: together they are merged.
        switch table {
        case .records: break
        case .events: archive.merge(.event(key, donations))
        case .triggers:
            // A trigger's entry that says more is another's.
            var trigger = TriggerRecord()
            (trigger.count, trigger.lastTime) = (donations.count, donations.lastTime)
            archive.merge(.trigger(key, trigger))
        }
    }

    private func leaveOut(_ table: Change.Table, _ name: Reference, _ value: Reference) {
        foreign.content.leftOut.append(
            source.error(
                at: name, "the name of an event or trigger that is not 1 to 65535 bytes of UTF-8 without U+0000"))
        if source.isSalvaged { return }
        if table == .events {
            foreign.content.events.append(foreign.coded(name, value))
        } else {
            foreign.content.triggers.append(foreign.coded(name, value))
        }
    }

    /// What an entry says; a trigger's says less.
    private func donations(in value: Reference) throws(DecodingError) -> Donations {
        guard case .dictionary(let keys, let values) = source[value], keys.count <= 32 else {
            throw source.error(at: value, "an event or trigger that is no small dictionary")
        }
        var donations = Donations()
        var hasCount = false
        for (keyPosition, valuePosition) in zip(keys, values) {
            let key = source.list.reference(at: keyPosition)
            let part = source.list.reference(at: valuePosition)
            if source.list.isString(key, "count") {
                guard case .integer(let count) = source[part] else {
                    throw source.error(at: part, "a count that is no integer, in an event or trigger")
                }
                donations.count = UInt64(clamping: count)
                hasCount = true
            } else if source.list.isString(key, "firstTime") {
                donations.firstTime = try time(part)
            } else if source.list.isString(key, "lastTime") {
                donations.lastTime = try time(part)
            } else if source.list.isString(key, "firstVersion") {
                donations.firstVersion = try version(part)
            } else if source.list.isString(key, "lastVersion") {
                donations.lastVersion = try version(part)
            } else if source.isSalvaged {
                throw source.error(at: key, "an event or trigger of which a part is lost")
            }
        }
        guard hasCount else { throw source.error(at: value, "an event or trigger without a count") }
        return donations
    }

    private func time(_ reference: Reference) throws(DecodingError) -> Double {
        switch source[reference] {
        case .real(let time): return time
        case .integer(let time): return Double(time)
        default: throw source.error(at: reference, "a time that is no number, in an event or trigger")
        }
    }

    private func version(_ reference: Reference) throws(DecodingError) -> [UInt8] {
        guard case .string(let text) = source[reference] else {
            throw source.error(at: reference, "a version that is no string, in an event or trigger")
        }
        return try versionText(in: text, of: reference)
    }
}
