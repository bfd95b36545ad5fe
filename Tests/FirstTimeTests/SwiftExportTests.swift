// Exporting, dumping, verifying and repairing through the Swift API.

import FirstTime
import Foundation
import Testing

@Suite("Moving state, in Swift")
struct SwiftExportTests {
    @Test(
        "A copy in any format that can be imported holds the same",
        arguments: [ExportFormat.archive, .archiveXML, .defaults])
    func formats(_ format: ExportFormat) throws {
        let temporary = try TemporaryStore()
        try temporary.store.mark("a")
        try temporary.store.mark("b")
        let bytes = try temporary.store.exportBytes(format: format)
        #expect(try FirstTime.verify(bytes).isEmpty)
        let path = temporary.directory.path + "/copy"
        try temporary.store.export(to: path, format: format)
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        let other = try TemporaryStore()
        #expect(try other.store.importArchive(at: path).added == 2)
        #expect(try other.store.exportBytes(format: .json) == temporary.store.exportBytes(format: .json))
    }

    @Test("JSON is what JSONSerialization reads")
    func json() throws {
        let temporary = try TemporaryStore()
        try temporary.store.mark("a \"quoted\"\u{1}")
        let data = Data(try temporary.store.exportBytes(format: .json))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["format"] as? String == "FirstTime JSON" && object["version"] as? Int == 1)
        let records = try #require(object["records"] as? [[String: Any]])
        #expect(records.count == 1 && records[0]["key"] as? String == "a \"quoted\"\u{1}")
        #expect(records[0]["lastTime"] as? Double == 1_700_000_000 && records[0]["lastVersion"] as? String == "1.0")
        #expect((object["events"] as? [Any])?.isEmpty == true && (object["triggers"] as? [Any])?.isEmpty == true)
    }

    @Test("The store's own file is refused")
    func ownFile() throws {
        let temporary = try TemporaryStore()
        try temporary.store.mark("a")
        let error = #expect(throws: FirstTimeError.self) {
            try temporary.store.export(to: temporary.directory.path + "/firsttime.archive")
        }
        #expect(error?.code == .argument)
    }

    @Test("Dumps are text or JSON; what is no property list is corrupt")
    func dumps() throws {
        let temporary = try TemporaryStore()
        try temporary.store.mark("key")
        let bytes = try temporary.store.exportBytes()
        #expect(try FirstTime.dump(bytes).contains(#""key" => YCFirstTimeObject {"#))
        #expect(try FirstTime.dump(bytes, isRaw: true).contains(#""$objects" => ["#))
        let json = Data(try FirstTime.dump(bytes, asJSON: true).utf8)
        #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
        let error = #expect(throws: FirstTimeError.self) { try FirstTime.dump([1, 2, 3]) }
        #expect(error?.code == .corrupt)
        #expect(try FirstTime.verify([1, 2, 3]).first?.offset == 0)
    }

    @Test("A store that can't be opened is repaired, unless somebody says no")
    func repair() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/firsttime.archive"
        do {
            let store = try FirstTime(path: path)
            for number in 0..<20 { try store.mark("key.\(number)") }
            try store.close()
        }
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes.removeLast(40)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: FirstTimeError.self) { try FirstTime(path: path) }
        #expect(try !FirstTime.repair(path: path) { _ in false })
        var told: [String] = []
        let isRepaired = try FirstTime.repair(path: path) { problem in
            told.append(problem.description)
            return true
        }
        #expect(isRepaired && told.last == "20 records saved" && told.contains { $0.contains(".corrupt-") })
        #expect(try !FirstTime.repair(path: path))
        #expect(try FirstTime(path: path).records().count == 20)
    }
}
