// RuleGroup: what the parser has of one group of rules so far: those between two parentheses, or the whole text. It puts
// them together by precedence; it reads nothing.

/// A group that isn't finished.
struct RuleGroup {
    /// What becomes of the group's rules.
    enum Kind {
        case text
        case parentheses
        case allOf, anyOf, noneOf
        case atLeast(UInt64)

        /// Whether it may hold any number of rules, with commas between.
        var isList: Bool {
            switch self {
            case .text, .parentheses: return false
            case .allOf, .anyOf, .noneOf, .atLeast: return true
            }
        }
    }

    let kind: Kind
    /// Those of a list, up to the last comma.
    private var items: [Rule] = []
    /// Those since then that "||" stands between.
    private var alternatives: [Rule] = []
    /// Those since then that "&&" stands between.
    private var conjuncts: [Rule] = []
    /// How many "!" stand before the next one.
    private var negations = 0

    init(_ kind: Kind) { self.kind = kind }

    mutating func negate() { negations += 1 }

    mutating func add(_ rule: Rule) throws(EngineError) {
        var rule = rule
        for _ in 0..<negations { rule = try .not(rule) }
        negations = 0
        conjuncts.append(rule)
    }

    /// At "||", at a comma and at the end.
    mutating func endAlternative() throws(EngineError) {
        let all = conjuncts
        conjuncts = []
        if let only = all.first { alternatives.append(all.count == 1 ? only : try .allOf(all)) }
    }

    /// At a comma and at the end.
    mutating func endItem() throws(EngineError) {
        try endAlternative()
        let any = alternatives
        alternatives = []
        if let only = any.first { items.append(any.count == 1 ? only : try .anyOf(any)) }
    }

    /// At the end.
    mutating func end() throws(EngineError) -> Rule {
        try endItem()
        switch kind {
        // Of these there is one; the parser sees to that.
        case .text, .parentheses: return items.first ?? .always
        case .allOf: return try .allOf(items)
        case .anyOf: return try .anyOf(items)
        case .noneOf: return try .noneOf(items)
        case .atLeast(let quorum): return try .atLeast(quorum, of: items)
        }
    }
}
