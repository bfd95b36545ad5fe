// Fuzz target: archives, read strictly and salvaged. What was read is written, read again, and the same.
// seeds: *.bplist *.plist
// options: -max_len=16384

import FirstTimeStore
import KeyedArchive

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let salvaged = Archive(salvaging: input)
    require(salvaged.unreadableFormat == nil || salvaged.records.count == 0, "records of an unknown format")
    check(salvaged)
    // It holds nothing that is others', so all of it can be found again.
    let again = Archive(salvaging: salvaged.bytes())
    require(again.records.keys() == salvaged.records.keys(), "what was salvaged can't be salvaged")
    require(listed(again) == listed(salvaged), "events and triggers that were salvaged can't be salvaged")
    guard let archive = try? Archive(bytes: input) else { return 0 }
    check(archive)
    return 0
}

/// Its events and triggers, as text: no time that is no number equals itself.
private func listed(_ archive: Archive) -> [String] {
    [archive.events, archive.triggers].flatMap { table in table.keys().map { "\($0) \(text(table[$0]))" } }
}

private func text(_ record: Record?) -> String {
    guard let record else { return "none" }
    let times = [record.firstTime, record.lastTime].map { $0.map { "\($0)" } ?? "none" }
    let versions = [record.firstVersion, record.lastVersion].map { $0.map { "\($0)" } ?? "none" }
    return "\(record.count) \(times) \(versions)"
}

private func check(_ archive: Archive) {
    let written = archive.bytes()
    guard let again = try? Archive(bytes: written) else { fatalError("what was written can't be read") }
    let keys = archive.records.keys()
    require(again.records.keys() == keys, "what was written has other keys")
    require(listed(again) == listed(archive), "what was written has other events or triggers")
    for key in keys {
        guard let record = archive.records[key], let other = again.records[key] else { continue }
        require(
            record.lastVersion == other.lastVersion && record.count == other.count
                && record.lastTime?.bitPattern == other.lastTime?.bitPattern
                && record.firstVersion == other.firstVersion
                && record.firstTime?.bitPattern == other.firstTime?.bitPattern, "what was written has other records")
    }
    // A writer that adds something each time would show here.
    guard let third = try? Archive(bytes: again.bytes()) else { fatalError("what was written twice can't be read") }
    require(third.bytes() == again.bytes(), "an archive changes when it is rewritten")
}
