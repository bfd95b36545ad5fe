// NotificationAPI: the header's section "Notifications".

import CFirstTime
import FirstTimeEngine
import FirstTimeStore

@_cdecl("firsttime_observe") @implementation
public func firsttime_observe(
    _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ trigger: firsttime_trigger?,
    _ context: UnsafeMutableRawPointer?, _ release: firsttime_release?,
    _ observer_out: UnsafeMutablePointer<firsttime_observer>?
) -> firsttime_result {
    observer_out?.pointee = 0
    let context = Context(context, release)
    return answer { () throws(EngineError) in
        let engine = try engine(store)
        let name = try cKey(name, .name)
        guard let trigger else { throw .argument(reason: "the trigger is NULL") }
        let observer = try engine.observe(name, cAction(trigger, name, context))
        observer_out?.pointee = observer
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_remove_observer") @implementation
public func firsttime_remove_observer(_ store: OpaquePointer?, _ observer: firsttime_observer) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).removeObserver(observer)
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_post") @implementation
public func firsttime_post(_ store: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).post(cKey(name, .name))
        return FIRSTTIME_OK
    }
}
