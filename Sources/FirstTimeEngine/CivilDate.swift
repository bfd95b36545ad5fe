// CivilDate: the Gregorian calendar, without beginning or end, as arithmetic on day numbers. It knows no zone and no
// clock.

/// A date. Days are counted from 1970-01-01, which is 0.
struct CivilDate {
    var year: Int64
    /// 1 to 12.
    var month: Int64
    /// 1 to 31.
    var day: Int64

    /// Years begin in March here, so that the leap day is the last of one, and every 400 years have as many days.
    init(days: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The first of a month, counted from January of the year 0.
    init(firstOfMonth months: Int64) {
        year = months.floorDivided(by: 12)
        month = months - year * 12 + 1
        day = 1
    }

    /// Its months since January of the year 0.
    var months: Int64 { year * 12 + month - 1 }

    var days: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The same day of a later month, or that month's last.
    func adding(months count: Int64) -> CivilDate {
        var date = CivilDate(firstOfMonth: months + count)
        let length = CivilDate(firstOfMonth: months + count + 1).days - date.days
        date.day = min(day, length)
        return date
    }
}

extension Int64 {
    /// Rounded down, where `/` rounds towards zero. The divisor is above 0.
    func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// What `floorDivided` leaves: never below 0.
    func floorRemainder(by divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
