"""What calendar intervals should answer, by Python's zoneinfo and dateutil's relativedelta. PERIOD boundaries are found by
stepping through local time. Nothing here knows how the library does it."""

import math
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR = range(8)
ELAPSED, CALENDAR, PERIOD = range(3)
FIXED = {SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86400, WEEK: 604800}
LENGTH = FIXED | {MONTH: 30 * 86400, QUARTER: 91 * 86400, YEAR: 365 * 86400}
# Offsets are whole quarters of an hour since 1990, in every zone that is tried here.
QUARTER_HOUR = 900


class Zone:
    """A zone by its TZ, or a fixed offset in minutes."""

    def __init__(self, name, offset=None):
        self.name = name
        self.offset = offset
        posix = {"JST-9": 9, "GMT+5": -5, "<-03>3": -3}
        if offset is not None:
            self.info = timezone(timedelta(minutes=offset))
        elif name in posix:
            self.info = timezone(timedelta(hours=posix[name]))
        else:
            self.info = ZoneInfo(name)
        self.changes = self.find_changes()

    def local(self, time):
        return datetime.fromtimestamp(math.floor(time), self.info).replace(tzinfo=None, fold=0)

    def instant(self, local):
        """fold=0: the first of two; where clocks jump over it, by what they showed before the jump."""
        return local.replace(tzinfo=self.info, fold=0).timestamp()

    def find_changes(self):
        def offset(time):
            return datetime.fromtimestamp(time, self.info).utcoffset()

        found = []
        begin, end = (int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp()) for year in (1989, 2062))
        for day in range(begin, end, 86400):
            if offset(day) != offset(day + 86400):
                time = day
                while offset(time + 60) == offset(day):
                    time += 60
                found.append(time + 60)
        return found


class Oracle:
    def __init__(self, zone, first_weekday):
        self.zone = zone
        self.first_weekday = first_weekday

    def answer(self, kind, unit, count, last, now):
        """(due, next)"""
        if kind != PERIOD:
            next_due = self.add(kind, unit, count, last)
            due = now >= next_due or last > self.add(kind, unit, count, now)
        elif unit <= HOUR:
            if last <= now:
                due = self.whole_unit(unit, count, last, now) is not None
            else:
                due = self.whole_unit(unit, count + 1, now, last) is not None
            next_due = None if due else self.whole_unit(unit, count, last, math.inf)
        else:
            target = self.period(unit, last) + count
            if last <= now:
                due = self.period(unit, now) >= target
            else:
                due = self.period(unit, last) - self.period(unit, now) > count
            next_due = None if due else self.step_to(unit, target, max(last, now))
        return due, now if due else next_due

    def add(self, kind, unit, count, time):
        if kind == ELAPSED or unit <= HOUR:
            return time + count * FIXED[unit]
        local = self.zone.local(time)
        if unit <= WEEK:
            local += timedelta(days=count * (7 if unit == WEEK else 1))
        else:
            local += relativedelta(months=count * {MONTH: 1, QUARTER: 3, YEAR: 12}[unit])
        return self.zone.instant(local) + (time - math.floor(time))

    def period(self, unit, time):
        date = self.zone.local(time).date()
        if unit == DAY:
            return date.toordinal()
        if unit == WEEK:  # by the date of the day that it began on
            return (date - timedelta(days=(date.isoweekday() - self.first_weekday) % 7)).toordinal() // 7
        if unit == MONTH:
            return date.year * 12 + date.month
        if unit == QUARTER:
            return date.year * 4 + (date.month + 2) // 3
        return date.year

    def whole_unit(self, unit, count, after, until):
        """The count-th instant after `after` that shows a whole unit, by looking at every one that may."""
        step = {SECOND: 1, MINUTE: 60, HOUR: QUARTER_HOUR}[unit]
        time = math.floor(after) // step * step + step
        while time <= until:
            local = self.zone.local(time)
            if unit == SECOND or local.second == 0 and (unit == MINUTE or local.minute == 0):
                count -= 1
                if count == 0:
                    return time
            time += step
        return None

    def step_to(self, unit, target, start):
        """The first instant after `start` in the period `target` or a later one."""
        coarse = 6 * 3600
        time = start
        while self.period(unit, time + coarse) < target:
            time += coarse
        # A day may begin, end by a change of the clocks, and begin again.
        time = max(start, time - coarse)
        time = math.floor(time) // QUARTER_HOUR * QUARTER_HOUR + QUARTER_HOUR
        while self.period(unit, time) < target:
            time += QUARTER_HOUR
        while time - 1 > start and self.period(unit, time - 1) >= target:
            time -= 1
        return time
