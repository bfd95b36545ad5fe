// Record: what the archive remembers of one key, event or trigger. Values only; when a key is due is decided elsewhere.

/// One key's record; an event's and a trigger's, too, which say less (`Donations`, `TriggerRecord`): one type for all is
/// one table of them. Times are NSDate's, seconds since 2001, and pass through files to the bit.
///
/// A value of one word: what it says is in an object, which is copied before it changes when others have it, too. Records
/// are handed on in many places, and each of them would have to move all the parts otherwise.
package struct Record: @unchecked Sendable {
    private final class Content {
        var lastVersion: [UInt8]?
        var lastTime: Double?
        var firstVersion: [UInt8]?
        var firstTime: Double?
        var count: UInt64 = 0
        var former: FormerRecord?
        var extras: UInt32 = 0

        init() {}

        init(_ other: Content) {
            (lastVersion, lastTime) = (other.lastVersion, other.lastTime)
            (firstVersion, firstTime) = (other.firstVersion, other.firstTime)
            (count, former, extras) = (other.count, other.former, other.extras)
        }
    }

    private var content: Content

    @inline(never)
    package init() { content = Content() }

    /// The content, for this record alone.
    @inline(never)
    private mutating func own() -> Content {
        if !isKnownUniquelyReferenced(&content) { content = Content(content) }
        return content
    }

    /// Nil: none was recorded.
    package var lastVersion: [UInt8]? {
        get { content.lastVersion }
        set { own().lastVersion = newValue }
    }
    package var lastTime: Double? {
        get { content.lastTime }
        set { own().lastTime = newValue }
    }
    /// Nil in records that other software wrote.
    package var firstVersion: [UInt8]? {
        get { content.firstVersion }
        set { own().firstVersion = newValue }
    }
    package var firstTime: Double? {
        get { content.firstTime }
        set { own().firstTime = newValue }
    }
    /// Runs that this library recorded; donations; times that a trigger fired.
    package var count: UInt64 {
        get { content.count }
        set { own().count = newValue }
    }
    /// Set while AT_MOST_ONCE has it running: then the record is the run's already, as a crash leaves it.
    package var former: FormerRecord? {
        get { content.former }
        set { own().former = newValue }
    }
    /// Which of the archive's unknown coder keys belong to it; 0: none.
    var extras: UInt32 {
        get { content.extras }
        set { if newValue != extras { own().extras = newValue } }
    }

    /// The seconds between 1970, where the API counts from, and 2001.
    package static let epoch: Double = 978_307_200

    /// The record of one more run. Without a `known` one it is the first; a known one that doesn't say when the first was
    /// is a legacy record, and nobody can tell any more.
    package static func run(after known: Record?, version: [UInt8]?, time: Double) -> Record {
        var record = known ?? Record()
        if known == nil {
            record.firstVersion = version
            record.firstTime = time
        }
        record.lastVersion = version
        record.lastTime = time
        record.count = record.count == .max ? .max : record.count + 1
        record.former = nil
        return record
    }

    /// The record of a key that has never run and shall not: as one of a run, which isn't counted.
    package static func baseline(version: [UInt8]?, time: Double) -> Record {
        var record = run(after: nil, version: version, time: time)
        record.count = 0
        return record
    }

    /// The record of a run that has begun, after `known`: to be restored when it fails.
    package static func started(after known: Record?, version: [UInt8]?, time: Double) -> Record {
        var record = run(after: known, version: version, time: time)
        record.former = FormerRecord(known?.settled)
        return record
    }

    /// The record of a run that is over, whatever became of it.
    package var settled: Record {
        if former == nil { return self }
        var record = self
        record.former = nil
        return record
    }

    /// Whether `other` was made later: the newest last time wins, and any time wins over none.
    package func isOlder(than other: Record) -> Bool {
        guard let theirs = other.lastTime, theirs.isFinite else { return false }
        guard let ours = lastTime, ours.isFinite else { return true }
        return ours < theirs
    }

    /// This record without what only its own archive can hold: its unknown coder keys.
    func detached() -> Record {
        if extras == 0 { return self }
        var result = self
        result.extras = 0
        return result
    }

    /// This record, with what only `other` knows of the beginning.
    func keepingBeginning(of other: Record) -> Record {
        var result = self
        if let time = other.firstTime, firstTime.map({ time < $0 }) ?? true {
            result.firstTime = time
            result.firstVersion = other.firstVersion
        }
        result.count = max(count, other.count)
        if result.extras == 0 { result.extras = other.extras }
        return result
    }
}

extension Record: Equatable {
    /// Whether they say the same; which unknown coder keys they have is their archives' affair.
    package static func == (left: Record, right: Record) -> Bool {
        left.count == right.count && left.lastTime == right.lastTime && left.firstTime == right.firstTime
            && left.lastVersion == right.lastVersion && left.firstVersion == right.firstVersion
            && (left.former == nil) == (right.former == nil) && left.former?.record == right.former?.record
    }
}

/// What a key's record was before the run that has begun. An object, so that records stay small and may hold their like.
package final class FormerRecord: Sendable {
    /// Nil: there was none.
    package let record: Record?

    package init(_ record: Record?) { self.record = record }
}
