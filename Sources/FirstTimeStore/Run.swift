// Run: a key that is taken, by a callback that runs or by a claim. Whoever holds it ends it once; RunningKeys says who
// that is, and KeyLocks keeps other processes out meanwhile.

import CSystem

/// One thread's turn at a key.
package final class Run: @unchecked Sendable {
    /// A key of one store, which is named by its address.
    struct Name: Hashable, Sendable {
        let store: ObjectIdentifier
        let key: Key
    }

    package enum Kind: Sendable {
        /// A callback on this thread's stack: it ends with its frame, and with the thread.
        case callback
        /// Kept across time and threads: it outlives the thread that began it.
        case claim
    }

    let name: Name
    let kind: Kind
    /// The innermost call of the library that began it; 0 outside any.
    let visit = csystem_visit_number()
    let threadNumber = csystem_thread_number()
    private let generation = csystem_fork_generation()

    // RunningKeys' monitor protects these.

    /// Nil: the thread that began a claim has ended.
    var thread: UInt? = csystem_thread()
    var isEnding = false
    /// Nil: other processes don't know of it.
    var lock: KeyLocks.Held?

    init(_ name: Name, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Whether it began before a fork, in what is now another process.
    package var isInherited: Bool { generation != csystem_fork_generation() }
}
