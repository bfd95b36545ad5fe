// RuleKit's files: what they hold is in the store, counts and times to the bit; what is malformed is refused whole.

import FirstTimeStore
import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeEngine

@Suite("Importing RuleKit's events")
struct RuleKitImportTests {
    static let files = Fixtures.legacy.filter { $0.form.hasPrefix("RuleKit") }
    private let test: TestEngine

    init() throws { test = try TestEngine() }

    private func take(_ bytes: [UInt8], _ change: (inout Engine.ImportOptions) -> Void = { _ in }) -> String {
        var options = Engine.ImportOptions()
        change(&options)
        return words {
            let report = try test.engine.importBytes(bytes, options)
            #expect(report.format == .ruleKit && report.records.added == 0)
            let events = report.events
            return "\(events.added) added, \(events.updated) updated, \(events.kept) kept, \(report.skipped) skipped"
        }
    }

    @Test("The fixtures are there") func fixtures() { #expect(!Self.files.isEmpty) }

    @Test("Each holds exactly what Foundation reads in it", arguments: files)
    func content(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        let root = try #require(list as? [String: Any])
        let donations = try #require(root["donations"] as? [String: [String: Any]])
        let triggers = try #require(root["lastTrigger"] as? [String: Date])
        #expect(take(bytes) == "\(donations.count) added, 0 updated, 0 kept, 0 skipped")
        var seen = 0
        _ = try test.engine.eachDonations { name, found in
            seen += 1
            let expected = donations[String(decoding: name.bytes, as: UTF8.self)] ?? [:]
            let (first, last) = (expected["first"] as? [String: Any], expected["last"] as? [String: Any])
            #expect(found.count == expected["count"] as? UInt64 && seen <= donations.count)
            #expect(found.firstTime == (first?["date"] as? Date)?.timeIntervalSinceReferenceDate)
            #expect(found.lastTime == (last?["date"] as? Date)?.timeIntervalSinceReferenceDate)
            #expect(Self.text(found.firstVersion) == (first?["appVersion"] as? [String: String])?["rawVersion"])
            #expect(Self.text(found.lastVersion) == (last?["appVersion"] as? [String: String])?["rawVersion"])
            return true
        }
        #expect(seen == donations.count)
        for (name, date) in triggers {
            var found: TriggerRecord?
            _ = try test.engine.findTrigger(#require(Key(name.utf8))) { found = $0 }
            #expect(found?.lastTime == date.timeIntervalSinceReferenceDate && found?.count == 0)
        }
        #expect(take(bytes) == "0 added, 0 updated, \(donations.count) kept, 0 skipped")
    }

    private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    private static func bytes(_ root: [String: Any]) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0))
    }

    private static func donation(_ time: Double, _ version: String? = nil) -> [String: Any] {
        var donation: [String: Any] = ["id": "x", "date": Date(timeIntervalSinceReferenceDate: time)]
        if let version { donation["appVersion"] = ["rawVersion": version] }
        return donation
    }

    @Test("The larger count, the first and the last of both win; a dry run changes nothing")
    func merging() throws {
        let event = try #require(Key("open".utf8))
        try test.engine.donate(event)
        try test.engine.donate(event)
        let now = test.time - Record.epoch
        let file = try Self.bytes([
            "donations": [
                "open": ["count": 7, "first": Self.donation(now - 50, "0.1"), "last": Self.donation(now - 9)]
            ],
            "lastTrigger": ["open": Date(timeIntervalSinceReferenceDate: 3)],
        ])
        #expect(take(file) { $0.isDryRun = true } == "0 added, 1 updated, 0 kept, 0 skipped")
        #expect(try !test.engine.findTrigger(event) { _ in })
        #expect(take(file) == "0 added, 1 updated, 0 kept, 0 skipped")
        var found: Donations?
        _ = try test.engine.findDonations(event) { found = $0 }
        #expect(found?.count == 7 && found?.firstTime == now - 50 && found?.firstVersion == Array("0.1".utf8))
        #expect(found?.lastTime == now && found?.lastVersion == nil)
    }

    @Test("An imported last trigger throttles")
    func throttling() throws {
        let now = test.time - Record.epoch
        let file = try Self.bytes([
            "donations": [:], "lastTrigger": ["prompt": Date(timeIntervalSinceReferenceDate: now - 3600)],
        ])
        #expect(take(file) == "0 added, 0 updated, 0 kept, 0 skipped")
        let test = RuleTest(test)
        try test.set("prompt", .always) { $0.frequency = try Interval(count: 2, unit: 2, kind: 0) }
        #expect(try test.donate("x") == [])
        test.engine.time += 3600
        #expect(try test.donate("x") == ["prompt"])
    }

    @Test("An event and a trigger may have one name, however long")
    func sharedNames() throws {
        let name = String(repeating: "z", count: 2000)
        let file = try Self.bytes(["donations": [name: ["count": 1]], "lastTrigger": [name: Date()]])
        #expect(take(file) == "1 added, 0 updated, 0 kept, 0 skipped")
    }

    private static let malformed: [(String, @Sendable () throws -> [UInt8])] = [
        ("no RuleKit events", { try bytes(["donations": 5, "lastTrigger": [:]]) }),
        ("without a count", { try bytes(["donations": ["a": [:]], "lastTrigger": [:]]) }),
        ("no small dictionary", { try bytes(["donations": ["a": 5], "lastTrigger": [:]]) }),
        (
            "without a date",
            { try bytes(["donations": ["a": ["count": 1, "first": ["id": "x"]]], "lastTrigger": [:]]) }
        ),
        (
            "without a rawVersion",
            {
                try bytes([
                    "donations": ["a": ["count": 1, "first": ["date": Date(), "appVersion": [:]]]], "lastTrigger": [:],
                ])
            }
        ),
        ("a date that is none", { try bytes(["donations": [:], "lastTrigger": ["t": 5]]) }),
        (
            "no small dictionary",
            {
                let first: [String: Any] = ["date": Date(), "appVersion": "1.0"]
                return try bytes(["donations": ["a": ["count": 1, "first": first]], "lastTrigger": [:]])
            }
        ),
    ]

    @Test("What is malformed is refused whole", arguments: malformed)
    func refused(reason: String, bytes: @Sendable () throws -> [UInt8]) throws {
        #expect(take(try bytes()).contains(reason))
        #expect(!test.exists)
    }

    @Test("Names that can't be said are left out, and told of")
    func leftOut() throws {
        let file = try Self.bytes(["donations": ["": ["count": 1], "a": ["count": 2]], "lastTrigger": ["": Date()]])
        var told: [String] = []
        let result = take(file) {
            $0.skipped = { _, reason in
                told.append("\(reason)")
                return true
            }
        }
        #expect(result == "1 added, 0 updated, 0 kept, 2 skipped" && told.count == 2)
    }

    @Test("An archive of this library takes its events and triggers along")
    func archive() throws {
        let other = try TestEngine()
        let rules = RuleTest(other)
        try rules.set("prompt", .always)
        #expect(try rules.donate("open") == ["prompt"])
        try other.engine.flush()
        let report = try test.engine.importBytes(Array(#require(other.bytes)), Engine.ImportOptions())
        #expect(report.events.added == 1 && report.format == .archive)
        let taken = RuleTest(test)
        #expect(try taken.count("open") == 1 && taken.trigger("prompt")?.count == 1)
    }
}
