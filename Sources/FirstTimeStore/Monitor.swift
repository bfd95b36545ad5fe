// Monitor: a mutex with a condition, for Swift. The standard library's Mutex does not exist for Embedded Swift on Linux.

import CSystem

/// A lock that one thread holds at a time, and can wait in for a change.
package final class Monitor: @unchecked Sendable {
    private let monitor: OpaquePointer

    package init() { monitor = csystem_monitor_create() }

    /// One whose content threads may also look at side by side.
    init(isShared: Void) { monitor = csystem_monitor_create_shared() }
    deinit { csystem_monitor_destroy(monitor) }

    // A closure that is called here, and not passed on, costs nothing.
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        csystem_monitor_lock(monitor)
        defer { csystem_monitor_unlock(monitor) }
        return try body()
    }

    /// Calls `body`, which only looks, for a moment, beside others that do; nil while somebody has the lock.
    @inline(__always)
    func look<Result>(_ body: () -> Result?) -> Result? {
        guard csystem_monitor_begin_look(monitor) else { return nil }
        defer { csystem_monitor_end_look(monitor) }
        return body()
    }

    /// Inside `withLock`: waits until another thread notifies, at most so long, without holding the lock meanwhile. It
    /// may return early: look again.
    package func wait(milliseconds: Int64?) { csystem_monitor_wait(monitor, milliseconds ?? -1) }

    package func notifyAll() { csystem_monitor_notify_all(monitor) }
}
