// Archive+JSON: records, events and triggers as JSON, one a line, for people and scripts. docs/FORMAT.md describes it. It only
// writes: nothing reads this.

import KeyedArchive

extension Archive {
    /// Writes all but content of other software, in the order of the bytes of keys and names. Times are in seconds since
    /// 1970, as the API has them.
    package func writeJSON(to sink: ByteSink) {
        sink.put("{\n\"format\": \"FirstTime JSON\",\n\"version\": 1,\n\"records\": [")
        var line = JSONLine(sink)
        for key in records.keys() {
            guard let record = records[key] else { continue }
            line.begin("{\"key\": ", key)
            line.put(record.count, record.firstVersion, record.firstTime, record.lastVersion, record.lastTime)
        }
        line.endList("\n],\n\"events\": [")
        for name in events.keys.sorted(by: { $0 < $1 }) {
            guard let event = events[name] else { continue }
            line.begin("{\"name\": ", name)
            line.put(event.count, event.firstVersion, event.firstTime, event.lastVersion, event.lastTime)
        }
        line.endList("\n],\n\"triggers\": [")
        for name in triggers.keys.sorted(by: { $0 < $1 }) {
            guard let trigger = triggers[name] else { continue }
            line.begin("{\"name\": ", name)
            line.put(trigger.count, nil, nil, nil, trigger.lastTime)
        }
        line.endList("\n]\n}\n")
        sink.flush()
    }
}

/// Writes entries, each on a line of its own.
private struct JSONLine {
    private let sink: ByteSink
    private var isFirst = true

    init(_ sink: ByteSink) { self.sink = sink }

    mutating func begin(_ start: StaticString, _ name: Key) {
        sink.put(isFirst ? "\n" : ",\n")
        isFirst = false
        sink.put(start)
        sink.put(quoted: name.bytes)
    }

    func put(
        _ count: UInt64, _ firstVersion: [UInt8]?, _ firstTime: Double?, _ lastVersion: [UInt8]?, _ lastTime: Double?
    ) {
        sink.put(", \"count\": ")
        sink.put(integer: Int128(count))
        put(", \"firstTime\": ", firstTime)
        put(", \"firstVersion\": ", firstVersion)
        put(", \"lastTime\": ", lastTime)
        put(", \"lastVersion\": ", lastVersion)
        sink.put("}")
        sink.spill()
    }

    /// Unknown is absent, and so is what is no time.
    private func put(_ name: StaticString, _ time: Double?) {
        guard let time, time.isFinite, (time + Record.epoch).isFinite else { return }
        sink.put(name)
        sink.put(real: time + Record.epoch)
    }

    private func put(_ name: StaticString, _ version: [UInt8]?) {
        guard let version else { return }
        sink.put(name)
        sink.put(quoted: version)
    }

    mutating func endList(_ text: StaticString) {
        sink.put(text)
        isFirst = true
    }
}
