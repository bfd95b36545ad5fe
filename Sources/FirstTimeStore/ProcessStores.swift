// ProcessStores: the stores that this process has open, one for each file however many handles there are, so that all
// handles see the same memory. One object per process, behind CSystem's registry lock.

import CSystem

/// All open stores of the process.
final class ProcessStores {
    private var stores: [(store: Store, handles: Int)] = []
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
        slot.pointee = Unmanaged.passRetained(shared).toOpaque()
        return body(shared)
    }

    /// The store for a resolved path, with one handle more.
    static func open(_ path: FilePath) -> Store {
        withShared { shared in
            if let index = shared.stores.firstIndex(where: { $0.store.path == path }) {
                shared.stores[index].handles += 1
                return shared.stores[index].store
            }
            let store = Store(path: path, running: shared.running)
            shared.stores.append((store, 1))
            return store
        }
    }

    /// Gives one handle back.
    static func close(_ store: Store) {
        withShared { shared in
            guard let index = shared.stores.firstIndex(where: { $0.store === store }) else { return }
            shared.stores[index].handles -= 1
            if shared.stores[index].handles == 0 { shared.stores.remove(at: index) }
        }
    }

    /// In a forked child: gives up what the parent has. Whoever calls it while another does waits until that is done.
    static func renewAfterFork() {
        withShared { shared in
            guard shared.generation != csystem_fork_generation() else { return }
            shared.running.renewAfterFork()
            for (store, _) in shared.stores { store.renewAfterFork() }
            shared.generation = csystem_fork_generation()
            csystem_set_renewed_generation(shared.generation)
        }
    }

    static var running: RunningKeys { withShared { $0.running } }
}
