// Archive+JSON: records, events and triggers as JSON, one a line, for people and scripts. docs/FORMAT.md describes it. It only
// writes: nothing reads this.

import KeyedArchive

extension Archive {
    /// Writes all but content of other software, in the order of the bytes of keys and names. Times are in seconds since
    /// 1970, as the API has them. `isRunning`: whether a run that has begun isn't over; others see what was before it.
    package func writeJSON(to sink: ByteSink, isRunning: (Key) -> Bool) {
        sink.put("{\n\"format\": \"FirstTime JSON\",\n\"version\": 1,\n\"records\": [")
        for table in [Change.Table.records, .events, .triggers] {
            if table != .records { sink.put(table == .events ? "\n],\n\"events\": [" : "\n],\n\"triggers\": [") }
            var separator: StaticString = "\n"
            for name in names(in: table) {
                guard let donations = donations(of: name, in: table, isRunning) else { continue }
                sink.put(separator)
                sink.put(table == .records ? "{\"key\": " : "{\"name\": ")
                sink.put(quoted: name.bytes)
                put(donations, to: sink)
                separator = ",\n"
            }
        }
        sink.put("\n]\n}\n")
        sink.flush()
    }

    private func names(in table: Change.Table) -> [Key] {
        switch table {
        case .records: return records.keys()
        case .events: return eventNames
        case .triggers: return triggerNames
        }
    }

    /// What is told of a record or a trigger, too, as of an event. Nil: nothing.
    private func donations(of name: Key, in table: Change.Table, _ isRunning: (Key) -> Bool) -> Donations? {
        var donations = Donations()
        switch table {
        case .records:
            var record = records[name]
            if let former = record?.former, isRunning(name) { record = former.record }
            guard let record else { return nil }
            donations.count = record.count
            (donations.firstTime, donations.firstVersion) = (record.firstTime, record.firstVersion)
            (donations.lastTime, donations.lastVersion) = (record.lastTime, record.lastVersion)
        case .events: return events[name]
        case .triggers:
            guard let trigger = triggers[name] else { return nil }
            (donations.count, donations.lastTime) = (trigger.count, trigger.lastTime)
        }
        return donations
    }

    private func put(_ donations: Donations, to sink: ByteSink) {
        sink.put(", \"count\": ")
        sink.put(integer: Int128(donations.count))
        put(", \"firstTime\": ", donations.firstTime, to: sink)
        put(", \"firstVersion\": ", donations.firstVersion, to: sink)
        put(", \"lastTime\": ", donations.lastTime, to: sink)
        put(", \"lastVersion\": ", donations.lastVersion, to: sink)
        sink.put("}")
        sink.spill()
    }

    /// Unknown is absent, and so is what is no time.
    private func put(_ name: StaticString, _ time: Double?, to sink: ByteSink) {
        guard let time, (time + Record.epoch).isFinite else { return }
        sink.put(name)
        sink.put(real: time + Record.epoch)
    }

    private func put(_ name: StaticString, _ version: [UInt8]?, to sink: ByteSink) {
        guard let version else { return }
        sink.put(name)
        sink.put(quoted: version)
    }
}
