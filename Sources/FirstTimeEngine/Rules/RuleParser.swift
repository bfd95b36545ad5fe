// RuleParser: the text of a rule (docs/RULES.md) as a rule. Groups wait in a list, not on the stack, and every byte is
// looked at once, so that no text, however hostile, takes more than it is long.

/// Reads one rule. An object, which is handed on with little code.
package final class RuleParser {
    /// The bytes that a text may have.
    package static let longest = 1 << 20

    private var tokenizer: RuleTokenizer
    /// The token that is looked at, and the kind of the one before.
    private(set) var token: RuleToken
    private var previous = RuleToken.Kind.end
    private var group = RuleGroup(.text)
    /// The groups that `group` stands in.
    private var outer: [RuleGroup] = []

    /// The rule that a text spells.
    package static func parse(_ text: [UInt8]) throws(EngineError) -> Rule {
        guard text.count <= longest else { throw .argument(reason: "the rule's text is longer than 1 MiB") }
        var tokenizer = try RuleTokenizer(text)
        let first = try tokenizer.next()
        let parser = RuleParser(tokenizer, first)
        do throws(EngineError) { return try parser.parse() } catch {
            // A rule refuses to be made: the text up to here is to blame.
            guard case .argument(let reason) = error else { throw error }
            throw parser.unexpected(reason)
        }
    }

    private init(_ tokenizer: RuleTokenizer, _ first: RuleToken) {
        self.tokenizer = tokenizer
        token = first
    }

    private func parse() throws(EngineError) -> Rule {
        while true {
            let operand = try parseOperand()
            if let whole = try add(operand) { return whole }
        }
    }

    // MARK: - Tokens

    func advance() throws(EngineError) {
        previous = token.kind
        token = try tokenizer.next()
    }

    /// The error that something else was expected here.
    func unexpected(_ reason: StaticString) -> EngineError { unexpected(token, reason) }

    func unexpected(_ token: RuleToken, _ reason: StaticString) -> EngineError {
        tokenizer.error(at: token.range.lowerBound, reason)
    }

    /// Passes a token of this kind.
    func expect(_ kind: RuleToken.Kind, _ reason: StaticString) throws(EngineError) {
        guard token.kind == kind else { throw unexpected(reason) }
        try advance()
    }

    func expect(word: StaticString, _ reason: StaticString) throws(EngineError) {
        guard token.isWord(word) else { throw unexpected(reason) }
        try advance()
    }

    // MARK: - Groups

    /// The next rule that is no group, or an empty list; passes what stands before it.
    private func parseOperand() throws(EngineError) -> Rule {
        while true {
            if token.kind == .not {
                group.negate()
                try advance()
            } else if token.kind == .open {
                try open(.parentheses)
            } else if let list = try parseListHead() {
                try open(list)
                if token.kind == .close { return try close() }
            } else {
                return try parseTerm(missing: expectation)
            }
        }
    }

    /// What has to follow the token before.
    private var expectation: StaticString {
        switch previous {
        case .not: return "expected a rule after \"!\""
        case .and: return "expected a rule after \"&&\""
        case .or: return "expected a rule after \"||\""
        case .open: return group.kind.isList ? "expected a rule or \")\" after \"(\"" : "expected a rule after \"(\""
        case .comma: return "expected a rule after \",\""
        default: return "expected a rule"
        }
    }

    private func open(_ kind: RuleGroup.Kind) throws(EngineError) {
        guard outer.count < Rule.deepest else { throw unexpected("expected at most 256 groups inside each other") }
        try expect(.open, "expected \"(\"")
        outer.append(group)
        group = RuleGroup(kind)
    }

    /// Ends the group that stands in another at its ")".
    private func close() throws(EngineError) -> Rule {
        let rule = try group.end()
        group = outer.popLast() ?? RuleGroup(.text)
        try advance()
        return rule
    }

    /// Adds a rule, and ends the groups that end behind it. The whole rule, when the text ends; nil: another follows.
    private func add(_ operand: Rule) throws(EngineError) -> Rule? {
        var rule = operand
        while true {
            try group.add(rule)
            switch token.kind {
            case .and:
                try advance()
                return nil
            case .or:
                try group.endAlternative()
                try advance()
                return nil
            case .comma where group.kind.isList:
                try group.endItem()
                try advance()
                return nil
            case .close where !outer.isEmpty: rule = try close()
            case .end where outer.isEmpty: return try group.end()
            default: throw unexpected(continuation)
            }
        }
    }

    /// What may follow a rule.
    private var continuation: StaticString {
        switch group.kind {
        case .text: return "expected \"&&\", \"||\" or the end"
        case .parentheses: return "expected \"&&\", \"||\" or \")\""
        case .allOf, .anyOf, .noneOf, .atLeast: return "expected \"&&\", \"||\", \",\" or \")\""
        }
    }
}
