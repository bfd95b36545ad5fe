// ISO 8601 dates, as property lists hold them: `2001-01-01T00:00:00Z`. No clock, no zone, no libc.
//
// The calendar is the proleptic Gregorian one with a year 0, as Foundation's writer has it.

enum ISO8601 {
    /// 719468 days lie between 0000-03-01 and 1970-01-01, 11323 more before 2001-01-01.
    private static let daysTo2001: Int64 = 719_468 + 11_323
    /// Reading refuses years with more digits than this one; all arithmetic stays far inside 64 bits.
    private static let lastYear: Int64 = 99_999_999_999

    /// Seconds since 2001-01-01; nil when the text isn't a date or names a day that doesn't exist.
    ///
    /// The year may have any number of digits up to eleven, and a minus sign. A leap second is the next minute's first.
    static func seconds(from text: ArraySlice<UInt8>) -> Int64? {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        guard let dash = rest.firstIndex(of: UInt8(ascii: "-")), let year = number(rest[..<dash], digits: 1...11) else {
            return nil
        }
        rest = rest[dash...]
        let fields: StaticString = "-00-00T00:00:00Z"
        guard rest.count == fields.utf8CodeUnitCount else { return nil }
        for (offset, byte) in rest.enumerated() where fields.utf8Start[offset] != UInt8(ascii: "0") {
            guard byte == fields.utf8Start[offset] else { return nil }
        }
        func field(_ offset: Int) -> Int64? {
            number(rest[(rest.startIndex + offset)..<(rest.startIndex + offset + 2)], digits: 2...2)
        }
        guard let month = field(1), let day = field(4), let hour = field(7), let minute = field(10),
            let second = field(13)
        else { return nil }
        let signedYear = isNegative ? -year : year
        guard 1...12 ~= month, day >= 1, day <= length(of: month, in: signedYear), hour < 24, minute < 60, second <= 60
        else { return nil }
        return ((days(signedYear, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Appends the date, as Foundation spells it; false when it lies further off than `seconds(from:)` reads.
    static func append(_ seconds: Double, to output: inout [UInt8]) -> Bool {
        // A fraction has no place in the format; dropping it downwards is what Foundation does.
        guard abs(seconds) < 3.2e18 else { return false }
        let towardsZero = Int64(seconds)
        let whole = Double(towardsZero) > seconds ? towardsZero - 1 : towardsZero
        let day = floorDivide(whole, 86_400)
        let second = whole - day * 86_400
        let (year, month, dayOfMonth) = date(day)
        guard abs(year) <= lastYear else { return false }
        if year < 0 { output.append(UInt8(ascii: "-")) }
        // The sign counts as one of the four columns.
        appendDecimal(year.magnitude, width: year < 0 ? 3 : 4, to: &output)
        appendField(UInt8(ascii: "-"), month, to: &output)
        appendField(UInt8(ascii: "-"), dayOfMonth, to: &output)
        appendField(UInt8(ascii: "T"), second / 3600, to: &output)
        appendField(UInt8(ascii: ":"), second / 60 % 60, to: &output)
        appendField(UInt8(ascii: ":"), second % 60, to: &output)
        output.append(UInt8(ascii: "Z"))
        return true
    }

    // MARK: - The calendar

    // Years are counted from March, so that the leap day is a year's last: 400 years are 146097 days, and the days
    // before a month are (153 * month + 2) / 5.

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysTo2001
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + daysTo2001
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }

    // MARK: - Digits

    private static func number(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.count) else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func appendField(_ separator: UInt8, _ value: Int64, to output: inout [UInt8]) {
        output.append(separator)
        appendDecimal(value.magnitude, width: 2, to: &output)
    }
}
