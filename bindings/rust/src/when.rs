//! Owns when a key is due: intervals and policies.

use std::mem::size_of;
use std::time::Duration;

use crate::sys;

/// Units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Unit {
    /// A second.
    Second = sys::FIRSTTIME_SECOND,
    /// 60 seconds.
    Minute = sys::FIRSTTIME_MINUTE,
    /// 3600 seconds.
    Hour = sys::FIRSTTIME_HOUR,
    /// A day: 86400 seconds where time elapses, else a day of the calendar; so are the next.
    Day = sys::FIRSTTIME_DAY,
    /// A week.
    Week = sys::FIRSTTIME_WEEK,
    /// A month of the calendar.
    Month = sys::FIRSTTIME_MONTH,
    /// A quarter of a year of the calendar.
    Quarter = sys::FIRSTTIME_QUARTER,
    /// A year of the calendar.
    Year = sys::FIRSTTIME_YEAR,
}

/// An interval. A `Duration` is one, too, of elapsed time, wherever an interval is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval(pub(crate) sys::firsttime_interval);

impl Interval {
    /// `count` times 86400 seconds.
    pub fn days(count: f64) -> Interval {
        // SAFETY: these four only make a value.
        Interval(unsafe { sys::firsttime_days(count) })
    }

    /// `count` fixed lengths since the last run; units up to weeks.
    pub fn elapsed(count: f64, unit: Unit) -> Interval {
        Interval(unsafe { sys::firsttime_elapsed(count, unit as i32) })
    }

    /// `count` units added to the last run's local time: "a month later, at the same hour".
    pub fn calendar(count: u32, unit: Unit) -> Interval {
        Interval(unsafe { sys::firsttime_calendar(f64::from(count), unit as i32) })
    }

    /// `count` periods of local time begun since the last run: "once a day at most, whatever the hour".
    pub fn period(count: u32, unit: Unit) -> Interval {
        Interval(unsafe { sys::firsttime_period(f64::from(count), unit as i32) })
    }

    /// Once in an hour of local time.
    pub fn hourly() -> Interval {
        Interval::period(1, Unit::Hour)
    }

    /// Once a day.
    pub fn daily() -> Interval {
        Interval::period(1, Unit::Day)
    }

    /// Once a week.
    pub fn weekly() -> Interval {
        Interval::period(1, Unit::Week)
    }

    /// Once a month.
    pub fn monthly() -> Interval {
        Interval::period(1, Unit::Month)
    }

    /// Once in a quarter of a year.
    pub fn quarterly() -> Interval {
        Interval::period(1, Unit::Quarter)
    }

    /// Once a year.
    pub fn yearly() -> Interval {
        Interval::period(1, Unit::Year)
    }
}

impl From<Duration> for Interval {
    fn from(duration: Duration) -> Interval {
        Interval::elapsed(duration.as_secs_f64(), Unit::Second)
    }
}

/// When a key is due again, and how it is run. Build one from [`Policy::once`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Policy {
    flags: u32,
    interval: Option<Interval>,
}

impl Policy {
    /// Once per install.
    pub fn once() -> Policy {
        Policy::default()
    }

    /// Due again when the app version differs.
    pub fn per_version(self) -> Policy {
        self.with(sys::FIRSTTIME_PER_VERSION)
    }

    /// Due again when `interval` has passed; with [`per_version`](Policy::per_version) either suffices.
    pub fn per_interval(self, interval: impl Into<Interval>) -> Policy {
        Policy { interval: Some(interval.into()), ..self.with(sys::FIRSTTIME_PER_INTERVAL) }
    }

    /// Recorded before it runs: a crash doesn't run it again.
    pub fn at_most_once(self) -> Policy {
        self.with(sys::FIRSTTIME_AT_MOST_ONCE)
    }

    /// [`ErrorCode::Busy`](crate::ErrorCode::Busy) at once when someone else is running the key.
    pub fn no_wait(self) -> Policy {
        self.with(sys::FIRSTTIME_NO_WAIT)
    }

    /// A key never seen is recorded without running.
    pub fn baseline(self) -> Policy {
        self.with(sys::FIRSTTIME_BASELINE)
    }

    fn with(self, flag: u32) -> Policy {
        Policy { flags: self.flags | flag, ..self }
    }

    pub(crate) fn c(&self) -> sys::firsttime_policy {
        let none = sys::firsttime_interval { count: 0.0, unit: 0, kind: 0 };
        sys::firsttime_policy {
            size: size_of::<sys::firsttime_policy>(),
            flags: self.flags,
            interval: self.interval.map_or(none, |interval| interval.0),
        }
    }
}
