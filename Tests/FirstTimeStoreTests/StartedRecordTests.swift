// Records of runs that have begun: what the archive keeps of them, and what it takes for another's.

import KeyedArchive
import Testing

@testable import FirstTimeStore

@Suite("Started records")
struct StartedRecordTests {
    private let key = Key(Array("k".utf8))!

    private func readBack(_ record: Record) throws -> Record? {
        var archive = Archive()
        archive.records[key] = record
        let again = try Archive(bytes: archive.bytes())
        #expect(again.records.started == (record.former == nil ? [] : [key]))
        return again.records[key]
    }

    @Test("A first run that has begun has an empty former record")
    func first() throws {
        let started = Record.started(after: nil, version: Array("1".utf8), time: 5)
        let record = try #require(try readBack(started))
        #expect(record.count == 1 && record.lastTime == 5 && record.firstTime == 5)
        let former = try #require(record.former)
        #expect(former.record == nil)
        #expect(try readBack(record.settled)?.former == nil)
    }

    @Test("Another run keeps all that was recorded before", arguments: [true, false])
    func another(isLegacy: Bool) throws {
        var before = Record()
        if !isLegacy { before = .run(after: nil, version: Array("1".utf8), time: .leastNonzeroMagnitude) }
        let record = try #require(try readBack(.started(after: before, version: nil, time: 7)))
        let former = try #require(record.former?.record)
        #expect(former.lastTime == before.lastTime && former.firstTime == before.firstTime)
        #expect(former.lastVersion == before.lastVersion && former.firstVersion == before.firstVersion)
        #expect(former.count == before.count && record.count == before.count + 1 && former.former == nil)
    }

    @Test("What was started twice has the settled record for a former one")
    func twice() throws {
        let crashed = Record.started(after: nil, version: nil, time: 1)
        let again = Record.started(after: crashed, version: nil, time: 2)
        #expect(again.count == 2 && again.former?.record?.count == 1 && again.former?.record?.former == nil)
    }

    @Test("A table knows the keys of its started records")
    func table() {
        var table = RecordTable()
        let started = Record.started(after: nil, version: nil, time: 1)
        table[key] = started
        #expect(table.started == [key])
        table[key] = started
        #expect(table.started == [key])
        table[key] = started.settled
        #expect(table.started.isEmpty)
        table[key] = started
        table[key] = nil
        #expect(table.started.isEmpty && table.count == 0)
    }

    @Test("`started` that is no dictionary is another's, and carried")
    func foreign() throws {
        var archive = Archive()
        archive.records[key] = .started(after: nil, version: nil, time: 1)
        let name = Array("started".utf8)
        // The key's name is made another's, and a foreign key's made this one.
        var bytes = archive.bytes()
        let other = Array("starter".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes.replaceSubrange(at..<at + name.count, with: other)
        let decoded = try Archive(bytes: bytes)
        let record = try #require(decoded.records[key])
        #expect(record.former == nil && record.extras > 0)
        #expect(decoded.bytes().indices.contains { decoded.bytes()[$0...].starts(with: other) } == true)
    }
}
