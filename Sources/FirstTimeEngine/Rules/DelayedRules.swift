// DelayedRules: rules that held and fire later, and the thread that waits for their time: one for each handle, begun with
// the first of them. It decides nothing: what to do then, it is told.

import CSystem
import FirstTimeStore

/// The delayed rules of one handle.
final class DelayedRules: Sendable {
    /// A rule, and those inside which it was found to hold.
    struct Entry {
        let rule: RegisteredRule
        let chain: [Calls.Subject]
        /// By the clock that only goes forward, in milliseconds.
        let time: Int64
    }

    /// What is done with a rule whose time has come. What it throws is kept for `waitForAll`.
    typealias Handler = @Sendable (Entry) throws(EngineError) -> Void

    private struct State {
        var entries: [Entry] = []
        /// The rule whose time has come, while it is handled.
        var current: RegisteredRule?
        var handler: Handler?
        /// The thread: to join, and as locks know it.
        var thread: UInt?
        var runner: UInt?
        var isPaused = false
        var isStopped = false
        /// Why a rule could not fire, until somebody asks.
        var failure: EngineError?
        var generation = csystem_fork_generation()
    }

    /// The store's, for errors.
    private let path: [UInt8]
    private let monitor = Monitor()
    nonisolated(unsafe) private var state = State()

    init(path: [UInt8]) { self.path = path }

    /// The longest delay, in seconds: some hundred thousand years.
    private static let longest: Double = 1e13
    /// How long the thread sleeps at a time.
    private static let longestSleep: Int64 = 86_400_000

    /// Has the rule handled after its delay, unless it waits for that already.
    func schedule(
        _ rule: RegisteredRule, chain: [Calls.Subject], _ handler: @escaping Handler
    ) throws(StoreError) {
        let delay = Int64(min(rule.options.delay, Self.longest) * 1000)
        var inherited: State?
        defer { withExtendedLifetime(inherited) {} }
        try monitor.withLock { () throws(StoreError) -> Void in
            inherited = renew()
            if state.isStopped || state.entries.contains(where: { $0.rule === rule }) { return }
            state.handler = handler
            try startThread()
            state.entries.append(Entry(rule: rule, chain: chain, time: csystem_monotonic_milliseconds() + delay))
            monitor.notifyAll()
        }
    }

    /// Forgets a rule that was removed. The caller has a reference still: letting go of the last one calls out.
    func cancel(_ rule: RegisteredRule) {
        monitor.withLock {
            state.entries.removeAll { $0.rule === rule }
            monitor.notifyAll()
        }
    }

    // MARK: Waiting

    enum Waiting {
        case done(failure: EngineError?)
        case overdue
        /// The thread waits for the one that waits for it.
        case heldUp
    }

    /// Waits until none is left, or the handle is being closed. Gives the first failure since it was asked last.
    ///
    /// `look`: how often to ask `isHeldUp` whether the thread waits for this one.
    func waitForAll(_ patience: Patience, look: Int64?, isHeldUp: (UInt) -> Bool) -> Waiting {
        let deadline = Deadline(patience)
        var inherited: State?
        defer { withExtendedLifetime(inherited) {} }
        return monitor.withLock {
            inherited = renew()
            while !state.isPaused, !state.isStopped, !state.entries.isEmpty || state.current != nil {
                let rest = deadline.rest
                if rest.isOver { return .overdue }
                if look != nil, state.current != nil, let runner = state.runner, isHeldUp(runner) { return .heldUp }
                monitor.wait(milliseconds: look ?? rest.milliseconds)
            }
            let failure = state.failure
            state.failure = nil
            return .done(failure: failure)
        }
    }

    // MARK: Closing

    /// Nothing new is handled until `resume`; those who wait for all wait no longer.
    func pause() { set(paused: true) }
    func resume() { set(paused: false) }

    private func set(paused: Bool) {
        monitor.withLock {
            state.isPaused = paused
            monitor.notifyAll()
        }
    }

    /// Whether the handle is being closed, or is.
    var isPaused: Bool { monitor.withLock { state.isPaused } }

    /// Whether the handler may go on with what it was given; otherwise that is kept for later.
    func mayGoOn(with entry: Entry) -> Bool {
        monitor.withLock {
            if !state.isPaused { return !state.isStopped }
            state.entries.append(entry)
            return false
        }
    }

    /// Cancels all, and waits until the thread has ended. Nothing may be handled any more.
    func stop() {
        var inherited: State?
        let before = monitor.withLock { () -> State in
            inherited = renew()
            let before = state
            state.thread = nil
            state.entries = []
            state.handler = nil
            state.isStopped = true
            monitor.notifyAll()
            return before
        }
        if let thread = before.thread { csystem_thread_join(thread) }
        withExtendedLifetime((before, inherited)) {}
    }

    /// Inside the monitor: a forked child has neither its parent's thread nor the delayed rules. What it inherited is given
    /// back, since to let go of it may call out.
    private func renew() -> State? {
        guard state.generation != csystem_fork_generation() else { return nil }
        let inherited = state
        state = State()
        (state.isPaused, state.isStopped) = (inherited.isPaused, inherited.isStopped)
        return inherited
    }
}

// MARK: - The thread

extension DelayedRules {
    /// Inside the monitor.
    private func startThread() throws(StoreError) {
        guard state.thread == nil else { return }
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread: UInt = 0
        let result = csystem_thread_start(&thread, { DelayedRules.run($0) }, { DelayedRules.end($0) }, context)
        guard result == 0 else {
            Unmanaged<DelayedRules>.fromOpaque(context).release()
            throw .system(call: "pthread_create", path: path, error: result)
        }
        state.thread = thread
    }

    private static func run(_ context: UnsafeMutableRawPointer) {
        let rules = Unmanaged<DelayedRules>.fromOpaque(context).takeUnretainedValue()
        let generation = csystem_fork_generation()
        while let (entry, handler) = rules.next(generation) {
            var failure: EngineError?
            do throws(EngineError) { try handler(entry) } catch { failure = error }
            rules.finish(failure, generation)
        }
    }

    /// Waits for the next one's time. Nil: there will be none.
    private func next(_ generation: UInt32) -> (Entry, Handler)? {
        monitor.withLock {
            // In a child that was forked while a rule was handled, this was its parent's thread.
            guard generation == csystem_fork_generation() else { return nil }
            state.runner = csystem_thread()
            while !state.isStopped {
                let entries = state.entries
                guard !state.isPaused, let handler = state.handler,
                    let index = entries.indices.min(by: { entries[$0].time < entries[$1].time })
                else {
                    monitor.wait(milliseconds: nil)
                    continue
                }
                let rest = entries[index].time - csystem_monotonic_milliseconds()
                if rest <= 0 {
                    let entry = state.entries.remove(at: index)
                    state.current = entry.rule
                    return (entry, handler)
                }
                monitor.wait(milliseconds: min(rest, Self.longestSleep))
            }
            return nil
        }
    }

    private func finish(_ failure: EngineError?, _ generation: UInt32) {
        let rule = monitor.withLock { () -> RegisteredRule? in
            guard generation == csystem_fork_generation() else { return nil }
            let rule = state.current
            state.current = nil
            if state.failure == nil { state.failure = failure }
            monitor.notifyAll()
            return rule
        }
        withExtendedLifetime(rule) {}
    }

    /// The thread ends. If that was a trigger's doing, there are others that wait for their time.
    private static func end(_ context: UnsafeMutableRawPointer) {
        let rules = Unmanaged<DelayedRules>.fromOpaque(context).takeRetainedValue()
        rules.replaceThread()
    }

    private func replaceThread() {
        let lost = monitor.withLock { () -> (rule: RegisteredRule?, entries: [Entry])? in
            guard !state.isStopped, let thread = state.thread, state.runner == csystem_thread(),
                state.generation == csystem_fork_generation()
            else { return nil }
            csystem_thread_detach(thread)
            state.thread = nil
            let rule = state.current
            state.current = nil
            monitor.notifyAll()
            guard let next = state.entries.first else { return (rule, []) }
            do throws(StoreError) { try startThread() } catch {
                // They are found to hold with the next donation; to keep them would have others wait for ever.
                let entries = state.entries
                state.entries = []
                if state.failure == nil { state.failure = .notClaimed(rule: next.rule.name, error) }
                return (rule, entries)
            }
            return (rule, [])
        }
        withExtendedLifetime(lost) {}
    }
}
