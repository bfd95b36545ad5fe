// Calls: which threads are inside a handle, so that close can wait for them, and can tell that it is called from one; and
// what becomes of those that never come back: a callback may be left by longjmp(), an exception or the thread's end.

import CSystem
import FirstTimeStore

/// The calls in progress on one handle.
final class Calls: Sendable {
    private let monitor = Monitor()
    /// A thread stands here as often as it is inside.
    nonisolated(unsafe) private var threads: [UInt] = []
    nonisolated(unsafe) private var asked: [Asked] = []
    nonisolated(unsafe) private var generation = csystem_fork_generation()

    /// Makes sure that threads which end are noticed.
    init() { csystem_on_thread_end { Calls.endThread() } }

    /// What a call of the library on this handle does. Callbacks are called inside it only.
    func inside<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
        let frame = csystem_frame()
        Self.endLost(at: frame)
        if !csystem_is_renewed() { Store.renewAfterFork() }
        add(csystem_thread())
        let visit = csystem_visit_enter(frame - Self.room / 2, Unmanaged.passRetained(self).toOpaque())
        defer { Self.leave(visit) }
        // Replaced by what `body` says. It goes around `below`, which is one function then for all kinds of results.
        var result = Swift.Result<Result, EngineError>.failure(.forked)
        Self.below(4) {
            do throws(EngineError) { result = .success(try body()) } catch { result = .failure(error) }
        }
        return try result.get()
    }

    private func add(_ thread: UInt) {
        monitor.withLock {
            renew()
            threads.append(thread)
        }
    }

    private func remove(_ thread: UInt, _ visit: UInt64) {
        monitor.withLock {
            if !asked.isEmpty { asked.removeAll { $0.thread == thread && $0.visit >= visit } }
            if let index = threads.lastIndex(of: thread) { threads.remove(at: index) }
            monitor.notifyAll()
        }
    }

    /// Inside the monitor: a forked child has one thread of its parent's, which may be inside.
    private func renew() {
        guard generation != csystem_fork_generation() else { return }
        generation = csystem_fork_generation()
        threads.removeAll { $0 != csystem_forking_thread() }
        asked.removeAll { $0.thread != csystem_forking_thread() }
    }
}

// MARK: - Lost calls

extension Calls {
    /// Stack between a call's own frames and its callback's, so that frames of two calls from one place, which differ a
    /// little in depth, are told from those of a call inside a callback.
    private static var room: UInt { 4096 }

    /// Calls `body` with that much stack above it: in pieces, since larger ones may come from elsewhere.
    @inline(never)
    private static func below(_ pieces: Int, _ body: () -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
            csystem_use(memory.baseAddress)
            if pieces > 1 { below(pieces - 1, body) } else { body() }
        }
    }

    /// Whether this thread's calls are all still there, and so is the process: then a question that is answered at once
    /// needn't be a call itself.
    @inline(__always)
    static var isNothingLost: Bool {
        csystem_is_renewed() && (csystem_visit_frame() == .max || csystem_visit_frame() > csystem_frame())
    }

    /// Ends the calls of this thread whose frames can't be there any more, since the stack ends above them.
    static func endLost(at frame: UInt) {
        var oldest: UInt64?
        while csystem_visit_frame() <= frame {
            oldest = csystem_visit_number()
            endInnermost()
        }
        if let oldest { Store.endLost(from: oldest) }
    }

    /// Ends a call that returns, and those inside it that never did.
    private static func leave(_ visit: UInt64) {
        // Ended already, when its frame seemed to be gone: on another stack that the host program switched to.
        guard csystem_visit_is_open(visit) else { return }
        if csystem_visit_number() != visit {
            while csystem_visit_number() != visit { endInnermost() }
            Store.endLost(from: visit + 1)
        }
        endInnermost()
    }

    private static func endThread() {
        Store.endThread()
        while csystem_visit_count() > 0 { endInnermost() }
    }

    private static func endInnermost() {
        let visit = csystem_visit_number()
        guard let place = csystem_visit_leave() else { return }
        let calls = Unmanaged<Calls>.fromOpaque(place).takeRetainedValue()
        calls.remove(csystem_thread(), visit)
    }
}

// MARK: - What is asked inside itself

extension Calls {
    /// A rule, or an observer, by name: what is set again under its name is the same.
    struct Subject: Equatable {
        let name: Key
        /// 0: a rule.
        let observer: UInt64

        static func rule(_ name: Key) -> Subject { Subject(name: name, observer: 0) }
    }

    /// A subject that a thread asks or tells.
    struct Asked {
        let thread: UInt
        /// The call with which it ends, if nothing else ended it: the one in which it is or, once it is over, the one of
        /// the outermost subject.
        var visit: UInt64
        let subject: Subject
        var isOver = false
    }

    /// How deep donations and posts may lie inside what they lead to: each takes some of the stack.
    private static var deepest: Int { 16 }

    /// Whether this thread isn't too deep inside subjects to ask more.
    var mayAskHere: Bool {
        let thread = csystem_thread()
        return monitor.withLock {
            var count = 0
            for entry in asked where entry.thread == thread && !entry.isOver { count += 1 }
            return count < Self.deepest
        }
    }

    /// Calls `body` unless this thread is inside the subject already, or was since the outermost subject that it is
    /// inside: so a number of rules whose triggers donate ask each other as often as there are pairs of them, and not in
    /// all their orders.
    func asking<R>(_ subject: Subject, _ body: () throws(EngineError) -> R) throws(EngineError) -> R? {
        let (thread, visit) = (csystem_thread(), csystem_visit_number())
        let isNew = monitor.withLock {
            if asked.contains(where: { $0.thread == thread && $0.subject == subject }) { return false }
            asked.append(Asked(thread: thread, visit: visit, subject: subject))
            return true
        }
        guard isNew else { return nil }
        defer { end(thread, subject) }
        return try body()
    }

    /// What this thread is inside, or was since the outermost of them.
    var askedHere: [Subject] {
        let thread = csystem_thread()
        return monitor.withLock { asked.filter { $0.thread == thread }.map { $0.subject } }
    }

    /// Makes this thread be inside what another one was, until its call ends.
    func goOn(inside subjects: [Subject]) {
        let (thread, visit) = (csystem_thread(), csystem_visit_number())
        monitor.withLock {
            for subject in subjects { asked.append(Asked(thread: thread, visit: visit, subject: subject)) }
        }
    }

    private func end(_ thread: UInt, _ subject: Subject) {
        monitor.withLock {
            for index in asked.indices where asked[index].thread == thread && asked[index].subject == subject {
                asked[index].isOver = true
            }
            guard let outermost = asked.first(where: { $0.thread == thread && !$0.isOver }) else {
                asked.removeAll { $0.thread == thread }
                return
            }
            for index in asked.indices where asked[index].thread == thread && asked[index].isOver {
                asked[index].visit = outermost.visit
            }
        }
    }
}

// MARK: - Closing

extension Calls {
    /// How often a callback that waits looks whether those inside can end at all.
    private static let look: Int64 = 50

    /// Whether this thread is inside, or runs a key that another one inside waits for: then waiting has no end.
    func isHeldUpHere(in store: Store) -> Bool {
        Self.endLost(at: csystem_frame())
        let thread = csystem_thread()
        return monitor.withLock {
            renew()
            return threads.contains(thread) || store.isRunningHere && threads.contains { store.isHeldUpHere($0) }
        }
    }

    /// Whether this thread is inside.
    var isInsideHere: Bool {
        Self.endLost(at: csystem_frame())
        let thread = csystem_thread()
        return monitor.withLock {
            renew()
            return threads.contains(thread)
        }
    }

    /// How often whoever holds keys looks whether those it waits for wait for it.
    static func look(holdsKeys: Bool) -> Int64? { holdsKeys ? look : nil }

    /// Waits until no other thread is inside. False when that can't come: when this one is inside, or runs a key that
    /// one of the others waits for.
    func waitForOthers(in store: Store) -> Bool {
        let thread = csystem_thread()
        let holdsKeys = store.holdsKeysHere
        // Two callbacks that close each other's handles can't be told from others.
        let deadline = Deadline(store.isRunningHere ? .nested : .forever)
        return monitor.withLock {
            renew()
            if threads.contains(thread) { return false }
            while !threads.isEmpty {
                if deadline.rest.isOver || holdsKeys && threads.contains(where: { store.isHeldUpHere($0) }) {
                    return false
                }
                monitor.wait(milliseconds: Self.look(holdsKeys: holdsKeys))
            }
            return true
        }
    }
}
