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

    /// Waits until no other thread is inside. False, at once, when this one is.
    func waitForOthers() -> Bool {
        let thread = csystem_thread()
        return monitor.withLock {
            if threads.contains(thread) { return false }
            while !threads.isEmpty { monitor.wait(milliseconds: nil) }
            return true
        }
    }
}
