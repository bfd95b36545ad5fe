// Handle: the store of one instance, opened when it is first needed. Each instance has its own, so that the clock and the
// version of one are not another's.

#if !hasFeature(Embedded)
import FirstTime
import Foundation

final class Handle: @unchecked Sendable {
    private let open: @Sendable () throws -> FirstTime
    private let seams: Seams
    private let lock = NSLock()
    private var opened: FirstTime?

    init(opening open: @escaping @Sendable () throws -> FirstTime, seams: Seams) {
        self.open = open
        self.seams = seams
    }

    /// After a failure the next call tries again.
    func store() throws -> FirstTime {
        try lock.withLock {
            if let opened { return opened }
            let store = try open()
            let seams = seams
            store.setClock { seams.now().timeIntervalSince1970 }
            store.setVersionProvider { seams.version() }
            opened = store
            return store
        }
    }
}
#endif
