// Salvaging from what is not, or no longer, a binary archive of ours: XML, newer formats, other files, and files made to
// hurt whoever salvages them.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Salvaging from other files")
struct SalvageOddTests {
    static let xml: [DamagedArchive] = Fixtures.legacy.filter { !$0.isBinary && $0.size <= 4096 }.compactMap {
        fixture in
        (try? fixture.bytes()).flatMap { DamagedArchive(fixture.name, $0) }
    }

    @Test("XML that is cut off keeps the records in front of the cut, and invents none", arguments: xml)
    func cutXML(archive: DamagedArchive) {
        var best = 0
        for length in stride(from: 0, to: archive.bytes.count, by: 11) {
            let outcome = archive.salvage(Array(archive.bytes.prefix(length)))
            #expect(outcome.other.isEmpty, "\(archive.name), the first \(length)")
            // The longer the file, the more there is.
            #expect(outcome.intact.count >= best, "\(archive.name), the first \(length)")
            best = outcome.intact.count
        }
        #expect(best == archive.records.count)
    }

    @Test("XML of which a byte is wrong in the last object keeps the others' records")
    func flippedXML() throws {
        let list = try BinaryPropertyList.read(SalvageTests.written(20))
        let archive = try #require(DamagedArchive("20 keys in XML", try XMLPropertyList.write(list)))
        let end = try #require(archive.bytes.lastIndex(of: UInt8(ascii: "V")))
        for byte in end - 400..<end {
            for value: UInt8 in [0, UInt8(ascii: "<"), UInt8(ascii: "&"), 0xFF] {
                var damaged = archive.bytes
                damaged[byte] = value
                guard (try? Archive(bytes: damaged)) == nil else { continue }
                let outcome = archive.salvage(damaged)
                #expect(outcome.intact.count >= 17 && outcome.other.count <= 1, "byte \(byte) is \(value)")
            }
        }
        for junk in [Array("junk ".utf8), [0xFF, 0, 0xFE]] {
            #expect(archive.salvage(junk + archive.bytes).intact.count == 20)
            #expect(archive.salvage(archive.bytes + junk).intact.count == 20)
        }
    }

    @Test("A damaged file of a newer format is told apart, and nothing is taken out of it")
    func newerFormat() {
        var plain = PlainArchive()
        plain.extra = [("FirstTime", ["formatVersion": 3, "readableFrom": 2, "sequence": "in words"])]
        // Our reader doesn't get to the sequence, which may be anything in another version.
        #expect(throws: ArchiveError.self) { try Archive(bytes: plain.bytes) }
        let archive = Archive(salvaging: Array(plain.bytes.dropLast()))
        #expect(archive.unreadableFormat == 3 && archive.records.count == 0)
        plain.extra = [("FirstTime", ["formatVersion": 3, "readableFrom": 1, "sequence": 7, "storeID": 8])]
        let readable = Archive(salvaging: Array(plain.bytes.dropLast()))
        #expect(readable.unreadableFormat == nil && readable.formatVersion == 3)
        #expect(readable.records.count == 2 && readable.sequence == 7 && readable.storeID == 8)
    }

    @Test("Of two records for one key the newer is taken")
    func twoGroups() throws {
        var plain = PlainArchive()
        // A second group, with a newer record for "b".
        let base = UInt64(plain.objects.count)
        plain.objects += [
            PlainArchive.dictionary([(8, base + 1)]), PlainArchive.record(version: 0, time: base + 2),
            ["NS.time": 300.5, "$class": .uid(11)],
        ]
        plain.top = []
        let archive = Archive(salvaging: plain.bytes)
        #expect(archive.records.count == 2)
        #expect(archive.records[try #require(Key(Array("b".utf8)))]?.lastTime == 300.5)
    }

    @Test("Nothing is found in a file of another kind, and that is said")
    func otherKinds() {
        let texts = [
            "", "bplist00", "<", "<?xml version=\"1.0\"?>", "<plist><dict>", "{ \"key\": 1 }", "SQLite format 3",
        ]
        var random = SplitMix64(seed: 7)
        let noise = (0..<20_000).map { _ in random.byte() }
        for bytes in texts.map({ Array($0.utf8) }) + [noise, [UInt8](repeating: 0, count: 100_000)] {
            let archive = Archive(salvaging: bytes)
            #expect(archive.records.count == 0 && archive.leftOut.count == 1 && archive.sequence == nil)
        }
        for fixture in Fixtures.published where fixture.size < 100_000 {
            guard let bytes = try? fixture.bytes() else { continue }
            #expect(Archive(salvaging: bytes).records.count == 0, "\(fixture.name)")
        }
    }

    @Test(
        "What is made to be slow is not",
        arguments: [0x00, 0x08, 0x50, 0xA0, 0xA1, 0xAF, 0xD1, 0xDF, 0x5F, 0x10] as [UInt8])
    func slow(byte: UInt8) {
        let size = 300_000
        let body = [UInt8](repeating: byte, count: size)
        let table = (0..<size / 4).flatMap { bigEndian(UInt64($0 % 1000 + 8), 3) }
        let trailer = [0, 0, 0, 0, 0, 0, 3, 1] + bigEndian(UInt64(size / 4), 8) + bigEndian(0, 8)
        let header = Array("bplist00".utf8)
        for bytes in [body, header + body, header + body + table + trailer + bigEndian(UInt64(size + 8), 8)] {
            let start = ContinuousClock.now
            _ = Archive(salvaging: bytes)
            // Without optimisation, and beside other tests.
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }
}
