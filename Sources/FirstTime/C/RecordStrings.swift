// RecordStrings: a record as C sees it: numbers, and strings that someone must hold while they are looked at.

import CFirstTime
import FirstTimeStore

extension firsttime_record {
    /// The record of a key that has none.
    static var none: firsttime_record {
        firsttime_record(
            size: MemoryLayout<firsttime_record>.size, key: nil, last_version: nil, last_time: .nan, first_version: nil,
            first_time: .nan, count: 0)
    }
}

/// A record's strings, ready for C.
struct RecordStrings {
    typealias Pointers = (key: UnsafePointer<CChar>, last: UnsafePointer<CChar>?, first: UnsafePointer<CChar>?)

    private let source: Record
    private let key: [UInt8]
    private let last: [UInt8]?
    private let first: [UInt8]?

    init(_ key: Key, _ record: Record) {
        source = record
        self.key = cText(key.bytes)
        last = record.lastVersion.map { cText($0) }
        first = record.firstVersion.map { cText($0) }
    }

    /// The bytes that all of them need with their NULs.
    var size: Int { key.count + (last?.count ?? 0) + (first?.count ?? 0) }

    /// The record with its strings at `pointers`; nil: without them.
    func record(_ pointers: Pointers?) -> firsttime_record {
        var record = firsttime_record.none
        record.key = pointers?.key
        record.last_version = pointers?.last
        record.first_version = pointers?.first
        record.last_time = source.lastTime.map { $0 + Record.epoch } ?? .nan
        record.first_time = source.firstTime.map { $0 + Record.epoch } ?? .nan
        record.count = source.count
        return record
    }

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

    /// Calls `body` with the record, which is valid for that call.
    func withRecord<Result>(_ body: (UnsafePointer<firsttime_record>) -> Result) -> Result {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        defer { buffer.deallocate() }
        var record = record(copy(to: buffer))
        return withUnsafePointer(to: &record) { body($0) }
    }
}
