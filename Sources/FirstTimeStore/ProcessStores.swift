// ProcessStores: the stores that this process has open, one for each file however many handles there are, so that all
// handles see the same memory. One object per process, behind CSystem's registry lock.

import CSystem

/// All open stores of the process.
final class ProcessStores {
    private var stores: [(store: Store, handles: Int)] = []
    let running = RunningKeys()

    private static func withShared<Result>(_ body: (ProcessStores) -> Result) -> Result {
        csystem_registry_lock()
        defer { csystem_registry_unlock() }
        let slot = csystem_registry_slot(0)
        if let pointer = slot.pointee {
            return body(Unmanaged<ProcessStores>.fromOpaque(pointer).takeUnretainedValue())
        }
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

    /// Gives one handle back; true when it was the last.
    static func close(_ store: Store) -> Bool {
        withShared { shared in
            guard let index = shared.stores.firstIndex(where: { $0.store === store }) else { return false }
            shared.stores[index].handles -= 1
            guard shared.stores[index].handles == 0 else { return false }
            shared.stores.remove(at: index)
            return true
        }
    }
}
