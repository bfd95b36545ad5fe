// KeyLocks: the bytes of the lock file that this process holds for the keys it runs. It keeps other processes out; this
// one's threads take turns by RunningKeys, so keys of one process that share a byte share its lock.

import CSystem

/// The locked bytes of one store's keys.
final class KeyLocks: Sendable {
    /// A byte that is locked.
    final class Held: @unchecked Sendable {
        private let owner: KeyLocks
        fileprivate let byte: Int64
        fileprivate let descriptor: Descriptor
        /// How many keys hold it; KeyLocks' monitor protects it.
        fileprivate var count = 1

        fileprivate init(_ owner: KeyLocks, _ byte: Int64, _ descriptor: Descriptor) {
            self.owner = owner
            self.byte = byte
            self.descriptor = descriptor
        }

        /// Gives it back; the byte is free when the last key that shares it is.
        func release() { owner.release(self) }
    }

    private struct Tables {
        var held: [Held] = []
        /// Bytes that a thread is asking the kernel for.
        var asked: [Int64] = []
    }

    private let lockFile: LockFile
    private let monitor = Monitor()
    nonisolated(unsafe) private var tables = Tables()

    init(_ lockFile: LockFile) { self.lockFile = lockFile }

    /// Takes a byte, or shares it with the keys of this process that hold it. Nil: another process has it.
    func take(_ byte: Int64, _ patience: Patience) throws(StoreError) -> Held? {
        let deadline = Deadline(patience)
        // For two keys that share a byte the kernel is asked once: for the other key it would wait for this process.
        let (shared, isOurs) = monitor.withLock { () -> (Held?, Bool) in
            while true {
                if let held = share(byte) { return (held, false) }
                guard tables.asked.contains(byte) else { break }
                let rest = deadline.rest
                if rest.isOver { return (nil, false) }
                monitor.wait(milliseconds: rest.milliseconds)
            }
            tables.asked.append(byte)
            return (nil, true)
        }
        guard isOurs else { return shared }
        defer {
            monitor.withLock {
                tables.asked.removeAll { $0 == byte }
                monitor.notifyAll()
            }
        }
        guard let descriptor = try lockFile.lock(byte, deadline.rest) else { return nil }
        let held = Held(self, byte, descriptor)
        monitor.withLock { tables.held.append(held) }
        return held
    }

    private func release(_ held: Held) {
        monitor.withLock {
            held.count -= 1
            guard held.count == 0 else { return }
            tables.held.removeAll { $0 === held }
            // A child that was made without fork(), by clone() say, shares the lock: unlocking ends it for both.
            lockFile.unlock(held.byte, in: held.descriptor)
        }
    }

    /// In a forked child: the locks are the parent's.
    func renewAfterFork() { monitor.withLock { tables = Tables() } }

    /// Inside the monitor: one more key for a byte that is held, unless others lock it in a new file by now.
    private func share(_ byte: Int64) -> Held? {
        guard let held = tables.held.first(where: { $0.byte == byte && lockFile.isCurrent($0.descriptor) }) else {
            return nil
        }
        held.count += 1
        return held
    }
}
