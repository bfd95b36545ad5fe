// RuleVote: how far the parts of one rule have been asked. Every combination of rules is a vote: so many of them have to
// hold, or so many must not.

/// A vote among rules, from left to right.
struct RuleVote {
    private let rules: [Rule]
    /// Whose turn it is.
    private var index = 0
    /// How many have still to hold.
    private var missing: UInt64
    /// Whether the answer is the contrary of what the vote says.
    private let isNegated: Bool

    private init(_ rules: [Rule], quorum: UInt64, isNegated: Bool = false) {
        self.rules = rules
        self.isNegated = isNegated
        missing = quorum
    }

    /// Nil for a rule that has no parts to be asked.
    init?(_ rule: Rule) {
        switch rule.content {
        case .not(let rule): self.init([rule], quorum: 1, isNegated: true)
        case .allOf(let rules): self.init(rules, quorum: UInt64(rules.count))
        case .anyOf(let rules): self.init(rules, quorum: 1)
        case .noneOf(let rules): self.init(rules, quorum: 1, isNegated: true)
        case .atLeast(let quorum, let rules): self.init(rules, quorum: quorum)
        default: return nil
        }
    }

    /// The answer, as soon as those who are left can't change it.
    var decision: Bool? {
        if missing == 0 { return !isNegated }
        return missing > UInt64(rules.count - index) ? isNegated : nil
    }

    /// Who is asked next. Nil only when it is decided.
    var next: Rule? { index < rules.count ? rules[index] : nil }

    /// Counts the answer of the one that was next.
    mutating func count(_ answer: Bool) {
        index += 1
        if answer, missing > 0 { missing -= 1 }
    }
}
