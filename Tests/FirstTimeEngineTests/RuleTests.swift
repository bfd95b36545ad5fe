// Rules: what each says, in which order they are asked, which are equal, and how large they may get.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Rules")
struct RuleTests {
    private let nothing = RuleSituation()

    @Test("Constants and negation")
    func constants() throws {
        #expect(Rule.always.isFulfilled(nothing))
        #expect(!Rule.never.isFulfilled(nothing))
        #expect(try !Rule.not(.always).isFulfilled(nothing))
        #expect(try Rule.not(.not(.always)).isFulfilled(nothing))
    }

    @Test("Without any rules, all of them and none of them are fulfilled, and any of them is not")
    func empty() throws {
        #expect(try Rule.allOf([]).isFulfilled(nothing))
        #expect(try !Rule.anyOf([]).isFulfilled(nothing))
        #expect(try Rule.noneOf([]).isFulfilled(nothing))
        #expect(try Rule.atLeast(0, of: []).isFulfilled(nothing))
        #expect(try !Rule.atLeast(1, of: []).isFulfilled(nothing))
    }

    /// "all", "any", "none" or a quorum; the rules, of which upper-case letters are true; those that are asked.
    @Test(
        "Rules are asked from left to right, until the answer is known",
        arguments: [
            ("all", "ABC", true, "ABC"), ("all", "AbC", false, "Ab"), ("all", "a", false, "a"),
            ("any", "abc", false, "abc"), ("any", "aBc", true, "aB"), ("any", "A", true, "A"),
            ("none", "abc", true, "abc"), ("none", "aBc", false, "aB"),
            ("0", "abc", true, ""), ("1", "abC", true, "abC"), ("2", "ABC", true, "AB"), ("2", "aBcDe", true, "aBcD"),
            // What is left isn't enough.
            ("2", "abC", false, "ab"), ("3", "aBC", false, "a"), ("3", "ABCd", true, "ABC"),
            ("4", "ABC", false, ""), ("18446744073709551615", "ABC", false, ""),
        ])
    func order(kind: String, names: String, isFulfilled: Bool, asked: String) throws {
        let witness = Witness()
        let rules = witness.rules(names)
        let rule: Rule
        switch kind {
        case "all": rule = try .allOf(rules)
        case "any": rule = try .anyOf(rules)
        case "none": rule = try .noneOf(rules)
        default: rule = try .atLeast(#require(UInt64(kind)), of: rules)
        }
        #expect(rule.isFulfilled(nothing) == isFulfilled)
        #expect(witness.asked == asked)
    }

    @Test("A group that needn't be asked isn't")
    func nested() throws {
        let witness = Witness()
        let rule = try Rule.anyOf([
            .allOf(witness.rules("aB")), .not(.noneOf(witness.rules("cD"))), .anyOf(witness.rules("E")),
        ])
        #expect(rule.isFulfilled(nothing))
        #expect(witness.asked == "acD")
    }

    @Test("An event's condition is shown its donations; empty ones, when there are none")
    func eventCondition() {
        let rule = Rule.event(.named("x")) { $0 == Donations() }
        #expect(rule.isFulfilled(nothing))
        #expect(!rule.isFulfilled(RuleSituation(["x": Donations(count: 1, ago: 0)])))
        #expect(
            Rule.event(.named("x")) { $0.count == 3 }.isFulfilled(RuleSituation(["x": Donations(count: 3, ago: 0)])))
    }

    @Test("An event was donated at least so often", arguments: [0, 1, 2, 3, UInt64.max])
    func atLeast(count: UInt64) {
        for known in [0, 2, UInt64.max] {
            let situation = RuleSituation(["x": Donations(count: known, ago: 1)])
            #expect(Rule.event(.named("x"), atLeast: count).isFulfilled(situation) == (known >= count))
        }
        #expect(Rule.event(.named("x"), atLeast: count).isFulfilled(nothing) == (count == 0))
    }

    @Test(
        "An event was donated within so many seconds; the boundary is within",
        arguments: [
            (10, 0, true), (10, 9, true), (10, 10, true), (10, 10.5, false), (0, 0, true), (0, 1, false),
            // In the future: believed for as long as it would have been within.
            (10, -10, true), (10, -10.5, false), (0, -1, false),
            (1e300, 1e9, true), (10, nil, false), (10, .nan, false), (10, .infinity, false), (10, -.infinity, false),
        ] as [(Double, Double?, Bool)])
    func within(seconds: Double, ago: Double?, isWithin: Bool) throws {
        let situation = RuleSituation(["x": Donations(count: 1, ago: ago)])
        #expect(try Rule.event(.named("x"), within: seconds).isFulfilled(situation) == isWithin)
        #expect(try Rule.event(.named("x"), notWithin: seconds).isFulfilled(situation) != isWithin)
    }

    @Test("An event that was never donated is within nothing")
    func neverDonated() throws {
        for situation in [nothing, RuleSituation(["x": Donations(count: 0, ago: 1)])] {
            #expect(try !Rule.event(.named("x"), within: 1e300).isFulfilled(situation))
            #expect(try Rule.event(.named("x"), notWithin: 1e300).isFulfilled(situation))
            #expect(!Rule.firstSeenInCurrentVersion(.named("x")).isFulfilled(situation))
        }
        let clockless = RuleSituation(now: .nan, ["x": Donations(count: 1, ago: 1)])
        #expect(try !Rule.event(.named("x"), within: 1e300).isFulfilled(clockless))
    }

    @Test(
        "The app's version is at least another",
        arguments: [("1.10", true), ("1.9", true), ("1.9.0", true), ("1.9-beta", false), ("1.8", false), (nil, false)])
    func version(current: String?, isFulfilled: Bool) throws {
        let rule = try Rule.versionAtLeast(Array("1.9".utf8))
        #expect(rule.isFulfilled(RuleSituation(version: current)) == isFulfilled)
    }

    @Test(
        "An event was first donated in the current version, byte for byte",
        arguments: [
            ("1.0", "1.0", true), ("1.0", "1.0.0", false), (nil, "1.0", false), ("1.0", nil, false), (nil, nil, true),
        ]
            as [(String?, String?, Bool)])
    func firstSeen(first: String?, current: String?, isFulfilled: Bool) {
        let rule = Rule.firstSeenInCurrentVersion(.named("x"))
        let situation = RuleSituation(version: current, ["x": Donations(count: 1, ago: 0, firstVersion: first)])
        #expect(rule.isFulfilled(situation) == isFulfilled)
    }

    @Test("Seconds that can't be counted, and versions that are none, are refused")
    func arguments() throws {
        for seconds in [-1, -.leastNonzeroMagnitude, .nan, .infinity, -.infinity] as [Double] {
            #expect(throws: EngineError.self) { try Rule.event(.named("x"), within: seconds) }
            #expect(throws: EngineError.self) { try Rule.event(.named("x"), notWithin: seconds) }
        }
        let versions: [[UInt8]] = [[], [0], [0xFF], [0xED, 0xA0, 0x80], Array(repeating: 0x31, count: 65536)]
        for version in versions { #expect(throws: EngineError.self) { try Rule.versionAtLeast(version) } }
        _ = try Rule.versionAtLeast(Array(repeating: 0x31, count: 65535))
        #expect(try Rule.event(.named("x"), within: -0.0).words == "donated(\"x\") within 0 seconds")
    }
}
