// Dates: Foundation's Date where the core counts seconds since 1970.

#if !hasFeature(Embedded)
public import FirstTime
public import Foundation

extension Event.Donation {
    /// When it was made.
    public var date: Date { Date(timeIntervalSince1970: time) }
}

extension Event.Donations {
    /// The time since the first donation, by the system's clock; nil: none, or not known.
    public var timeSinceFirst: TimeInterval? { first.map { Date().timeIntervalSince($0.date) } }
    /// The time since the last donation, by the system's clock; nil: none, or not known.
    public var timeSinceLast: TimeInterval? { last.map { Date().timeIntervalSince($0.date) } }
}

extension RunRecord {
    /// When the key last ran; nil: no time is recorded.
    public var lastDate: Date? { lastTime.map { Date(timeIntervalSince1970: $0) } }
    /// When it first ran; nil in legacy records.
    public var firstDate: Date? { firstTime.map { Date(timeIntervalSince1970: $0) } }
}

extension TriggerRecord {
    /// When it fired last; nil: not known.
    public var lastDate: Date? { lastTime.map { Date(timeIntervalSince1970: $0) } }
}

extension FirstTime {
    /// When `key` last ran; nil: never, or no time is recorded.
    ///
    /// - Throws: ``FirstTimeError``.
    public func lastExecutionDate(forKey key: String) throws -> Date? {
        try lastExecution(forKey: key).map { Date(timeIntervalSince1970: $0) }
    }

    /// When `key` is due next: now when it is due already; nil: never.
    ///
    /// - Throws: ``FirstTimeError``.
    public func nextDueDate(_ key: String, _ policy: RunPolicy) throws -> Date? {
        let time = try nextDue(key, policy)
        return time.isFinite ? Date(timeIntervalSince1970: time) : nil
    }

    /// Replaces the store's clock, for tests. Nil: the system's clock again.
    public func setDateProvider(_ provider: (@Sendable () -> Date)?) {
        guard let provider else { return setClock(nil) }
        setClock { provider().timeIntervalSince1970 }
    }
}
#endif
