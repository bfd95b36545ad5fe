// GroupCommit: one fdatasync for all commits that this process has written and not yet synced. It only says whose turn it
// is and who is done; the sync itself is Store's.

/// Which commits are on disk, and which thread puts the next ones there.
final class GroupCommit: Sendable {
    private struct State {
        /// The last commit that is known to be on disk.
        var durable: UInt64 = 0
        var isSyncing = false
        /// A sync that failed. The kernel has forgotten what it could not write: to sync again would say that all is well.
        var failure: StoreError?
    }

    private let monitor = Monitor()
    nonisolated(unsafe) private var state = State()

    enum Part {
        /// It is on disk.
        case done
        /// This thread syncs, for all that have written until now, and calls `end`.
        case sync
        /// A sync failed: the state must be written anew, by `rewritten`.
        case rewrite(StoreError)
    }

    /// The last commit that is known to be on disk.
    var durable: UInt64 { monitor.withLock { state.durable } }

    /// Whether a sync failed since the state was written anew: the journal may have a hole, and what comes after it could not
    /// be found.
    var hasFailed: Bool { monitor.withLock { state.failure != nil } }

    /// What is to be done for a commit that was written.
    func part(for sequence: UInt64) -> Part {
        monitor.withLock {
            while true {
                if state.durable >= sequence { return .done }
                if let failure = state.failure { return .rewrite(failure) }
                if !state.isSyncing {
                    state.isSyncing = true
                    return .sync
                }
                monitor.wait(milliseconds: nil)
            }
        }
    }

    func end(through sequence: UInt64, failure: StoreError? = nil) {
        monitor.withLock {
            state.isSyncing = false
            if let failure { state.failure = failure } else { state.durable = max(state.durable, sequence) }
            monitor.notifyAll()
        }
    }

    /// Everything up to `sequence` is on disk in a file of its own.
    func rewritten(through sequence: UInt64) {
        monitor.withLock {
            state.durable = max(state.durable, sequence)
            state.failure = nil
            monitor.notifyAll()
        }
    }

    /// In a forked child: a sync in progress is the parent's, and so are its commits.
    func renewAfterFork() { monitor.withLock { state = State() } }
}
