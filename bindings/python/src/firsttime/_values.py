"""Owns the values that go in and come out: intervals, policies, outcomes, records. Opens nothing."""

from __future__ import annotations

import enum
from ctypes import sizeof
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Optional, Union

from . import _library as c
from ._calls import string, text, to_datetime
from ._library import library
from .errors import ArgumentError


class Unit(enum.IntEnum):
    """Units of time."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    QUARTER = 6
    YEAR = 7


class Outcome(enum.IntEnum):
    """What an execution did."""

    NOT_DUE = 0
    """Recorded already and not due again."""
    RAN = 1
    """The function ran, and the run is recorded: on disk, safe from a loss of power."""
    RAN_AFTER = 2
    """Not due, and `after` ran."""
    BASELINED = 3
    """Never seen: recorded now, and nothing ran. See `Policy.baseline`."""


@dataclass(frozen=True)
class Interval:
    """An interval. A `timedelta` is one, too, of elapsed time, wherever an interval is wanted."""

    count: float
    unit: Unit
    kind: int

    @staticmethod
    def days(count: float) -> Interval:
        """`count` times 86400 seconds."""
        return _interval(library.firsttime_days(count))

    @staticmethod
    def elapsed(count: float, unit: Unit) -> Interval:
        """`count` fixed lengths since the last run; units up to weeks."""
        return _interval(library.firsttime_elapsed(count, unit))

    @staticmethod
    def calendar(count: int, unit: Unit) -> Interval:
        """`count` units added to the last run's local time: "a month later, at the same hour"."""
        return _interval(library.firsttime_calendar(count, unit))

    @staticmethod
    def period(count: int, unit: Unit) -> Interval:
        """`count` periods of local time begun since the last run: "once a day at most, whatever the hour"."""
        return _interval(library.firsttime_period(count, unit))

    @staticmethod
    def hourly() -> Interval:
        """Once in an hour of local time; so are the next ones, each for its period."""
        return Interval.period(1, Unit.HOUR)

    @staticmethod
    def daily() -> Interval:
        return Interval.period(1, Unit.DAY)

    @staticmethod
    def weekly() -> Interval:
        return Interval.period(1, Unit.WEEK)

    @staticmethod
    def monthly() -> Interval:
        return Interval.period(1, Unit.MONTH)

    @staticmethod
    def quarterly() -> Interval:
        return Interval.period(1, Unit.QUARTER)

    @staticmethod
    def yearly() -> Interval:
        return Interval.period(1, Unit.YEAR)


IntervalLike = Union[Interval, timedelta]


def _interval(value: Any) -> Interval:
    return Interval(value.count, Unit(value.unit), value.kind)


def c_interval(interval: IntervalLike) -> c.Interval:
    if isinstance(interval, timedelta):
        interval = Interval.elapsed(interval.total_seconds(), Unit.SECOND)
    return c.Interval(interval.count, interval.unit, interval.kind)


@dataclass(frozen=True)
class Policy:
    """When a key is due again, and how it is run. As it is: once per install."""

    per_version: bool = False
    """Due again when the app version differs."""
    per_interval: Optional[IntervalLike] = None
    """Due again when this has passed; with `per_version` either suffices."""
    at_most_once: bool = False
    """Recorded before it runs: a crash doesn't run it again."""
    no_wait: bool = False
    """`BusyError` at once when someone else is running the key."""
    baseline: bool = False
    """A key never seen is recorded without running."""


def c_policy(policy: Policy) -> c.Policy:
    flags = (
        (1 << 0 if policy.per_version else 0)
        | (1 << 1 if policy.per_interval is not None else 0)
        | (1 << 2 if policy.at_most_once else 0)
        | (1 << 3 if policy.no_wait else 0)
        | (1 << 4 if policy.baseline else 0)
    )
    interval = c.Interval() if policy.per_interval is None else c_interval(policy.per_interval)
    return c.Policy(sizeof(c.Policy), flags, interval)


@dataclass(frozen=True)
class Record:
    """What is recorded of a key."""

    key: str
    last_version: Optional[str]
    last_time: Optional[datetime]
    first_version: Optional[str]
    first_time: Optional[datetime]
    count: int

    @classmethod
    def _from_c(cls, shown: Any) -> Record:
        value = shown.contents
        return cls(
            value.key.decode(),
            string(value.last_version),
            to_datetime(value.last_time),
            string(value.first_version),
            to_datetime(value.first_time),
            value.count,
        )


@dataclass(frozen=True)
class Donations:
    """What is known of an event."""

    event: str
    count: int
    first_time: Optional[datetime]
    last_time: Optional[datetime]
    first_version: Optional[str]
    last_version: Optional[str]

    @classmethod
    def _from_c(cls, shown: Any) -> Donations:
        value = shown.contents
        return cls(
            value.event.decode(),
            value.count,
            to_datetime(value.first_time),
            to_datetime(value.last_time),
            string(value.first_version),
            string(value.last_version),
        )


@dataclass(frozen=True)
class TriggerRecord:
    """How often a rule has fired, and when last."""

    name: str
    last_time: Optional[datetime]
    count: int

    @classmethod
    def _from_c(cls, shown: Any) -> TriggerRecord:
        value = shown.contents
        return cls(value.name.decode(), to_datetime(value.last_time), value.count)


FORMATS = ("auto", "archive", "archive-xml", "defaults", "rulekit", "json")


def c_format(format: str) -> int:
    if format not in FORMATS:
        raise ArgumentError(f"{format!r} is none of the formats {', '.join(FORMATS)}")
    return FORMATS.index(format)


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do."""

    records_added: int
    records_updated: int
    records_kept: int
    events_added: int
    events_updated: int
    events_kept: int
    skipped: int
    format: str
    """What the bytes were: "archive", "archive-xml", "defaults" or "rulekit"."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with bytes, or that a repair does about it."""

    offset: int
    """Bytes from the start; for XML the line."""
    text: str

    @classmethod
    def _from_c(cls, shown: Any) -> Problem:
        value = shown.contents
        return cls(value.offset, value.text.decode(errors="replace"))


def version_compare(left: str, right: str) -> int:
    """Dotted numeric comparison, "1.10" after "1.9": below, at or above 0."""
    return int(library.firsttime_version_compare(text(left), text(right)))


def library_version() -> str:
    """The version of the library that was found."""
    return str(library.firsttime_library_version().decode())
