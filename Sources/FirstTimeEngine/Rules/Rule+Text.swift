// Rule+Text: a rule as text that RuleParser reads back to an equal one. Only callbacks can't be spelled: they are named,
// for people to read, and the parser refuses them.

import FirstTimeStore
import KeyedArchive

extension Rule {
    /// The rule in words, without parentheses that it doesn't need.
    package var text: [UInt8] {
        var text = RuleText()
        text.appendAll(of: self)
        return text.bytes
    }

    /// What binds its parts together.
    fileprivate enum Binding: Int {
        case or, and, term
    }

    fileprivate var binding: Binding {
        switch content {
        case .allOf(let rules) where rules.count > 1: return .and
        case .anyOf(let rules) where rules.count > 1: return .or
        default: return .term
        }
    }
}

/// Text that is put together byte by byte. What is still to come waits in a list, since a thread's stack may be small.
private struct RuleText {
    private enum Piece {
        case words(StaticString)
        /// A rule, of which all that binds less needs parentheses.
        case rule(Rule, Rule.Binding)
    }

    private(set) var bytes: [UInt8] = []
    /// The next one last.
    private var pending: [Piece] = []

    mutating func appendAll(of rule: Rule) {
        pending.append(.rule(rule, .or))
        while let piece = pending.popLast() {
            switch piece {
            case .words(let words): append(words)
            case .rule(let rule, let binding):
                if rule.binding.rawValue < binding.rawValue {
                    append("(")
                    pending.append(.words(")"))
                }
                append(rule)
            }
        }
    }

    private mutating func append(_ text: StaticString) { bytes += Array(staticString: text) }

    private mutating func append(_ rule: Rule) {
        switch rule.content {
        case .always: append("always")
        case .never: append("never")
        case .not(let rule):
            append("!")
            pending.append(.rule(rule, .term))
        case .allOf(let rules) where rules.count > 1: append(rules, " && ", atLeast: .term)
        case .anyOf(let rules) where rules.count > 1: append(rules, " || ", atLeast: .and)
        case .allOf(let rules): append("all of ", list: rules)
        case .anyOf(let rules): append("any of ", list: rules)
        case .noneOf(let rules): append("none of ", list: rules)
        case .atLeast(let quorum, let rules):
            append("at least ")
            bytes += Array(decimal: quorum)
            append(" of ", list: rules)
        case .condition: append("condition")
        case .event(let event, _): append("condition", of: event)
        case .eventAtLeast(let event, let count):
            append("event", of: event)
            append(" >= ")
            bytes += Array(decimal: count)
        case .eventWithin(let event, let seconds):
            append("donated", of: event)
            append(" within ")
            append(seconds: seconds)
        case .eventNotWithin(let event, let seconds):
            append("donated", of: event)
            append(" not within ")
            append(seconds: seconds)
        case .versionAtLeast(let version):
            append("version >= ")
            append(quoted: version)
        case .firstSeenInCurrentVersion(let event): append("first_seen_in_current_version", of: event)
        }
    }

    private mutating func append(_ rules: [Rule], _ separator: StaticString, atLeast binding: Rule.Binding) {
        for (index, rule) in rules.enumerated().reversed() {
            pending.append(.rule(rule, binding))
            if index > 0 { pending.append(.words(separator)) }
        }
    }

    private mutating func append(_ head: StaticString, list rules: [Rule]) {
        append(head)
        append("(")
        pending.append(.words(")"))
        append(rules, ", ", atLeast: .or)
    }

    private mutating func append(_ word: StaticString, of event: Key) {
        append(word)
        append("(")
        append(quoted: event.bytes)
        append(")")
    }

    /// In the longest unit of which it is a whole number.
    private mutating func append(seconds: Double) {
        for unit in Interval.Unit.ofRules {
            guard let length = unit.seconds.map({ Double($0) }), let names = unit.ruleNames else { continue }
            let isWhole = seconds > 0 && seconds.truncatingRemainder(dividingBy: length) == 0
            guard isWhole || unit == .second else { continue }
            let count = seconds / length
            DecimalText.append(count, to: &bytes)
            append(" ")
            append(count == 1 ? names.one : names.many)
            return
        }
    }
}

// MARK: - Strings

extension RuleText {
    private mutating func append(quoted text: [UInt8]) {
        append("\"")
        text.withUnsafeBufferPointer { text in
            var index = 0
            while index < text.count {
                // Keys and versions are UTF-8, so there is always one.
                let (scalar, next) = WTF8.decodeWTF8(text, at: index) ?? (0xFFFD, index + 1)
                append(character: scalar)
                index = next
            }
        }
        append("\"")
    }

    private mutating func append(character scalar: UInt32) {
        switch scalar {
        case 0x0A: append("\\n")
        case 0x09: append("\\t")
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case _ where Self.isHidden(scalar):
            append("\\u{")
            appendHexadecimal(scalar)
            append("}")
        default: WTF8.appendWTF8(scalar, to: &bytes)
        }
    }

    /// Controls, ends of lines, and what turns the direction of text round: those that don't show as what they are.
    private static func isHidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: return true
        default: return false
        }
    }

    private mutating func appendHexadecimal(_ value: UInt32) {
        let digits: StaticString = "0123456789ABCDEF"
        var isLeading = true
        for shift in stride(from: UInt32(20), through: 0, by: -4) {
            let digit = value >> shift & 0xF
            if digit == 0, isLeading, shift > 0 { continue }
            isLeading = false
            bytes.append(digits.utf8Start[Int(digit)])
        }
    }
}
