// Providers: whose they are, and what nil means.

import Foundation
import Testing

@testable import YCFirstTime

@Suite("Providers of version and time")
struct SeamTests {
    let temporary: TemporaryStore

    init() throws { temporary = try TemporaryStore() }

    @Test("A fresh instance has the defaults, and nil restores them")
    func defaults() throws {
        let firstTime = YCFirstTime()
        let version = try #require(firstTime.versionProvider)
        let now = try #require(firstTime.nowProvider)
        #expect(version() == nil)
        #expect(abs(now().timeIntervalSinceNow) < 3600)

        let other = temporary.instance()
        other.nowProvider = nil
        other.versionProvider = nil
        let before = Date()
        other.executeOncePerVersion({}, forKey: "k")
        let date = try #require(other.lastExecutionDate(forKey: "k"))
        #expect(date >= before.addingTimeInterval(-1) && date <= Date().addingTimeInterval(1))
        other.versionProvider = { nil }
        other.executeOncePerVersion({ Issue.record("no version equals no version") }, forKey: "k")
    }

    @Test("The providers of one instance are not another's")
    func perInstance() {
        let (old, new) = (temporary.instance(), temporary.instance())
        new.versionProvider = { "2.0" }
        new.nowProvider = { Date(timeIntervalSince1970: 1_800_000_000) }
        var runs: [String] = []
        old.executeOncePerVersion({ runs.append("1.0") }, forKey: "k")
        #expect(old.lastExecutionDate(forKey: "k") == Date(timeIntervalSince1970: 1_700_000_000))
        new.executeOncePerVersion({ runs.append("2.0") }, forKey: "k")
        #expect(old.lastExecutionDate(forKey: "k") == Date(timeIntervalSince1970: 1_800_000_000))
        old.executeOncePerVersion({ runs.append("1.0") }, forKey: "k")
        #expect(runs == ["1.0", "2.0", "1.0"])
    }

    @Test("A provider may be set while an instance is in use, and may use it")
    func replacing() {
        let firstTime = temporary.instance()
        firstTime.executeOncePerVersion({ firstTime.versionProvider = { "1.1" } }, forKey: "k")
        firstTime.versionProvider = { [unowned firstTime] in firstTime.blockWasExecuted("k") ? "2.0" : nil }
        var count = 0
        for _ in 0..<2 { firstTime.executeOncePerVersion({ count += 1 }, forKey: "k") }
        #expect(count == 1)
    }

    @Test("A time that isn't finite runs nothing", arguments: [Double.nan, .infinity])
    func oddTimes(seconds: Double) {
        let firstTime = temporary.instance()
        var codes: [Int32] = []
        firstTime.failureHandler = { codes.append($0.code.rawValue) }
        firstTime.nowProvider = { Date(timeIntervalSince1970: seconds) }
        firstTime.executeOnce({ Issue.record("ran") }, forKey: "k")
        #expect(codes == [-1])
    }
}
