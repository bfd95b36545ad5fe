// FNV1a: the Fowler-Noll-Vo hash, for what must be the same in every process. Its collisions can be made at will: nothing
// may take time or trust by it.

package enum FNV1a {
    /// FNV-1a, 64 bits.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
