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
    case .baselined: return FIRSTTIME_BASELINED
    }
}

// MARK: - Claims

@_cdecl("firsttime_begin") @implementation
public func firsttime_begin(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ policy: UnsafePointer<firsttime_policy>?,
    _ claim_out: UnsafeMutablePointer<OpaquePointer?>?
) -> firsttime_result {
    claim_out?.pointee = nil
    return answer { () throws(EngineError) in
        guard let claim_out else { throw .argument(reason: "claim_out is NULL") }
        switch try engine(store).begin(cKey(key), cPolicy(policy)) {
        case .due(let claim):
            claim_out.pointee = OpaquePointer(Unmanaged.passRetained(claim).toOpaque())
            return FIRSTTIME_DUE
        case .notDue: return FIRSTTIME_NOT_DUE
        case .baselined: return FIRSTTIME_BASELINED
        }
    }
}

@_cdecl("firsttime_commit") @implementation
public func firsttime_commit(_ claim: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        guard let claim = taken(claim) else { throw .argument(reason: "the claim is NULL") }
        try claim.commit()
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_abandon") @implementation
public func firsttime_abandon(_ claim: OpaquePointer?) { taken(claim)?.abandon() }

/// The caller's claim, which is freed with the last use of this.
private func taken(_ claim: OpaquePointer?) -> Claim? {
    claim.map { Unmanaged<Claim>.fromOpaque(UnsafeRawPointer($0)).takeRetainedValue() }
}
