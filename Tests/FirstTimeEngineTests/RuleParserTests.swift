// Rules as text: what a text means, and what is said of one that means nothing.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Rules as text")
struct RuleParserTests {
    /// A text, and the same rule in the library's own words: without what isn't needed, with parentheses where two
    /// readings would be possible.
    @Test(
        "A text is one rule, and printed in one way",
        arguments: [
            ("always", "always"), ("never", "never"), ("  ( ( always ) ) ", "always"), ("! ! never", "!!never"),
            ("always&&never||always", "always && never || always"),
            ("(always && never) || always", "always && never || always"),
            ("always && (never || always)", "always && (never || always)"),
            ("always || never && always", "always || never && always"),
            ("!always && never", "!always && never"), ("!(always && never)", "!(always && never)"),
            ("(!always) && never", "!always && never"),
            ("always && never && always", "always && never && always"),
            ("(always && never) && always", "(always && never) && always"),
            ("always || (never || always)", "always || (never || always)"),
            ("!event(\"x\") >= 3", "!event(\"x\") >= 3"), ("event ( \"x\" )>=007", "event(\"x\") >= 7"),
            ("event(\"x\") >= 18446744073709551615", "event(\"x\") >= 18446744073709551615"),
            ("donated(\"x\") within 2 days", "donated(\"x\") within 2 days"),
            ("donated(\"x\") not within 1 week", "donated(\"x\") not within 1 week"),
            ("donated(\"x\") within 1 weeks", "donated(\"x\") within 1 week"),
            ("donated(\"x\") within 14 day", "donated(\"x\") within 2 weeks"),
            ("donated(\"x\") within 1.5 hours", "donated(\"x\") within 90 minutes"),
            ("donated(\"x\") within 0.5 minutes", "donated(\"x\") within 30 seconds"),
            ("donated(\"x\") within 0.1 seconds", "donated(\"x\") within 0.1 seconds"),
            ("donated(\"x\") within 0 weeks", "donated(\"x\") within 0 seconds"),
            ("donated(\"x\") within 60seconds", "donated(\"x\") within 1 minute"),
            ("donated(\"x\") within 25E-1 second", "donated(\"x\") within 2.5 seconds"),
            ("donated(\"x\") within 6.048e+20 seconds", "donated(\"x\") within 1e+15 weeks"),
            ("donated(\"x\") within 1e-999 seconds", "donated(\"x\") within 0 seconds"),
            ("all of ()", "all of ()"), ("any of (\n)", "any of ()"), ("none of()", "none of ()"),
            ("at least 0 of ()", "at least 0 of ()"), ("all of (always)", "all of (always)"),
            ("all of (always, never)", "always && never"), ("any of (always, never)", "always || never"),
            ("none of (always || never, never)", "none of (always || never, never)"),
            (
                "at least 2 of (always, never && always, all of ())",
                "at least 2 of (always, never && always, all of ())"
            ),
            ("at\nleast\n2\nof\n(always)", "at least 2 of (always)"),
            ("version >= \"2.1\"", "version >= \"2.1\""),
            ("first_seen_in_current_version(\"x\")", "first_seen_in_current_version(\"x\")"),
            ("# first\nalways # then\n&& # and\r\n\tnever#", "always && never"),
            ("version >= \"#1\" # not in a string", "version >= \"#1\""),
            (#"event("\"\\\n\t\u{41}\u{1F600}\u{00e9}") >= 1"#, #"event("\"\\\n\tA😀é") >= 1"#),
            ("event(\"a\tb\") >= 1", #"event("a\tb") >= 1"#),
            (#"event("\u{1}\u{7f}\u{202e}\u{feff}") >= 1"#, #"event("\u{1}\u{7F}\u{202E}\u{FEFF}") >= 1"#),
            ("\u{FEFF}always", "always"),
        ])
    func text(text: String, printed: String) throws {
        let rule = try Rule.parse(text)
        #expect(rule.words == printed)
        #expect(try Rule.parse(printed) == rule)
    }

    @Test("Callbacks are printed as what they are, which can't be read")
    func callbacks() throws {
        let rule = try Rule.anyOf([.condition { true }, .not(.event(.named("x\"")) { _ in true })])
        #expect(rule.words == #"condition || !condition("x\"")"#)
        #expect(failure(of: rule.words) == "1:1 a callback can't be written as text")
    }

    private func failure(of text: String) -> String { failure(of: Array(text.utf8)) }

    private func failure(of text: [UInt8]) -> String {
        do {
            return "no failure: \(try RuleParser.parse(text).words)"
        } catch {
            guard case .ruleText(let line, let column, let reason) = error else { return "\(error)" }
            return "\(line):\(column) \(reason)"
        }
    }

    @Test(
        "A text that is no rule is refused with a place and what was expected there",
        arguments: [
            ("", "1:1 expected a rule"), (" # always", "1:10 expected a rule"), ("\n\n  ", "3:3 expected a rule"),
            ("alway", "1:1 expected a rule"), ("Always", "1:1 expected a rule"), ("5", "1:1 expected a rule"),
            (")", "1:1 expected a rule"), ("always never", #"1:8 expected "&&", "||" or the end"#),
            ("always)", #"1:7 expected "&&", "||" or the end"#),
            ("always, never", #"1:7 expected "&&", "||" or the end"#),
            ("always & never", #"1:8 expected "&&", "||" or the end"#),
            ("always &&", #"1:10 expected a rule after "&&""#),
            ("always || && never", #"1:11 expected a rule after "||""#),
            ("!", #"1:2 expected a rule after "!""#), ("()", #"1:2 expected a rule after "(""#),
            ("(always", #"1:8 expected "&&", "||" or ")""#), ("(always, never)", #"1:8 expected "&&", "||" or ")""#),
            ("all (always)", #"1:5 expected "of""#), ("all of always", #"1:8 expected "(""#),
            ("any of (,)", #"1:9 expected a rule or ")" after "(""#),
            ("any of (always,)", #"1:16 expected a rule after ",""#),
            ("none of (always never)", #"1:17 expected "&&", "||", "," or ")""#),
            ("at most 2 of ()", #"1:4 expected "least" after "at""#),
            ("at least two of ()", #"1:10 expected a whole number after "least""#),
            ("at least 1.5 of ()", #"1:10 expected a whole number after "least""#),
            ("at least 2 (always)", #"1:12 expected "of" after the number"#),
            ("event", #"1:6 expected "(""#), ("event(x) >= 3", "1:7 expected an event's name in quotation marks"),
            ("event(\"x\" >= 3", #"1:11 expected ")" after the event's name"#),
            ("event(\"x\")", #"1:11 expected ">=""#), ("event(\"x\") > 3", #"1:12 expected ">=""#),
            ("event(\"é\") >= ", #"1:15 expected a number after ">=""#),
            ("event(\"x\") >=\n\n three", #"3:2 expected a number after ">=""#),
            ("event(\"x\") >= -3", #"1:15 expected a number after ">=""#),
            ("event(\"x\") >= 1.5", "1:15 expected a whole number, at most 18446744073709551615"),
            ("event(\"x\") >= 18446744073709551616", "1:15 expected a whole number, at most 18446744073709551615"),
            ("event(\"\") >= 3", "1:7 expected an event's name of 1 to 65535 bytes, without U+0000"),
            ("donated(\"x\")", #"1:13 expected "within" or "not""#),
            ("donated(\"x\") not in 2 days", #"1:18 expected "within" after "not""#),
            ("donated(\"x\") within days", #"1:21 expected a number after "within""#),
            ("donated(\"x\") within 2", "1:22 expected seconds, minutes, hours, days or weeks"),
            ("donated(\"x\") within 2 months", "1:23 expected seconds, minutes, hours, days or weeks"),
            ("donated(\"x\") within 1e308 weeks", "1:21 expected a time that can be counted in seconds"),
            ("donated(\"x\") within 1e999 seconds", "1:21 expected a time that can be counted in seconds"),
            ("version 2", #"1:9 expected ">=" after "version""#),
            ("version >= 2", "1:12 expected a version in quotation marks"),
            ("version >= \"\"", "1:12 the version is empty"),
            ("version >= \"2", "1:12 expected a string that ends with a quotation mark on its line"),
            ("version >= \"2\n\"", "1:12 expected a string that ends with a quotation mark on its line"),
            ("version >= \"2\\", #"1:14 expected one of \", \\, \n, \t and \u{...}"#),
            (#"version >= "a\r""#, #"1:14 expected one of \", \\, \n, \t and \u{...}"#),
            ("condition", "1:1 a callback can't be written as text"),
            ("always && condition(\"x\")", "1:11 a callback can't be written as text"),
            ("\u{FEFF}\u{FEFF}always", "1:1 expected a rule"), ("a\u{0}", "1:1 expected a rule"),
        ])
    func errors(text: String, failure: String) { #expect(self.failure(of: text) == failure) }

    @Test(
        "A character is named by its hexadecimal number",
        arguments: ["", "{}", "{0}", "{000}", "{D800}", "{110000}", "{1234567}", "{0000041}", "{12", "{G}", "41"])
    func escapes(escape: String) {
        #expect(failure(of: "version >= \"\\u\(escape)\"").contains("1:13 expected a character's hexadecimal number"))
    }

    @Test("Bytes that aren't UTF-8 are refused where they stand")
    func encoding() {
        #expect(failure(of: Array("# é\nversion >= \"é".utf8) + [0xFF, 0x22]) == "2:14 the text is not UTF-8")
        #expect(failure(of: [0xEF, 0xBB]) == "1:1 the text is not UTF-8")
        #expect(
            failure(of: Array("event(\"a".utf8) + [0] + Array("\") >= 1".utf8)).hasPrefix(
                "1:7 expected an event's name"))
    }

    @Test("A text has at most a mebibyte, 256 groups inside each other, and as many terms as a rule")
    func limits() throws {
        let space = String(repeating: " ", count: (1 << 20) - 6)
        _ = try Rule.parse(space + "always")
        #expect(words { try Rule.parse(space + " always").words } == "argument: the rule's text is longer than 1 MiB")
        func nested(_ count: Int, _ open: String) -> String {
            String(repeating: open, count: count) + "always" + String(repeating: ")", count: count)
        }
        #expect(try Rule.parse(nested(256, "(")).words == "always")
        #expect(failure(of: nested(257, "(")) == "1:257 expected at most 256 groups inside each other")
        #expect(failure(of: nested(256, "any of (")) == "1:2310 a rule has more than 256 levels")
        #expect(failure(of: String(repeating: "!", count: 256) + "never") == "1:262 a rule has more than 256 levels")
        let most = String(repeating: "never||", count: 65_534) + "always"
        #expect(try Rule.parse(most).count == 65_536)
        #expect(failure(of: "never||" + most).hasSuffix("a rule has more than 65536 terms"))
    }

    /// A mebibyte each takes a debug build a minute.
    private static let hostileSize = setting("FIRSTTIME_LONG", default: 0) == 0 ? 1 << 16 : 1 << 20

    @Test(
        "Texts of any size, however hostile, are read or refused",
        arguments: [
            "(", ")", "!", "!(", "\"", "\\", "#", "a", "1", "all of (", "at least 1 of (", "always||", "always&&",
            "always,",
            "all of (),", "event(\"x\")", "1e", ".", "&", "\n", "\"\\u{1}", "é", "\u{0}", "!all of ()&&", "(always)||",
        ])
    func hostile(piece: String) {
        for head in ["", "(", "any of (", "version >= \"", "donated(\"x\") within 1"] {
            let count = (Self.hostileSize - head.utf8.count) / piece.utf8.count
            let text = Array(head.utf8) + Array(repeating: Array(piece.utf8), count: count).joined()
            if let rule = try? RuleParser.parse(text) { #expect(rule.count <= 65_536) }
        }
    }
}
