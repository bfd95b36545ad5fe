// RunningKeys: which thread of this process runs which key, of any store. It makes threads wait for each other, and tells
// those that would wait for themselves. Other processes are LockFile's affair.

import CSystem

/// The keys that run in this process.
final class RunningKeys: Sendable {
    /// A key of one store, which is named by its address.
    struct Name: Equatable, Sendable {
        let store: ObjectIdentifier
        let key: Key
    }

    private struct Entry {
        let name: Name
        let thread: UInt
        let number: Int32
    }

    private struct Tables {
        var runs: [Entry] = []
        var waits: [Entry] = []
    }

    private let monitor = Monitor()
    nonisolated(unsafe) private var tables = Tables()

    /// Takes the key for this thread once no other has it; returns how long to wait for other processes still.
    func begin(_ name: Name, _ patience: Patience) throws(StoreError) -> Patience {
        let thread = csystem_thread()
        return try monitor.withLock { () throws(StoreError) -> Patience in
            let isNested = tables.runs.contains { $0.thread == thread }
            let patience = isNested ? patience.atMost(.nested) : patience
            let deadline = Deadline(patience)
            while let runner = runner(of: name) {
                guard runner.thread != thread else {
                    throw .reentrant(reason: "the key is running already, further up in this thread")
                }
                if waitsInCircle(thread, for: runner.thread) {
                    throw .reentrant(reason: "the thread that runs the key waits for this one")
                }
                let rest = deadline.rest
                if rest.isOver { throw .busy(thread: runner.number) }
                tables.waits.append(Entry(name: name, thread: thread, number: csystem_thread_number()))
                monitor.wait(milliseconds: rest.milliseconds)
                tables.waits.removeAll { $0.thread == thread }
            }
            tables.runs.append(Entry(name: name, thread: thread, number: csystem_thread_number()))
            return deadline.rest
        }
    }

    func isRunning(_ thread: UInt) -> Bool { monitor.withLock { tables.runs.contains { $0.thread == thread } } }

    /// Whether `waiter` waits, over any number of others, for `thread`.
    func waits(_ waiter: UInt, for thread: UInt) -> Bool { monitor.withLock { waitsInCircle(thread, for: waiter) } }

    func end(_ name: Name) {
        monitor.withLock {
            tables.runs.removeAll { $0.name == name }
            monitor.notifyAll()
        }
    }

    private func runner(of name: Name) -> Entry? { tables.runs.first { $0.name == name } }

    /// Whether `runner` waits, over any number of others, for `thread`. Each thread waits for one key at most.
    private func waitsInCircle(_ thread: UInt, for runner: UInt) -> Bool {
        var next = runner
        for _ in tables.waits {
            guard let wait = tables.waits.first(where: { $0.thread == next }), let other = self.runner(of: wait.name)
            else { return false }
            if other.thread == thread { return true }
            next = other.thread
        }
        return false
    }
}
