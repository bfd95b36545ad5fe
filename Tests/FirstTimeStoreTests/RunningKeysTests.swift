// Which thread has a key, who waits for it, and who would wait for itself.

import Glibc
import Testing

@testable import FirstTimeStore

@Suite("Running keys", .serialized, .timeLimit(.minutes(1)))
struct RunningKeysTests {
    private let keys = RunningKeys()

    private func name(_ key: String) -> Run.Name {
        Run.Name(store: ObjectIdentifier(keys), key: Key(Array(key.utf8))!)
    }

    private func take(_ key: String, _ patience: Patience = .forever, _ body: () -> Void = {}) -> String {
        failure {
            let (run, _) = try keys.begin(name(key), .callback, patience)
            body()
            keys.end(run)
        }
    }

    @Test("The same key again in the thread that runs it is at once reentrant", arguments: [true, false])
    func sameThread(isPatient: Bool) {
        var inner = ""
        let outer = take("a") { inner = take("a", isPatient ? .forever : .none) }
        #expect(outer.isEmpty && inner == "reentrant")
        #expect(take("a").isEmpty)
    }

    @Test("Other keys, and the same key of another store, are free")
    func others() {
        let other = Run.Name(store: ObjectIdentifier(Monitor.self), key: name("a").key)
        var inner = ["never ran"]
        _ = take("a") {
            inner = [
                take("b", .none) { inner = [] },
                failure {
                    keys.end(try keys.begin(other, .callback, .none).0)
                },
            ]
        }
        #expect(inner == ["", ""])
    }

    @Test("Waiting ends with the limit", arguments: [0, 30, 120] as [Int64])
    func limits(milliseconds: Int64) {
        let held = Thread.holding(keys, name("a"))
        let start = ContinuousClock.now
        #expect(take("a", .milliseconds(milliseconds)) == "busy")
        #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
        #expect(take("a", .none) == "busy")
        held.release()
        #expect(take("a", .none).isEmpty)
    }

    @Test("Whoever waits proceeds when the key is free, with the rest of its time")
    func proceeding() {
        let held = Thread.holding(keys, name("a"))
        let waiter = Thread { [self] in
            guard let (run, rest) = try? keys.begin(name("a"), .callback, .milliseconds(20_000)) else { return }
            keys.end(run)
            if case .milliseconds(let limit) = rest { #expect(0...19_990 ~= limit) } else { Issue.record("\(rest)") }
        }
        usleep(30_000)
        #expect(!waiter.isFinished)
        held.release()
        waiter.join()
    }

    @Test("A circle of threads ends with one of them, whoever closes it", arguments: [2, 3, 5])
    func circles(count: Int) {
        let all = Counter()
        let reentrant = Counter()
        let threads = (0..<count).map { number in
            Thread { [self] in
                let words = take("\(number)") {
                    all.add()
                    while all.value < count { usleep(100) }
                    if take("\((number + 1) % count)") == "reentrant" { reentrant.add() }
                }
                #expect(words.isEmpty)
            }
        }
        for thread in threads { thread.join() }
        #expect(reentrant.value == 1)
    }

    @Test("Many threads have one key one after the other")
    func contention() {
        let inside = Counter()
        let runs = Counter()
        let threads = (0..<8).map { _ in
            Thread { [self] in
                for _ in 0..<200 {
                    _ = take("a") {
                        if inside.add() != 1 { Issue.record("two at once") }
                        runs.add()
                        inside.subtract()
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(runs.value == 1600)
    }
}

/// A number that threads share.
final class Counter: @unchecked Sendable {
    private let monitor = Monitor()
    private var number = 0

    var value: Int { monitor.withLock { number } }
    @discardableResult func add(_ step: Int = 1) -> Int {
        monitor.withLock {
            number += step
            return number
        }
    }
    func subtract() { add(-1) }
}

/// A thread that can be waited for.
final class Thread: @unchecked Sendable {
    private var thread = pthread_t()
    private let body: @Sendable () -> Void
    private let done = Counter()

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let thread = Unmanaged<Thread>.fromOpaque(context).takeRetainedValue()
                thread.body()
                thread.done.add()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    var isFinished: Bool { done.value > 0 }
    func join() { pthread_join(thread, nil) }

    /// A thread that has a key until `release`.
    static func holding(_ keys: RunningKeys, _ name: Run.Name) -> Held { Held(keys, name) }

    final class Held: Sendable {
        private let taken = Counter()
        private let wanted = Counter()
        private let thread: Thread

        init(_ keys: RunningKeys, _ name: Run.Name) {
            thread = Thread { [taken, wanted] in
                let taking = try? keys.begin(name, .callback, .forever)
                taken.add()
                while wanted.value == 0 { usleep(100) }
                if let (run, _) = taking { keys.end(run) }
            }
            while taken.value == 0 { usleep(100) }
        }

        func release() {
            wanted.add()
            thread.join()
        }
    }
}
