// Damaged binary property lists: each is an error or a value, soon and in little memory. A crash ends the test run.
//
// FIRSTTIME_MUTATIONS sets how many mutations are tried, FIRSTTIME_SEED which. The seed is printed.

import Glibc
import KeyedArchive
import Testing

@Suite("Damaged binary property lists", .serialized)
struct BinaryPropertyListMutationTests {
    private static let corpus: [[UInt8]] = Fixtures.all.filter(\.isBinary).compactMap { try? $0.bytes() }

    /// Whether the bytes can be read. What can be read must also be written and be the same then.
    @discardableResult
    private func attempt(_ bytes: [UInt8], _ description: @autoclosure () -> String) -> Bool {
        let start = now()
        guard let list = try? BinaryPropertyList.read(bytes) else {
            checkTime(since: start, bytes, description())
            return false
        }
        checkTime(since: start, bytes, description())
        let again = try? BinaryPropertyList.read(BinaryPropertyList.write(list))
        if again?.isEqual(to: list) != true { Issue.record("not the same when written: \(description())") }
        return true
    }

    private func checkTime(since start: Double, _ bytes: [UInt8], _ description: @autoclosure () -> String) {
        guard now() - start > 1 else { return }
        // The machine may have been busy with something else: only a second time counts.
        let again = now()
        _ = try? BinaryPropertyList.read(bytes)
        if now() - again > 1 { Issue.record("took longer than a second: \(description())") }
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The most memory that this process has had, in KiB.
    private func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    @Test("A mutation is an error or a value, within a second and 64 MiB")
    func mutations() {
        let seed = setting("FIRSTTIME_SEED", default: 20_150_907)
        let count = setting("FIRSTTIME_MUTATIONS", default: 5_000)
        print("mutations: FIRSTTIME_SEED=\(seed) FIRSTTIME_MUTATIONS=\(count)")
        // A mutation copies its original, and its fields are arrays: large files would only measure that.
        let small = Self.corpus.filter { $0.count <= 4096 }
        let large = Self.corpus.filter { 4097...131_072 ~= $0.count }
        var accepted = 0
        let before = peakMemory()
        for number in 0..<count {
            // Each from its own seed, so that one failure can be repeated alone.
            var random = SplitMix64(seed: seed &+ number &* 0x9E37_79B9)
            let choices = number % 200 == 0 && !large.isEmpty ? large : small
            guard let original = choices.randomElement(using: &random) else { return }
            let bytes = mutate(original, using: &random)
            if attempt(bytes, "mutation \(number) of seed \(seed): \(hexadecimal(bytes.prefix(4096)))") {
                accepted += 1
            }
        }
        print("mutations: \(accepted) could be read")
        #expect(peakMemory() - before <= memoryLimit)
        // Were all of them refused, they would not get deep enough to find anything.
        #expect(accepted > Int(count) / 20 && accepted < Int(count) * 19 / 20, "\(accepted) of \(count) accepted")
    }

    @Test("A truncated file is an error or a value, within a second and 64 MiB")
    func truncations() {
        let before = peakMemory()
        for original in Self.corpus {
            // From the longest to the shortest, so that nothing is copied.
            var bytes = original
            for length in lengths(of: original).reversed() {
                bytes.removeLast(bytes.count - length)
                attempt(bytes, "the first \(length) of \(original.count) bytes")
            }
        }
        #expect(peakMemory() - before <= memoryLimit)
    }

    /// Every length of a file up to 8 KiB. Of a larger one those that end in its first and last 4 KiB, and a hundred in
    /// between: a cut elsewhere takes bytes of some object for the trailer, and that is all it can do.
    private func lengths(of bytes: [UInt8]) -> [Int] {
        guard bytes.count > 8192 else { return Array(0..<bytes.count) }
        let between = stride(from: 4096, to: bytes.count - 4096, by: bytes.count / 100)
        return Array(0..<4096) + Array(between) + Array(bytes.count - 4096..<bytes.count)
    }
}
