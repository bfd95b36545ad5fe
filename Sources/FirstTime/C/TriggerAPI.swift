// TriggerAPI: the header's section "Triggers".

import CFirstTime
import CSystem
import FirstTimeEngine
import FirstTimeStore

// MARK: - Setting rules

@_cdecl("firsttime_set_rule") @implementation
public func firsttime_set_rule(
    _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ rule: OpaquePointer?, _ trigger: firsttime_trigger?,
    _ context: UnsafeMutableRawPointer?, _ options: UnsafePointer<firsttime_rule_options>?
) -> firsttime_result {
    // Both are ours from here on: what they hold is let go of before this returns, unless it is kept.
    let rule = EngineRule.taken(from: rule)
    let context = Context(context, release(in: options))
    return answer { () throws(EngineError) in
        let engine = try engine(store)
        let name = try cKey(name, .name)
        guard let rule else { throw .noRule(reason: "the rule is NULL") }
        try engine.setRule(name, rule, cTrigger(trigger, name, context), cRuleOptions(options))
        return FIRSTTIME_OK
    }
}

/// Needed even when the options are no good otherwise.
private func release(in options: UnsafePointer<firsttime_rule_options>?) -> firsttime_release? {
    guard let options, let size = try? size(of: options), size >= MemoryLayout<firsttime_rule_options>.size else {
        return nil
    }
    return options.pointee.release
}

private func cTrigger(_ trigger: firsttime_trigger?, _ name: Key, _ context: Context) -> Trigger {
    guard let trigger else { return .notifying(keeping: context) }
    return .calling(cAction(trigger, name, context))
}

/// What calls a trigger with its name and context.
func cAction(_ trigger: @escaping firsttime_trigger, _ name: Key, _ context: Context) -> @Sendable () -> Void {
    { withText(name) { trigger($0, context.pointer) } }
}

private func cRuleOptions(
    _ pointer: UnsafePointer<firsttime_rule_options>?
) throws(EngineError) -> RuleOptions {
    var result = RuleOptions()
    guard let pointer else { return result }
    let options = try load(pointer, firsttime_rule_options())
    if options.frequency.count != 0 { result.frequency = try cInterval(options.frequency) }
    if options.throttle_name != nil { result.throttleName = try cKey(options.throttle_name, .throttle) }
    result.limit = options.limit
    result.delay = options.delay_seconds
    guard let executor = options.executor else { return result }
    nonisolated(unsafe) let queue = options.queue
    result.executor = { work in
        let work = Unmanaged.passRetained(Work(work)).toOpaque()
        executor(queue, { argument in Work.run(argument) }, work)
    }
    return result
}

/// Work on its way through an executor.
private final class Work {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ argument: UnsafeMutableRawPointer?) {
        guard let argument else { return }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    }
}

// MARK: - Registered rules

@_cdecl("firsttime_remove_rule") @implementation
public func firsttime_remove_rule(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).removeRule(cKey(name, .name))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_is_rule_registered") @implementation
public func firsttime_is_rule_registered(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in question(try engine(store).isRegistered(cKey(name, .name))) }
}

@_cdecl("firsttime_each_rule") @implementation
public func firsttime_each_rule(
    _ store: OpaquePointer?, _ visitor: firsttime_name_visitor?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        guard let visitor else { throw .argument(reason: "the visitor is NULL") }
        let sawAll = try engine(store).eachRule { name in withText(name) { visitor($0, context) } == 0 }
        return question(!sawAll)
    }
}

@_cdecl("firsttime_evaluate_rules") @implementation
public func firsttime_evaluate_rules(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).evaluateRules()
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_wait_for_delayed_rules") @implementation
public func firsttime_wait_for_delayed_rules(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).waitForDelayedRules()
        return FIRSTTIME_OK
    }
}

// MARK: - Records of triggers

@_cdecl("firsttime_find_trigger") @implementation
public func firsttime_find_trigger(
    _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ visitor: firsttime_trigger_visitor?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let name = try cKey(name, .name)
        let found = try engine(store).findTrigger(name) { record in
            guard let visitor else { return }
            _ = withText(name) { text in
                var shown = firsttime_trigger_record(
                    size: MemoryLayout<firsttime_trigger_record>.size, name: text, last_time: cTime(record.lastTime),
                    count: record.count)
                return withUnsafePointer(to: &shown) { visitor($0, context) }
            }
        }
        return question(found)
    }
}

@_cdecl("firsttime_reset_trigger") @implementation
public func firsttime_reset_trigger(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).resetTrigger(name == nil ? nil : cKey(name, .name))
        return FIRSTTIME_OK
    }
}
