// Turn: having a key, and what is done with it: decide, record before, record after, take back. Callbacks and claims both
// go this way; who ends the turn, and when, is theirs.

import FirstTimeStore

/// What is to be done with a key now.
enum Decision {
    case run, baseline, rest
}

/// A key that is ours, and what was decided once it was.
struct Turn {
    let key: Key
    let policy: Policy
    let run: Run
    let decision: Decision
    let moment: Moment
    /// Why it can't be recorded; nil: it seems it can.
    let refusal: StoreError?
}

extension Engine {
    /// What it looks like from outside.
    func decide(_ key: Key, _ policy: Policy) throws(EngineError) -> Decision {
        let moment = try moment()
        return decide(policy, try record(for: key), moment)
    }

    private func decide(_ policy: Policy, _ record: Record?, _ moment: Moment) -> Decision {
        if record == nil, policy.hasBaseline { return .baseline }
        return policy.isDue(record, at: moment) ? .run : .rest
    }

    /// Takes the key, waiting for whoever has it, and decides anew: the one who had it may have run it. The caller must
    /// end the turn's run.
    func take(_ key: Key, _ policy: Policy, _ kind: Run.Kind, _ guess: Decision) throws(EngineError) -> Turn {
        let (run, refusal) = try begin(key, policy, kind, guess)
        do throws(EngineError) {
            let moment = try moment()
            let known: Record?
            do { known = try store.record(for: key, closely: true) } catch { throw .store(error) }
            // Nobody but we run it: what was started and never ended is done.
            let decision = decide(policy, known?.settled, moment)
            // Once more, after what may have been a long wait.
            let lateRefusal = decision == .rest ? nil : refusal ?? whyUnwritable()
            return Turn(key: key, policy: policy, run: run, decision: decision, moment: moment, refusal: lateRefusal)
        } catch {
            store.end(run)
            throw error
        }
    }

    /// On a store that can't be written `after` runs, too, and so may `first`: then only this process's threads take
    /// turns, and `refusal` says why.
    private func begin(
        _ key: Key, _ policy: Policy, _ kind: Run.Kind, _ guess: Decision
    ) throws(EngineError) -> (run: Run, refusal: StoreError?) {
        let patience = policy.isHasty ? Patience.none : patience
        do throws(StoreError) {
            do throws(StoreError) {
                try prepareToWrite()
                return (try store.begin(key, kind, patience, amongProcesses: true), nil)
            } catch {
                let runsAnyway = guess == .rest || guess == .run && mayRun(policy, error)
                guard runsAnyway, !error.isAboutWaiting else { throw error }
                return (try store.begin(key, kind, patience, amongProcesses: false), error)
            }
        } catch { throw .store(error) }
    }

    private func whyUnwritable() -> StoreError? {
        do throws(StoreError) {
            try prepareToWrite()
            return nil
        } catch { return error }
    }

    private func mayRun(_ policy: Policy, _ refusal: StoreError) -> Bool {
        runsIfUnwritable && !policy.isAtMostOnce && refusal.isAboutWriting
    }
}

// MARK: - Before the run

extension Engine {
    /// Makes sure that the run may begin; AT_MOST_ONCE records it now.
    func prepare(_ turn: Turn) throws(EngineError) {
        if let refusal = turn.refusal, !mayRun(turn.policy, refusal) { throw .store(refusal) }
        guard turn.policy.isAtMostOnce else { return }
        let time = turn.moment.now - Record.epoch
        do throws(StoreError) {
            try store.commit { transaction in
                let known = transaction.records[turn.key]
                transaction.set(.started(after: known, version: turn.moment.version, time: time), for: turn.key)
            }
        } catch {
            // In the file already, but perhaps not on disk: then it doesn't run, and must not look done.
            guard case .unconfirmed(let call, let path, let number) = error else { throw .store(error) }
            try? restore(turn)
            throw .store(.system(call: call, path: path, error: number))
        }
    }

    /// Whether the key is recorded now, without a run; false when another did it meanwhile.
    func baseline(_ turn: Turn) throws(EngineError) -> Bool {
        if let refusal = turn.refusal { throw .store(refusal) }
        let moment = turn.moment
        var isNew = false
        try commit { transaction in
            isNew = transaction.records[turn.key] == nil
            guard isNew else { return }
            transaction.set(.baseline(version: moment.version, time: moment.now - Record.epoch), for: turn.key)
        }
        return isNew
    }
}

// MARK: - After the run

extension Engine {
    /// Records the run.
    func record(_ turn: Turn) throws(EngineError) {
        // The run took time: what counts is when it ended. A clock that fails only now must not lose the run.
        let time = ((try? now()) ?? turn.moment.now) - Record.epoch
        do throws(StoreError) {
            try remember(isRelaxed: isRelaxed) { transaction in
                let known = transaction.records[turn.key]
                if turn.policy.isAtMostOnce {
                    // Reset while it ran, it is recorded all the same; marked, it has been recorded.
                    let begun = turn.moment.now - Record.epoch
                    let missing = known ?? .run(after: nil, version: turn.moment.version, time: begun)
                    if known?.former != nil || known == nil { transaction.set(missing.settled, for: turn.key) }
                } else {
                    let run = Record.run(after: known, version: turn.moment.version, time: time)
                    transaction.set(run, for: turn.key)
                }
            }
        } catch { throw .notRecorded(error) }
    }

    /// Takes back, durably, what was recorded before a run that failed.
    func restore(_ turn: Turn) throws(EngineError) {
        guard turn.policy.isAtMostOnce else { return }
        do throws(StoreError) {
            try remember(isRelaxed: false) { transaction in
                // Marked while it ran: that stays.
                guard let former = transaction.records[turn.key]?.former else { return }
                if let record = former.record {
                    transaction.set(record, for: turn.key)
                } else {
                    _ = transaction.remove(turn.key)
                }
            }
        } catch { throw .notRestored(error) }
    }

    /// Commits what was done and must not be forgotten, whatever the disk says: this process remembers it.
    private func remember(
        isRelaxed: Bool, _ body: (inout Transaction) -> Void
    ) throws(StoreError) {
        guard !isReadOnly else {
            store.remember(body)
            throw readOnlyRefusal
        }
        try store.commit(remembering: true, isRelaxed: isRelaxed, body)
    }
}
