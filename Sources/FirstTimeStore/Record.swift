// Record: what the archive remembers of one key. Values only; when a key is due is decided elsewhere.

/// One key's record. Times are NSDate's, seconds since 2001, and pass through files to the bit.
package struct Record: Sendable {
    /// Nil: none was recorded.
    package var lastVersion: [UInt8]?
    package var lastTime: Double?
    /// Nil in records that other software wrote.
    package var firstVersion: [UInt8]?
    package var firstTime: Double?
    /// Runs that this library recorded.
    package var count: UInt64 = 0
    /// Which of the archive's unknown coder keys belong to it; 0: none.
    var extras: UInt32 = 0

    package init() {}

    /// The seconds between 1970, where the API counts from, and 2001.
    package static let epoch: Double = 978_307_200

    /// Records one more run.
    package mutating func recordRun(version: [UInt8]?, time: Double) {
        if count == 0, lastTime == nil, lastVersion == nil {
            firstVersion = version
            firstTime = time
        }
        lastVersion = version
        lastTime = time
        count = count == .max ? count : count + 1
    }

    /// Whether `other` was made later: the newest last time wins, and any time wins over none.
    package func isOlder(than other: Record) -> Bool {
        guard let theirs = other.lastTime, theirs.isFinite else { return false }
        guard let ours = lastTime, ours.isFinite else { return true }
        return ours < theirs
    }

    /// This record without what only its own archive can hold: its unknown coder keys.
    package func detached() -> Record {
        var result = self
        result.extras = 0
        return result
    }

    /// This record, with what only `other` knows of the beginning.
    package func keepingBeginning(of other: Record) -> Record {
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
