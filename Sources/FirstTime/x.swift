import CFirstTime

@_cdecl("firsttime_library_version") @implementation
public func firsttime_library_version() -> UnsafePointer<CChar> {
    let s: StaticString = "1.0.0"
    return UnsafeRawPointer(s.utf8Start).assumingMemoryBound(to: CChar.self)
}
