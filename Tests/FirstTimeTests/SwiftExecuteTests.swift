// Running closures through the Swift API.

import Testing

@testable import FirstTime

@Suite("Running closures")
struct SwiftExecuteTests {
    struct Failure: Error, Equatable {}

    @Test("A key runs once, and `after` every time after")
    func once() throws {
        let temporary = try TemporaryStore()
        var calls: [String] = []
        func run() throws -> FirstTime.Outcome {
            try temporary.store.executeOnce(forKey: "k", { calls.append("first") }, after: { calls.append("after") })
        }
        #expect(try run() == .ran)
        #expect(try run() == .ranAfter)
        #expect(try temporary.store.executeOnce(forKey: "k") { calls.append("never") } == .notDue)
        #expect(calls == ["first", "after"])
    }

    @Test("A second store on the same file has it recorded")
    func reopened() throws {
        let temporary = try TemporaryStore()
        try temporary.store.executeOnce(forKey: "k") {}
        try temporary.store.close()
        let again = try TemporaryStore(in: temporary.directory)
        #expect(try again.store.wasExecuted("k"))
        #expect(try again.store.executeOnce(forKey: "k") { Issue.record("ran twice") } == .notDue)
    }

    @Test("What a closure throws passes through, and nothing is recorded")
    func throwing() throws {
        let temporary = try TemporaryStore()
        #expect(throws: Failure()) { try temporary.store.executeOnce(forKey: "k") { throw Failure() } }
        #expect(try !temporary.store.wasExecuted("k"))
        #expect(try temporary.store.executeOnce(forKey: "k") {} == .ran)
        #expect(throws: Failure()) {
            try temporary.store.executeOnce(forKey: "k", {}, after: { throw Failure() })
        }
        #expect(try temporary.store.wasExecuted("k"))
    }

    @Test("Once per version runs again when the version differs, also from and to none")
    func perVersion() throws {
        let temporary = try TemporaryStore()
        for (version, outcome) in [
            ("1.0", FirstTime.Outcome.ran), ("1.0", .notDue), ("1.0.0", .ran), (nil, .ran), (nil, .notDue),
            ("1.0", .ran),
        ] as [(String?, FirstTime.Outcome)] {
            temporary.setVersion(version)
            #expect(try temporary.store.executeOncePerVersion(forKey: "k") {} == outcome)
        }
    }

    @Test("Once per interval runs again at the boundary itself")
    func perInterval() throws {
        let temporary = try TemporaryStore()
        func run() throws -> FirstTime.Outcome {
            try temporary.store.executeOncePerInterval(forKey: "k", .days(1)) {}
        }
        #expect(try run() == .ran)
        temporary.advance(by: 86399.5)
        #expect(try run() == .notDue)
        #expect(try temporary.store.nextDue("k", .oncePer(.days(1))) == 1_700_086_400)
        temporary.advance(by: 0.5)
        #expect(try run() == .ran)
    }

    @Test("A key inside its own closure is refused, another one runs")
    func reentrant() throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        var errors: [FirstTimeError.Code?] = []
        func code(_ body: () throws -> Void) -> FirstTimeError.Code? {
            do { try body() } catch { return (error as? FirstTimeError)?.code }
            return nil
        }
        try store.executeOnce(forKey: "outer") {
            errors.append(code { _ = try store.executeOnce(forKey: "outer") {} })
            errors.append(code { _ = try store.executeOnce(forKey: "inner") {} })
            errors.append(code { try store.close() })
        }
        #expect(errors == [.reentrant, nil, .reentrant])
        #expect(try store.wasExecuted("inner"))
        #expect(try store.wasExecuted("outer"))
    }

    @Test("Wrong arguments throw, and run nothing", arguments: [0, -1, Double.nan, .infinity])
    func wrongIntervals(count: Double) throws {
        let temporary = try TemporaryStore()
        let error = #expect(throws: FirstTimeError.self) {
            try temporary.store.executeOncePerInterval(forKey: "k", .days(count)) { Issue.record("ran") }
        }
        #expect(error?.code == .argument)
        #expect(error?.description.isEmpty == false)
    }

    @Test("Keys that are none throw", arguments: ["", "a\0b", String(repeating: "k", count: 65536)])
    func wrongKeys(key: String) throws {
        let temporary = try TemporaryStore()
        let error = #expect(throws: FirstTimeError.self) {
            try temporary.store.executeOnce(forKey: key) { Issue.record("ran") }
        }
        #expect(error?.code == .argument)
    }
}
