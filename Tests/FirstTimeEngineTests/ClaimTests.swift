// Claims and the flags, as the engine decides them. What processes and forks do is tried by C programs.

import FirstTimeStore
import Foundation
import Testing

@testable import FirstTimeEngine

@Suite("Claims and flags", .timeLimit(.minutes(1)))
struct ClaimTests {
    private let test: TestEngine
    private let key = Key([107])!

    init() throws { test = try TestEngine(version: "1.0") }

    private func begin(_ policy: Policy = Policy()) throws -> Claim? {
        guard case .due(let claim) = try test.engine.begin(key, policy) else { return nil }
        return claim
    }

    private var atMostOnce: Policy {
        var policy = Policy()
        policy.isAtMostOnce = true
        return policy
    }

    @Test("A claim that is committed is a run; one that is abandoned is none")
    func ending() throws {
        try #require(try begin()).abandon()
        #expect(try test.record("k") == nil)
        let claim = try #require(try begin())
        test.time += 10
        try claim.commit()
        #expect(try test.record("k")?.lastTime == 1_000_010 - Record.epoch)
        #expect(try begin() == nil)
        #expect(
            words {
                try claim.commit(); return ""
            } == "detached")
        claim.abandon()
        #expect(try test.record("k")?.count == 1)
    }

    @Test("A claim whose store is closed records nothing, and its key is free at once", arguments: [true, false])
    func closing(isAtMostOnce: Bool) throws {
        var options = Engine.Options()
        options.path = Array(test.path.utf8)
        let other = try Engine(options)
        guard case .due(let claim) = try other.begin(key, isAtMostOnce ? atMostOnce : Policy()) else {
            Issue.record("not due")
            return
        }
        #expect(test.execute("k", first: 0) == "reentrant")
        try other.close()
        #expect(test.execute("k", first: 0) == (isAtMostOnce ? "notDue" : "first, ran"))
        #expect(
            words {
                try claim.commit(); return ""
            } == "detached")
    }

    @Test("While a key runs at most once, it looks as it was before, in every question")
    func started() throws {
        let claim = try #require(try begin(atMostOnce))
        #expect(try test.record("k") == nil && test.engine.count(prefix: []) == 0)
        #expect(try !test.engine.wasExecuted(key) && test.engine.isDue(key, Policy()))
        #expect(try test.engine.lastExecution(key) == nil)
        #expect(try test.engine.each(prefix: []) { _, _ in false })
        #expect(try !test.engine.reset(key))
        test.time += 10
        try claim.commit()
        #expect(try test.record("k")?.lastTime == 1_000_000 - Record.epoch)
    }

    @Test("What is reset or marked while a key runs at most once, stays so when it fails")
    func meanwhile() throws {
        #expect(test.execute("k") == "first, ran")
        var policy = atMostOnce
        policy.interval = try Interval(count: 1, unit: 0, kind: 0)
        test.time += 10
        let reset = try #require(try begin(policy))
        #expect(try test.record("k")?.count == 1)
        #expect(try test.engine.reset(key))
        #expect(try test.record("k") == nil)
        reset.abandon()
        #expect(try test.record("k") == nil)

        let marked = try #require(try begin(policy))
        try test.engine.mark(key)
        #expect(try test.record("k") != nil)
        marked.abandon()
        #expect(try test.record("k") != nil)
    }

    @Test("A failed run at most once is taken back; where it can't be recorded it doesn't run")
    func failing() throws {
        #expect(test.execute("k", atMostOnce, first: 3) == "first, callback first 3")
        #expect(try test.record("k") == nil)
        #expect(test.execute("k", atMostOnce, first: 0) == "first, ran")
        #expect(test.execute("k", atMostOnce, first: 0, after: 0) == "after, ranAfter")
    }

    @Test("A baseline is recorded as a run that isn't counted, and only for a key never seen")
    func baseline() throws {
        var policy = Policy(isPerVersion: true)
        policy.hasBaseline = true
        #expect(try !test.engine.isDue(key, policy))
        #expect(try test.engine.nextDue(key, policy).time == .infinity)
        #expect(test.execute("k", policy, first: nil) == "baselined")
        let record = try #require(try test.record("k"))
        #expect(record.count == 0 && record.firstTime == record.lastTime && record.lastVersion == Array("1.0".utf8))
        #expect(test.execute("k", policy, after: 0) == "after, ranAfter")
        test.engine.set(versionProvider: { Array("2.0".utf8) })
        #expect(test.execute("k", policy) == "first, ran")
        #expect(try test.record("k")?.count == 1)
    }

    @Test("What can't be recorded runs only when that was asked for, and is remembered", arguments: [true, false])
    func unwritable(runsIfUnwritable: Bool) throws {
        try FileManager.default.createDirectory(
            atPath: "\(test.path)-lock", withIntermediateDirectories: true)
        var options = Engine.Options()
        options.path = Array(test.path.utf8)
        options.runsIfUnwritable = runsIfUnwritable
        let engine = try Engine(options)
        var runs = 0
        func execute(_ policy: Policy) -> String {
            words {
                let outcome = try engine.execute(
                    key, policy,
                    first: {
                        runs += 1; return 0
                    }, after: nil)
                return "\(outcome)"
            }
        }
        #expect(execute(atMostOnce) != "ran" && runs == 0)
        let result = execute(Policy())
        #expect(runs == (runsIfUnwritable ? 1 : 0))
        if runsIfUnwritable {
            #expect(result == "not recorded" && execute(Policy()) == "notDue")
            try FileManager.default.removeItem(atPath: "\(test.path)-lock")
            try engine.flush()
            #expect(try test.record("k")?.count == 1)
        }
        try? engine.close()
    }
}
