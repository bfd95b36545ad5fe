// DecodeAlikeTests: records that are decoded by comparing them with the one before are what they are without that: the same
// records, the same foreign content, the same errors in the same places.
//
// FIRSTTIME_MUTATIONS sets how many mutations are tried, FIRSTTIME_SEED which. The seed is printed.

import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Records like the one before")
struct DecodeAlikeTests {
    private enum Outcome: Equatable {
        case error(DecodingError)
        case archive(bytes: [UInt8], leftOut: [DecodingError])
    }

    private static func outcome(_ list: PropertyList, looksAtLast: Bool) -> Outcome {
        do throws(DecodingError) {
            let decoder = ArchiveDecoder(try KeyedArchive(list))
            decoder.looksAtLast = looksAtLast
            // The archive's own bytes say what the format is.
            _ = try decoder.decodeFormat()
            try decoder.decodeAll()
            let archive = decoder.finish()
            return .archive(bytes: archive.bytes(), leftOut: archive.leftOut)
        } catch { return .error(error) }
    }

    /// Whether it is an archive at all.
    @discardableResult
    private func compare(_ bytes: [UInt8], _ description: @autoclosure () -> String) -> Bool {
        guard let list = try? PropertyList(bytes: bytes) else { return false }
        let quick = Self.outcome(list, looksAtLast: true)
        if quick != Self.outcome(list, looksAtLast: false) { Issue.record("not the same: \(description())") }
        if case .error = quick { return false }
        return true
    }

    private static func record(_ number: Int, _ random: inout SplitMix64) -> Record {
        var record = Record()
        record.lastVersion = Array("1.\(number / 3)".utf8)
        record.lastTime = Double(number)
        if number % 7 == 5 { (record.lastVersion, record.lastTime) = (nil, nil) }
        if number % 5 == 4 { return record }
        record.count = UInt64(number % 3)
        record.firstVersion = number % 11 == 3 ? Array("$null".utf8) : Array("1.\(number / 4)".utf8)
        record.firstTime = Double(number) - 0.5
        if number % 13 == 12 { record.former = FormerRecord(number % 2 == 0 ? nil : record) }
        return record
    }

    /// As the library writes them: a few records, and more than one kind of them.
    private static func archive(records: Int, _ random: inout SplitMix64) -> [UInt8] {
        var archive = Archive()
        archive.sequence = 3
        for number in 0..<records {
            guard let key = Key(Array("key.\(number)".utf8)) else { continue }
            archive.records[key] = record(Int.random(in: 0..<100, using: &random), &random)
        }
        return archive.bytes()
    }

    @Test("Every file that others wrote", arguments: Fixtures.all)
    func fixtures(_ fixture: Fixture) throws { compare(try fixture.bytes(), fixture.name) }

    @Test("Foreign content", arguments: ForeignContentTests.cases.indices)
    func foreign(_ index: Int) { compare(ForeignContentTests.cases[index].archive.bytes, "case \(index)") }

    @Test("Mutations of archives with many records alike")
    func mutations() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_240_229)
        let count = setting("FIRSTTIME_MUTATIONS", default: 3_000)
        print("records alike: FIRSTTIME_SEED=\(seed) FIRSTTIME_MUTATIONS=\(count)")
        var archives = 0
        for number in 0..<count {
            // Each from its own seed, so that one failure can be repeated alone.
            var random = SplitMix64(seed: seed &+ number &* 0x9E37_79B9)
            let original = Self.archive(records: 2 + Int(number % 12), &random)
            let bytes = mutate(original, using: &random)
            if compare(bytes, "mutation \(number) of seed \(seed)") { archives += 1 }
        }
        print("records alike: \(archives) could be decoded")
        #expect(archives > count / 20)
    }

    @Test("A part of one record is that of another, of any kind")
    func swappedParts() throws {
        let seed = setting("FIRSTTIME_SEED", default: 20_240_229)
        var archives = 0
        for number in 0..<UInt64(2_000) {
            var random = SplitMix64(seed: seed &+ number &* 0x9E37_79B9)
            guard var file = BinaryFile(parsing: Self.archive(records: 8, &random)) else { continue }
            let size = file.referenceSize
            // Dictionaries of four to seven entries are records; a reference in their latter half is a value.
            let records = file.objects.indices.filter { 0xD2...0xD7 ~= file.objects[$0][0] }
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                guard let entry = records.randomElement(using: &random) else { break }
                let slots = (file.objects[entry].count - 1) / size
                let slot = Int.random(in: Bool.random(using: &random) ? 0..<slots : slots / 2..<slots, using: &random)
                let target = UInt64.random(in: 0..<UInt64(file.objects.count), using: &random)
                let place = 1 + slot * size
                for byte in 0..<size {
                    file.objects[entry][place + byte] = UInt8(
                        truncatingIfNeeded: target >> UInt64(8 * (size - 1 - byte)))
                }
            }
            if compare(file.bytes, "swap \(number) of seed \(seed)") { archives += 1 }
        }
        #expect(archives > 100)
    }
}
