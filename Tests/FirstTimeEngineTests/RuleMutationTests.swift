// Damaged texts of rules: each is a rule or an error with a place in the text. A crash ends the test run.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Damaged texts of rules")
struct RuleMutationTests {
    /// Every word and sign there is, in rules that are right.
    private static let corpus = [
        #"event("appStarted") >= 3 && donated("promptAttempt") not within 30 days"#,
        #"all of (always, !never, any of (version >= "2.1", first_seen_in_current_version("x")), none of ())"#,
        "at least 2 of (donated(\"a\\u{1F600}\\\"\\n\") within 1.5e2 seconds, (always || never) && always)  # comment\n",
        #"!(!event("é") >= 18446744073709551615 || donated("b") within 0.25 weeks) && (always)"#,
    ].map { Array($0.utf8) }

    private static let pieces =
        [
            "always", "never", "event", "donated", "within", "not", "version", "first_seen_in_current_version",
            "condition",
            "all", "any", "none", "of", "at", "least", "seconds", "week", "2", "1e9", ".5", "(", ")", ",", "!", "&&",
            "||",
            ">=", "\"", "\"x\"", "\\", "\\u{", "}", "#", "\n", " ", "é", "\u{FEFF}", "\0",
        ].map { Array($0.utf8) } + [[0x80], [0xFF], [0xC3]]

    private func mutate(_ text: inout [UInt8], using random: inout SplitMix64) {
        let position = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, position + Int.random(in: 0...12, using: &random))
        let piece = Self.pieces.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text.insert(contentsOf: piece, at: position)
        case 1: text.replaceSubrange(position..<end, with: piece)
        case 2: text.removeSubrange(position..<end)
        case 3: text.insert(contentsOf: text[position..<end], at: Int.random(in: 0...text.count, using: &random))
        case 4: text.replaceSubrange(position..<end, with: [random.byte()])
        default: text.insert(contentsOf: Self.corpus.randomElement(using: &random) ?? [], at: position)
        }
    }

    @Test("A damaged text is a rule, which is read back from what it prints, or an error that says where")
    func mutations() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_231_116)
        let count = ruleCases(quick: 100_000)
        print("damaged rules: FIRSTTIME_SEED=\(seed) FIRSTTIME_RULES=\(count)")
        var rules = 0
        for number in 0..<count {
            // Each from its own seed, so that one failure can be repeated alone.
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
            var text = Self.corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&text, using: &random) }
            do throws(EngineError) {
                let rule = try RuleParser.parse(text)
                rules += 1
                let isEqual = words { try RuleParser.parse(rule.text) == rule ? "equal" : "another" }
                if isEqual != "equal" { Issue.record("text \(number) of seed \(seed) is read back as \(isEqual)") }
            } catch {
                guard case .ruleText(let line, let column, _) = error, isPlace(line, column, in: text) else {
                    Issue.record("text \(number) of seed \(seed): \(error)")
                    continue
                }
            }
        }
        print("damaged rules: \(rules) are rules all the same")
        // Some of both, or little would have been tried.
        #expect(rules > count / 50 && rules < count / 2)
    }

    private func isPlace(_ line: Int, _ column: Int, in text: [UInt8]) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (1...lines.count).contains(line) && (1...lines[line - 1].count + 1).contains(column)
    }
}
