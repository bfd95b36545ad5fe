// Engine+Execute: one runner for a key. Take the key, look again, run, record, let go: in this order.

import FirstTimeStore

extension Engine {
    package enum Outcome: Sendable {
        case ran, ranAfter, notDue
    }

    /// Runs `first` when the key is due, and records it when it returns 0; otherwise runs `after`. A nil one means that
    /// there is nothing to do in its case.
    package func execute(
        _ key: Key, _ policy: Policy, first: (() -> Int32)?, after: (() -> Int32)?
    ) throws(EngineError) -> Outcome {
        calls.enter()
        defer { calls.leave() }
        // What has nothing to run takes no lock and writes nothing.
        let seemsDue = try decide(key, policy, closely: false).isDue
        guard (seemsDue ? first : after) != nil else { return .notDue }
        let (running, refusal) = try begin(key, seemsDue: seemsDue)
        defer { store.end(running) }
        // The one who had the key before may have run it.
        let (isDue, moment) = try decide(key, policy, closely: true)
        if isDue {
            guard let first else { return .notDue }
            // Became due meanwhile, but other processes don't know that it would run here.
            if let refusal { throw .store(refusal) }
            // Once more, after what may have been a long wait.
            do { try store.prepareToWrite() } catch { throw .store(error) }
            return try run(first, key, moment)
        }
        guard let after else { return .notDue }
        let status = after()
        guard status == 0 else { throw .callback(.after, status: status) }
        return .ranAfter
    }

    private func decide(
        _ key: Key, _ policy: Policy, closely: Bool
    ) throws(EngineError) -> (isDue: Bool, Moment) {
        let moment = try moment()
        return (policy.isDue(try record(for: key, closely: closely), at: moment), moment)
    }

    /// Takes the key. `after` runs on a store that can't be written, too: then only this process's threads take turns,
    /// and `refusal` says why.
    private func begin(
        _ key: Key, seemsDue: Bool
    ) throws(EngineError) -> (running: Store.Running, refusal: StoreError?) {
        do throws(StoreError) {
            do throws(StoreError) {
                try store.prepareToWrite()
                return (try store.begin(key, patience, amongProcesses: true), nil)
            } catch {
                guard !seemsDue, !error.isAboutWaiting else { throw error }
                return (try store.begin(key, patience, amongProcesses: false), error)
            }
        } catch { throw .store(error) }
    }

    private func run(_ first: () -> Int32, _ key: Key, _ moment: Moment) throws(EngineError) -> Outcome {
        let status = first()
        guard status == 0 else { throw .callback(.first, status: status) }
        // The run took time: what counts is when it ended. A clock that fails only now must not lose the run.
        let time = (try? now()) ?? moment.now
        do {
            try store.commit(remembering: true) { transaction in
                let known = transaction.records[key]
                let run = Record.run(after: known, version: moment.version, time: time - Record.epoch)
                transaction.set(run, for: key)
            }
        } catch { throw .notRecorded(error) }
        return .ran
    }
}
