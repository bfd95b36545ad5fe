// DiskLock: a lock among threads that is held for as long as the disk takes. Its monitor is held for moments only, so that
// a fork never has to wait for the disk.

/// A lock that one thread of the process has at a time.
final class DiskLock: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var isTaken = false

    /// Waits for it; false when the deadline comes before.
    func take(_ deadline: Deadline) -> Bool {
        monitor.withLock {
            while isTaken {
                let rest = deadline.rest
                if rest.isOver { return false }
                monitor.wait(milliseconds: rest.milliseconds)
            }
            isTaken = true
            return true
        }
    }

    func give() {
        monitor.withLock {
            isTaken = false
            monitor.notifyAll()
        }
    }

    /// In a forked child: whoever has it is a thread of the parent's.
    func renewAfterFork() { give() }
}
