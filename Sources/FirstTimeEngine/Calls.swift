// Calls: which threads are inside a handle, so that close can wait for them, and can tell that it is called from one.

import CSystem
import FirstTimeStore

/// The calls in progress on one handle.
final class Calls: Sendable {
    private let monitor = Monitor()
    /// A thread stands here as often as it is inside.
    nonisolated(unsafe) private var threads: [UInt] = []

    func enter() {
        let thread = csystem_thread()
        monitor.withLock { threads.append(thread) }
    }

    func leave() {
        let thread = csystem_thread()
        monitor.withLock {
            if let index = threads.lastIndex(of: thread) { threads.remove(at: index) }
            if threads.isEmpty { monitor.notifyAll() }
        }
    }

    /// How often a callback that waits looks whether those inside can end at all.
    private static let look: Int64 = 50

    /// Waits until no other thread is inside. False when that can't come: when this one is inside, or runs a key that
    /// one of the others waits for.
    func waitForOthers(in store: Store) -> Bool {
        let thread = csystem_thread()
        let isNested = store.isRunningHere
        // Two callbacks that close each other's handles can't be told from others.
        let deadline = Deadline(isNested ? .nested : .forever)
        return monitor.withLock {
            if threads.contains(thread) { return false }
            while !threads.isEmpty {
                if deadline.rest.isOver || isNested && threads.contains(where: { store.isHeldUpHere($0) }) {
                    return false
                }
                monitor.wait(milliseconds: isNested ? Self.look : nil)
            }
            return true
        }
    }
}
