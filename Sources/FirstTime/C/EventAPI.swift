// EventAPI: the header's section "Events".

import CFirstTime
import FirstTimeEngine
import FirstTimeStore

@_cdecl("firsttime_donate") @implementation
public func firsttime_donate(_ store: OpaquePointer?, _ event: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).donate(cKey(event, .event))
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_find_donations") @implementation
public func firsttime_find_donations(
    _ store: OpaquePointer?, _ event: UnsafePointer<CChar>?, _ visitor: firsttime_donations_visitor?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let event = try cKey(event, .event)
        let found = try engine(store).findDonations(event) { donations in
            if let visitor { _ = withDonations(event: event, donations: donations) { visitor($0, context) } }
        }
        return question(found)
    }
}

@_cdecl("firsttime_each_donations") @implementation
public func firsttime_each_donations(
    _ store: OpaquePointer?, _ visitor: firsttime_donations_visitor?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        guard let visitor else { throw .argument(reason: "the visitor is NULL") }
        let sawAll = try engine(store).eachDonations { event, donations in
            withDonations(event: event, donations: donations) { visitor($0, context) } == 0
        }
        return question(!sawAll)
    }
}

@_cdecl("firsttime_reset_donations") @implementation
public func firsttime_reset_donations(_ store: OpaquePointer?, _ event: UnsafePointer<CChar>?) -> firsttime_result {
    answer { () throws(EngineError) in
        try engine(store).resetDonations(event == nil ? nil : cKey(event, .event))
        return FIRSTTIME_OK
    }
}
