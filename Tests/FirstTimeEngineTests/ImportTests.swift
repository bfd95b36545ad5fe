// Taking in old files: what wins, what is reported, and that a failed import changes nothing.

import FirstTimeStore
import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeEngine

@Suite("Importing")
struct ImportTests {
    private let test: TestEngine

    init() throws { test = try TestEngine() }

    /// An archive with these records; times are seconds since 2001.
    private func archive(_ records: [(key: String, time: Double?, version: String?)], count: UInt64 = 0) -> [UInt8] {
        var archive = Archive()
        for (text, time, version) in records {
            guard let key = Key(Array(text.utf8)) else { continue }
            var record = Record()
            record.lastTime = time
            record.lastVersion = version.map { Array($0.utf8) }
            record.count = count
            archive.records[key] = record
        }
        return archive.bytes()
    }

    private func take(_ bytes: [UInt8], _ change: (inout Engine.ImportOptions) -> Void = { _ in }) -> String {
        var options = Engine.ImportOptions()
        options.defaultsKey = Array("YCFirstTime".utf8)
        change(&options)
        return words {
            let report = try test.engine.importBytes(bytes, options)
            let records = report.records
            return "\(records.added) added, \(records.updated) updated, \(records.kept) kept, \(report.skipped) skipped"
        }
    }

    @Test("For each key the newest time wins, and any time wins over none")
    func merging() throws {
        let first: [(String, Double?, String?)] = [
            ("older", 100, "1"), ("newer", 100, "1"), ("same", 100, "1"), ("none", nil, "1"), ("both none", nil, "1"),
            ("nan", .nan, "1"), ("mine", 5, nil),
        ]
        let second: [(String, Double?, String?)] = [
            ("older", 99, "2"), ("newer", 101, "2"), ("same", 100, "2"), ("none", -5, "2"), ("both none", nil, "2"),
            ("nan", 1, "2"), ("theirs", 7, nil),
        ]
        #expect(take(archive(first)) == "7 added, 0 updated, 0 kept, 0 skipped")
        #expect(take(archive(second)) == "1 added, 3 updated, 3 kept, 0 skipped")
        let versions = try first.map { key, _, _ in
            try test.record(key)?.lastVersion.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(versions == ["1", "2", "1", "2", "1", "2", nil])
        let before = test.bytes
        #expect(take(archive(second)) == "0 added, 0 updated, 7 kept, 0 skipped")
        #expect(test.bytes == before)
    }

    @Test("A newer run keeps what only the store knows of the first")
    func beginning() throws {
        #expect(test.execute("k") == "first, ran")
        let began = try #require(try test.record("k")?.firstTime)
        #expect(take(archive([("k", began + 100, "9")])) == "0 added, 1 updated, 0 kept, 0 skipped")
        let record = try #require(try test.record("k"))
        #expect(record.firstTime == began && record.count == 1 && record.lastVersion == [57])
        #expect(try test.engine.lastExecution(#require(Key([107]))) == began + 100 + Record.epoch)
    }

    @Test("A dry run reports the same and changes nothing")
    func dryRun() throws {
        #expect(take(archive([("a", 1, nil)])) == "1 added, 0 updated, 0 kept, 0 skipped")
        let before = test.bytes
        let bytes = archive([("a", 2, nil), ("b", 1, nil)])
        #expect(take(bytes) { $0.isDryRun = true } == "1 added, 1 updated, 0 kept, 0 skipped")
        #expect(test.bytes == before)
        #expect(take(bytes) == "1 added, 1 updated, 0 kept, 0 skipped")
    }

    @Test("Progress begins at 0, ends at the total, and can cancel: then nothing changes", arguments: [1, 2, 3, 4])
    func progress(calls: Int) throws {
        let bytes = archive((0..<5000).map { ("k\($0)", 1, nil) })
        var told: [UInt64] = []
        let outcome = take(bytes) { options in
            options.progress = { done, total in
                told.append(done)
                return total == 5000 && told.count != calls
            }
        }
        #expect(told == Array([0, 4096, 5000].prefix(calls)))
        #expect(outcome == (calls <= 3 ? "callback progress 1" : "5000 added, 0 updated, 0 kept, 0 skipped"))
        try test.engine.flush()
        #expect(test.exists == (calls > 3))
    }

    @Test("What is left out is told with its place, and can stop the import", arguments: [true, false])
    func skipped(stops: Bool) throws {
        let fixture = try #require(Fixtures.legacy.first { $0.name == "special/key_dollar_null_inline.bplist" })
        var told: [String] = []
        let outcome = take(try fixture.bytes()) { options in
            options.skipped = { offset, reason in
                told.append("\(offset > 8): \(reason)")
                return !stops
            }
        }
        #expect(told == ["true: its key is nil"])
        #expect(outcome == (stops ? "callback skipped 1" : "1 added, 0 updated, 0 kept, 1 skipped"))
        try test.engine.flush()
        #expect(test.exists == !stops)
    }

    @Test("A preferences list without an archive holds no records, and nothing is written")
    func noArchive() throws {
        let fixture = try #require(Fixtures.legacy.first { $0.name == "userdefaults/com.example.noarchive.plist" })
        #expect(take(try fixture.bytes()) == "0 added, 0 updated, 0 kept, 0 skipped")
        #expect(!test.exists)
        let full = try #require(Fixtures.legacy.first { $0.name == "userdefaults/com.example.three_plain.plist" })
        #expect(
            take(try full.bytes()) { $0.defaultsKey = Array("Other".utf8) } == "0 added, 0 updated, 0 kept, 0 skipped")
        #expect(take(try full.bytes()) == "3 added, 0 updated, 0 kept, 0 skipped")
    }

    @Test(
        "A damaged archive inside preferences is told with its place in the file, and changes nothing",
        arguments: [8, 200])
    func damagedInside(at offset: Int) throws {
        let whole = try #require(Fixtures.legacy.first { $0.name == "userdefaults/com.example.three_plain.plist" })
        var bytes = try whole.bytes()
        let inner = try #require(bytes.indices.dropFirst(8).first { bytes[$0...].starts(with: Array("bplist00".utf8)) })
        bytes[inner + offset] = 0xF0
        let place = try #require(fault(in: bytes))
        #expect(place >= inner && place <= bytes.count)
        #expect(!test.exists)
    }

    private func fault(in bytes: [UInt8]) -> Int? {
        var options = Engine.ImportOptions()
        options.defaultsKey = Array("YCFirstTime".utf8)
        let result = Result { try test.engine.importBytes(bytes, options) }
        guard case .failure(EngineError.undecodable(_, let error)) = result, case .byte(let place) = error.position
        else {
            return nil
        }
        return place
    }

    @Test("Another format than the one asked for is refused, and so is what no version can import")
    func formats() {
        let bytes = archive([("a", 1, nil)])
        #expect(take(bytes) { $0.format = .defaults }.hasPrefix("undecodable: a property list of another format"))
        #expect(take(bytes) { $0.format = .archiveXML }.hasPrefix("undecodable: a property list of another format"))
        #expect(take(bytes) { $0.format = .ruleKit }.hasPrefix("undecodable: "))
        #expect(take(bytes) { $0.format = .json }.hasPrefix("argument: "))
        #expect(take([]) == "undecodable: the file is empty")
        #expect(take(Array("[1]".utf8)) == "undecodable: neither a binary nor an XML property list")
        #expect(take(Array("<plist><array/></plist>".utf8)).hasPrefix("undecodable: neither a keyed archive nor"))
        #expect(take(bytes) { $0.format = .archive } == "1 added, 0 updated, 0 kept, 0 skipped")
    }

    @Test("A file is imported by its path, and only read")
    func files() throws {
        let file = URL(fileURLWithPath: test.directory + ".import")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = Data(archive([("a", 1, nil)]))
        try bytes.write(to: file)
        #expect(try test.engine.importFile(Array(file.path.utf8), Engine.ImportOptions()).records.added == 1)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(throws: EngineError.self) { try test.engine.importFile(Array("/nowhere".utf8), .init()) }
        #expect(throws: EngineError.self) { try test.engine.importFile(Array("/tmp".utf8), .init()) }
    }
}
