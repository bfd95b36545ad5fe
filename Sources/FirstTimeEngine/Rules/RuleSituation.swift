// RuleSituation: what a rule is asked about: the moment, the app's version, and what was donated. It holds no lock, and
// decides nothing.

import FirstTimeStore

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
    func known(_ event: Key) -> Donations? {
        guard let donations = donations(event), donations.count > 0 else { return nil }
        return donations
    }

    /// Whether the event was last donated at most so many seconds ago. A donation that lies in the future by more than
    /// that was made by a clock that was wrong, and so was one at no finite time.
    func isDonated(_ event: Key, within seconds: Double) -> Bool {
        guard let last = known(event)?.lastTime else { return false }
        let elapsed = now - (last + Record.epoch)
        return elapsed <= seconds && elapsed >= -seconds
    }
}
