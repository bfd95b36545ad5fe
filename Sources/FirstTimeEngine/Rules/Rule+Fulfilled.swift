// Rule+Fulfilled: whether a rule holds. It asks from left to right, no more than decides it, and holds no lock: a
// condition may call whatever it likes.

import FirstTimeStore

/// What a rule is asked about.
package struct RuleSituation {
    /// Seconds since 1970.
    package let now: Double
    /// The app's version; nil: none.
    package let version: [UInt8]?
    /// The donations of an event; nil: it was never donated.
    package let donations: (Key) -> Donations?

    package init(now: Double, version: [UInt8]?, donations: @escaping (Key) -> Donations?) {
        self.now = now
        self.version = version
        self.donations = donations
    }

    /// The donations of an event that was donated.
    fileprivate func known(_ event: Key) -> Donations? {
        guard let donations = donations(event), donations.count > 0 else { return nil }
        return donations
    }

    /// Whether the event was last donated at most so many seconds ago. A donation that lies in the future by more than
    /// that was made by a clock that was wrong.
    fileprivate func isDonated(_ event: Key, within seconds: Double) -> Bool {
        guard let last = known(event)?.lastTime, last.isFinite else { return false }
        let elapsed = now - (last + Record.epoch)
        return elapsed <= seconds && elapsed >= -seconds
    }
}

extension Rule {
    package func isFulfilled(_ situation: RuleSituation) -> Bool {
        switch content {
        case .always: return true
        case .never: return false
        case .not(let rule): return !rule.isFulfilled(situation)
        case .allOf(let rules): return !Self.contains(rules, false, situation)
        case .anyOf(let rules): return Self.contains(rules, true, situation)
        case .noneOf(let rules): return !Self.contains(rules, true, situation)
        case .atLeast(let quorum, let rules): return Self.isReached(quorum, rules, situation)
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
        }
    }

    /// Whether one of them answers so.
    private static func contains(_ rules: [Rule], _ answer: Bool, _ situation: RuleSituation) -> Bool {
        for rule in rules where rule.isFulfilled(situation) == answer { return true }
        return false
    }

    private static func isReached(_ quorum: UInt64, _ rules: [Rule], _ situation: RuleSituation) -> Bool {
        var missing = quorum
        for (index, rule) in rules.enumerated() {
            if missing == 0 { return true }
            if missing > UInt64(rules.count - index) { return false }
            if rule.isFulfilled(situation) { missing -= 1 }
        }
        return missing == 0
    }
}
