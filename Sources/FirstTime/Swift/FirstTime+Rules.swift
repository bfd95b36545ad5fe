// FirstTime+Rules: setting rules on a store, what is recorded of their triggers, and notifications.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

/// What is kept of a rule's fires, or of those of all rules with one throttle name.
public struct TriggerRecord: Hashable, Sendable {
    /// How often it fired; 0: before it was counted here, as imported from RuleKit.
    public let count: UInt64
    /// When it fired last, in seconds since 1970; nil: not known.
    public let lastTime: Double?
}

extension FirstTime {
    /// Sets a rule: from now on each donation asks it, and when it holds, `action` is called. A rule that has the name
    /// already is replaced.
    ///
    /// That it fires is recorded on disk before it does, in one step with the look at throttle and limit: of two processes
    /// one fires.
    ///
    /// - Parameters:
    ///   - name: The name under which its fires are counted.
    ///   - action: Called on the donating thread, or as the options say; it may use the store. nil: the name is posted, see
    ///     ``observe(_:_:)``.
    ///   - options: How often, when and where.
    ///   - rule: When it holds.
    /// - Throws: ``FirstTimeError``, `argument`: a name, an option or the rule is wrong.
    public func setRule(
        _ name: String, triggering action: (@Sendable () -> Void)? = nil, options: [RuleOption] = [], _ rule: Rule
    ) throws {
        try answer { () throws(EngineError) in
            var chosen = RuleOptions()
            for option in options { try option.apply(&chosen) }
            let trigger = action.map { Trigger.calling($0) } ?? .notifying(keeping: ())
            try engine.setRule(.checked(name), rule.made.get(), trigger, chosen)
        }
    }

    /// Removes a rule, and cancels it when it waits for its delay. What was recorded of its fires stays.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func removeRule(_ name: String) throws -> Bool {
        try answer { () throws(EngineError) in try engine.removeRule(.checked(name)) }
    }

    /// Whether a rule with this name is set.
    public func isRuleRegistered(_ name: String) throws -> Bool {
        try answer { () throws(EngineError) in try engine.isRegistered(.checked(name)) }
    }

    /// The names of the rules, in the order in which they were set.
    public func registeredRules() throws -> [String] {
        try answer { () throws(EngineError) in
            var names: [String] = []
            _ = try engine.eachRule { name in
                names.append(String(decoding: name.bytes, as: UTF8.self))
                return true
            }
            return names
        }
    }

    /// Asks every rule, as a donation does, without one: when something changed that only conditions see.
    ///
    /// - Throws: ``FirstTimeError``, `notRecorded`: a rule that holds could not record that it fires, and didn't.
    public func evaluateRules() throws { try answer { () throws(EngineError) in try engine.evaluateRules() } }

    /// Waits until no rule waits for its delay. For tests, and before a program ends.
    ///
    /// - Throws: ``FirstTimeError``: `reentrant` from inside a closure of the store's, `notRecorded` when one could not
    ///   record that it fires since this was called last.
    public func waitForDelayedRules() throws {
        try answer { () throws(EngineError) in try engine.waitForDelayedRules() }
    }

    /// What is recorded of a rule's fires, or of a throttle's; nil: it never fired.
    public func triggerRecord(for name: String) throws -> TriggerRecord? {
        try answer { () throws(EngineError) in
            var found: TriggerRecord?
            _ = try engine.findTrigger(.checked(name)) { record in
                found = TriggerRecord(count: record.count, lastTime: record.lastTime.map { $0 + Record.epoch })
            }
            return found
        }
    }

    /// Forgets the fires of a rule or of a throttle: it rests no more, and its limit begins anew.
    public func resetTrigger(_ name: String) throws {
        try answer { () throws(EngineError) in try engine.resetTrigger(.checked(name)) }
    }

    /// Forgets the fires of all rules.
    public func resetAllTriggers() throws { try answer { () throws(EngineError) in try engine.resetTrigger(nil) } }
}

// MARK: - Notifications

/// An observer of a notification, until it is cancelled or let go of.
public final class Observation: Sendable {
    private let engine: Engine
    private let number: UInt64

    fileprivate init(_ engine: Engine, _ number: UInt64) {
        self.engine = engine
        self.number = number
    }

    deinit { cancel() }

    /// Ends it; also from inside the handler. Once more does nothing.
    public func cancel() { _ = try? engine.removeObserver(number) }
}

extension FirstTime {
    /// Has `handler` called whenever `name` is posted on this store: by ``post(_:)``, or by a rule that was set without
    /// an action. It is called on the thread that posts.
    ///
    /// - Returns: Keep it: when it goes, the handler is called no more.
    public func observe(_ name: String, _ handler: @escaping @Sendable () -> Void) throws -> Observation {
        try answer { () throws(EngineError) in Observation(engine, try engine.observe(.checked(name), handler)) }
    }

    /// Tells the observers of `name`, on this thread.
    public func post(_ name: String) throws { try answer { () throws(EngineError) in try engine.post(.checked(name)) } }
}
#endif
