// Runs that nobody ends: of frames that are gone, of threads that ended; and runs that are claims.

import CSystem
import Glibc
import Testing

@testable import FirstTimeStore

@Suite("Lost runs", .serialized, .timeLimit(.minutes(1)))
struct LostRunTests {
    private let keys = RunningKeys()

    private func name(_ key: String) -> Run.Name {
        Run.Name(store: ObjectIdentifier(keys), key: Key(Array(key.utf8))!)
    }

    private func begin(_ key: String, _ kind: Run.Kind = .callback) throws -> Run {
        try keys.begin(name(key), kind, .none).0
    }

    private func inThread(_ body: @escaping @Sendable () -> Void) { Thread(body).join() }

    @Test("Those that began in a call that is lost, or one inside it, end; those before stay")
    func frames() throws {
        let place = UnsafeMutableRawPointer(bitPattern: 16)!
        let outer = csystem_visit_enter(.max, place)
        defer { while csystem_visit_leave() != nil {} }
        _ = try begin("outer")
        let inner = csystem_visit_enter(.max, place)
        let claim = try begin("claim", .claim)
        let lost = try begin("inner")
        #expect(inner > outer)
        keys.endLost(from: inner)
        #expect(keys.isTaken(name("outer")) && !keys.isTaken(name("inner")) && keys.isTaken(name("claim")))
        // Ending it once more does nothing, whoever has the key by now.
        let next = try begin("inner")
        keys.end(lost)
        #expect(keys.isTaken(name("inner")))
        keys.end(next)
        keys.endLost(from: outer)
        #expect(!keys.isTaken(name("outer")) && keys.isTaken(name("claim")))
        keys.end(claim)
        #expect(!keys.isTaken(name("claim")))
    }

    @Test("A thread's end ends its callbacks, and its claims are held by none")
    func threads() throws {
        inThread { [self] in
            _ = try? begin("callback")
            _ = try? begin("claim", .claim)
            keys.endThread()
        }
        #expect(failure { _ = try begin("callback") }.isEmpty)
        do {
            _ = try begin("claim")
            Issue.record("the claim is gone")
        } catch {
            guard case StoreError.busy(let process, let thread) = error else { throw error }
            #expect(process == getpid() && thread == nil)
        }
    }

    @Test("A claim is reentrant for the thread that has it, and busy for others, which may end it")
    func claims() throws {
        let claim = try begin("k", .claim)
        #expect(failure { _ = try begin("k") } == "reentrant")
        #expect(failure { _ = try begin("k", .claim) } == "reentrant")
        #expect(!keys.isRunning(csystem_thread()))
        inThread { [self] in
            #expect(failure { _ = try begin("k") } == "busy")
            keys.end(claim)
            #expect(failure { keys.end(try begin("k")) }.isEmpty)
        }
        #expect(!keys.isTaken(name("k")))
    }

    @Test("Whoever is busy is named")
    func naming() throws {
        let held = Thread.holding(keys, name("k"))
        defer { held.release() }
        do {
            _ = try begin("k")
            Issue.record("not busy")
        } catch {
            guard case StoreError.busy(let process, let thread) = error else { throw error }
            #expect(process == getpid() && thread != nil)
        }
    }
}
