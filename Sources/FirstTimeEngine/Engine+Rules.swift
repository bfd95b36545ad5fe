// Engine+Rules: registered rules: asking them, and firing those that hold: at once, through an executor, or after a
// delay. No lock is held while anything of the caller's is called.

import CSystem
import FirstTimeStore

// MARK: - Registering

extension Engine {
    /// Registers a rule; one with the same name is replaced.
    package func setRule(
        _ name: Key, _ rule: Rule, _ trigger: Trigger, _ options: RuleOptions
    ) throws(EngineError) {
        guard options.delay >= 0, options.delay.isFinite else {
            throw .argument(reason: "the delay is not a finite number of seconds, 0 or above")
        }
        try calls.inside { () throws(EngineError) -> Void in
            forget(rules.insert(RegisteredRule(name, rule, trigger, options)))
        }
    }

    /// Whether there was one. It fires no more, unless it does so just now on another thread.
    @discardableResult
    package func removeRule(_ name: Key) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            let rule = rules.remove(name)
            forget(rule)
            return rule != nil
        }
    }

    private func forget(_ rule: RegisteredRule?) {
        guard let rule else { return }
        delayed.cancel(rule)
    }

    package func isRegistered(_ name: Key) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in rules.contains(name) }
    }

    /// Shows the names of the rules, in the order in which they were set, until `visit` returns false; true when it saw
    /// all.
    package func eachRule(_ visit: (Key) -> Bool) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            for rule in rules.all where !visit(rule.name) { return false }
            return true
        }
    }
}

// MARK: - Asking

extension Engine {
    /// Asks all rules, as after a donation.
    package func evaluateRules() throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in try askRules(at: try moment()) }
    }

    /// Inside a call: asks one after the other. What fails for one doesn't stop its siblings; the first failure is thrown
    /// in the end.
    func askRules(at moment: Moment) throws(EngineError) {
        // Deeper down it is counted, and that is all.
        guard calls.mayAskHere else { return }
        let generation = csystem_fork_generation()
        var failure: EngineError?
        for rule in rules.all {
            do throws(EngineError) {
                _ = try calls.asking(.rule(rule.name)) { () throws(EngineError) -> Void in
                    try ask(rule, at: later(than: moment))
                }
            } catch { failure = failure ?? error }
            // In a child that was forked in it: its parent asks the rest.
            guard generation == csystem_fork_generation() else { throw .forked }
        }
        if let failure { throw failure }
    }

    private func ask(_ rule: RegisteredRule, at moment: Moment) throws(EngineError) {
        // One that was asked before may have removed it.
        guard rules.contains(rule), try holds(rule, at: moment) else { return }
        guard rule.options.delay > 0 else {
            if try claim(rule, at: moment) { fire(rule) }
            return
        }
        let triggers = try readTriggers(for: rule)
        guard rule.mayFire(triggers, at: moment) else { return }
        do throws(StoreError) {
            try delayed.schedule(rule, chain: calls.askedHere) { [self] entry throws(EngineError) in try resume(entry) }
        } catch { throw .notClaimed(rule: rule.name, error) }
        // Removed meanwhile, and before there was anything to cancel.
        if !rules.contains(rule) { delayed.cancel(rule) }
    }

    private func holds(_ rule: RegisteredRule, at moment: Moment) throws(EngineError) -> Bool {
        let events: RecordTable
        do { events = try store.read { $0.events } } catch { throw .notClaimed(rule: rule.name, error) }
        let generation = csystem_fork_generation()
        let holds = rule.rule.isFulfilled(RuleSituation(now: moment.now, version: moment.version) { events[$0] })
        // A child that a condition forked leaves it to its parent to fire.
        guard generation == csystem_fork_generation() else { throw .forked }
        // Its own condition may have removed it.
        return holds && rules.contains(rule)
    }

    private func readTriggers(for rule: RegisteredRule) throws(EngineError) -> RecordTable {
        do { return try store.read { $0.triggers } } catch { throw .notClaimed(rule: rule.name, error) }
    }

    /// On the timer's thread: the rule's time has come. It may hold no more.
    private func resume(_ entry: DelayedRules.Entry) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            guard delayed.mayGoOn(with: entry), rules.contains(entry.rule) else { return }
            // Its own identity is among them.
            calls.goOn(inside: entry.chain)
            let moment = try moment()
            guard try holds(entry.rule, at: moment), try claim(entry.rule, at: moment) else { return }
            fire(entry.rule)
        }
    }

    /// Waits until no rule waits for its time. With a failure of one that could not fire meanwhile.
    package func waitForDelayedRules() throws(EngineError) {
        let reason: StaticString = "delayed rules can't be waited for from inside one of the store's calls"
        if calls.isInsideHere { throw .store(.reentrant(reason: reason)) }
        try calls.inside { () throws(EngineError) -> Void in
            let patience: Patience = store.isRunningHere ? .nested : .forever
            let look = Calls.look(holdsKeys: store.holdsKeysHere)
            switch delayed.waitForAll(patience, look: look, isHeldUp: { store.isHeldUpHere($0) }) {
            case .done(let failure): if let failure { throw failure }
            case .overdue: throw .store(.busy(process: csystem_process(), thread: nil))
            case .heldUp: throw .store(.reentrant(reason: "a delayed rule waits for a key that this thread holds"))
            }
        }
    }
}

// MARK: - Firing

extension Engine {
    /// Records that the rule fires, when throttle and limit let it, before it does: of two processes one gets it.
    private func claim(_ rule: RegisteredRule, at moment: Moment) throws(EngineError) -> Bool {
        // Conditions, and rules that fired before this one, took their time.
        var moment = later(than: moment)
        guard rule.mayFire(try readTriggers(for: rule), at: moment) else { return false }
        var claimed: [(name: Key, record: TriggerRecord, former: TriggerRecord?)] = []
        do throws(StoreError) {
            if isReadOnly { throw readOnlyRefusal }
            for attempt in 1...Self.claimAttempts {
                var isOvertaken = false
                try store.commit(isRelaxed: isRelaxed) { transaction in
                    claimed = []
                    // Another fired after the clock was asked: only a clock that is asked again can tell how long ago.
                    isOvertaken =
                        attempt < Self.claimAttempts && rule.hasFired(transaction.triggers, after: moment)
                    guard !isOvertaken, rule.mayFire(transaction.triggers, at: moment) else { return }
                    claimed = rule.recordNames.map { name in
                        let former = transaction.triggers[name]
                        return (name, (former ?? TriggerRecord()).fired(at: moment.now - Record.epoch), former)
                    }
                    for claim in claimed { transaction.set(trigger: claim.record, named: claim.name) }
                }
                guard isOvertaken else { break }
                moment = later(than: moment)
            }
            return !claimed.isEmpty
        } catch {
            // In the file already, but perhaps not on disk: then it doesn't fire, and must not rest as if it had.
            if case .unconfirmed = error {
                try? store.commit(remembering: true) { transaction in
                    for claim in claimed { transaction.takeBack(claim.record, of: claim.name, former: claim.former) }
                }
            }
            throw .notClaimed(rule: rule.name, error)
        }
    }

    /// How often the clock is asked for one claim.
    private static var claimAttempts: Int { 3 }

    /// The moment as it is now. A clock that fails only now must not lose what was counted.
    private func later(than moment: Moment) -> Moment {
        Moment(now: (try? now()) ?? moment.now, version: moment.version, calendar: moment.calendar)
    }

    /// Inside a call that asks the rule.
    private func fire(_ rule: RegisteredRule) {
        guard let executor = rule.options.executor else { return call(rule) }
        let chain = calls.askedHere
        let generation = csystem_fork_generation()
        executor { [self] in
            // A forked child may have inherited the queue; the rule fires in its parent.
            guard generation == csystem_fork_generation() else { return }
            try? calls.inside { () throws(EngineError) -> Void in
                guard !delayed.isPaused, rules.contains(rule) else { return }
                calls.goOn(inside: chain)
                call(rule)
            }
        }
    }

    private func call(_ rule: RegisteredRule) {
        // A forked child is noticed by whoever asked the rule, too.
        if rule.trigger.isNotification { try? tell(rule.name) } else { rule.trigger.action() }
    }
}

// MARK: - Records of triggers

extension Engine {
    /// Shows what is recorded of a trigger, or of a throttle, to `visit` with no lock held; false when there is nothing.
    package func findTrigger(_ name: Key, _ visit: (TriggerRecord) -> Void) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            guard let record = try read({ $0.triggers[name] }) else { return false }
            visit(record)
            return true
        }
    }

    /// Forgets what is recorded of a trigger, or of a throttle; nil: of all.
    package func resetTrigger(_ name: Key?) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            guard try read({ archive in name.map { archive.triggers[$0] != nil } ?? !archive.triggers.isEmpty }) else {
                return
            }
            try commit { transaction in
                for name in name.map({ [$0] }) ?? transaction.triggers.keys() {
                    transaction.set(trigger: nil, named: name)
                }
            }
        }
    }
}
