// Rule+Equal: whether two rules say the same, word for word. Not whether they mean the same.

extension Rule: Equatable {
    /// Callbacks are equal to themselves alone.
    package static func == (left: Rule, right: Rule) -> Bool {
        if left === right { return true }
        // Equal trees have equal numbers, so most of the unequal ones are told apart at once.
        guard left.count == right.count, left.depth == right.depth else { return false }
        switch (left.content, right.content) {
        case (.always, .always), (.never, .never): return true
        case (.not(let left), .not(let right)): return left == right
        case (.allOf(let left), .allOf(let right)), (.anyOf(let left), .anyOf(let right)),
            (.noneOf(let left), .noneOf(let right)):
            return left == right
        case (.atLeast(let quorum, let left), .atLeast(let other, let right)): return quorum == other && left == right
        case (.eventAtLeast(let left, let count), .eventAtLeast(let right, let other)):
            return left == right && count == other
        case (.eventWithin(let left, let seconds), .eventWithin(let right, let other)),
            (.eventNotWithin(let left, let seconds), .eventNotWithin(let right, let other)):
            return left == right && seconds == other
        case (.versionAtLeast(let left), .versionAtLeast(let right)): return left == right
        case (.firstSeenInCurrentVersion(let left), .firstSeenInCurrentVersion(let right)): return left == right
        default: return false
        }
    }
}
