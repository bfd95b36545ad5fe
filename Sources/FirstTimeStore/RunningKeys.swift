// RunningKeys: which thread of this process runs which key, of any store. It makes threads wait for each other, and tells
// those that would wait for themselves. Other processes are LockFile's affair.

import CSystem

/// The keys that run in this process.
final class RunningKeys: Sendable {
    private struct Wait {
        let thread: UInt
        let name: Run.Name
    }

    private struct Tables {
        var runs: [Run.Name: Run] = .init()
        /// A thread stands here as often as it is inside a callback.
        var callbacks: [UInt] = []
        var waits: [Wait] = []
        /// In a forked child: the parent's callbacks that its thread is inside. The parent runs these keys, not we.
        var inherited: [Run] = []
    }

    private let monitor = Monitor()
    nonisolated(unsafe) private var tables = Tables()

    /// Takes the key for this thread once no other has it; returns how long to wait for other processes still.
    func begin(_ name: Run.Name, _ kind: Run.Kind, _ patience: Patience) throws(StoreError) -> (Run, Patience) {
        let thread = csystem_thread()
        return try monitor.withLock { () throws(StoreError) -> (Run, Patience) in
            let deadline = Deadline(isInside(thread) ? patience.atMost(.nested) : patience)
            guard !tables.inherited.contains(where: { $0.thread == thread && $0.name == name }) else {
                throw .reentrant(reason: "the key is running already, further up in this thread, since before the fork")
            }
            while let runner = tables.runs[name] {
                try check(runner, against: thread)
                let rest = deadline.rest
                if rest.isOver {
                    throw .busy(process: csystem_process(), thread: runner.thread == nil ? nil : runner.threadNumber)
                }
                tables.waits.append(Wait(thread: thread, name: name))
                monitor.wait(milliseconds: rest.milliseconds)
                tables.waits.removeAll { $0.thread == thread }
            }
            let run = Run(name, kind)
            tables.runs[name] = run
            if kind == .callback { tables.callbacks.append(thread) }
            return (run, deadline.rest)
        }
    }

    /// Gives a run the lock that it got of other processes.
    func attach(_ lock: KeyLocks.Held, to run: Run) { monitor.withLock { run.lock = lock } }

    /// Ends a run, unless that was done for it: see `endLost`.
    func end(_ run: Run) {
        let (isFirst, lock) = monitor.withLock { () -> (Bool, KeyLocks.Held?) in
            if run.isEnding { return (false, nil) }
            run.isEnding = true
            return (true, run.lock)
        }
        guard isFirst else { return }
        lock?.release()
        monitor.withLock {
            run.lock = nil
            tables.inherited.removeAll { $0 === run }
            guard tables.runs[run.name] === run else { return }
            tables.runs[run.name] = nil
            if run.kind == .callback, let index = tables.callbacks.lastIndex(where: { $0 == run.thread }) {
                tables.callbacks.remove(at: index)
            }
            monitor.notifyAll()
        }
    }

    private func check(_ runner: Run, against thread: UInt) throws(StoreError) {
        if runner.thread == thread {
            switch runner.kind {
            case .callback: throw .reentrant(reason: "the key is running already, further up in this thread")
            case .claim: throw .reentrant(reason: "this thread holds a claim on the key")
            }
        }
        if waitsInCircle(thread, for: runner.thread) {
            throw .reentrant(reason: "the thread that runs the key waits for this one")
        }
    }

    /// Whether `runner` waits, over any number of others, for `thread`. Each thread waits for one key at most.
    private func waitsInCircle(_ thread: UInt, for runner: UInt?) -> Bool {
        var next = runner
        for _ in tables.waits {
            guard let wait = tables.waits.first(where: { $0.thread == next }), let other = tables.runs[wait.name]
            else { return false }
            if other.thread == thread { return true }
            next = other.thread
        }
        return false
    }

    private func isInside(_ thread: UInt) -> Bool {
        tables.callbacks.contains(thread) || tables.inherited.contains { $0.thread == thread }
    }
}

// MARK: - Looking

extension RunningKeys {
    /// Whether the thread is inside a callback.
    func isRunning(_ thread: UInt) -> Bool { monitor.withLock { isInside(thread) } }

    /// Whether the thread has a key, by a callback or a claim.
    func holdsAny(_ thread: UInt) -> Bool {
        monitor.withLock { isInside(thread) || tables.runs.values.contains { $0.thread == thread } }
    }

    /// Whether `waiter` waits, over any number of others, for `thread`.
    func waits(_ waiter: UInt, for thread: UInt) -> Bool { monitor.withLock { waitsInCircle(thread, for: waiter) } }

    func isTaken(_ name: Run.Name) -> Bool { monitor.withLock { tables.runs[name] != nil } }
}

// MARK: - Runs that nobody ends

extension RunningKeys {
    /// Ends this thread's callbacks that began inside the library's call `visit`, or one inside that: their frames are
    /// gone from the stack.
    func endLost(from visit: UInt64) {
        let thread = csystem_thread()
        endAll { $0.kind == .callback && $0.thread == thread && $0.visit >= visit }
    }

    /// This thread ends: its callbacks with it, its claims are nobody's.
    func endThread() {
        let thread = csystem_thread()
        endAll { $0.kind == .callback && $0.thread == thread }
        monitor.withLock {
            for run in tables.runs.values where run.thread == thread { run.thread = nil }
            // Who waits for a claim of this thread in a circle may wait on now.
            monitor.notifyAll()
        }
    }

    private func endAll(where isLost: (Run) -> Bool) {
        let lost = monitor.withLock { tables.runs.values.filter(isLost) + tables.inherited.filter(isLost) }
        for run in lost { end(run) }
    }

    /// In a forked child: what ran is the parent's.
    func renewAfterFork() {
        let thread = csystem_forking_thread()
        monitor.withLock {
            let inside = tables.inherited + tables.runs.values.filter { $0.kind == .callback }
            tables = Tables()
            tables.inherited = inside.filter { $0.thread == thread }
        }
    }
}
