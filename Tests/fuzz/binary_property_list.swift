// Fuzz target: the reader and the writer of binary property lists. What is read and written again is the same list.
// seeds: *.bplist *.plist crash-*
// options: -max_len=16384

import KeyedArchive

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    _ = PropertyList(salvaging: input)
    guard let list = try? BinaryPropertyList.read(input) else { return 0 }
    let written = BinaryPropertyList.write(list)
    guard let again = try? BinaryPropertyList.read(written) else { fatalError("what was written can't be read") }
    require(list.isEqual(to: again), "what was written is another list")
    require(BinaryPropertyList.write(again) == written, "the same list, written twice, is other bytes")
    return 0
}
