// What the tests of registered rules share: an engine whose rules write down that they fire.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

/// An engine with rules, and what fired.
final class RuleTest: @unchecked Sendable {
    let engine: TestEngine
    private let monitor = Monitor()
    private var written: [String] = []

    init(_ engine: TestEngine) { self.engine = engine }
    convenience init(version: String? = nil) throws { self.init(try TestEngine(version: version)) }

    /// What fired since this was asked last.
    var fired: [String] {
        monitor.withLock {
            let fired = written
            written = []
            return fired
        }
    }

    func write(_ text: String) { monitor.withLock { written.append(text) } }

    static func key(_ name: String) throws -> Key { try #require(Key(Array(name.utf8))) }

    func set(
        _ name: String, _ rule: Rule, _ change: (inout RuleOptions) throws -> Void = { _ in },
        then: @escaping @Sendable () -> Void = {}
    ) throws {
        var options = RuleOptions()
        try change(&options)
        let trigger = Trigger.calling { [self] in
            write(name)
            then()
        }
        try engine.engine.setRule(Self.key(name), rule, trigger, options)
    }

    /// Donates, and says what fired.
    @discardableResult
    func donate(_ event: String) throws -> [String] {
        try engine.engine.donate(Self.key(event))
        return fired
    }

    func count(_ event: String) throws -> UInt64 {
        var count: UInt64 = 0
        _ = try engine.engine.findDonations(Self.key(event)) { count = $0.count }
        return count
    }

    func trigger(_ name: String) throws -> TriggerRecord? {
        var found: TriggerRecord?
        _ = try engine.engine.findTrigger(Self.key(name)) { found = $0 }
        return found
    }
}

extension Interval {
    static func hours(_ count: Double) throws -> Interval { try Interval(count: count, unit: 2, kind: 0) }
}
