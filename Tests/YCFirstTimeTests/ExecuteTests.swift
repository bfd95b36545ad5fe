// What runs, and how often: the original's documented behaviour.

import Foundation
import Testing

@testable import YCFirstTime

@Suite("Running closures by YCFirstTime's names")
struct ExecuteTests {
    let temporary: TemporaryStore
    let firstTime: YCFirstTime

    init() throws {
        temporary = try TemporaryStore()
        firstTime = temporary.instance()
    }

    @Test("A key runs once, in this instance and in a fresh one")
    func once() {
        var count = 0
        for _ in 0..<3 { firstTime.executeOnce({ count += 1 }, forKey: "onboarding.v1") }
        temporary.instance().executeOnce({ count += 1 }, forKey: "onboarding.v1")
        #expect(count == 1)
        firstTime.executeOnce({ count += 1 }, forKey: "onboarding.v2")
        #expect(count == 2)
    }

    @Test("The second closure runs on every later call", arguments: [false, true])
    func after(perVersion: Bool) {
        var calls: [String] = []
        func run() {
            if perVersion {
                firstTime.executeOncePerVersion(
                    { calls.append("first") }, executeAfterFirstTime: { calls.append("after") }, forKey: "k")
            } else {
                firstTime.executeOnce(
                    { calls.append("first") }, executeAfterFirstTime: { calls.append("after") }, forKey: "k")
            }
        }
        for _ in 0..<3 { run() }
        #expect(calls == ["first", "after", "after"])
        firstTime.versionProvider = { "1.1" }
        run()
        #expect(calls.last == (perVersion ? "first" : "after"))
    }

    @Test("A nil closure runs nothing and doesn't mark the key; not even the second one runs then")
    func nilClosures() {
        firstTime.executeOnce(nil, forKey: "k")
        firstTime.executeOncePerVersion(nil, forKey: "k")
        firstTime.executeOncePerInterval(nil, forKey: "k", withDaysInterval: 1)
        firstTime.executeOnce(nil, executeAfterFirstTime: { Issue.record("ran") }, forKey: "k")
        firstTime.executeOncePerVersion(nil, executeAfterFirstTime: { Issue.record("ran") }, forKey: "k")
        #expect(!firstTime.blockWasExecuted("k"))
        #expect(firstTime.lastError == nil)
        // Nothing was written either.
        #expect(!FileManager.default.fileExists(atPath: temporary.path + "-journal"))

        firstTime.executeOnce({}, executeAfterFirstTime: nil, forKey: "k")
        firstTime.executeOnce({}, executeAfterFirstTime: nil, forKey: "k")
        var count = 0
        firstTime.executeOnce(nil, executeAfterFirstTime: { count += 1 }, forKey: "k")
        #expect(count == 1)
    }

    @Test("Versions differ when their texts do, also from and to none")
    func versions() {
        var runs: [String?] = []
        for version in ["1.0", "1.0", "1.0.0", nil, nil, "1.0"] as [String?] {
            firstTime.versionProvider = { version }
            firstTime.executeOncePerVersion({ runs.append(version) }, forKey: "whats-new")
        }
        #expect(runs == ["1.0", "1.0.0", nil, "1.0"])
    }

    @Test(
        "An interval is days of 86,400 seconds, and its end is due",
        arguments: [(1, 86_400), (0.5, 43_200), (7, 604_800)] as [(Float, Double)])
    func interval(days: Float, seconds: Double) {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        var runs: [Double] = []
        for elapsed in [0, 1, seconds - 1, seconds, seconds + 1, 2 * seconds, 9 * seconds] {
            firstTime.nowProvider = { start.addingTimeInterval(elapsed) }
            firstTime.executeOncePerInterval({ runs.append(elapsed) }, forKey: "prompt", withDaysInterval: days)
        }
        #expect(runs == [0, seconds, 2 * seconds, 9 * seconds])
    }

    @Test("An interval of no length means once", arguments: [0, -1, -Float.infinity, .infinity, .nan] as [Float])
    func noInterval(days: Float) {
        var count = 0
        for _ in 0..<2 { firstTime.executeOncePerInterval({ count += 1 }, forKey: "k", withDaysInterval: days) }
        firstTime.nowProvider = { Date(timeIntervalSince1970: 4_000_000_000) }
        firstTime.executeOncePerInterval({ count += 1 }, forKey: "k", withDaysInterval: days)
        #expect(count == 1)
        #expect(firstTime.lastError == nil)
    }

    @Test("A closure may use other keys, and instances")
    func nested() {
        var calls: [String] = []
        firstTime.executeOnce(
            {
                calls.append("outer")
                firstTime.executeOnce({ calls.append("inner") }, forKey: "inner")
                temporary.instance().executeOnce({ calls.append("other") }, forKey: "other")
            }, forKey: "outer")
        #expect(calls == ["outer", "inner", "other"])
        #expect(firstTime.blockWasExecuted("outer"))
    }

    @Test("Of many threads that call at once, one runs the closure")
    func threads() {
        let temporary = temporary
        let firstTime = firstTime
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let instance = index % 2 == 0 ? firstTime : temporary.instance()
            instance.executeOnce({ temporary.count() }, forKey: "k")
        }
        #expect(temporary.counted == 1)
    }
}
