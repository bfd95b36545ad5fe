// Rule+Equal: whether two rules say the same, word for word. Not whether they mean the same.

extension Rule: Equatable {
    /// Callbacks are equal to themselves alone.
    package static func == (left: Rule, right: Rule) -> Bool {
        // Pairs wait in a list, since a thread's stack may be small.
        var pairs = [(left, right)]
        while let (left, right) = pairs.popLast() {
            if left === right { continue }
            // Equal trees have equal numbers, so most of the unequal ones are told apart at once.
            guard left.count == right.count, left.depth == right.depth, left.isAlike(right) else { return false }
            pairs.append(contentsOf: zip(left.parts, right.parts))
        }
        return true
    }

    private var parts: [Rule] {
        switch content {
        case .not(let rule): return [rule]
        case .allOf(let rules), .anyOf(let rules), .noneOf(let rules), .atLeast(_, let rules): return rules
        default: return []
        }
    }

    /// Whether they are equal if their parts are.
    private func isAlike(_ other: Rule) -> Bool {
        switch (content, other.content) {
        case (.always, .always), (.never, .never), (.not, .not): return true
        case (.allOf(let left), .allOf(let right)), (.anyOf(let left), .anyOf(let right)),
            (.noneOf(let left), .noneOf(let right)):
            return left.count == right.count
        case (.atLeast(let quorum, let left), .atLeast(let other, let right)):
            return quorum == other && left.count == right.count
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
