// IntervalAPI: the header's section "Interval keys".

import CFirstTime
import FirstTimeEngine
import FirstTimeStore

@_cdecl("firsttime_should_run") @implementation
public func firsttime_should_run(
    _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ interval: firsttime_interval
) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).shouldRun(cIntervalKey(name), cInterval(interval)) ? FIRSTTIME_YES : FIRSTTIME_NO
    }
}

@_cdecl("firsttime_mark_run") @implementation
public func firsttime_mark_run(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).mark(cIntervalKey(name))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_reset_interval") @implementation
public func firsttime_reset_interval(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).reset(cIntervalKey(name)) ? FIRSTTIME_YES : FIRSTTIME_NO
    }
}

@_cdecl("firsttime_reset_all_intervals") @implementation
public func firsttime_reset_all_intervals(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).resetIntervals()
        return FIRSTTIME_OK
    }
}

/// The key of the interval that is called so.
func cIntervalKey(_ text: UnsafePointer<CChar>?) throws(EngineError) -> Key {
    guard let text else { throw .argument(reason: "the name is NULL") }
    let longest = Key.longest - Key.intervalPrefix.count
    // One byte more than a name can have tells a name that is too long from one that isn't.
    let bytes = Text.bytes(of: text, limit: longest + 1)
    guard !bytes.isEmpty else { throw .argument(reason: "the name is empty") }
    guard bytes.count <= longest else { throw .argument(reason: "the name is longer than 65526 bytes") }
    guard let key = Key(interval: bytes) else { throw .argument(reason: "the name is not UTF-8") }
    return key
}
