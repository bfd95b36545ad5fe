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
    private let source: Record
    private let strings: KeyStrings

    init(_ key: Key, _ record: Record) {
        source = record
        strings = KeyStrings(key, first: record.firstVersion, last: record.lastVersion)
    }

    /// The bytes that all of them need with their NULs.
    var size: Int { strings.size }

    /// The record with its strings at `pointers`; nil: without them.
    func record(_ pointers: KeyStrings.Pointers?) -> firsttime_record {
        var record = firsttime_record.none
        record.key = pointers?.key
        record.last_version = pointers?.last
        record.first_version = pointers?.first
        record.last_time = cTime(source.lastTime)
        record.first_time = cTime(source.firstTime)
        record.count = source.count
        return record
    }

    /// Copies the strings one after the other; `buffer` has `size` bytes.
    func copy(to buffer: UnsafeMutablePointer<CChar>) -> KeyStrings.Pointers { strings.copy(to: buffer) }

    /// Calls `body` with the record, which is valid for that call.
    func withRecord<Result>(_ body: (UnsafePointer<firsttime_record>) -> Result) -> Result {
        strings.withPointers { pointers in
            var record = record(pointers)
            return withUnsafePointer(to: &record) { body($0) }
        }
    }
}
