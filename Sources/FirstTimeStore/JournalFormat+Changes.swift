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

/// A count, and the first and the last time with their versions: what records and donations have in common.
private struct Span {
    var count: UInt64 = 0
    var lastVersion: [UInt8]?
    var lastTime: Double?
    var firstVersion: [UInt8]?
    var firstTime: Double?

    var parts: UInt8 {
        var parts: UInt8 = 0
        if lastVersion != nil { parts |= Part.lastVersion }
        if lastTime != nil { parts |= Part.lastTime }
        if firstVersion != nil { parts |= Part.firstVersion }
        if firstTime != nil { parts |= Part.firstTime }
        return parts
    }
}

// MARK: - Writing

extension ByteWriter {
    /// Type, length of the rest, the rest.
    mutating func append(_ change: Change) {
        var body = ByteWriter()
        body.append(text: change.key.bytes)
        switch change.table {
        case .records:
            append(change.record == nil ? ChangeType.remove : ChangeType.set)
            if let record = change.record { body.append(record) }
        case .events:
            append(change.donations == nil ? ChangeType.removeEvent : ChangeType.setEvent)
            if let donations = change.donations { body.append(Span(donations), more: 0) }
        case .triggers:
            append(change.trigger == nil ? ChangeType.removeTrigger : ChangeType.setTrigger)
            if let trigger = change.trigger { body.append(Span(trigger), more: 0) }
        }
        append(text: body.bytes)
    }

    private mutating func append(_ record: Record) {
        var more: UInt8 = 0
        if record.former != nil { more |= Part.started }
        if record.former?.record != nil { more |= Part.hasFormer }
        append(Span(record), more: more)
        if let former = record.former?.record { append(former.settled) }
    }

    private mutating func append(_ span: Span, more: UInt8) {
        append(span.parts | more)
        append(span.count)
        if let version = span.lastVersion { append(text: version) }
        if let time = span.lastTime { append(time.bitPattern) }
        if let version = span.firstVersion { append(text: version) }
        if let time = span.firstTime { append(time.bitPattern) }
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
        case ChangeType.set: return record(mayBeStarted: true).map { .set(key, $0) }
        case ChangeType.setEvent: return span(Part.ends).map { .event(key, Donations($0.span)) }
        default:
            return span(Part.lastTime).map { .trigger(key, TriggerRecord($0.span)) }
        }
    }

    private mutating func record(mayBeStarted: Bool) -> Record? {
        let known = mayBeStarted ? Part.ends | Part.started | Part.hasFormer : Part.ends
        guard let (span, parts) = span(known) else { return nil }
        var record = Record(span)
        let isStarted = parts & Part.started != 0
        guard parts & Part.hasFormer != 0 else {
            if isStarted { record.former = FormerRecord(nil) }
            return record
        }
        guard isStarted, let former = self.record(mayBeStarted: false) else { return nil }
        record.former = FormerRecord(former)
        return record
    }

    /// Nil also when there are parts that aren't `known`.
    private mutating func span(_ known: UInt8) -> (span: Span, parts: UInt8)? {
        guard let parts = integer(UInt8.self), let count = integer(UInt64.self), parts & ~known == 0 else { return nil }
        var span = Span()
        span.count = count
        if parts & Part.lastVersion != 0 {
            guard let version = text() else { return nil }
            span.lastVersion = Array(version)
        }
        if parts & Part.lastTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            span.lastTime = Double(bitPattern: bits)
        }
        if parts & Part.firstVersion != 0 {
            guard let version = text() else { return nil }
            span.firstVersion = Array(version)
        }
        if parts & Part.firstTime != 0 {
            guard let bits = integer(UInt64.self) else { return nil }
            span.firstTime = Double(bitPattern: bits)
        }
        return (span, parts)
    }
}

// MARK: - Values

extension Span {
    fileprivate init(_ record: Record) {
        self.init(
            count: record.count, lastVersion: record.lastVersion, lastTime: record.lastTime,
            firstVersion: record.firstVersion, firstTime: record.firstTime)
    }

    fileprivate init(_ donations: Donations) {
        self.init(
            count: donations.count, lastVersion: donations.lastVersion, lastTime: donations.lastTime,
            firstVersion: donations.firstVersion, firstTime: donations.firstTime)
    }

    fileprivate init(_ trigger: TriggerRecord) { self.init(count: trigger.count, lastTime: trigger.lastTime) }
}

extension Record {
    fileprivate init(_ span: Span) {
        self.init()
        (count, lastVersion, lastTime) = (span.count, span.lastVersion, span.lastTime)
        (firstVersion, firstTime) = (span.firstVersion, span.firstTime)
    }
}

extension Donations {
    fileprivate init(_ span: Span) {
        self.init()
        (count, lastVersion, lastTime) = (span.count, span.lastVersion, span.lastTime)
        (firstVersion, firstTime) = (span.firstVersion, span.firstTime)
    }
}

extension TriggerRecord {
    fileprivate init(_ span: Span) {
        self.init()
        (count, lastTime) = (span.count, span.lastTime)
    }
}
