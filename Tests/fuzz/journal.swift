// Fuzz target: journals, as they stand, salvaged, and with the input as the changes of a record whose checksum is right,
// which no fuzzer finds by itself. What was read is written, and read again the same.
// seeds: *.journal
// options: -max_len=8192

import FirstTimeStore

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    _ = try? JournalHeader(input)
    var reader = JournalReader(Array(input.dropFirst(JournalHeader.size)), from: JournalHeader.size, after: 0)
    var number: UInt64 = 0
    while let record = try? reader.next() {
        number += 1
        require(record.sequence == number, "a record that doesn't follow the last one")
        check(record)
    }
    _ = reader.isNextAcknowledged()
    if let (records, isWhole) = try? JournalReader.salvage(input) {
        if reader.isAtEnd, number > 0 { require(isWhole && records.count == Int(number), "records that were lost") }
    }
    var sealed = JournalReader(seal(input), from: 0, after: 6)
    if let record = try? sealed.next() { check(record) }
    return 0
}

private func check(_ record: JournalRecord) {
    var reader = JournalReader(record.bytes, from: 0, after: record.sequence - 1)
    guard let again = try? reader.next() else { fatalError("what was written can't be read") }
    require(reader.isAtEnd && "\(again)" == "\(record)", "what was written reads otherwise")
}

/// A record with the sequence 7 and these changes.
private func seal(_ changes: [UInt8]) -> [UInt8] {
    func bigEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    let length = bigEndian(UInt32(changes.count))
    let rest = bigEndian(UInt64(7)) + bigEndian(UInt64(6)) + changes
    return length + bigEndian(crc32c(rest, after: crc32c(length))) + rest
}
