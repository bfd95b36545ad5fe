// Random rules over random histories: the library's answer is that of RuleModel; and random rules as text: what is printed
// is read back as an equal rule.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Random rules")
struct RulePropertyTests {
    @Test("A rule answers as one that asks everything and counts")
    func answers() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_231_114)
        let count = ruleCases(quick: 100_000)
        print("random rules: FIRSTTIME_SEED=\(seed) FIRSTTIME_RULES=\(count)")
        var (fulfilled, groups) = (0, 0)
        for number in 0..<count {
            // Each from its own seed, so that one failure can be repeated alone.
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
            let history = RuleHistory(using: &random)
            let model = RuleModel(levels: 4, using: &random)
            let rule = try model.rule(history.facts)
            let answer = rule.isFulfilled(history.situation)
            if answer != model.answer(history) {
                Issue.record("rule \(number) of seed \(seed) is \(answer): \(rule.words), \(history)")
            }
            fulfilled += answer ? 1 : 0
            groups += rule.depth > 2 ? 1 : 0
        }
        // Both answers, and trees among them, or little would have been tried.
        #expect(fulfilled > count / 5 && fulfilled < count * 4 / 5)
        #expect(groups > count / 10)
    }

    @Test(
        "Every event's name can be printed, and read back",
        arguments: [UInt32(1)...0x7FF, 0x800...0x2FFF, 0xFE00...0x10FFF])
    func names(scalars: ClosedRange<UInt32>) throws {
        var name: [UInt8] = []
        for scalar in scalars { if let scalar = Unicode.Scalar(scalar) { name += Array(Character(scalar).utf8) } }
        let rule = Rule.event(try #require(Key(name)), atLeast: 1)
        #expect(try RuleParser.parse(rule.text) == rule)
        // Nothing that looks like the end of a line, or turns the line round.
        let isPlain = !rule.words.unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.value == 0x202E
        }
        #expect(isPlain && !rule.words.contains { $0.isNewline })
    }

    @Test("What is printed is read back as an equal rule")
    func texts() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_231_115)
        let count = ruleCases(quick: 20_000)
        print("rules as text: FIRSTTIME_SEED=\(seed) FIRSTTIME_RULES=\(count)")
        for number in 0..<count {
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
            let rule = try hostileRule(levels: 5, using: &random)
            let read = words { try Rule.parse(rule.words) == rule ? "equal" : "another" }
            if read != "equal" { Issue.record("rule \(number) of seed \(seed) is \(read): \(rule.words)") }
        }
    }

    // MARK: - Rules with odd names, versions and numbers

    private func hostileRule(levels: Int, using random: inout SplitMix64) throws -> Rule {
        func rules() throws -> [Rule] {
            try (0..<Int.random(in: 0...3, using: &random)).map { _ in
                try hostileRule(levels: levels - 1, using: &random)
            }
        }
        switch Int.random(in: levels > 1 ? 0...12 : 6...12, using: &random) {
        case 0: return try .not(hostileRule(levels: levels - 1, using: &random))
        case 1, 2: return try .allOf(rules())
        case 3: return try .anyOf(rules())
        case 4: return try .noneOf(rules())
        case 5: return try .atLeast(number(using: &random), of: rules())
        case 6: return Bool.random(using: &random) ? .always : .never
        case 7: return .event(try name(using: &random), atLeast: number(using: &random))
        case 8: return try .event(name(using: &random), within: seconds(using: &random))
        case 9: return try .event(name(using: &random), notWithin: seconds(using: &random))
        case 10: return try .versionAtLeast(name(using: &random).bytes)
        default: return .firstSeenInCurrentVersion(try name(using: &random))
        }
    }

    private func number(using random: inout SplitMix64) -> UInt64 {
        random.next() >> UInt64.random(in: 0..<64, using: &random)
    }

    private func seconds(using random: inout SplitMix64) -> Double {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return Double(Int.random(in: 0...100, using: &random))
        case 1: return Double(Int.random(in: 0...100, using: &random)) * 3600
        case 2: return Double(Int.random(in: 0...100, using: &random)) / 10
        default:
            let any = Double(bitPattern: random.next()).magnitude
            return any.isFinite ? any : 0.1
        }
    }

    private func name(using random: inout SplitMix64) throws -> Key {
        let pieces = [
            "\"", "\\", "\n", "\t", "\r\n", "\u{1}", "\u{7F}", "\u{85}", "#", "(", ")", "&&", "\\u{41}", "a", "é",
            "e\u{301}",
            "👩‍👩‍👧", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", " ", "always",
        ]
        let count = Int.random(in: 1...5, using: &random)
        let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        return try #require(Key(Array(text.utf8)))
    }
}
