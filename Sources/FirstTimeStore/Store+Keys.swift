// Store+Keys: who runs a key of this store: among this process's threads by RunningKeys, among processes by KeyLocks.

import CSystem

extension Store {
    private func name(_ key: Key) -> Run.Name { Run.Name(store: ObjectIdentifier(self), key: key) }

    /// Takes a key among all threads and, `amongProcesses`, all processes, waiting for whoever has it.
    package func begin(
        _ key: Key, _ kind: Run.Kind, _ patience: Patience, amongProcesses: Bool
    ) throws(StoreError) -> Run {
        let (run, rest) = try running.begin(name(key), kind, patience)
        guard amongProcesses, !isInMemory else { return run }
        let byte = LockFile.Byte.key(key)
        do throws(StoreError) {
            guard let lock = try keyLocks.take(byte, rest) else {
                let other = lockFile.known?.page?.runner(of: byte)
                throw StoreError.busy(process: other?.process, thread: other?.thread)
            }
            testPoint("point: key was locked")
            running.attach(lock, to: run)
            lockFile.known?.page?.note(byte, process: csystem_process(), thread: csystem_thread_number())
            return run
        } catch {
            running.end(run)
            throw error
        }
    }

    package func end(_ run: Run) {
        testPoint("point: key is to be given back")
        lockFile.known?.page?.forget(LockFile.Byte.key(run.name.key))
        running.end(run)
    }

    /// Whether anyone runs the key now, this process or another.
    package func isTaken(_ key: Key) -> Bool {
        running.isTaken(name(key)) || !isInMemory && lockFile.isLocked(LockFile.Byte.key(key))
    }

    /// Whether this thread is inside a callback, of any store.
    package var isRunningHere: Bool { running.isRunning(csystem_thread()) }

    /// Whether this thread has a key of any store, by a callback or a claim.
    package var holdsKeysHere: Bool { running.holdsAny(csystem_thread()) }

    /// Whether `thread` waits, over any number of others, for a key that this thread runs.
    package func isHeldUpHere(_ thread: UInt) -> Bool { running.waits(thread, for: csystem_thread()) }
}

// MARK: - Callbacks left abnormally, and forks

extension Store {
    /// Ends this thread's callbacks that began inside the library's call `visit`, or one inside that, for good.
    package static func endLost(from visit: UInt64) { ProcessStores.running.endLost(from: visit) }

    /// This thread ends: its callbacks with it.
    package static func endThread() { ProcessStores.running.endThread() }

    /// In a forked child, before anything else: makes this process's stores its own.
    package static func renewAfterFork() { ProcessStores.renewAfterFork() }

    /// This store's part of it. What the parent could not record yet stays the parent's.
    func renewAfterFork() {
        keyLocks.renewAfterFork()
        appending.renewAfterFork()
        checkpointing.renewAfterFork()
        groupCommit.renewAfterFork()
        lockFile.renewAfterFork()
        if !isInMemory { forgetFiles() }
    }
}
