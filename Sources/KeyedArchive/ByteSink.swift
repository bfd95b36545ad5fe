// ByteSink: where text goes that is written piece by piece: gathered, and handed on in pieces of some KB, so that nobody
// holds all of it. It knows no format; what is escaped how is in +Text.

/// Gathers bytes and passes them on.
package final class ByteSink {
    /// Takes a piece, borrowed for the call; false: no more.
    package typealias Writer = (UnsafeRawBufferPointer) -> Bool

    /// What was not passed on yet. Writers append here and `spill` now and then.
    package var bytes: [UInt8] = []
    /// Whether the writer wants no more: what is written then is dropped.
    package private(set) var isStopped = false
    private let writer: Writer

    /// The size of a piece, but for the last one; a piece that is appended at once may be larger.
    private static var piece: Int { 16384 }

    package init(_ writer: @escaping Writer) { self.writer = writer }

    // Called from so many places that their code in each would be most of what is written here.

    @inline(never)
    package func put(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(never)
    package func put(byte: UInt8) { bytes.append(byte) }

    /// Passes on what was gathered when that is a piece.
    @inline(never)
    package func spill() { if bytes.count >= Self.piece { flush() } }

    /// Passes on all that was gathered.
    @inline(never)
    package func flush() {
        if !isStopped, !bytes.isEmpty { isStopped = !bytes.withUnsafeBytes { writer($0) } }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Passes on `all`, in pieces, and nothing else.
    package func write(_ all: [UInt8]) {
        var start = 0
        while !isStopped, start < all.count {
            let end = min(start + Self.piece, all.count)
            isStopped = !all.withUnsafeBytes { writer(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
            start = end
        }
    }
}
