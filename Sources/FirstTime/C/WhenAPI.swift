// WhenAPI: the header's section "When".

import CFirstTime
import FirstTimeEngine

@_cdecl("firsttime_days") @implementation
public func firsttime_days(_ days: Double) -> firsttime_interval { firsttime_elapsed(days, FIRSTTIME_DAY) }

@_cdecl("firsttime_elapsed") @implementation
public func firsttime_elapsed(_ count: Double, _ unit: firsttime_unit) -> firsttime_interval {
    interval(count, unit, FIRSTTIME_ELAPSED)
}

@_cdecl("firsttime_calendar") @implementation
public func firsttime_calendar(_ count: Double, _ unit: firsttime_unit) -> firsttime_interval {
    interval(count, unit, FIRSTTIME_CALENDAR)
}

@_cdecl("firsttime_period") @implementation
public func firsttime_period(_ count: Double, _ unit: firsttime_unit) -> firsttime_interval {
    interval(count, unit, FIRSTTIME_PERIOD)
}

private func interval(
    _ count: Double, _ unit: firsttime_unit, _ kind: firsttime_interval_kind
) -> firsttime_interval {
    firsttime_interval(
        count: count, unit: Int32(truncatingIfNeeded: unit.rawValue), kind: Int32(truncatingIfNeeded: kind.rawValue))
}

/// The policy at `pointer`; NULL: once per install.
func cPolicy(_ pointer: UnsafePointer<firsttime_policy>?) throws(EngineError) -> Policy {
    guard let pointer else { return Policy() }
    let policy = try load(pointer, firsttime_policy())
    let when = FIRSTTIME_PER_VERSION | FIRSTTIME_PER_INTERVAL
    let known = when | FIRSTTIME_AT_MOST_ONCE | FIRSTTIME_NO_WAIT | FIRSTTIME_BASELINE
    guard policy.flags & ~UInt32(known) == 0 else {
        throw .argument(reason: "a policy flag that this version of the library doesn't know")
    }
    func has(_ flag: Int) -> Bool { policy.flags & UInt32(flag) != 0 }
    var result = Policy(isPerVersion: has(FIRSTTIME_PER_VERSION))
    if has(FIRSTTIME_PER_INTERVAL) { result.interval = try cInterval(policy.interval) }
    result.isAtMostOnce = has(FIRSTTIME_AT_MOST_ONCE)
    result.isHasty = has(FIRSTTIME_NO_WAIT)
    result.hasBaseline = has(FIRSTTIME_BASELINE)
    return result
}

func cInterval(_ interval: firsttime_interval) throws(EngineError) -> Interval {
    try Interval(count: interval.count, unit: interval.unit, kind: interval.kind)
}
