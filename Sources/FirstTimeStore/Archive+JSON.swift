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
            let records = records(in: table)
            for name in records.keys() {
                var record = records[name]
                if let former = record?.former, isRunning(name) { record = former.record }
                guard let record else { continue }
                sink.put(separator)
                sink.put(table == .records ? "{\"key\": " : "{\"name\": ")
                sink.put(quoted: name.bytes)
                put(record, to: sink)
                separator = ",\n"
            }
        }
        sink.put("\n]\n}\n")
        sink.flush()
    }

    private func records(in table: Change.Table) -> RecordTable {
        switch table {
        case .records: return records
        case .events: return events
        case .triggers: return triggers
        }
    }

    private func put(_ record: Record, to sink: ByteSink) {
        sink.put(", \"count\": ")
        sink.put(integer: Int128(record.count))
        put(", \"firstTime\": ", record.firstTime, to: sink)
        put(", \"firstVersion\": ", record.firstVersion, to: sink)
        put(", \"lastTime\": ", record.lastTime, to: sink)
        put(", \"lastVersion\": ", record.lastVersion, to: sink)
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
