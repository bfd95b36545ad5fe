// RuleAPI: the header's section "Rules".

import CFirstTime
import CSystem
import FirstTimeEngine
import FirstTimeStore

// MARK: - Handles

extension EngineRule {
    /// The rule behind a handle, which the caller gave away with it.
    static func taken(from handle: OpaquePointer?) -> EngineRule? {
        handle.map { Unmanaged<EngineRule>.fromOpaque(UnsafeRawPointer($0)).takeRetainedValue() }
    }

    /// The rule behind a handle that stays the caller's.
    static func borrowed(from handle: OpaquePointer?) -> EngineRule? {
        handle.map { Unmanaged<EngineRule>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// A handle for what `make` makes; NULL, and the thread's last error, where it throws.
    fileprivate static func handle(_ make: () throws(EngineError) -> EngineRule) -> OpaquePointer? {
        do { return OpaquePointer(Unmanaged.passRetained(try make()).toOpaque()) } catch {
            _ = fail(error)
            csystem_note_failure(CSYSTEM_RULE_FAILURE)
            return nil
        }
    }

    /// The rules of an array, all of which the caller gave away with it, whatever becomes of them.
    fileprivate static func taken(
        from array: UnsafePointer<OpaquePointer?>?, _ count: Int
    ) throws(EngineError) -> [EngineRule] {
        guard count != 0 else { return [] }
        guard let array else { throw .argument(reason: "the array of rules is NULL") }
        // A size_t above Int's range: no array is that long, so there is none to take from.
        guard count > 0 else { throw .argument(reason: "a rule has more than 65536 terms") }
        var rules: [EngineRule] = []
        var isWhole = true
        for index in 0..<count {
            if let rule = taken(from: array[index]) { rules.append(rule) } else { isWhole = false }
        }
        guard isWhole else { throw .noRule(reason: "one of the rules is NULL") }
        return rules
    }
}

// MARK: - Constants and combinations

@_cdecl("firsttime_rule_always") @implementation
public func firsttime_rule_always() -> OpaquePointer? { EngineRule.handle { () throws(EngineError) in .always } }

@_cdecl("firsttime_rule_never") @implementation
public func firsttime_rule_never() -> OpaquePointer? { EngineRule.handle { () throws(EngineError) in .never } }

@_cdecl("firsttime_rule_not") @implementation
public func firsttime_rule_not(_ rule: OpaquePointer?) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in
        guard let rule = EngineRule.taken(from: rule) else { throw .noRule(reason: "the rule is NULL") }
        return try .not(rule)
    }
}

@_cdecl("firsttime_rule_all_of") @implementation
public func firsttime_rule_all_of(_ rules: UnsafePointer<OpaquePointer?>?, _ count: Int) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in try .allOf(EngineRule.taken(from: rules, count)) }
}

@_cdecl("firsttime_rule_any_of") @implementation
public func firsttime_rule_any_of(_ rules: UnsafePointer<OpaquePointer?>?, _ count: Int) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in try .anyOf(EngineRule.taken(from: rules, count)) }
}

@_cdecl("firsttime_rule_none_of") @implementation
public func firsttime_rule_none_of(_ rules: UnsafePointer<OpaquePointer?>?, _ count: Int) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in try .noneOf(EngineRule.taken(from: rules, count)) }
}

@_cdecl("firsttime_rule_at_least") @implementation
public func firsttime_rule_at_least(
    _ quorum: Int, _ rules: UnsafePointer<OpaquePointer?>?, _ count: Int
) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in
        // A size_t above Int's range arrives below zero.
        try .atLeast(UInt64(UInt(bitPattern: quorum)), of: EngineRule.taken(from: rules, count))
    }
}

// MARK: - Callbacks

@_cdecl("firsttime_rule_condition") @implementation
public func firsttime_rule_condition(
    _ condition: firsttime_condition?, _ context: UnsafeMutableRawPointer?, _ release: firsttime_release?
) -> OpaquePointer? {
    let context = Context(context, release)
    return EngineRule.handle { () throws(EngineError) in
        guard let condition else { throw .argument(reason: "the condition is NULL") }
        return .condition { condition(context.pointer) != 0 }
    }
}

@_cdecl("firsttime_rule_event") @implementation
public func firsttime_rule_event(
    _ event: UnsafePointer<CChar>?, _ condition: firsttime_event_condition?, _ context: UnsafeMutableRawPointer?,
    _ release: firsttime_release?
) -> OpaquePointer? {
    let context = Context(context, release)
    return EngineRule.handle { () throws(EngineError) in
        let event = try cKey(event, .event)
        guard let condition else { throw .argument(reason: "the condition is NULL") }
        return .event(event) { donations in
            withDonations(event: event, donations: donations) { condition($0, context.pointer) != 0 }
        }
    }
}

// MARK: - Terms

@_cdecl("firsttime_rule_event_at_least") @implementation
public func firsttime_rule_event_at_least(_ event: UnsafePointer<CChar>?, _ count: UInt64) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in .event(try cKey(event, .event), atLeast: count) }
}

@_cdecl("firsttime_rule_event_within") @implementation
public func firsttime_rule_event_within(_ event: UnsafePointer<CChar>?, _ seconds: Double) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in try .event(cKey(event, .event), within: seconds) }
}

@_cdecl("firsttime_rule_event_not_within") @implementation
public func firsttime_rule_event_not_within(_ event: UnsafePointer<CChar>?, _ seconds: Double) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in try .event(cKey(event, .event), notWithin: seconds) }
}

@_cdecl("firsttime_rule_version_at_least") @implementation
public func firsttime_rule_version_at_least(_ version: UnsafePointer<CChar>?) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in
        guard let version else { throw .argument(reason: "the version is NULL") }
        // One byte more than a version can have tells one that is too long.
        return try .versionAtLeast(Text.bytes(of: version, limit: Key.longest + 1))
    }
}

@_cdecl("firsttime_rule_first_seen_in_current_version") @implementation
public func firsttime_rule_first_seen_in_current_version(_ event: UnsafePointer<CChar>?) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in .firstSeenInCurrentVersion(try cKey(event, .event)) }
}

// MARK: - Text

@_cdecl("firsttime_rule_parse") @implementation
public func firsttime_rule_parse(_ text: UnsafePointer<CChar>?) -> OpaquePointer? {
    EngineRule.handle { () throws(EngineError) in
        guard let text else { throw .argument(reason: "the text is NULL") }
        return try RuleParser.parse(Text.bytes(of: text, limit: RuleParser.longest + 1))
    }
}

@_cdecl("firsttime_rule_free") @implementation
public func firsttime_rule_free(_ rule: OpaquePointer?) { _ = EngineRule.taken(from: rule) }

@_cdecl("firsttime_rule_text") @implementation
public func firsttime_rule_text(
    _ rule: OpaquePointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
    var text: [UInt8] = []
    if let rule = EngineRule.borrowed(from: rule) {
        text = rule.text
    } else {
        _ = fail(.noRule(reason: "the rule is NULL"))
    }
    guard let buffer, capacity != 0 else { return text.count }
    // A size_t above Int's range arrives below zero; it is room enough.
    var length = capacity < 0 ? text.count : min(text.count, capacity - 1)
    // No character is cut in two.
    while length > 0, length < text.count, text[length] & 0xC0 == 0x80 { length -= 1 }
    for index in 0..<length { buffer[index] = CChar(bitPattern: text[index]) }
    buffer[length] = 0
    return text.count
}

@_cdecl("firsttime_version_compare") @implementation
public func firsttime_version_compare(_ left: UnsafePointer<CChar>?, _ right: UnsafePointer<CChar>?) -> CInt {
    let order = VersionComparison.compare(left.map { Text.bytes(of: $0) }, right.map { Text.bytes(of: $0) })
    return CInt(truncatingIfNeeded: order)
}
