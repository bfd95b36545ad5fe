// RuleModel: rules and histories made at random, and what each rule answers, by another way: from every donation there
// was, asking everything and counting. It shares nothing with the library but the rule that it builds.

import FirstTimeStore

@testable import FirstTimeEngine

/// A history: each donation there was, and the moment now.
struct RuleHistory {
    struct Donation {
        let event: Int
        let time: Double
        let version: String?
    }

    static let events = ["appStarted", "itemCreated", "prompt \"2\"", "never"].map { Key.named($0) }
    static let versions = ["1.9", "1.10", "2.0", "2", nil]

    let donations: [Donation]
    let now: Double
    let version: String?
    /// What conditions answer.
    let facts: [Bool]

    init(using random: inout SplitMix64) {
        // Few different times, so that boundaries are met.
        var time = 1_700_000_000.0
        donations = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            // Now and then the clock is set.
            time += Double(Int.random(in: -2...10, using: &random)) * 1800
            return Donation(
                event: Int.random(in: 0...2, using: &random), time: time,
                version: Self.versions.randomElement(using: &random) ?? nil)
        }
        now = time + Double(Int.random(in: -4...10, using: &random)) * 1800
        version = Self.versions.randomElement(using: &random) ?? nil
        facts = (0..<4).map { _ in Bool.random(using: &random) }
    }

    func of(_ event: Int) -> [Donation] { donations.filter { $0.event == event } }

    /// What the store would say of it.
    var situation: RuleSituation {
        var known: [Key: Donations] = [:]
        for donation in donations {
            var donations = known[Self.events[donation.event]] ?? Donations()
            let (time, version) = (donation.time - 978_307_200, donation.version.map { Array($0.utf8) })
            if donations.count == 0 { (donations.firstTime, donations.firstVersion) = (time, version) }
            (donations.lastTime, donations.lastVersion) = (time, version)
            donations.count += 1
            known[Self.events[donation.event]] = donations
        }
        return RuleSituation(now: now, version: version.map { Array($0.utf8) }) { known[$0] }
    }
}

indirect enum RuleModel {
    case constant(Bool)
    case not(RuleModel)
    /// How many of them have to hold, by the number of them that do and of all.
    case all([RuleModel]), any([RuleModel]), none([RuleModel]), atLeast(Int, [RuleModel])
    case fact(Int)
    case isOdd(event: Int)
    case atLeastTimes(Int, event: Int)
    case within(Double, event: Int), notWithin(Double, event: Int)
    case version(String)
    case firstSeen(event: Int)

    init(levels: Int, using random: inout SplitMix64) {
        func rules() -> [RuleModel] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in RuleModel(levels: levels - 1, using: &random) }
        }
        let event = Int.random(in: 0..<RuleHistory.events.count, using: &random)
        let seconds = Double(Int.random(in: 0...12, using: &random)) * 1800
        switch Int.random(in: levels > 1 ? 0...14 : 6...14, using: &random) {
        case 0: self = .not(RuleModel(levels: levels - 1, using: &random))
        case 1, 2: self = .all(rules())
        case 3: self = .any(rules())
        case 4: self = .none(rules())
        case 5: self = .atLeast(Int.random(in: 0...5, using: &random), rules())
        case 6: self = .constant(Bool.random(using: &random))
        case 7: self = .fact(Int.random(in: 0..<4, using: &random))
        case 8: self = .isOdd(event: event)
        case 9, 10: self = .atLeastTimes(Int.random(in: 0...4, using: &random), event: event)
        case 11: self = .within(seconds, event: event)
        case 12: self = .notWithin(seconds, event: event)
        case 13: self = .version(["1.8", "1.9", "1.10", "2", "2.0.1"].randomElement(using: &random) ?? "1")
        default: self = .firstSeen(event: event)
        }
    }

    // MARK: - As the library's rule

    func rule(_ facts: [Bool]) throws(EngineError) -> Rule {
        func built(_ models: [RuleModel]) throws(EngineError) -> [Rule] {
            var rules: [Rule] = []
            for model in models { rules.append(try model.rule(facts)) }
            return rules
        }
        let events = RuleHistory.events
        switch self {
        case .constant(let value): return value ? .always : .never
        case .not(let rule): return try .not(rule.rule(facts))
        case .all(let rules): return try .allOf(built(rules))
        case .any(let rules): return try .anyOf(built(rules))
        case .none(let rules): return try .noneOf(built(rules))
        case .atLeast(let quorum, let rules): return try .atLeast(UInt64(quorum), of: built(rules))
        case .fact(let number): return .condition { facts[number] }
        case .isOdd(let event): return .event(events[event]) { $0.count % 2 == 1 }
        case .atLeastTimes(let count, let event): return .event(events[event], atLeast: UInt64(count))
        case .within(let seconds, let event): return try .event(events[event], within: seconds)
        case .notWithin(let seconds, let event): return try .event(events[event], notWithin: seconds)
        case .version(let version): return try .versionAtLeast(Array(version.utf8))
        case .firstSeen(let event): return .firstSeenInCurrentVersion(events[event])
        }
    }

    // MARK: - The answer

    /// Asks everything, and counts.
    func answer(_ history: RuleHistory) -> Bool {
        func fulfilled(_ rules: [RuleModel]) -> Int { rules.map { $0.answer(history) }.filter { $0 }.count }
        switch self {
        case .constant(let value): return value
        case .not(let rule): return rule.answer(history) ? false : true
        case .all(let rules): return fulfilled(rules) == rules.count
        case .any(let rules): return fulfilled(rules) > 0
        case .none(let rules): return fulfilled(rules) == 0
        case .atLeast(let quorum, let rules): return fulfilled(rules) >= quorum
        case .fact(let number): return history.facts[number]
        case .isOdd(let event): return !history.of(event).count.isMultiple(of: 2)
        case .atLeastTimes(let count, let event): return history.of(event).count >= count
        case .within(let seconds, let event): return Self.isRecent(history, event, seconds)
        case .notWithin(let seconds, let event): return !Self.isRecent(history, event, seconds)
        case .version(let version): return history.version.map { Self.number($0) >= Self.number(version) } ?? false
        case .firstSeen(let event): return history.of(event).first.map { $0.version == history.version } ?? false
        }
    }

    private static func isRecent(_ history: RuleHistory, _ event: Int, _ seconds: Double) -> Bool {
        guard let last = history.of(event).last else { return false }
        return abs(history.now - last.time) <= seconds
    }

    /// A version of up to three small numbers as one.
    private static func number(_ version: String) -> Int {
        let parts = version.split(separator: ".").compactMap { Int($0) } + [0, 0, 0]
        return parts.prefix(3).reduce(0) { $0 * 1000 + $1 }
    }
}
