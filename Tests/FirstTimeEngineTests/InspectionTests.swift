// Verifying: it finds nothing wrong with what is sound, and something with whatever the library refuses or leaves out.

import FirstTimeStore
import KeyedArchive
import Testing

@testable import FirstTimeEngine

@Suite("Verifying bytes")
struct InspectionTests {
    /// What is told, and whether it ends with an error.
    private func problems(_ bytes: [UInt8]) -> (told: [String], isRefused: Bool) {
        var told: [String] = []
        do throws(EngineError) {
            try Inspection.verify(bytes) { offset, reason in
                told.append("\(offset) \(reason)")
                return true
            }
            return (told, false)
        } catch { return (told, true) }
    }

    @Test("Old archives have no problem but what an import leaves out", arguments: LegacyFixtureTests.archives)
    func legacy(_ fixture: Fixture) throws {
        let source = try ImportSource(
            fixture.bytes(), format: .automatic, defaultsKey: Array("YCFirstTime".utf8), path: nil)
        let found = problems(try fixture.bytes())
        #expect(found.told.count >= source.leftOut.count)
        #expect(found.isRefused == !found.told.isEmpty)
        if source.leftOut.isEmpty { #expect(found.told.allSatisfy { $0.contains("without lastVersion or lastTime") }) }
    }

    @Test("Damaged archives have problems exactly where the library refuses them or leaves something out")
    func damaged() throws {
        var random = SplitMix64(seed: 7)
        for fixture in LegacyFixtureTests.archives
        where fixture.size < 20_000 && !fixture.form.hasPrefix("UserDefaults") {
            let sound = try fixture.bytes()
            for _ in 0..<12 {
                var bytes = sound
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                let found = problems(bytes)
                guard let archive = try? Archive(bytes: bytes) else {
                    // Unless what made it ours is gone: then it is another program's.
                    if !found.isRefused { #expect((try? PropertyList(bytes: bytes)) != nil) }
                    continue
                }
                #expect(found.told.count >= archive.leftOut.count)
            }
        }
    }

    @Test("A file that was cut off has its end's problem, and tells which records that costs")
    func cut() throws {
        let fixture = try #require(
            LegacyFixtureTests.archives.first { $0.name.hasSuffix("three_plain.oldorder.bplist") })
        let bytes = try fixture.bytes()
        for count in stride(from: 8, to: bytes.count, by: 7) {
            let found = problems(Array(bytes[..<count]))
            #expect(found.isRefused && !found.told.isEmpty)
        }
    }

    @Test("Each object that can't be decoded is told of, not the first alone")
    func several() throws {
        // An array of four objects, of which two are of no kind there is, and a member that isn't there.
        let bytes: [UInt8] =
            Array("bplist00".utf8) + [0xA5, 1, 2, 3, 4, 9, 0x09, 0xF0, 0x08, 0xE0] + [8, 14, 15, 16, 17]
            + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18]
        let found = problems(bytes)
        #expect(
            found.told == [
                "13 a reference is not in the offset table", "15 unknown kind of object", "17 unknown kind of object",
            ] || Set(found.told).count == 3)
    }

    @Test("Names that can't be said, in RuleKit's file, are problems")
    func ruleKit() {
        var list = PropertyList()
        let count = list.append(dictionaryKeys: [list.append(string: "count")], values: [list.append(integer: 1)])
        let donations = list.append(dictionaryKeys: [list.append(string: "")], values: [count])
        let none = list.append(dictionaryKeys: [], values: [])
        let keys = [list.append(string: "donations"), list.append(string: "lastTrigger")]
        list.root = list.append(dictionaryKeys: keys, values: [donations, none])
        let found = problems(BinaryPropertyList.write(list))
        #expect(found.told.count == 1 && found.told[0].contains("its name is not"))
    }
}
