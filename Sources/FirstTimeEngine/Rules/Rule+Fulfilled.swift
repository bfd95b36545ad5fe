// Rule+Fulfilled: whether a rule holds. It asks from left to right, no more than decides it, and holds no lock: a
// condition may call whatever it likes.

import FirstTimeStore

extension Rule {
    package func isFulfilled(_ situation: RuleSituation) -> Bool {
        // Votes wait in a list: a condition may need what a thread's small stack still has.
        var votes: [RuleVote] = []
        var rule = self
        while true {
            var answer: Bool?
            if let vote = RuleVote(rule) {
                votes.append(vote)
                answer = nil
            } else {
                answer = rule.holds(in: situation)
            }
            // An answer may decide the vote it is given in, and so on.
            while var vote = votes.popLast() {
                if let answer { vote.count(answer) }
                answer = vote.decision
                guard answer == nil, let next = vote.next else { continue }
                votes.append(vote)
                rule = next
                break
            }
            if votes.isEmpty { return answer ?? false }
        }
    }

    /// Whether a rule without parts to be asked holds.
    private func holds(in situation: RuleSituation) -> Bool {
        switch content {
        case .always: return true
        case .condition(let condition): return condition()
        case .event(let event, let condition): return condition(situation.donations(event) ?? Donations())
        case .eventAtLeast(let event, let count): return situation.donations(event)?.count ?? 0 >= count
        case .eventWithin(let event, let seconds): return situation.isDonated(event, within: seconds)
        case .eventNotWithin(let event, let seconds): return !situation.isDonated(event, within: seconds)
        case .versionAtLeast(let version):
            guard let current = situation.version else { return false }
            return VersionComparison.compare(current, version) >= 0
        case .firstSeenInCurrentVersion(let event):
            guard let donations = situation.known(event) else { return false }
            return donations.firstVersion == situation.version
        case .never, .not, .allOf, .anyOf, .noneOf, .atLeast: return false
        }
    }
}
