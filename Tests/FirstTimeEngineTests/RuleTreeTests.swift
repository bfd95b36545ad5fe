// Rules as trees: which are equal, and how large they may get.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Trees of rules")
struct RuleTreeTests {
    /// Rules that all differ; each call makes them anew.
    private func different() throws -> [Rule] {
        let (x, y) = (Key.named("x"), Key.named("y"))
        return [
            .always, .never, try .not(.always), try .not(.never), try .allOf([]), try .anyOf([]), try .noneOf([]),
            try .atLeast(0, of: []), try .atLeast(1, of: []), try .allOf([.always]), try .anyOf([.always]),
            try .allOf([.always, .never]), try .allOf([.never, .always]), try .anyOf([.always, .never]),
            try .allOf([.always, .always, .always]), try .allOf([.allOf([.always, .always]), .always]),
            try .allOf([.always, .allOf([.always, .always])]),
            .event(x, atLeast: 1), .event(x, atLeast: 2), .event(y, atLeast: 1),
            try .event(x, within: 1), try .event(x, within: 2), try .event(y, within: 1),
            try .event(x, notWithin: 1), try .event(x, notWithin: 2),
            try .versionAtLeast([0x31]), try .versionAtLeast([0x31, 0x2E, 0x30]),
            .firstSeenInCurrentVersion(x), .firstSeenInCurrentVersion(y),
        ]
    }

    @Test("Rules are equal when they say the same, word for word")
    func equality() throws {
        let (rules, again) = (try different(), try different())
        for (index, left) in rules.enumerated() {
            for (other, right) in again.enumerated() { #expect((left == right) == (index == other), "\(left.words)") }
        }
        #expect(try Rule.anyOf(rules) == Rule.anyOf(again))
    }

    @Test("Callbacks are equal to themselves alone")
    func callbacks() throws {
        let condition: @Sendable () -> Bool = { true }
        let (one, other) = (Rule.condition(condition), Rule.condition(condition))
        #expect(one == one)
        #expect(one != other)
        #expect(try Rule.not(one) == Rule.not(one))
        #expect(try Rule.not(one) != Rule.not(other))
        #expect(Rule.event(.named("x")) { _ in true } != Rule.event(.named("x")) { _ in true })
    }

    @Test(
        "A rule has at most 256 levels, and those can be asked, compared, printed, read and freed",
        arguments: ["not", "at least", "all", "any"])
    func depth(kind: String) throws {
        func wrap(_ rule: Rule) throws -> Rule {
            switch kind {
            case "not": return try .not(rule)
            case "at least": return try .atLeast(1, of: [.never, rule])
            case "all": return try .allOf([rule])
            default: return try .anyOf([.never, rule])
            }
        }
        var (rule, again) = (Rule.always, Rule.always)
        for _ in 1..<256 { (rule, again) = (try wrap(rule), try wrap(again)) }
        #expect(throws: EngineError.self) { try wrap(rule) }
        #expect(rule.isFulfilled(RuleSituation()) == (kind != "not"))
        #expect(rule == again)
        #expect(try Rule.parse(rule.words) == rule)
    }

    @Test("A rule has at most 65,536 terms, shared ones counted wherever they stand")
    func count() throws {
        let most = try Rule.allOf(Array(repeating: .always, count: 65_535))
        #expect(most.isFulfilled(RuleSituation()))
        #expect(throws: EngineError.self) { try Rule.not(most) }
        #expect(throws: EngineError.self) { try Rule.anyOf(Array(repeating: .always, count: 65_536)) }
        // Each doubles the one before: sixteen lines of a program would be 65,536 terms.
        var shared = Rule.always
        for _ in 0..<15 { shared = try .allOf([shared, shared]) }
        #expect(throws: EngineError.self) { try Rule.noneOf([shared, shared]) }
        #expect(shared.isFulfilled(RuleSituation()))
    }

    @Test("A rule of every part there is can be used by many threads")
    func threads() async throws {
        let rule = try Rule.anyOf(different())
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<1000).allSatisfy { _ in rule.isFulfilled(RuleSituation()) && rule == rule && !rule.text.isEmpty
                    }
                }
            }
            for await isSound in group { #expect(isSound) }
        }
    }
}
