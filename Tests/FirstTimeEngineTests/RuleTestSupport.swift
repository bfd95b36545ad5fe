// What the tests of rules share: short names, callbacks that tell when they are asked, and how long random tests are.
//
// FIRSTTIME_RULES sets how many random cases each of them tries, FIRSTTIME_SEED which. The seed is printed.

import FirstTimeStore

@testable import FirstTimeEngine

/// How many random cases to try: the long suites try 100,000 at least.
func ruleCases(quick: UInt64) -> Int {
    let isLong = setting("FIRSTTIME_LONG", default: 0) != 0
    return Int(clamping: setting("FIRSTTIME_RULES", default: isLong ? max(quick, 100_000) : quick))
}

extension Key {
    /// For literals, which are keys.
    static func named(_ name: String) -> Key {
        guard let key = Key(Array(name.utf8)) else { fatalError("no key: \(name)") }
        return key
    }
}

extension Rule {
    static func parse(_ text: String) throws(EngineError) -> Rule { try RuleParser.parse(Array(text.utf8)) }

    var words: String { String(decoding: text, as: UTF8.self) }
}

extension RuleSituation {
    /// A moment at which nothing was donated but this.
    init(now: Double = 1_700_000_000, version: String? = nil, _ events: [String: Donations] = [:]) {
        let events = Dictionary(uniqueKeysWithValues: events.map { (Key.named($0), $1) })
        self.init(now: now, version: version.map { Array($0.utf8) }, donations: { events[$0] })
    }
}

extension Donations {
    /// The last one was so many seconds ago; nil: nobody knows when.
    init(count: UInt64, ago: Double?, firstVersion: String? = nil) {
        self.init()
        self.count = count
        lastTime = ago.map { 1_700_000_000 - $0 - Record.epoch }
        self.firstVersion = firstVersion.map { Array($0.utf8) }
    }
}

/// Conditions that write down that they are asked.
final class Witness: @unchecked Sendable {
    private(set) var asked = ""

    /// A rule that answers so.
    func rule(_ name: Character, _ answer: Bool) -> Rule {
        .condition {
            self.asked.append(name)
            return answer
        }
    }

    /// A rule for each character: an upper-case letter is true.
    func rules(_ names: String) -> [Rule] { names.map { rule($0, $0.isUppercase) } }
}
