// RuleBook: the rules of a handle by their names, and the observers of notifications. Lists behind a lock; it calls
// nobody. What is taken out is given to the caller, since letting go of it may call out.

import FirstTimeStore

/// Someone who is told of a notification. Known by its identity.
final class Observer: Sendable {
    let number: UInt64
    let name: Key
    let action: @Sendable () -> Void

    init(_ number: UInt64, _ name: Key, _ action: @escaping @Sendable () -> Void) {
        self.number = number
        self.name = name
        self.action = action
    }
}

/// What is registered with a handle, in the order in which it was.
final class RuleBook: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var rules: [RegisteredRule] = []
    nonisolated(unsafe) private var observers: [Observer] = []
    nonisolated(unsafe) private var lastNumber: UInt64 = 0
    nonisolated(unsafe) private var isClosed = false

    // MARK: Rules

    var all: [RegisteredRule] { monitor.withLock { rules } }

    /// Takes the place of the rule with its name, which is returned. Nil too when the book is closed.
    func insert(_ rule: RegisteredRule) -> RegisteredRule? {
        monitor.withLock {
            if isClosed { return nil }
            guard let index = rules.firstIndex(where: { $0.name == rule.name }) else {
                rules.append(rule)
                return nil
            }
            let old = rules[index]
            rules[index] = rule
            return old
        }
    }

    func remove(_ name: Key) -> RegisteredRule? {
        monitor.withLock {
            guard let index = rules.firstIndex(where: { $0.name == name }) else { return nil }
            return rules.remove(at: index)
        }
    }

    func contains(_ name: Key) -> Bool { monitor.withLock { rules.contains { $0.name == name } } }
    func contains(_ rule: RegisteredRule) -> Bool { monitor.withLock { rules.contains { $0 === rule } } }

    // MARK: Observers

    func observe(_ name: Key, _ action: @escaping @Sendable () -> Void) -> Observer {
        monitor.withLock {
            lastNumber += 1
            let observer = Observer(lastNumber, name, action)
            if !isClosed { observers.append(observer) }
            return observer
        }
    }

    func removeObserver(_ number: UInt64) -> Observer? {
        monitor.withLock {
            guard let index = observers.firstIndex(where: { $0.number == number }) else { return nil }
            return observers.remove(at: index)
        }
    }

    func observers(of name: Key) -> [Observer] { monitor.withLock { observers.filter { $0.name == name } } }
    func contains(_ observer: Observer) -> Bool { monitor.withLock { observers.contains { $0 === observer } } }

    // MARK: Closing

    /// From now on nothing is registered.
    func close() -> (rules: [RegisteredRule], observers: [Observer]) {
        monitor.withLock {
            let everything = (rules, observers)
            rules = []
            observers = []
            isClosed = true
            return everything
        }
    }
}
