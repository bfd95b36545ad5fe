// What a call does that fails, since the original's functions can't tell.

import FirstTime
import Foundation
import Testing

@testable import YCFirstTime

@Suite("Failures of functions that have none")
struct FailureTests {
    let temporary: TemporaryStore
    let firstTime: YCFirstTime

    init() throws {
        temporary = try TemporaryStore()
        firstTime = temporary.instance()
        firstTime.failureHandler = { _ in }
    }

    @Test("A store that can't be read runs nothing, says so, and is tried again")
    func unreadable() throws {
        var failures: [FirstTimeError.Code] = []
        firstTime.failureHandler = { failures.append($0.code) }
        try temporary.spoil()
        firstTime.executeOnce({ Issue.record("ran") }, forKey: "k")
        firstTime.executeOnce({ Issue.record("ran") }, executeAfterFirstTime: { Issue.record("ran") }, forKey: "k")
        #expect(!firstTime.blockWasExecuted("k"))
        #expect(firstTime.lastExecutionDate(forKey: "k") == nil)
        firstTime.reset()
        #expect(failures == Array(repeating: .corrupt, count: 5))
        #expect(firstTime.lastError?.description.contains(temporary.path) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path)) == Data("no archive".utf8))

        try FileManager.default.removeItem(atPath: temporary.path)
        var count = 0
        firstTime.executeOnce({ count += 1 }, forKey: "k")
        #expect(count == 1)
        // What failed last stays known.
        #expect(firstTime.lastError?.code == .corrupt)
    }

    @Test("A place that can't be made runs nothing")
    func nowhere() {
        let path = temporary.directory + "/file/below"
        #expect(FileManager.default.createFile(atPath: temporary.directory + "/file", contents: nil))
        let firstTime = YCFirstTime { try FirstTime(path: path) }
        firstTime.failureHandler = { _ in }
        for _ in 0..<2 { firstTime.executeOnce({ Issue.record("ran") }, forKey: "k") }
        #expect(firstTime.lastError != nil)
    }

    @Test("A key that can't be recorded never runs", arguments: ["", "a\0b", String(repeating: "k", count: 65_536)])
    func badKeys(key: String) {
        firstTime.executeOnce({ Issue.record("ran") }, forKey: key)
        firstTime.executeOnce(nil, executeAfterFirstTime: { Issue.record("ran") }, forKey: key)
        #expect(!firstTime.blockWasExecuted(key))
        #expect(firstTime.lastError?.code == .argument)
    }

    @Test("A key inside its own closure doesn't run again, and the outer run is recorded")
    func reentrant() {
        firstTime.executeOnce(
            {
                firstTime.executeOnce({ Issue.record("ran") }, forKey: "k")
                temporary.instance().quietly.executeOnce({ Issue.record("ran") }, forKey: "k")
            }, forKey: "k")
        #expect(firstTime.lastError?.code == .reentrant)
        #expect(firstTime.blockWasExecuted("k"))
    }
}

extension YCFirstTime {
    /// The same, without its lines on standard error.
    fileprivate var quietly: YCFirstTime {
        failureHandler = { _ in }
        return self
    }
}
