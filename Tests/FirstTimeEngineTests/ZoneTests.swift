// Calendar intervals where clocks are changed.

import FirstTimeStore
import Testing

@testable import FirstTimeEngine

@Suite("Calendar intervals where clocks are changed")
struct ZoneTests {
    /// New York, where clocks jumped from 2 to 3 on 10 March 2024, and went back from 2 to 1 on 3 November.
    private let newYork = "America/New_York"

    private func expect(
        _ zone: String, _ interval: Interval, _ last: String, _ then: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        inZone(zone) {
            let isRight = interval.isDue(from: utc(then), last: utc(last), in: LocalCalendar())
            #expect(isRight, "\(zone)", sourceLocation: location)
        }
    }

    @Test("A day of 23 hours and one of 25 keep the time of day")
    func shortAndLongDays() throws {
        let day = try Interval.calendar(1, .day)
        expect(newYork, day, "2024-03-09 17:00:00", "2024-03-10 16:00:00")
        expect(newYork, day, "2024-11-02 16:00:00", "2024-11-03 17:00:00")
        expect(newYork, try .calendar(1, .week), "2024-03-09 17:00:00", "2024-03-16 16:00:00")
        expect(newYork, try .calendar(24, .hour), "2024-03-09 17:00:00", "2024-03-10 17:00:00")
        expect(newYork, try .period(1, .day), "2024-03-10 05:00:00", "2024-03-11 04:00:00")
        expect(newYork, try .period(1, .day), "2024-11-03 04:00:00", "2024-11-04 05:00:00")
    }

    @Test("A local time that doesn't exist moves forward by the jump")
    func missing() throws {
        expect(newYork, try .calendar(1, .day), "2024-03-09 07:30:00", "2024-03-10 07:30:00")  // 2:30 becomes 3:30
        expect(newYork, try .calendar(1, .month), "2024-02-10 07:00:00", "2024-03-10 07:00:00")  // 2:00 becomes 3:00
        // Half an hour, and a whole day: 30 December 2011 was left out in Apia.
        expect("Australia/Lord_Howe", try .calendar(1, .day), "2024-10-04 15:45:00", "2024-10-05 15:45:00")
        expect("Pacific/Apia", try .calendar(1, .day), "2011-12-29 22:00:00", "2011-12-30 22:00:00")
    }

    @Test("Of a local time that exists twice it is the first")
    func twice() throws {
        expect(newYork, try .calendar(1, .day), "2024-11-02 05:30:00", "2024-11-03 05:30:00")
        // From the second 1:30 on.
        expect(newYork, try .calendar(1, .day), "2024-11-03 06:30:00", "2024-11-04 06:30:00")
        expect(newYork, try .calendar(1, .year), "2023-11-03 05:30:00", "2024-11-03 05:30:00")
    }

    @Test("A day begins when clocks jump over midnight")
    func missingMidnight() throws {
        // Sao Paulo, 4 November 2018: from 24:00 to 1:00.
        expect("America/Sao_Paulo", try .period(1, .day), "2018-11-03 15:00:00", "2018-11-04 03:00:00")
        // Toronto, 30 March 1919: from 23:30 to 0:30.
        expect("America/Toronto", try .period(1, .day), "1919-03-30 15:00:00", "1919-03-31 04:30:00")
    }

    @Test("Across the date line: 29 to 31 December are two days")
    func apia() throws {
        expect("Pacific/Apia", try .period(2, .day), "2011-12-30 09:00:00", "2011-12-30 10:00:00")
        expect("Pacific/Apia", try .period(3, .day), "2011-12-30 09:00:00", "2011-12-31 10:00:00")
    }

    @Test("An hour that comes twice is two hours; one that is jumped over is none")
    func hours() throws {
        expect(newYork, try .period(1, .hour), "2024-11-03 05:10:00", "2024-11-03 06:00:00")
        expect(newYork, try .period(2, .hour), "2024-11-03 05:10:00", "2024-11-03 07:00:00")
        expect(newYork, try .period(1, .hour), "2024-03-10 06:59:00", "2024-03-10 07:00:00")
        // Lord Howe, half an hour: 1:00, then 2:30 at once after 1:59, and 3:00; in autumn 1:00, 1:30 once more, 2:00.
        expect("Australia/Lord_Howe", try .period(1, .hour), "2024-10-05 14:30:00", "2024-10-05 16:00:00")
        expect("Australia/Lord_Howe", try .period(1, .hour), "2024-04-06 14:00:00", "2024-04-06 15:30:00")
        expect("Asia/Kathmandu", try .period(1, .hour), "2024-04-06 14:00:00", "2024-04-06 14:15:00")
        // A year has an hour less there.
        expect("Australia/Lord_Howe", try .period(8759, .hour), "2024-01-01 13:00:00", "2024-12-31 13:00:00")
    }

    @Test("Clocks that are set back over midnight show a day again, and block and repeat nothing")
    func dayAgain() throws {
        // Saint John's, 7 November 2010: at 0:01 back to 23:01.
        let daily = try Interval.period(1, .day)
        inZone("America/St_Johns") {
            let (calendar, midnight) = (LocalCalendar(), utc("2010-11-07 02:30:00"))
            #expect(daily.isDue(from: midnight, last: midnight - 60, in: calendar))
            #expect(!daily.isDue(last: midnight - 60, now: midnight + 60, in: calendar))
            #expect(daily.nextDue(last: midnight - 60, now: midnight + 60, in: calendar) == midnight + 3600)
            #expect(!daily.isDue(last: midnight, now: midnight + 3600, in: calendar))
            #expect(daily.isDue(from: midnight + 90000, last: midnight, in: calendar))
        }
    }

    @Test("TZ is followed from one call to the next, in all its forms")
    func environment() throws {
        let daily = try Interval.period(1, .day)
        let last = utc("2024-06-01 12:00:00")
        let midnights = [
            ("JST-9", "2024-06-01 15:00:00"), ("GMT+5", "2024-06-02 05:00:00"), ("<-03>3", "2024-06-02 03:00:00"),
            (":Europe/London", "2024-06-01 23:00:00"), ("EST5EDT,M3.2.0,M11.1.0", "2024-06-02 04:00:00"),
            ("", "2024-06-02"), ("No/Such_Zone", "2024-06-02"), ("XXX-24", "2024-06-02"), ("XXX24", "2024-06-02"),
        ]
        for (zone, midnight) in midnights + midnights.reversed() {
            expect(zone, daily, "2024-06-01 12:00:00", midnight)
        }
        // Asking isn't slow, and nothing traps, where a zone's clocks jump back and forth by two days.
        inZone("AAA-24BBB24,M3.1.0,M11.1.0") {
            for unit in Interval.everyUnit {
                for hour in 0..<9000 where hour % 97 == 0 {
                    let now = last + Double(hour) * 3600
                    for interval in [try? Interval.calendar(1, unit), try? Interval.period(1, unit)] {
                        guard let interval else { continue }
                        #expect(interval.nextDue(last: now, now: now, in: LocalCalendar()).isFinite)
                    }
                }
            }
        }
    }
}
