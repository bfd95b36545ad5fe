// Rule: when something is to happen, for Swift callers. Its meaning is the engine's.

#if !hasFeature(Embedded)
import FirstTimeEngine
import FirstTimeStore

/// A condition over donated events, the app's version, and what the program knows. RuleKit's terms, and some more:
///
/// ```swift
/// let rule = Rule.event(.appStarted, atLeast: 3) && .event(.promptAttempt, notDonatedFor: .days(30))
/// ```
///
/// A rule is asked from left to right, and no more of it than decides the answer. It has at most 256 levels and 65,536
/// terms; one that has more, or was made of wrong arguments, is refused when it is set.
public struct Rule: Sendable {
    let made: Result<EngineRule, EngineError>

    private init(_ make: () throws(EngineError) -> EngineRule) {
        do throws(EngineError) { made = .success(try make()) } catch { made = .failure(error) }
    }

    private init(_ rules: [Rule], _ combine: ([EngineRule]) throws(EngineError) -> EngineRule) {
        self.init { () throws(EngineError) in
            var parts: [EngineRule] = []
            for rule in rules { parts.append(try rule.made.get()) }
            return try combine(parts)
        }
    }

    // MARK: Combinations

    /// True.
    public static let always = Rule { () throws(EngineError) in .always }
    /// False.
    public static let never = Rule { () throws(EngineError) in .never }

    /// True when `rule` is false.
    public static func not(_ rule: Rule) -> Rule {
        Rule([rule]) { rules throws(EngineError) in try .not(rules[0]) }
    }

    /// True when all are; without any it is true.
    public static func allOf(_ rules: [Rule]) -> Rule {
        Rule(rules) { rules throws(EngineError) in try .allOf(rules) }
    }

    /// True when one is; without any it is false.
    public static func anyOf(_ rules: [Rule]) -> Rule {
        Rule(rules) { rules throws(EngineError) in try .anyOf(rules) }
    }

    /// True when none is.
    public static func noneOf(_ rules: [Rule]) -> Rule {
        Rule(rules) { rules throws(EngineError) in try .noneOf(rules) }
    }

    /// True when so many are. 0: always; more than there are: never.
    public static func atLeast(_ quorum: Int, of rules: [Rule]) -> Rule {
        Rule(rules) { rules throws(EngineError) in
            guard let quorum = UInt64(exactly: quorum) else { throw .argument(reason: "the quorum is below 0") }
            return try .atLeast(quorum, of: rules)
        }
    }

    public static func && (left: Rule, right: Rule) -> Rule { allOf([left, right]) }
    public static func || (left: Rule, right: Rule) -> Rule { anyOf([left, right]) }
    public static prefix func ! (rule: Rule) -> Rule { not(rule) }

    // MARK: Terms

    /// What the program knows. Called on the thread that asks, by several at once, with no lock held.
    public static func condition(_ condition: @escaping @Sendable () -> Bool) -> Rule {
        Rule { () throws(EngineError) in .condition(condition) }
    }

    /// What the program thinks of an event's donations: none, when it was never donated.
    public static func event(_ event: Event, _ condition: @escaping @Sendable (Event.Donations) -> Bool) -> Rule {
        Rule { () throws(EngineError) in .event(try event.key()) { condition(Event.Donations($0)) } }
    }

    /// True when it was donated so often.
    public static func event(_ event: Event, atLeast count: UInt64) -> Rule {
        Rule { () throws(EngineError) in .event(try event.key(), atLeast: count) }
    }

    /// True when it was last donated at most so long ago.
    ///
    /// - Parameter length: A fixed length: seconds, minutes, hours, days or weeks.
    public static func event(_ event: Event, donatedWithin length: RunInterval) -> Rule {
        Rule { () throws(EngineError) in try .event(event.key(), within: length.fixedSeconds()) }
    }

    /// The contrary: true when it was donated longer ago, or never.
    ///
    /// - Parameter length: A fixed length: seconds, minutes, hours, days or weeks.
    public static func event(_ event: Event, notDonatedFor length: RunInterval) -> Rule {
        Rule { () throws(EngineError) in try .event(event.key(), notWithin: length.fixedSeconds()) }
    }

    /// True when the app's version is this one or a later one: "1.10" is later than "1.9". Without a version it is false.
    public static func version(atLeast version: String) -> Rule {
        Rule { () throws(EngineError) in try .versionAtLeast(Array(version.utf8)) }
    }

    /// True when the first donation was made in the app version that runs now.
    public static func firstSeenInCurrentVersion(_ event: Event) -> Rule {
        Rule { () throws(EngineError) in .firstSeenInCurrentVersion(try event.key()) }
    }
}

// MARK: - Builders

/// Lists rules, one a line.
@resultBuilder
public enum RuleBuilder {
    public static func buildExpression(_ rule: Rule) -> [Rule] { [rule] }
    public static func buildBlock(_ rules: [Rule]...) -> [Rule] { rules.flatMap { $0 } }
    public static func buildOptional(_ rules: [Rule]?) -> [Rule] { rules ?? [] }
    public static func buildEither(first rules: [Rule]) -> [Rule] { rules }
    public static func buildEither(second rules: [Rule]) -> [Rule] { rules }
    public static func buildArray(_ rules: [[Rule]]) -> [Rule] { rules.flatMap { $0 } }
}

extension Rule {
    /// ``allOf(_:)-([Rule])`` of the rules that are listed.
    public static func allOf(@RuleBuilder _ rules: () -> [Rule]) -> Rule { allOf(rules()) }
    /// ``anyOf(_:)-([Rule])`` of the rules that are listed.
    public static func anyOf(@RuleBuilder _ rules: () -> [Rule]) -> Rule { anyOf(rules()) }
    /// ``noneOf(_:)-([Rule])`` of the rules that are listed.
    public static func noneOf(@RuleBuilder _ rules: () -> [Rule]) -> Rule { noneOf(rules()) }
    /// ``atLeast(_:of:)-(Int,[Rule])`` of the rules that are listed.
    public static func atLeast(_ quorum: Int, @RuleBuilder of rules: () -> [Rule]) -> Rule {
        atLeast(quorum, of: rules())
    }
}

// MARK: - As text

extension Rule: CustomStringConvertible {
    /// Reads a rule from text: `event("appStarted") >= 3 && version >= "2.1"`. The grammar is in docs/RULES.md.
    ///
    /// - Throws: ``FirstTimeError``, `argument`: it names line and column, and what was expected.
    public init(parsing text: String) throws {
        do throws(EngineError) { made = .success(try RuleParser.parse(Array(text.utf8))) } catch {
            throw FirstTimeError(error)
        }
    }

    /// The rule as text, which parses to an equal rule, unless it has conditions of the program's. "never" when it was
    /// made of wrong arguments.
    public var description: String {
        guard let rule = try? made.get() else { return "never" }
        return String(decoding: rule.text, as: UTF8.self)
    }
}

extension RunInterval {
    fileprivate func fixedSeconds() throws(EngineError) -> Double {
        let interval = try checked()
        guard interval.kind == .elapsed, let seconds = interval.seconds else {
            throw .argument(reason: "the length is not a fixed one: seconds, minutes, hours, days or weeks")
        }
        return seconds
    }
}
#endif
