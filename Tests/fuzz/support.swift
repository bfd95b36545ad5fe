// What the fuzz targets share: an input taken apart, and what to do when something that must hold doesn't.

/// Stops the fuzzer, which keeps the input.
func require(_ condition: Bool, _ what: StaticString) {
    if !condition { fatalError("\(what)") }
}

func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// Hands out an input from its beginning; zeros when it is used up.
struct Input {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        position += 1
        return bytes[position - 1]
    }

    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, position + count)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// As many bytes as the next two say.
    mutating func block() -> [UInt8] {
        let count = Int(byte()) << 8 | Int(byte())
        return take(count)
    }

    mutating func double() -> Double {
        Double(bitPattern: take(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
