// Engine+Notifications: who is told when a name is posted, within this handle. No lock is held while they are told.

import CSystem
import FirstTimeStore

extension Engine {
    /// Has `action` called with each notification of the name. Its number, to end that by.
    package func observe(_ name: Key, _ action: @escaping @Sendable () -> Void) throws(EngineError) -> UInt64 {
        try calls.inside { () throws(EngineError) -> UInt64 in rules.observe(name, action).number }
    }

    /// Whether there was one. It is told no more, unless it is just being told on another thread.
    @discardableResult
    package func removeObserver(_ number: UInt64) throws(EngineError) -> Bool {
        try calls.inside { () throws(EngineError) -> Bool in
            let observer = rules.removeObserver(number)
            return withExtendedLifetime(observer) { observer != nil }
        }
    }

    package func post(_ name: Key) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in try tell(name) }
    }

    /// Inside a call: tells those who observe the name now, in the order in which they began to.
    func tell(_ name: Key) throws(EngineError) {
        guard calls.mayAskHere else {
            throw .store(.reentrant(reason: "a notification inside 16 others that led to it"))
        }
        let generation = csystem_fork_generation()
        for observer in rules.observers(of: name) where rules.contains(observer) {
            // One that posts what it observes is not told inside itself.
            _ = try? calls.asking(Calls.Subject(name: name, observer: observer.number)) {
                () throws(EngineError) -> Void in observer.action()
            }
            // In a child that was forked in it: its parent tells the others.
            guard generation == csystem_fork_generation() else { throw .forked }
        }
    }
}
