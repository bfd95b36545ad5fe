// FirstTime+Records: what is recorded, and changing it without running anything.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

/// What is recorded of a key.
public struct RunRecord: Hashable, Sendable {
    public let key: String
    /// The app version of the last run; nil: none was recorded.
    public let lastVersion: String?
    /// The time of the last run, in seconds since 1970; nil: none was recorded.
    public let lastTime: Double?
    /// The app version of the first run; nil: none, or a legacy record.
    public let firstVersion: String?
    /// The time of the first run, or of the ``RunPolicy/baseline``; nil in legacy records.
    public let firstTime: Double?
    /// Runs that this library recorded; 0 in legacy records, and in baselines that never ran.
    public let count: UInt64

    init(_ key: Key, _ record: Record) {
        self.key = String(decoding: key.bytes, as: UTF8.self)
        lastVersion = record.lastVersion.map { String(decoding: $0, as: UTF8.self) }
        lastTime = record.lastTime.map { $0 + Record.epoch }
        firstVersion = record.firstVersion.map { String(decoding: $0, as: UTF8.self) }
        firstTime = record.firstTime.map { $0 + Record.epoch }
        count = record.count
    }
}

extension FirstTime {
    /// Whether `key` has ever run on this install. Ignores versions and intervals.
    ///
    /// - Throws: ``FirstTimeError``, as all functions here do.
    public func wasExecuted(_ key: String) throws -> Bool {
        try answer { () throws(EngineError) in try engine.wasExecuted(self.key(key)) }
    }

    /// Whether ``execute(forKey:_:_:after:)`` would run its first closure now. Only a hint when others may run the key.
    public func isDue(_ key: String, _ policy: RunPolicy = .once) throws -> Bool {
        try answer { () throws(EngineError) in try engine.isDue(self.key(key), policy.checked()) }
    }

    /// When `key` is due next, in seconds since 1970: now when it is due already, infinity for never.
    public func nextDue(_ key: String, _ policy: RunPolicy) throws -> Double {
        try answer { () throws(EngineError) in try engine.nextDue(self.key(key), policy.checked()).time }
    }

    /// When `key` last ran, in seconds since 1970; nil: never, or no time is recorded.
    public func lastExecution(forKey key: String) throws -> Double? {
        try answer { () throws(EngineError) in try engine.lastExecution(self.key(key)) }
    }

    /// The record of `key`; nil when there is none.
    public func record(forKey key: String) throws -> RunRecord? {
        try answer { () throws(EngineError) in
            let key = try self.key(key)
            var found: RunRecord?
            _ = try engine.find(key) { found = RunRecord(key, $0) }
            return found
        }
    }

    /// The records whose keys begin with the bytes of `prefix`, in the order of the keys' bytes, as of one moment.
    public func records(withPrefix prefix: String = "") throws -> [RunRecord] {
        try answer { () throws(EngineError) in
            var records: [RunRecord] = []
            _ = try engine.each(prefix: Array(prefix.utf8)) { key, record in
                records.append(RunRecord(key, record))
                return true
            }
            return records
        }
    }

    /// Records a run of `key` now, as if its closure had just returned.
    public func mark(_ key: String) throws {
        try answer { () throws(EngineError) in try engine.mark(self.key(key)) }
    }

    /// Forgets `key`: it is due again.
    ///
    /// - Returns: Whether there was a record.
    @discardableResult
    public func reset(_ key: String) throws -> Bool {
        try answer { () throws(EngineError) in try engine.reset(self.key(key)) }
    }

    /// Forgets every key that begins with the bytes of `prefix`, which may not be empty.
    public func reset(prefix: String) throws {
        try answer { () throws(EngineError) in
            guard !prefix.isEmpty else { throw .argument(reason: "the prefix is empty: use reset()") }
            try engine.reset(prefix: Array(prefix.utf8))
        }
    }

    /// Forgets every execution record. What else the file holds stays.
    public func reset() throws { try answer { () throws(EngineError) in try engine.reset(prefix: []) } }
}
#endif
