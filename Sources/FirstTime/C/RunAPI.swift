// RunAPI: the header's section "Running".

import CFirstTime
import FirstTimeEngine

@_cdecl("firsttime_execute_once") @implementation
public func firsttime_execute_once(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ first: firsttime_callback?, _ after: firsttime_callback?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in try execute(store, key, Policy(), first, after, context) }
}

@_cdecl("firsttime_execute_once_per_version") @implementation
public func firsttime_execute_once_per_version(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ first: firsttime_callback?, _ after: firsttime_callback?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in try execute(store, key, Policy(isPerVersion: true), first, after, context) }
}

@_cdecl("firsttime_execute_once_per_interval") @implementation
public func firsttime_execute_once_per_interval(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ interval: firsttime_interval,
    _ first: firsttime_callback?, _ after: firsttime_callback?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let policy = Policy(interval: try cInterval(interval))
        return try execute(store, key, policy, first, after, context)
    }
}

@_cdecl("firsttime_execute") @implementation
public func firsttime_execute(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ policy: UnsafePointer<firsttime_policy>?,
    _ first: firsttime_callback?, _ after: firsttime_callback?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        try execute(store, key, cPolicy(policy), first, after, context)
    }
}

private func execute(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ policy: Policy, _ first: firsttime_callback?,
    _ after: firsttime_callback?, _ context: UnsafeMutableRawPointer?
) throws(EngineError) -> firsttime_result {
    let outcome = try engine(store).execute(
        cKey(key), policy, first: first.map { first in { first(context) } },
        after: after.map { after in { after(context) } })
    switch outcome {
    case .ran: return FIRSTTIME_RAN
    case .ranAfter: return FIRSTTIME_RAN_AFTER
    case .notDue: return FIRSTTIME_NOT_DUE
    }
}
