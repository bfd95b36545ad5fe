// Fuzz target: the reader and the writer of XML property lists. What is read and can be written is the same list then,
// but for what XML can't hold: fractions of a second, and the bits of a NaN.
// seeds: *.plist
// options: -max_len=16384

import KeyedArchive

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    if XMLPropertyList.looksLikeXML(input) { _ = PropertyList(salvaging: input) }
    guard let list = try? XMLPropertyList.read(input) else { return 0 }
    // A list whose parts are shared grows when it is written; one that was read from XML shares nothing.
    guard let written = try? XMLPropertyList.write(list) else { return 0 }
    guard let again = try? XMLPropertyList.read(written) else { fatalError("what was written can't be read") }
    require(list.isEqual(to: again), "what was written is another list")
    let binary = try? BinaryPropertyList.read(BinaryPropertyList.write(list))
    require(binary?.isEqual(to: list) ?? false, "what was written in binary is another list")
    return 0
}
