// KeyStrings: the strings that records and donations have in common, as C sees them: someone must hold them while they
// are looked at.

import FirstTimeStore

/// A key or an event's name, and the versions of its first and last time, ready for C.
struct KeyStrings {
    typealias Pointers = (key: UnsafePointer<CChar>, last: UnsafePointer<CChar>?, first: UnsafePointer<CChar>?)

    private let key: [UInt8]
    private let last: [UInt8]?
    private let first: [UInt8]?

    init(_ key: Key, first: [UInt8]?, last: [UInt8]?) {
        self.key = cText(key.bytes)
        self.last = last.map { cText($0) }
        self.first = first.map { cText($0) }
    }

    /// The bytes that all of them need with their NULs.
    var size: Int { key.count + (last?.count ?? 0) + (first?.count ?? 0) }

    /// Copies the strings one after the other; `buffer` has `size` bytes.
    func copy(to buffer: UnsafeMutablePointer<CChar>) -> Pointers {
        var next = buffer
        func place(_ text: [UInt8]) -> UnsafePointer<CChar> {
            let start = next
            for byte in text {
                next.pointee = CChar(bitPattern: byte)
                next += 1
            }
            return UnsafePointer(start)
        }
        let key = place(key)
        return (key, last.map { place($0) }, first.map { place($0) })
    }

    /// Calls `body` with the strings, which are valid for that call.
    func withPointers<Result>(_ body: (Pointers) -> Result) -> Result {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        defer { buffer.deallocate() }
        return body(copy(to: buffer))
    }
}

/// Calls `body` with a key, which is valid for that call.
func withText<Result>(_ key: Key, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    KeyStrings(key, first: nil, last: nil).withPointers { body($0.key) }
}

/// A time of the store's as the API has it; NaN: none.
func cTime(_ time: Double?) -> Double { time.map { $0 + Record.epoch } ?? .nan }
