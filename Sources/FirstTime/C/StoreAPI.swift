// StoreAPI: the header's section "Opening".

import CFirstTime
import CSystem
import FirstTimeEngine
import FirstTimeStore

@_cdecl("firsttime_open") @implementation
public func firsttime_open(
    _ options: UnsafePointer<firsttime_options>?, _ store_out: UnsafeMutablePointer<OpaquePointer?>?
) -> firsttime_result {
    store_out?.pointee = nil
    return answer { () throws(EngineError) in
        guard let store_out else { throw .argument(reason: "store_out is NULL") }
        let handle = Handle(try Engine(engineOptions(options)))
        store_out.pointee = OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
        return FIRSTTIME_OK
    }
}

private func engineOptions(_ pointer: UnsafePointer<firsttime_options>?) throws(EngineError) -> Engine.Options {
    var result = Engine.Options()
    guard let pointer else { return result }
    let options = try load(pointer, firsttime_options())
    let known =
        FIRSTTIME_READ_ONLY | FIRSTTIME_IN_MEMORY | FIRSTTIME_RELAXED | FIRSTTIME_RECOVER
        | FIRSTTIME_RUN_IF_UNWRITABLE | FIRSTTIME_FIXED_OFFSET
    guard options.flags & ~UInt32(known) == 0 else {
        throw .argument(reason: "a flag that this version of the library doesn't know")
    }
    result.calendar = try calendar(options)
    result.path = options.path.map { Text.bytes(of: $0, limit: longestPath) }
    result.appID = options.app_id.map { Text.bytes(of: $0, limit: longestPath) }
    if let version = options.app_version {
        let version = Text.bytes(of: version, limit: Key.longest + 1)
        guard Engine.isValid(version: version) else {
            throw .argument(reason: "app_version is not UTF-8, or longer than 65535 bytes")
        }
        result.version = version
    }
    func has(_ flag: Int) -> Bool { options.flags & UInt32(flag) != 0 }
    result.isReadOnly = has(FIRSTTIME_READ_ONLY)
    result.isInMemory = has(FIRSTTIME_IN_MEMORY)
    result.isRelaxed = has(FIRSTTIME_RELAXED)
    result.recovers = has(FIRSTTIME_RECOVER)
    result.runsIfUnwritable = has(FIRSTTIME_RUN_IF_UNWRITABLE)
    if options.wait_ms < 0 { result.patience = .none }
    if options.wait_ms > 0 { result.patience = .milliseconds(Int64(options.wait_ms)) }
    return result
}

private func calendar(_ options: firsttime_options) throws(EngineError) -> LocalCalendar {
    var calendar = LocalCalendar()
    guard (0...7).contains(options.first_weekday) else { throw .argument(reason: "first_weekday is not 0 to 7") }
    if options.first_weekday > 0 { calendar.firstWeekday = Int64(options.first_weekday) }
    if options.flags & UInt32(FIRSTTIME_FIXED_OFFSET) != 0 {
        try calendar.setOffset(minutes: Int(options.utc_offset_minutes))
    }
    return calendar
}

@_cdecl("firsttime_close") @implementation
public func firsttime_close(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        guard let store, let handle = Handle.from(store) else { return FIRSTTIME_OK }
        if store == sharedStore() {
            try handle.engine.flush()
            return FIRSTTIME_OK
        }
        do throws(EngineError) { try handle.engine.close() } catch {
            if case .store(.reentrant) = error { throw error }
            Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(store)).release()
            throw error
        }
        Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(store)).release()
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_flush") @implementation
public func firsttime_flush(_ store: OpaquePointer?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).flush()
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_shared") @implementation
public func firsttime_shared() -> OpaquePointer? {
    do {
        return OpaquePointer(Unmanaged.passUnretained(try sharedHandle()).toOpaque())
    } catch {
        _ = fail(error)
        csystem_note_failure(CSYSTEM_SHARED_FAILURE)
        return nil
    }
}

/// The program's default store, which the registry keeps for ever.
func sharedHandle() throws(EngineError) -> Handle {
    if let handle = Handle.from(sharedStore()) { return handle }
    // Opened outside the registry's lock, which opening takes itself; who comes second closes theirs.
    let opened = Handle(try Engine(Engine.Options()))
    csystem_registry_lock()
    let slot = csystem_registry_slot(1)
    if slot.pointee == nil { slot.pointee = Unmanaged.passRetained(opened).toOpaque() }
    csystem_registry_unlock()
    guard let winner = Handle.from(sharedStore()), winner !== opened else { return opened }
    try opened.engine.close()
    return winner
}

private func sharedStore() -> OpaquePointer? {
    csystem_registry_lock()
    defer { csystem_registry_unlock() }
    return csystem_registry_slot(1).pointee.map { OpaquePointer($0) }
}

@_cdecl("firsttime_path") @implementation
public func firsttime_path(_ store: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let handle = Handle.from(store) else {
        _ = fail(.noStore)
        return nil
    }
    return UnsafePointer(handle.path)
}

@_cdecl("firsttime_set_clock") @implementation
public func firsttime_set_clock(
    _ store: OpaquePointer?, _ clock: firsttime_clock?, _ context: UnsafeMutableRawPointer?,
    _ release: firsttime_release?
) {
    let context = Context(context, release)
    guard let handle = Handle.from(store) else {
        _ = fail(.noStore)
        return
    }
    guard let clock else { return handle.engine.set(clock: nil) }
    handle.engine.set(clock: { clock(context.pointer) })
}

@_cdecl("firsttime_set_version_provider") @implementation
public func firsttime_set_version_provider(
    _ store: OpaquePointer?, _ provider: firsttime_version_provider?, _ context: UnsafeMutableRawPointer?,
    _ release: firsttime_release?
) {
    let context = Context(context, release)
    guard let handle = Handle.from(store) else {
        _ = fail(.noStore)
        return
    }
    guard let provider else { return handle.engine.set(versionProvider: nil) }
    handle.engine.set(versionProvider: {
        provider(context.pointer).map { Text.bytes(of: $0, limit: Key.longest + 1) }
    })
}
