// Rule: a condition over donated events, the app's version and what the host program knows: a tree of terms, which never
// changes once it is made. Values only: what a rule triggers, and when it is asked, is decided elsewhere.

import FirstTimeStore

/// A rule. Its terms, and how they are put together, are RuleKit's.
///
/// Rules may share parts. Depth and count are kept small enough that whoever walks a tree may call itself for each
/// level, and ends soon.
package final class Rule: Sendable {
    /// What a rule says.
    enum Content: Sendable {
        case always
        case never
        case not(Rule)
        case allOf([Rule])
        case anyOf([Rule])
        case noneOf([Rule])
        case atLeast(UInt64, [Rule])
        case condition(@Sendable () -> Bool)
        case event(Key, @Sendable (Donations) -> Bool)
        case eventAtLeast(Key, UInt64)
        case eventWithin(Key, seconds: Double)
        case eventNotWithin(Key, seconds: Double)
        case versionAtLeast([UInt8])
        case firstSeenInCurrentVersion(Key)
    }

    /// The levels that a rule may have.
    package static let deepest = 256
    /// The terms and combinations that it may have, the shared ones counted wherever they stand.
    package static let largest = 65_536

    let content: Content
    /// Its levels: 1 without parts.
    let depth: Int
    /// Itself and all below.
    let count: Int

    private init(_ content: Content, depth: Int = 1, count: Int = 1) {
        self.content = content
        self.depth = depth
        self.count = count
    }

    private static func combining(_ parts: [Rule], _ content: Content) throws(EngineError) -> Rule {
        var (depth, count) = (0, 1)
        for part in parts {
            depth = max(depth, part.depth)
            // Both are within the limit, so the sum is far from overflowing.
            count += part.count
            guard count <= largest else { throw .argument(reason: "a rule has more than 65536 terms") }
        }
        guard depth < deepest else { throw .argument(reason: "a rule has more than 256 levels") }
        return Rule(content, depth: depth + 1, count: count)
    }
}

// MARK: - Making rules

extension Rule {
    package static var always: Rule { Rule(.always) }
    package static var never: Rule { Rule(.never) }

    package static func not(_ rule: Rule) throws(EngineError) -> Rule { try combining([rule], .not(rule)) }

    /// True when there are none.
    package static func allOf(_ rules: [Rule]) throws(EngineError) -> Rule { try combining(rules, .allOf(rules)) }

    /// False when there are none.
    package static func anyOf(_ rules: [Rule]) throws(EngineError) -> Rule { try combining(rules, .anyOf(rules)) }

    /// True when there are none.
    package static func noneOf(_ rules: [Rule]) throws(EngineError) -> Rule { try combining(rules, .noneOf(rules)) }

    /// A quorum of 0 is always reached, and one above the number of rules never.
    package static func atLeast(_ quorum: UInt64, of rules: [Rule]) throws(EngineError) -> Rule {
        try combining(rules, .atLeast(quorum, rules))
    }

    /// What the host program knows.
    package static func condition(_ condition: @escaping @Sendable () -> Bool) -> Rule { Rule(.condition(condition)) }

    /// What the host program thinks of an event's donations: empty ones, when it was never donated.
    package static func event(_ event: Key, _ condition: @escaping @Sendable (Donations) -> Bool) -> Rule {
        Rule(.event(event, condition))
    }

    package static func event(_ event: Key, atLeast count: UInt64) -> Rule { Rule(.eventAtLeast(event, count)) }

    /// The last donation was at most so many seconds ago.
    package static func event(_ event: Key, within seconds: Double) throws(EngineError) -> Rule {
        Rule(.eventWithin(event, seconds: try checked(seconds)))
    }

    /// The contrary: it was longer ago, or there was none.
    package static func event(_ event: Key, notWithin seconds: Double) throws(EngineError) -> Rule {
        Rule(.eventNotWithin(event, seconds: try checked(seconds)))
    }

    /// The app's version is this one or a later one, by VersionComparison.
    package static func versionAtLeast(_ version: [UInt8]) throws(EngineError) -> Rule {
        guard !version.isEmpty else { throw .argument(reason: "the version is empty") }
        guard version.count <= Key.longest else { throw .argument(reason: "the version is longer than 65535 bytes") }
        guard Text.isValid(version) else { throw .argument(reason: "the version is not UTF-8") }
        return Rule(.versionAtLeast(version))
    }

    /// The event was donated, and by the current version for the first time.
    package static func firstSeenInCurrentVersion(_ event: Key) -> Rule { Rule(.firstSeenInCurrentVersion(event)) }

    private static func checked(_ seconds: Double) throws(EngineError) -> Double {
        guard seconds >= 0, seconds.isFinite else {
            throw .argument(reason: "the seconds are not a finite number, 0 or above")
        }
        // One zero, not two.
        return seconds.magnitude
    }
}
