// What has run, and forgetting it.

import FirstTime
import Foundation
import Testing

@testable import YCFirstTime

@Suite("Records by YCFirstTime's names")
struct RecordTests {
    let temporary: TemporaryStore
    let firstTime: YCFirstTime

    init() throws {
        temporary = try TemporaryStore()
        firstTime = temporary.instance()
    }

    @Test("Whether a key was executed depends on neither version nor interval")
    func wasExecuted() {
        #expect(!firstTime.blockWasExecuted("k"))
        firstTime.executeOncePerVersion({}, forKey: "k")
        firstTime.versionProvider = { "2.0" }
        firstTime.nowProvider = { .distantFuture }
        #expect(firstTime.blockWasExecuted("k"))
        #expect(temporary.instance().blockWasExecuted("k"))
    }

    @Test("The date of the last run is the clock's, and moves with the next run")
    func lastDate() {
        let start = Date(timeIntervalSince1970: 1_700_000_000.25)
        #expect(firstTime.lastExecutionDate(forKey: "k") == nil)
        firstTime.nowProvider = { start }
        firstTime.executeOncePerInterval({}, forKey: "k", withDaysInterval: 1)
        #expect(firstTime.lastExecutionDate(forKey: "k") == start)
        firstTime.nowProvider = { start.addingTimeInterval(86_400) }
        #expect(firstTime.lastExecutionDate(forKey: "k") == start)
        firstTime.executeOncePerInterval({}, forKey: "k", withDaysInterval: 1)
        #expect(firstTime.lastExecutionDate(forKey: "k") == start.addingTimeInterval(86_400))
    }

    @Test("Reset forgets every key, for all instances")
    func reset() {
        var count = 0
        for key in ["a", "b"] { firstTime.executeOnce({ count += 1 }, forKey: key) }
        let other = temporary.instance()
        other.reset()
        for key in ["a", "b"] {
            #expect(!firstTime.blockWasExecuted(key))
            #expect(firstTime.lastExecutionDate(forKey: key) == nil)
            firstTime.executeOnce({ count += 1 }, forKey: key)
        }
        #expect(count == 4)
    }

    @Test("The state is that of the Swift API on the same file")
    func sharedState() throws {
        let store = try FirstTime(path: temporary.path)
        firstTime.executeOnce({}, forKey: "here")
        try store.mark("there")
        #expect(try store.record(forKey: "here")?.lastVersion == "1.0")
        firstTime.executeOnce({ Issue.record("ran") }, forKey: "there")
    }

    @Test("State of the original comes in by an import")
    func importing() throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/import/preferences.plist").path
        let report = try FirstTime(path: temporary.path).importArchive(at: fixtures)
        #expect(report.added > 0)
        for record in try FirstTime(path: temporary.path).records() {
            firstTime.executeOnce({ Issue.record("\(record.key) ran") }, forKey: record.key)
        }
    }
}
