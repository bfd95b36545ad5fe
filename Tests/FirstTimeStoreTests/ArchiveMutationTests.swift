// Damaged archives: each is an error or a value, soon and in little memory, and a value can be written and read again, like
// what can be salvaged where there is an error. A crash ends the test run.
//
// FIRSTTIME_MUTATIONS sets how many mutations are tried, FIRSTTIME_SEED which. The seed is printed.

import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Damaged archives", .serialized)
struct ArchiveMutationTests {
    /// Archives small enough to be tried a hundred thousand times, from other writers and of the tests' own.
    private static let corpus: [[UInt8]] =
        Fixtures.all.filter { $0.size <= 4096 }.compactMap { try? $0.bytes() }.filter(isArchive)
        + ForeignContentTests.cases.map(\.archive.bytes).filter { $0.count <= 4096 }

    private static func isArchive(_ bytes: [UInt8]) -> Bool { (try? Archive(bytes: bytes)) != nil }

    private enum Outcome { case notAList, notAnArchive, archive }

    private func attempt(_ bytes: [UInt8], _ description: @autoclosure () -> String) -> Outcome {
        let start = ContinuousClock.now
        var outcome = Outcome.notAList
        if let list = try? PropertyList(bytes: bytes) {
            outcome = .notAnArchive
            if let archive = try? Archive(list) {
                outcome = .archive
                checkWriting(archive, description())
            }
        }
        if outcome != .archive { checkWriting(Archive(salvaging: bytes), description()) }
        if ContinuousClock.now - start > .seconds(1) {
            // The machine may have been busy with something else: only a second time counts.
            let again = ContinuousClock.now
            if (try? Archive(bytes: bytes)) == nil { _ = Archive(salvaging: bytes) }
            if ContinuousClock.now - again > .seconds(1) { Issue.record("took longer than a second: \(description())") }
        }
        return outcome
    }

    private func checkWriting(_ archive: Archive, _ description: @autoclosure () -> String) {
        let written = archive.bytes()
        guard let again = try? Archive(bytes: written) else {
            Issue.record("can't be read once written: \(description())")
            return
        }
        let isSame = again.records.keys() == archive.records.keys()
        if !isSame || again.leftOut.count > archive.leftOut.count {
            Issue.record("not the same when written: \(description())")
        }
        // A writer that adds something each time would show here.
        if again.bytes() != Archive(rewritten: again).bytes() { Issue.record("grows when rewritten: \(description())") }
    }

    private func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    @Test("A mutation is an error or a value, within a second and 64 MiB")
    func mutations() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_150_907)
        let count = setting("FIRSTTIME_MUTATIONS", default: 2_000)
        print("archive mutations: FIRSTTIME_SEED=\(seed) FIRSTTIME_MUTATIONS=\(count)")
        try #require(Self.corpus.count > 20)
        let before = peakMemory()
        var outcomes: [Outcome: Int] = [:]
        for number in 0..<count {
            // Each from its own seed, so that one failure can be repeated alone.
            var random = SplitMix64(seed: seed &+ number &* 0x9E37_79B9)
            guard let original = Self.corpus.randomElement(using: &random) else { return }
            let bytes = mutate(original, using: &random)
            outcomes[attempt(bytes, "mutation \(number) of seed \(seed): \(hexadecimal(bytes))"), default: 0] += 1
        }
        let (lists, archives) = (outcomes[.notAnArchive] ?? 0, outcomes[.archive] ?? 0)
        print("archive mutations: \(lists + archives) could be read as lists, \(archives) of them as archives")
        #expect(peakMemory() - before <= memoryLimit)
        // Both kinds, or they would not get deep enough to find anything.
        #expect(lists > Int(count) / 20 && archives > Int(count) / 20)
    }

    @Test("A truncated archive is an error, within a second and 64 MiB")
    func truncations() {
        let before = peakMemory()
        for original in Self.corpus {
            for length in stride(from: original.count - 1, through: 0, by: length(original)) {
                _ = attempt(Array(original.prefix(length)), "the first \(length) of \(original.count) bytes")
            }
        }
        #expect(peakMemory() - before <= memoryLimit)
    }

    /// Every length of small files, every few of others: a cut archive is hardly ever a property list, and those have
    /// their own tests.
    private func length(_ bytes: [UInt8]) -> Int { bytes.count <= 700 ? -1 : -7 }
}

extension Archive {
    /// As a file that was written and read would have it.
    fileprivate init(rewritten archive: Archive) {
        self = (try? Archive(bytes: archive.bytes())) ?? Archive()
    }
}
