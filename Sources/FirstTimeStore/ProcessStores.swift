// ProcessStores: the stores that this process has open, one for each file however many handles there are, so that all
// handles see the same memory. One object per process, behind CSystem's registry lock.

import CSystem

/// All open stores of the process.
final class ProcessStores {
    private var stores: [(store: Store, handles: Int, writers: Int)] = []
    private var generation = csystem_fork_generation()
    let running = RunningKeys()

    private static func withShared<Result>(_ body: (ProcessStores) -> Result) -> Result {
        csystem_registry_lock()
        defer { csystem_registry_unlock() }
        let slot = csystem_registry_slot(0)
        if let pointer = slot.pointee {
            return body(Unmanaged<ProcessStores>.fromOpaque(pointer).takeUnretainedValue())
        }
        csystem_install_fork_handlers()
        let shared = ProcessStores()
        // Draws what hashes begin with, while no other thread can fork: the child would wait for it for ever.
        var hasher = Hasher()
        hasher.combine(0)
        _ = hasher.finalize()
        slot.pointee = Unmanaged.passRetained(shared).toOpaque()
        return body(shared)
    }

    /// The store for a resolved path, with one handle more.
    static func open(_ path: FilePath, isReadOnly: Bool) -> Store {
        withShared { shared in
            let index = shared.index { $0.path == path } ?? shared.add(Store(path: path, running: shared.running))
            shared.stores[index].handles += 1
            if !isReadOnly { shared.stores[index].writers += 1 }
            return shared.stores[index].store
        }
    }

    /// Whether any handle of the process has the file open, and a store for it that no handle shares.
    static func aside(_ path: FilePath) -> (store: Store, isOpen: Bool) {
        withShared { shared in
            (Store(path: path, running: shared.running), shared.index { $0.path == path } != nil)
        }
    }

    static func inMemory() -> Store {
        withShared { shared in Store(path: FilePath([]), running: shared.running, isInMemory: true) }
    }

    /// Gives one handle back; says whether it was the last that could write, and the last of all.
    static func close(_ store: Store, isReadOnly: Bool) -> (isLastWriter: Bool, isLast: Bool) {
        withShared { shared in
            guard let index = shared.index(where: { $0 === store }) else { return (false, false) }
            shared.stores[index].handles -= 1
            if !isReadOnly { shared.stores[index].writers -= 1 }
            let isLastWriter = !isReadOnly && shared.stores[index].writers == 0
            let isLast = shared.stores[index].handles == 0
            if isLast { shared.stores.remove(at: index) }
            return (isLastWriter, isLast)
        }
    }

    private func index(where isWanted: (Store) -> Bool) -> Int? { stores.firstIndex { isWanted($0.store) } }

    private func add(_ store: Store) -> Int {
        stores.append((store, 0, 0))
        return stores.count - 1
    }

    /// In a forked child: gives up what the parent has. Whoever calls it while another does waits until that is done.
    static func renewAfterFork() {
        withShared { shared in
            guard shared.generation != csystem_fork_generation() else { return }
            shared.running.renewAfterFork()
            for (store, _, _) in shared.stores { store.renewAfterFork() }
            shared.generation = csystem_fork_generation()
            csystem_set_renewed_generation(shared.generation)
        }
    }

    static var running: RunningKeys { withShared { $0.running } }
}
