// The order of versions: what the header says of it, line by line, and that it is an order at all.

import Testing

@testable import FirstTimeEngine

@Suite("Version comparison")
struct VersionComparisonTests {
    private func compare(_ left: String, _ right: String) -> Int {
        VersionComparison.compare(Array(left.utf8), Array(right.utf8))
    }

    @Test(
        "Of these versions each is before the next",
        arguments: [
            ["0", "0.0.1", "0.1", "0.9", "1.0", "1.0.0.1", "1.9", "1.10", "1.10.1", "2", "10", "11.0"],
            ["1.2-beta", "1.2", "1.2.1-alpha", "1.2.1"],
            // Semantic Versioning's own example.
            [
                "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
                "1.0.0-rc.1", "1.0.0",
            ],
            ["0.9", "1.0a1", "1.0b2", "1.0b10", "1.0rc1", "1.0", "1.0.1b1", "1.0.1"],
            ["1.2.3-4", "1.2.3-5", "1.2.3-10", "1.2.4-1"],
            ["v1.9", "1.10", "V2.0"],
            ["1.0 (456)", "1.0 (1000)", "1.1 (1)"],
            ["2023-12-31", "2024-01-02", "2024-01-10", "20240101"],
            ["alpha", "beta", "beta2", "", "0.0.1"],
            ["1.0-é", "1.0-日本", "1.0"],
            ["1.18446744073709551615", "1.18446744073709551616", "1.99999999999999999999999999999999999999999"],
        ])
    func rising(versions: [String]) {
        for (index, left) in versions.enumerated() {
            for (other, right) in versions.enumerated() {
                let expected = index < other ? -1 : index == other ? 0 : 1
                #expect(compare(left, right) == expected, "\(left) and \(right)")
            }
        }
    }

    @Test(
        "These versions are equal",
        arguments: [
            ["1", "1.0", "1.0.0", "01.00", "1.", "1..", "v1", "V1.0", " 1.0 ", "1.0+build.7", "1+", "1-0", "1.0-"],
            ["", "0", "0.0", ".", "..", "00000000000000000000000000", "+1", "v0", "-"],
            ["1.0-beta2", "1.0beta2", "1.0.beta.2", "1-BETA-02", "v1.0_Beta~2", "1.0--beta..2"],
            ["1..2", "1.0.2", "1. .2", "1.-.2"],
            [".5", "0.5", "v0.5"],
            ["1.0 (456)", "1.0.456", "1.0-456"],
            ["v", "V", "v+1"],
        ])
    func equal(versions: [String]) {
        for left in versions {
            for right in versions { #expect(compare(left, right) == 0, "\(left) and \(right)") }
        }
    }

    @Test("No version is before every version, and equal to none alone")
    func none() {
        for version in ["", "0", "alpha", "1.0"] {
            #expect(VersionComparison.compare(nil, Array(version.utf8)) == -1)
            #expect(VersionComparison.compare(Array(version.utf8), nil) == 1)
        }
        #expect(VersionComparison.compare(nil, nil) == 0)
    }

    @Test("A version of a million digits is compared like any other")
    func huge() {
        let nines = String(repeating: "9", count: 1_000_000)
        #expect(compare("1.\(nines)", "1.1\(nines)") == -1)
        #expect(compare(String(repeating: "0", count: 1_000_000) + "7", "7") == 0)
        #expect(compare(String(repeating: "1.", count: 500_000), String(repeating: "1.", count: 500_001)) == -1)
        #expect(compare(String(repeating: ".", count: 1_000_000) + "1", "0.1") == -1)
    }

    /// Bytes that versions are made of, and some that they aren't.
    private func version(using random: inout SplitMix64) -> [UInt8] {
        let pieces = [
            "0", "00", "1", "01", "2", "10", ".", ".", ".", "-", " ", "+", "a", "B", "b", "beta", "v", "é", "\u{1}",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
        }
        if random.one(in: 20) { bytes.append(random.byte()) }
        return bytes
    }

    @Test("Among any three versions the order is one: antisymmetric, and transitive")
    func order() {
        let seed = setting("FIRSTTIME_SEED", default: 20_240_229)
        let count = ruleCases(quick: 20_000)
        print("version triples: FIRSTTIME_SEED=\(seed) FIRSTTIME_RULES=\(count)")
        var random = SplitMix64(seed: seed)
        var outcomes: [Int: Int] = [:]
        for number in 0..<count {
            let versions = (0..<3).map { _ in version(using: &random) }
            let sorted = versions.sorted { VersionComparison.compare($0, $1) < 0 }
            for (index, left) in sorted.enumerated() {
                for right in sorted[index...] {
                    let order = VersionComparison.compare(left, right)
                    outcomes[order, default: 0] += 1
                    guard order > 0 || VersionComparison.compare(right, left) != -order else { continue }
                    Issue.record("triple \(number) of seed \(seed): \(sorted)")
                }
            }
            // Two that are equal are so to whatever is compared with them.
            let orders = (0..<3).map { VersionComparison.compare(versions[$0], versions[($0 + 1) % 3]) }
            for index in 0..<3 where orders[index] == 0 && orders[(index + 1) % 3] != -orders[(index + 2) % 3] {
                Issue.record("triple \(number) of seed \(seed): \(versions)")
            }
        }
        #expect(outcomes[-1, default: 0] > count / 2 && outcomes[0, default: 0] > count / 10)
    }
}
