// Turn: something that one thread of the process does at a time, for as long as the disk takes. The monitor is held for
// moments only, so that a fork never has to wait for the disk.

/// A turn at something that takes long.
final class Turn: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var isTaken = false

    /// Waits for the turn; false when the patience ends before.
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
}
