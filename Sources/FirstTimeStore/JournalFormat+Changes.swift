// JournalFormat+Changes: the bytes of one change in a journal's record, to and from a value. docs/FORMAT.md specifies
// them.

import KeyedArchive

/// What a change's first byte says.
private enum ChangeType {
    static let set: UInt8 = 1
    static let remove: UInt8 = 2
    static let setEvent: UInt8 = 3
    static let removeEvent: UInt8 = 4
    static let setTrigger: UInt8 = 5
    static let removeTrigger: UInt8 = 6
    /// Set in types that an older reader may pass over.
    static let maySkip: UInt8 = 0x80

    static func of(_ change: Change) -> UInt8 {
        switch change.table {
        case .records: return change.isRemoval ? remove : set
        case .events: return change.isRemoval ? removeEvent : setEvent
        case .triggers: return change.isRemoval ? removeTrigger : setTrigger
        }
    }
}

/// Which parts of a record, of an event's donations or of a trigger's follow.
private enum Part {
    static let lastVersion: UInt8 = 1 << 0
    static let lastTime: UInt8 = 1 << 1
    static let firstVersion: UInt8 = 1 << 2
    static let firstTime: UInt8 = 1 << 3
    /// A run has begun: what was recorded before follows, if there was anything.
    static let started: UInt8 = 1 << 4
    static let hasFormer: UInt8 = 1 << 5

    static let ends = lastVersion | lastTime | firstVersion | firstTime
}

// MARK: - Writing

extension ByteWriter {
    /// Type, length of the rest, the rest.
    mutating func append(_ change: Change) {
        var body = ByteWriter()
        body.append(text: change.key.bytes)
        append(ChangeType.of(change))
        if let record = change.record { body.append(record) }
        append(text: body.bytes)
    }

    private mutating func append(_ record: Record) {
        var parts: UInt8 = 0
        if record.lastVersion != nil { parts |= Part.lastVersion }
        if record.lastTime != nil { parts |= Part.lastTime }
        if record.firstVersion != nil { parts |= Part.firstVersion }
        if record.firstTime != nil { parts |= Part.firstTime }
        if record.former != nil { parts |= Part.started }
        if record.former?.record != nil { parts |= Part.hasFormer }
        append(parts)
        append(record.count)
        if let version = record.lastVersion { append(text: version) }
        if let time = record.lastTime { append(time.bitPattern) }
        if let version = record.firstVersion { append(text: version) }
        if let time = record.firstTime { append(time.bitPattern) }
        if let former = record.former?.record { append(former.settled) }
    }
}

// MARK: - Reading

extension ByteReader {
    /// Nil for a type that may be passed over.
    mutating func change(at offset: Int) throws(JournalError) -> Change? {
        guard let type = integer(UInt8.self), let body = text() else {
            throw .damaged(DecodingError(.byte(offset), "a change that is cut off"))
        }
        guard (ChangeType.set...ChangeType.removeTrigger).contains(type) else {
            if type & ChangeType.maySkip != 0 { return nil }
            throw .newerChange
        }
        var reader = ByteReader(body)
        guard let change = reader.change(type), reader.isAtEnd else {
            throw .damaged(DecodingError(.byte(offset), "a change that is malformed"))
        }
        return change
    }

    private mutating func change(_ type: UInt8) -> Change? {
        guard let key = text().flatMap({ Key($0) }) else { return nil }
        switch type {
        case ChangeType.remove: return .remove(key)
        case ChangeType.removeEvent: return .event(key, nil)
        case ChangeType.removeTrigger: return .trigger(key, nil)
        case ChangeType.set: return record(Part.ends | Part.started | Part.hasFormer).map { .set(key, $0) }
        case ChangeType.setEvent: return record(Part.ends).map { .event(key, $0) }
        default: return record(Part.lastTime).map { .trigger(key, $0) }
        }
    }

    /// Nil also when there are parts that aren't `known`.
    private mutating func record(_ known: UInt8) -> Record? {
        guard let parts = integer(UInt8.self), let count = integer(UInt64.self), parts & ~known == 0 else { return nil }
        var record = Record()
        record.count = count
        if parts & Part.lastVersion != 0 {
            guard let version = text() else { return nil }
            record.lastVersion = Array(version)
        }
        if parts & Part.lastTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            record.lastTime = Double(bitPattern: bits)
        }
        if parts & Part.firstVersion != 0 {
            guard let version = text() else { return nil }
            record.firstVersion = Array(version)
        }
        if parts & Part.firstTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            record.firstTime = Double(bitPattern: bits)
        }
        let isStarted = parts & Part.started != 0
        guard parts & Part.hasFormer != 0 else {
            if isStarted { record.former = FormerRecord(nil) }
            return record
        }
        // The former one has none itself, so this goes one level deep.
        guard isStarted, let former = self.record(Part.ends) else { return nil }
        record.former = FormerRecord(former)
        return record
    }
}
