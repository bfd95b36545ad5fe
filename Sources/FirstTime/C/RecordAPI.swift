// RecordAPI: the header's section "Asking and marking".

import CFirstTime
import CSystem
import FirstTimeEngine
import FirstTimeStore

/// The longest prefix that can match: a key's length, and one byte more to match nothing.
private let longestPrefix = Key.longest + 1

@_cdecl("firsttime_was_executed") @implementation
public func firsttime_was_executed(_ store: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> firsttime_result {
    if let store, let key, let yes = wasExecuted(store, key) { return question(yes) }
    return answer { () throws(EngineError) in question(try engine(store).wasExecuted(cKey(key))) }
}

/// The quick answer, which allocates nothing and counts no references, for which threads would have to take turns; nil: there is
/// none, or it is no key.
@inline(__always)
private func wasExecuted(_ store: OpaquePointer, _ key: UnsafePointer<CChar>) -> Bool? {
    let bytes = UnsafeRawBufferPointer(start: key, count: csystem_text_length(key, Key.longest + 1))
    guard Key.isValid(bytes) else { return nil }
    return Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(store))._withUnsafeGuaranteedRef {
        $0.engine.wasExecuted(bytes)
    }
}

@_cdecl("firsttime_is_due") @implementation
public func firsttime_is_due(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ policy: UnsafePointer<firsttime_policy>?
) -> firsttime_result {
    answer { () throws(EngineError) in question(try engine(store).isDue(cKey(key), cPolicy(policy))) }
}

@_cdecl("firsttime_next_due") @implementation
public func firsttime_next_due(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ policy: UnsafePointer<firsttime_policy>?,
    _ time_out: UnsafeMutablePointer<Double>?
) -> firsttime_result {
    time_out?.pointee = .nan
    return answer { () throws(EngineError) in
        guard let time_out else { throw .argument(reason: "time_out is NULL") }
        let (isDue, time) = try engine(store).nextDue(cKey(key), cPolicy(policy))
        time_out.pointee = time
        return question(isDue)
    }
}

@_cdecl("firsttime_last_execution") @implementation
public func firsttime_last_execution(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ time_out: UnsafeMutablePointer<Double>?
) -> firsttime_result {
    time_out?.pointee = .nan
    return answer { () throws(EngineError) in
        guard let time_out else { throw .argument(reason: "time_out is NULL") }
        let time = try engine(store).lastExecution(cKey(key))
        time_out.pointee = time ?? .nan
        return question(time != nil)
    }
}

@_cdecl("firsttime_find") @implementation
public func firsttime_find(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ visitor: firsttime_record_visitor?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let key = try cKey(key)
        let found = try engine(store).find(key) { record in
            if let visitor { _ = RecordStrings(key, record).withRecord { visitor($0, context) } }
        }
        return question(found)
    }
}

@_cdecl("firsttime_each") @implementation
public func firsttime_each(
    _ store: OpaquePointer?, _ prefix: UnsafePointer<CChar>?, _ visitor: firsttime_record_visitor?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        guard let visitor else { throw .argument(reason: "the visitor is NULL") }
        let sawAll = try engine(store).each(prefix: cPrefix(prefix)) { key, record in
            RecordStrings(key, record).withRecord { visitor($0, context) } == 0
        }
        return question(!sawAll)
    }
}

@_cdecl("firsttime_read") @implementation
public func firsttime_read(
    _ store: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ record_out: UnsafeMutablePointer<firsttime_record>?,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ needed_out: UnsafeMutablePointer<Int>?
) -> firsttime_result {
    needed_out?.pointee = 0
    return answer { () throws(EngineError) in
        guard let record_out else { throw .argument(reason: "record_out is NULL") }
        try write(firsttime_record.none, to: record_out)
        let key = try cKey(key)
        var found: Record?
        guard try engine(store).find(key, { found = $0 }), let found else { return FIRSTTIME_NO }
        let strings = RecordStrings(key, found)
        needed_out?.pointee = strings.size
        // A size_t above Int's range arrives below zero; it is room enough.
        guard let buffer, capacity < 0 || capacity >= strings.size else {
            try write(strings.record(nil), to: record_out)
            throw .argument(reason: "the buffer is NULL or too small for the record's strings")
        }
        try write(strings.record(strings.copy(to: buffer)), to: record_out)
        return FIRSTTIME_YES
    }
}

@_cdecl("firsttime_count") @implementation
public func firsttime_count(_ store: OpaquePointer?, _ prefix: UnsafePointer<CChar>?) -> Int64 {
    var count = 0
    let result = answer { () throws(EngineError) in
        count = try engine(store).count(prefix: cPrefix(prefix))
        return FIRSTTIME_OK
    }
    return result == FIRSTTIME_OK ? Int64(count) : Int64(result.rawValue)
}

@_cdecl("firsttime_mark") @implementation
public func firsttime_mark(_ store: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).mark(cKey(key))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_reset_key") @implementation
public func firsttime_reset_key(_ store: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in question(try engine(store).reset(cKey(key))) }
}

@_cdecl("firsttime_reset_prefix") @implementation
public func firsttime_reset_prefix(_ store: OpaquePointer?, _ prefix: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        let prefix = cPrefix(prefix)
        guard !prefix.isEmpty else { throw .argument(reason: "the prefix is NULL or empty: use firsttime_reset()") }
        try engine(store).reset(prefix: prefix)
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_reset") @implementation
public func firsttime_reset(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).reset(prefix: [])
        return FIRSTTIME_OK
    }
}

/// NULL: none.
private func cPrefix(_ text: UnsafePointer<CChar>?) -> [UInt8] {
    text.map { Text.bytes(of: $0, limit: longestPrefix) } ?? []
}
