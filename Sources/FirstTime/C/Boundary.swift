// Boundary: the conventions that every C function follows, stated once: how C's arguments become ours, and how each
// layer's error becomes a firsttime_result and the thread's last-error text. It decides nothing and never traps.

import CFirstTime
import CSystem
import FirstTimeEngine
import FirstTimeStore

/// What a firsttime_store is.
final class Handle {
    let engine: Engine
    /// For firsttime_path(), which lends it out.
    let path: UnsafeMutablePointer<CChar>

    init(_ engine: Engine) {
        self.engine = engine
        let bytes = engine.path
        path = .allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { path[index] = CChar(bitPattern: byte) }
        path[bytes.count] = 0
    }

    deinit { path.deallocate() }

    static func from(_ store: OpaquePointer?) -> Handle? {
        store.map { Unmanaged<Handle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }
}

/// A caller's context, released when nobody can use it any more.
final class Context: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
    private let release: firsttime_release?

    init(_ pointer: UnsafeMutableRawPointer?, _ release: firsttime_release?) {
        self.pointer = pointer
        self.release = release
    }

    deinit { release?(pointer) }
}

/// What a firsttime_rule is. The Swift API has a Rule of its own.
typealias EngineRule = FirstTimeEngine.Rule

// MARK: - Results

/// Answers with what `body` returns, or with the result for what it throws.
@inline(__always)
func answer(_ body: () throws(EngineError) -> firsttime_result) -> firsttime_result {
    do { return try body() } catch { return fail(error) }
}

/// Sets the thread's last-error text and gives the result that belongs to it.
func fail(_ error: EngineError) -> firsttime_result {
    // A NULL store that firsttime_shared() gave just now: why it did so is what the caller has to know.
    if case .noStore = error, csystem_noted_failure() == CSYSTEM_SHARED_FAILURE { return FIRSTTIME_ERROR_ARGUMENT }
    // In the same way for a rule that could not be made.
    if case .noRule = error, csystem_noted_failure() == CSYSTEM_RULE_FAILURE { return FIRSTTIME_ERROR_ARGUMENT }
    let text = ErrorText(error).bytes
    text.withUnsafeBufferPointer { csystem_set_last_error($0.baseAddress, $0.count) }
    return firsttime_result(error)
}

extension firsttime_result {
    init(_ error: EngineError) {
        switch error {
        case .argument, .ruleText, .noStore, .noRule: self = FIRSTTIME_ERROR_ARGUMENT
        case .store(let error): self.init(error)
        case .callback: self = FIRSTTIME_ERROR_CALLBACK
        case .notRecorded, .notRestored, .notClaimed, .detached: self = FIRSTTIME_ERROR_NOT_RECORDED
        case .forked: self = FIRSTTIME_ERROR_FORKED
        case .undecodable: self = FIRSTTIME_ERROR_CORRUPT
        case .newerFormat: self = FIRSTTIME_ERROR_FORMAT
        }
    }

    private init(_ error: StoreError) {
        switch error {
        case .system, .missing, .notAFile, .foreignOwner: self = FIRSTTIME_ERROR_IO
        case .readOnly: self = FIRSTTIME_ERROR_READ_ONLY
        case .corrupt, .notAStore, .tooLarge, .foreignLock: self = FIRSTTIME_ERROR_CORRUPT
        case .newerFormat, .newerChange: self = FIRSTTIME_ERROR_FORMAT
        case .noLocation: self = FIRSTTIME_ERROR_ARGUMENT
        case .busy, .locked, .inUse: self = FIRSTTIME_ERROR_BUSY
        case .reentrant: self = FIRSTTIME_ERROR_REENTRANT
        case .unconfirmed: self = FIRSTTIME_ERROR_NOT_RECORDED
        }
    }
}

func question(_ yes: Bool) -> firsttime_result { yes ? FIRSTTIME_YES : FIRSTTIME_NO }

/// Text that lives as long as the library.
func literal(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

// MARK: - Arguments

func engine(_ store: OpaquePointer?) throws(EngineError) -> Engine {
    guard let handle = Handle.from(store) else { throw .noStore }
    return handle.engine
}

/// What is said of a text that is no key.
struct KeyReasons {
    let null: StaticString, empty: StaticString, long: StaticString, foreign: StaticString

    static var key: KeyReasons {
        KeyReasons(
            null: "the key is NULL", empty: "the key is empty", long: "the key is longer than 65535 bytes",
            foreign: "the key is not UTF-8")
    }

    static var event: KeyReasons {
        KeyReasons(
            null: "the event is NULL", empty: "the event's name is empty",
            long: "the event's name is longer than 65535 bytes", foreign: "the event's name is not UTF-8")
    }

    static var throttle: KeyReasons {
        KeyReasons(
            null: "the throttle's name is NULL", empty: "the throttle's name is empty",
            long: "the throttle's name is longer than 65535 bytes", foreign: "the throttle's name is not UTF-8")
    }

    /// A rule's or a notification's.
    static var name: KeyReasons {
        KeyReasons(
            null: "the name is NULL", empty: "the name is empty", long: "the name is longer than 65535 bytes",
            foreign: "the name is not UTF-8")
    }
}

func cKey(_ text: UnsafePointer<CChar>?, _ reasons: KeyReasons = .key) throws(EngineError) -> Key {
    guard let text else { throw .argument(reason: reasons.null) }
    // One byte more than a key can have tells a key that is too long from one that isn't.
    let bytes = Text.bytes(of: text, limit: Key.longest + 1)
    guard !bytes.isEmpty else { throw .argument(reason: reasons.empty) }
    guard bytes.count <= Key.longest else { throw .argument(reason: reasons.long) }
    guard let key = Key(bytes) else { throw .argument(reason: reasons.foreign) }
    return key
}

/// The longest path that is looked at: longer than Linux takes, so it is the system that refuses.
let longestPath = 8192

/// A path that must be given.
func cPath(_ path: UnsafePointer<CChar>?) throws(EngineError) -> [UInt8] {
    guard let path, path.pointee != 0 else { throw .argument(reason: "the path is NULL or empty") }
    return Text.bytes(of: path, limit: longestPath)
}

/// Bytes in memory, copied.
func cBytes(_ bytes: UnsafeRawPointer?, _ length: Int) throws(EngineError) -> [UInt8] {
    // A size_t above Int's range arrives below zero.
    guard length >= 0, bytes != nil || length == 0 else {
        throw .argument(reason: "the bytes are NULL, or more than there can be")
    }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
}

/// Bytes from a file as C can have them: with a NUL at the end, none inside, and U+FFFD for what isn't UTF-8.
func cText(_ bytes: [UInt8]) -> [UInt8] {
    if Text.isValid(bytes) { return bytes + [0] }
    return Text.replacingInvalid(bytes) + [0]
}

/// A struct that begins with its `size`, as far as the caller's version of it goes; the rest is as in `empty`.
func load<Struct: BitwiseCopyable>(
    _ pointer: UnsafePointer<Struct>, _ empty: Struct
) throws(EngineError) -> Struct {
    let size = try size(of: pointer)
    let raw = UnsafeRawBufferPointer(start: pointer, count: size)
    let known = min(size, MemoryLayout<Struct>.size)
    // A loop: Embedded Swift 6.3 compiles allSatisfy on this slice to one that "throws" garbage when all is well.
    for index in known..<size where raw[index] != 0 {
        throw .argument(reason: "a struct has content that this version of the library doesn't know")
    }
    var result = empty
    withUnsafeMutableBytes(of: &result) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[..<known])) }
    return result
}

/// Writes a struct as far as the caller's version of it goes, but for its `size`; what is beyond ours becomes zero.
func write<Struct: BitwiseCopyable>(
    _ value: Struct, to pointer: UnsafeMutablePointer<Struct>
) throws(EngineError) {
    let size = try size(of: UnsafePointer(pointer))
    let raw = UnsafeMutableRawBufferPointer(start: pointer, count: size)
    withUnsafeBytes(of: value) { value in
        for index in MemoryLayout<Int>.size..<size { raw[index] = index < value.count ? value[index] : 0 }
    }
}

func size<Struct>(of pointer: UnsafePointer<Struct>) throws(EngineError) -> Int {
    let size = UnsafeRawPointer(pointer).loadUnaligned(as: Int.self)
    // No version of any struct is as large as this, so what claims to be is not a struct of ours.
    guard size >= MemoryLayout<Int>.size, size < 4096, size % MemoryLayout<Int>.alignment == 0 else {
        throw .argument(reason: "a struct's size is not set, or no version of the library has that size")
    }
    return size
}
