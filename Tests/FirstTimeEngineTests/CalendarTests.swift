// Calendar intervals by name: the dates that are easy to get wrong. 200,000 others are compared with Python's in suite
// "calendar".

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Calendar intervals")
struct CalendarTests {
    @Test("The last second of the year: every period ends at New Year", arguments: Interval.everyUnit)
    func lastNight(unit: Interval.Unit) throws {
        let interval = try Interval.period(1, unit)
        let newYear = utc("2029-01-01")  // a Monday: the week ends, too
        #expect(interval.isDue(from: newYear, last: utc("2028-12-31 23:59:59")))
        #expect(interval.isDue(from: newYear, last: newYear.nextDown))
        #expect(!interval.isDue(last: newYear, now: newYear, in: .utc()))
        inZone("America/New_York") {
            let newYear = utc("2029-01-01 05:00:00")
            #expect(interval.isDue(from: newYear, last: newYear - 1, in: LocalCalendar()))
        }
    }

    @Test(
        "The last second of the year and one unit more",
        arguments: [
            (.second, "2027-01-01 00:00:00"), (.minute, "2027-01-01 00:00:59"), (.hour, "2027-01-01 00:59:59"),
            (.day, "2027-01-01 23:59:59"), (.week, "2027-01-07 23:59:59"), (.month, "2027-01-31 23:59:59"),
            (.quarter, "2027-03-31 23:59:59"), (.year, "2027-12-31 23:59:59"),
        ] as [(Interval.Unit, String)])
    func oneUnitMore(unit: Interval.Unit, then: String) throws {
        #expect(try Interval.calendar(1, unit).isDue(from: utc(then), last: utc("2026-12-31 23:59:59")))
    }

    @Test("ISO week 53 is followed by week 1, not by New Year")
    func week53() throws {
        let weekly = try Interval.period(1, .week)
        for last in ["2020-12-28", "2020-12-31 12:00:00", "2021-01-01", "2021-01-03 23:59:59"] {
            #expect(weekly.isDue(from: utc("2021-01-04"), last: utc(last)))
        }
        #expect(try Interval.period(2, .week).isDue(from: utc("2021-01-11"), last: utc("2020-12-31")))
    }

    @Test("Weeks begin on Monday, or on the day that was asked for")
    func firstWeekday() throws {
        let weekly = try Interval.period(1, .week)
        let wednesday = utc("2024-05-15 12:00:00")
        for (weekday, begins) in [(1, 20), (2, 21), (3, 22), (4, 16), (5, 17), (6, 18), (7, 19)] as [(Int64, Int)] {
            #expect(weekly.isDue(from: utc("2024-05-\(begins)"), last: wednesday, in: .utc(firstWeekday: weekday)))
        }
        // Before 1970, too, where day numbers are below zero.
        #expect(weekly.isDue(from: utc("1965-05-24"), last: utc("1965-05-19")))
    }

    @Test("31 January and so many months", arguments: [2023, 2024])
    func months(year: Int) throws {
        let lengths = [31, year == 2024 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let last = utc("\(year)-01-31 10:30:00.25")
        for months in 1...11 {
            let then = utc("\(year)-\(months + 1)-\(lengths[months]) 10:30:00.25")
            #expect(try Interval.calendar(Double(months), .month).isDue(from: then, last: last))
        }
        #expect(try Interval.calendar(12, .month).isDue(from: utc("\(year + 1)-01-31 10:30:00.25"), last: last))
    }

    @Test("A chain of 12 months: each step starts from the time that was recorded")
    func chain() throws {
        let monthly = try Interval.calendar(1, .month)
        for (year, february) in [(2023, 28), (2024, 29)] {
            var last = utc("\(year)-01-31 08:00:00")
            for month in 2...12 {
                let next = monthly.nextDue(last: last, now: last, in: .utc())
                #expect(next == utc("\(year)-\(month)-\(february) 08:00:00"))
                last = next
            }
            #expect(monthly.isDue(from: utc("\(year + 1)-01-\(february) 08:00:00"), last: last))
        }
    }

    @Test("29 February and a year is 28 February, and four are 29 February")
    func leapDay() throws {
        let last = utc("2024-02-29 12:00:00")
        #expect(try Interval.calendar(1, .year).isDue(from: utc("2025-02-28 12:00:00"), last: last))
        #expect(try Interval.calendar(4, .year).isDue(from: utc("2028-02-29 12:00:00"), last: last))
        #expect(try Interval.calendar(76, .year).isDue(from: utc("2100-02-28 12:00:00"), last: last))
        #expect(try Interval.calendar(4, .quarter).isDue(from: utc("2025-02-28 12:00:00"), last: last))
    }

    @Test("A month that was marked in the same month of last year is due")
    func lastYear() throws {
        let now = utc("2024-03-15")
        #expect(try Interval.period(1, .month).isDue(last: utc("2023-03-20"), now: now, in: .utc()))
        #expect(try Interval.period(12, .month).isDue(last: utc("2023-03-20"), now: now, in: .utc()))
        #expect(try !Interval.period(13, .month).isDue(last: utc("2023-03-20"), now: now, in: .utc()))
        #expect(try Interval.period(1, .year).isDue(last: utc("2023-12-31"), now: utc("2024-01-01"), in: .utc()))
    }

    @Test("A fixed offset decides where a day ends", arguments: [-720, -210, 0, 345, 840] as [Int])
    func offsets(minutes: Int) throws {
        var calendar = LocalCalendar()
        try calendar.setOffset(minutes: minutes)
        let midnight = utc("2024-06-01") - Double(minutes) * 60
        for unit in [.day, .month] as [Interval.Unit] {
            #expect(try Interval.period(1, unit).isDue(from: midnight, last: midnight - 1, in: calendar))
        }
        #expect(throws: EngineError.self) { try calendar.setOffset(minutes: 1441) }
        #expect(throws: EngineError.self) { try calendar.setOffset(minutes: .min) }
    }
}
