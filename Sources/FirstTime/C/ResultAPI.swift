// ResultAPI: the header's section "Results".

import CFirstTime
import CSystem

@_cdecl("firsttime_result_name") @implementation
public func firsttime_result_name(_ result: firsttime_result) -> UnsafePointer<CChar> {
    switch result {
    case FIRSTTIME_OK: return literal("FIRSTTIME_OK")
    case FIRSTTIME_YES: return literal("FIRSTTIME_YES")
    case FIRSTTIME_RAN_AFTER: return literal("FIRSTTIME_RAN_AFTER")
    case FIRSTTIME_BASELINED: return literal("FIRSTTIME_BASELINED")
    case FIRSTTIME_ERROR_ARGUMENT: return literal("FIRSTTIME_ERROR_ARGUMENT")
    case FIRSTTIME_ERROR_IO: return literal("FIRSTTIME_ERROR_IO")
    case FIRSTTIME_ERROR_CORRUPT: return literal("FIRSTTIME_ERROR_CORRUPT")
    case FIRSTTIME_ERROR_FORMAT: return literal("FIRSTTIME_ERROR_FORMAT")
    case FIRSTTIME_ERROR_BUSY: return literal("FIRSTTIME_ERROR_BUSY")
    case FIRSTTIME_ERROR_REENTRANT: return literal("FIRSTTIME_ERROR_REENTRANT")
    case FIRSTTIME_ERROR_CALLBACK: return literal("FIRSTTIME_ERROR_CALLBACK")
    case FIRSTTIME_ERROR_READ_ONLY: return literal("FIRSTTIME_ERROR_READ_ONLY")
    case FIRSTTIME_ERROR_NOT_RECORDED: return literal("FIRSTTIME_ERROR_NOT_RECORDED")
    case FIRSTTIME_ERROR_FORKED: return literal("FIRSTTIME_ERROR_FORKED")
    default: return literal("FIRSTTIME_UNKNOWN")
    }
}

@_cdecl("firsttime_last_error") @implementation
public func firsttime_last_error() -> UnsafePointer<CChar> { csystem_last_error() }

@_cdecl("firsttime_library_version") @implementation
public func firsttime_library_version() -> UnsafePointer<CChar> { literal("1.0.0") }
