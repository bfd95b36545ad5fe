// SplitMix64: pseudo-random numbers that a seed fixes on every machine, so that a failing input can be made again.

import Glibc

struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True once in `count` times.
    mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &self) }
}

/// How many KiB a run over many inputs may take: none unless it is given, because other tests run beside it.
let memoryLimit = Int(clamping: setting("FIRSTTIME_MEMORY_LIMIT", default: .max))

/// A number from the environment, else the default.
func setting(_ name: String, default number: UInt64) -> UInt64 {
    guard let text = getenv(name) else { return number }
    return UInt64(String(cString: text)) ?? number
}
