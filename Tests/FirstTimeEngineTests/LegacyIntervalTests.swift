// Import of the interval keys in legacy preferences: what a bare component becomes.

import FirstTimeStore
import Foundation
import KeyedArchive
import Testing

@testable import FirstTimeEngine

@Suite("Interval keys of legacy preferences")
struct LegacyIntervalTests {
    /// A preferences list in XML with one line an entry, the first being line 2.
    private func preferences(_ entries: [(key: String, value: String)]) -> [UInt8] {
        Array(
            ("<plist><dict>\n" + entries.map { "<key>\($0.key)</key>\($0.value)\n" }.joined() + "</dict></plist>").utf8)
    }

    /// The last time that a component becomes; nil: left out.
    private func time(
        _ value: String, _ unit: Interval.Unit, now: String, in calendar: LocalCalendar = .utc()
    ) throws -> Double? {
        let key = try #require(Key(interval: "k".utf8))
        let source = try ImportSource(
            preferences([("interval.k", "<integer>\(value)</integer>")]), format: .automatic, defaultsKey: [],
            intervals: LegacyIntervals(units: [(key, unit)], now: utc(now), calendar: calendar), path: nil)
        #expect(source.leftOut.count == (source.archive.records.count == 0 ? 1 : 0))
        return source.archive.records[key]?.lastTime.map { $0 + Record.epoch }
    }

    @Test(
        "A component is the latest past period that has it",
        arguments: [
            (0, .second, "2024-01-15 10:20:30", "2024-01-15 10:20:00"),
            (31, .second, "2024-01-15 10:20:30", "2024-01-15 10:19:31"),
            (59, .minute, "2024-01-01 00:30:00", "2023-12-31 23:59:00"),
            (10, .hour, "2024-01-15 10:20:30", "2024-01-15 10:00:00"),
            (11, .hour, "2024-01-15 10:20:30", "2024-01-14 11:00:00"),
            (15, .day, "2024-01-15 10:20:30", "2024-01-15"), (16, .day, "2024-01-15 10:20:30", "2023-12-16"),
            (31, .day, "2024-03-15", "2024-01-31"), (29, .day, "2023-03-15", "2023-01-29"),
            (3, .week, "2024-01-15 10:20:30", "2024-01-15"), (4, .week, "2024-01-15 10:20:30", "2023-01-23"),
            (53, .week, "2024-01-15", "2020-12-28"), (53, .week, "2021-01-02", "2020-12-28"),
            (53, .week, "2104-12-01", "2099-12-28"), (1, .week, "2024-12-31", "2024-12-30"),
            (1, .month, "2024-01-15 10:20:30", "2024-01-01"), (12, .month, "2024-01-15 10:20:30", "2023-12-01"),
            (4, .quarter, "2024-01-15 10:20:30", "2023-10-01"), (1, .quarter, "2024-03-31", "2024-01-01"),
            (2024, .year, "2024-01-15 10:20:30", "2024-01-01"), (2014, .year, "2024-01-15", "2014-01-01"),
        ] as [(Int, Interval.Unit, String, String)])
    func components(value: Int, unit: Interval.Unit, now: String, then: String) throws {
        #expect(try time("\(value)", unit, now: now) == utc(then))
    }

    @Test(
        "What is no past component is left out",
        arguments: [
            ("60", .second), ("60", .minute), ("24", .hour), ("0", .day), ("32", .day), ("0", .week), ("54", .week),
            ("0", .month), ("13", .month), ("0", .quarter), ("5", .quarter), ("2025", .year), ("0", .year),
            ("-1", .hour),
            ("1700000000", .month), ("-9223372036854775808", .day), ("18446744073709551615", .year),
        ] as [(String, Interval.Unit)])
    func invalid(value: String, unit: Interval.Unit) throws {
        #expect(try time(value, unit, now: "2024-05-15 12:00:00") == nil)
    }

    @Test("Weeks that begin on Sunday are counted from the one with New Year in it")
    func sundays() throws {
        let sunday = LocalCalendar.utc(firstWeekday: 7)
        #expect(try time("1", .week, now: "2021-01-02", in: sunday) == utc("2020-12-27"))
        #expect(try time("3", .week, now: "2021-01-15", in: sunday) == utc("2021-01-10"))
        #expect(try time("52", .week, now: "2021-01-15", in: sunday) == utc("2020-12-20"))
    }

    @Test("An hour or a day that clocks jumped over is one before")
    func missing() throws {
        try inZone("America/New_York") {
            let hour = try time("2", .hour, now: "2024-03-10 12:00:00", in: LocalCalendar())
            #expect(hour == utc("2024-03-09 07:00:00"))
        }
        try inZone("Pacific/Apia") {
            let day = try time("30", .day, now: "2012-01-05", in: LocalCalendar())
            #expect(day == utc("2011-11-30 10:00:00"))
        }
        try inZone("America/Sao_Paulo") {
            let day = try time("4", .day, now: "2018-11-05 15:00:00", in: LocalCalendar())
            #expect(day == utc("2018-11-04 03:00:00"))
        }
    }

    @Test("Those that are named are taken or told of, others neither; the newest time wins")
    func importing() throws {
        let test = try TestEngine()
        test.time = utc("2024-05-15 12:00:00")
        let bytes = preferences([
            ("interval.month", "<integer>5</integer>"), ("interval.text", "<string>5</string>"),
            ("interval.bad", "<integer>13</integer>"), ("interval.other", "<integer>13</integer>"),
            ("month", "<integer>1</integer>"), ("interval.real", "<real>5</real>"), ("interval.yes", "<true/>"),
        ])
        var lines: [UInt64] = []
        var options = Engine.ImportOptions()
        for name in ["month", "text", "bad", "real", "yes", "missing"] {
            options.intervals.append((try #require(Key(interval: name.utf8)), .month))
        }
        options.skipped = { line, _ in
            lines.append(line)
            return true
        }
        let report = try test.engine.importBytes(bytes, options)
        #expect(report.records.added == 1 && report.skipped == 4 && report.format == .defaults)
        #expect(lines == [3, 4, 7, 8])
        let record = try #require(try test.record("interval.month"))
        #expect(record.count == 0 && record.firstTime == nil && record.lastVersion == nil)
        let key = try #require(Key(interval: "month".utf8))
        try test.engine.mark(key)
        #expect(try test.engine.importBytes(bytes, options).records.kept == 1)
        #expect(try test.engine.lastExecution(key) == test.time)
    }
}
