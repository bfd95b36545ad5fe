// Claims through the Swift API.

import Testing

@testable import FirstTime

@Suite("Swift claims")
struct SwiftClaimTests {
    @Test("A claim that is committed is recorded; one that is abandoned or goes is not")
    func ending() throws {
        let store = try TemporaryStore().store
        if let claim = try store.begin("k") { claim.abandon() }
        #expect(try !store.wasExecuted("k"))
        do { let claim = try store.begin("k"); if claim == nil { Issue.record("not due") } }
        #expect(try !store.wasExecuted("k"))
        if let claim = try store.begin("k") { try claim.commit() }
        #expect(try store.wasExecuted("k"))
        let again = try store.begin("k")
        if again != nil { Issue.record("due again") }
    }

    @Test("A claim may be ended on another thread")
    func moving() async throws {
        let store = try TemporaryStore().store
        guard let claim = try store.begin("k") else {
            Issue.record("not due")
            return
        }
        try await Self.commit(claim)
        #expect(try store.wasExecuted("k"))
    }

    @concurrent private static func commit(_ claim: consuming FirstTime.Claim) async throws { try claim.commit() }

    @Test("A claim whose store is closed can't be committed")
    func closing() throws {
        let store = try TemporaryStore().store
        guard let claim = try store.begin("k", RunPolicy(atMostOnce: true)) else {
            Issue.record("not due")
            return
        }
        try store.close()
        var code: FirstTimeError.Code?
        do { try claim.commit() } catch { code = (error as? FirstTimeError)?.code }
        #expect(code == .notRecorded)
    }

    @Test("A policy's flags are the engine's")
    func flags() throws {
        let store = try TemporaryStore().store
        #expect(try store.execute(forKey: "k", RunPolicy(baseline: true)) { Issue.record("ran") } == .baselined)
        #expect(try store.execute(forKey: "o", RunPolicy(atMostOnce: true, noWait: true)) {} == .ran)
        #expect(try store.record(forKey: "k")?.count == 0)
    }
}
