// Fuzz target: dumps and checks of any bytes. Both are bounded by the input's size, and agree on what can be read.
// seeds: *.bplist *.plist
// options: -max_len=16384

import FirstTimeEngine
import FirstTimeStore
import KeyedArchive

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let list = try? PropertyList(bytes: input)
    for (isJSON, isRaw) in [(false, false), (false, true), (true, false), (true, true)] {
        var size = 0
        let isShown =
            (try? Inspection.dump(input, isJSON: isJSON, isRaw: isRaw) {
                size += $0.count
                return true
            }) != nil
        require(isShown == (list != nil), "what can be read isn't shown, or the other way round")
        require(size <= 4096 + 2048 * input.count, "a dump that is too large")
    }
    var problems = 0
    var isSound = true
    do throws(EngineError) {
        try Inspection.verify(input) { _, _ in
            problems += 1
            return true
        }
    } catch {
        if case .undecodable = error { isSound = false }
    }
    require(isSound == (problems == 0), "a result that doesn't go with the problems")
    require(problems <= 16 + 4 * input.count, "more problems than there can be")
    require(list != nil || !isSound, "nothing is wrong with what can't be read")
    if isSound, let archive = try? Archive(bytes: input) {
        require(archive.leftOut.isEmpty, "what is left out isn't told")
    }
    return 0
}
