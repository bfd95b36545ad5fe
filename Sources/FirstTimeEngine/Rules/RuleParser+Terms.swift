// RuleParser+Terms: the terms that a rule is made of, and how lists of rules begin.

import FirstTimeStore
import KeyedArchive

extension RuleParser {
    // MARK: - Lists

    /// What stands before a list's "(", when a list begins here.
    func parseListHead() throws(EngineError) -> RuleGroup.Kind? {
        if token.isWord("at") {
            try advance()
            try expect(word: "least", "expected \"least\" after \"at\"")
            guard let quorum = token.wholeNumber else { throw unexpected("expected a whole number after \"least\"") }
            try advance()
            try expect(word: "of", "expected \"of\" after the number")
            return .atLeast(quorum)
        }
        let kind: RuleGroup.Kind
        if token.isWord("all") {
            kind = .allOf
        } else if token.isWord("any") {
            kind = .anyOf
        } else if token.isWord("none") {
            kind = .noneOf
        } else {
            return nil
        }
        try advance()
        try expect(word: "of", "expected \"of\"")
        return kind
    }

    // MARK: - Terms

    func parseTerm(missing: StaticString) throws(EngineError) -> Rule {
        if token.isWord("condition") {
            throw unexpected("a callback can't be written as text")
        }
        let word = token
        guard word.kind == .word else { throw unexpected(missing) }
        if word.isWord("always") {
            try advance()
            return .always
        }
        if word.isWord("never") {
            try advance()
            return .never
        }
        if word.isWord("event") {
            try advance()
            return try parseCount(of: parseEvent())
        }
        if word.isWord("donated") {
            try advance()
            return try parseTime(of: parseEvent())
        }
        if word.isWord("version") {
            try advance()
            return try parseVersion()
        }
        if word.isWord("first_seen_in_current_version") {
            try advance()
            return .firstSeenInCurrentVersion(try parseEvent())
        }
        throw unexpected(missing)
    }

    private func parseEvent() throws(EngineError) -> Key {
        try expect(.open, "expected \"(\"")
        guard token.kind == .string else { throw unexpected("expected an event's name in quotation marks") }
        guard let event = Key(token.text) else {
            throw unexpected("expected an event's name of 1 to 65535 bytes, without U+0000")
        }
        try advance()
        try expect(.close, "expected \")\" after the event's name")
        return event
    }

    private func parseCount(of event: Key) throws(EngineError) -> Rule {
        try expect(.atLeast, "expected \">=\"")
        guard token.kind == .number else { throw unexpected("expected a number after \">=\"") }
        guard let count = token.wholeNumber else {
            throw unexpected("expected a whole number, at most 18446744073709551615")
        }
        try advance()
        return .event(event, atLeast: count)
    }

    private func parseTime(of event: Key) throws(EngineError) -> Rule {
        let isNegated = token.isWord("not")
        if isNegated { try advance() }
        try expect(word: "within", isNegated ? "expected \"within\" after \"not\"" : "expected \"within\" or \"not\"")
        let number = token
        guard number.kind == .number, let value = DecimalText.double(from: number.text) else {
            throw unexpected("expected a number after \"within\"")
        }
        try advance()
        guard let unit = Interval.Unit(rule: token), let length = unit.seconds else {
            throw unexpected("expected seconds, minutes, hours, days or weeks")
        }
        let seconds = value * Double(length)
        guard seconds.isFinite else { throw unexpected(number, "expected a time that can be counted in seconds") }
        try advance()
        return isNegated ? try .event(event, notWithin: seconds) : try .event(event, within: seconds)
    }

    private func parseVersion() throws(EngineError) -> Rule {
        try expect(.atLeast, "expected \">=\" after \"version\"")
        guard token.kind == .string else { throw unexpected("expected a version in quotation marks") }
        let rule = try Rule.versionAtLeast(Array(token.text))
        try advance()
        return rule
    }
}

// MARK: - Units

extension Interval.Unit {
    /// The units that rules have, the longest first.
    static var ofRules: [Interval.Unit] { [.week, .day, .hour, .minute, .second] }

    /// Its name in a rule, of one and of more.
    var ruleNames: (one: StaticString, many: StaticString)? {
        switch self {
        case .second: return ("second", "seconds")
        case .minute: return ("minute", "minutes")
        case .hour: return ("hour", "hours")
        case .day: return ("day", "days")
        case .week: return ("week", "weeks")
        case .month, .quarter, .year: return nil
        }
    }

    /// The unit that a word of a rule names.
    fileprivate init?(rule token: RuleToken) {
        for unit in Self.ofRules {
            guard let names = unit.ruleNames, token.isWord(names.one) || token.isWord(names.many) else { continue }
            self = unit
            return
        }
        return nil
    }
}
