"""Owns the open store: opening and closing it, running and claiming keys."""

from __future__ import annotations

import os
from collections.abc import Callable
from ctypes import byref, c_void_p, sizeof
from datetime import datetime, timedelta
from typing import Any, Optional, Union

from . import _library as c
from ._asking import ONCE, Asking
from ._calls import Called, call, checked_bytes, contexts, number, text, text_or_none
from ._claim import Claim
from ._decorators import Decorator, decorator, every_policy
from ._events import Events
from ._exporting import Exporting
from ._importing import Importing
from ._library import library
from ._values import IntervalLike, Outcome, Policy, c_interval, c_policy
from ._visits import ask_clock, ask_version, release
from .errors import ArgumentError


class Store(Asking, Events, Importing, Exporting):
    """An open store: the records of one app, in one file. Any thread may use it, several processes may share the file,
    and it works on in a forked child. Close it with `close()` or a `with` statement, not while other threads use it.

    One of `path` and `app_id` is needed, as the running program is always `python3`:

    - `path`: the archive file.
    - `app_id`: a name such as "org.example.app"; the file is `$XDG_STATE_HOME/<app_id>/firsttime.archive`.
    - `app_version`: compared byte for byte.
    - `read_only`, `in_memory`, `relaxed`, `recover`, `run_if_unwritable`: the flags of firsttime.h.
    - `wait`: the longest wait for another runner of a key; None: for ever; zero: none.
    - `utc_offset`: the zone of calendar intervals; None: the system's.
    - `first_weekday`: 1 Monday ... 7 Sunday.
    """

    def __init__(
        self,
        path: Union[str, os.PathLike[str], None] = None,
        *,
        app_id: Optional[str] = None,
        app_version: Optional[str] = None,
        read_only: bool = False,
        in_memory: bool = False,
        relaxed: bool = False,
        recover: bool = False,
        run_if_unwritable: bool = False,
        wait: Optional[timedelta] = None,
        utc_offset: Optional[timedelta] = None,
        first_weekday: int = 1,
    ) -> None:
        if path is None and app_id is None and not in_memory:
            raise ArgumentError("a store needs a path or an app_id: every Python program is called python3")
        flags = (read_only, in_memory, relaxed, recover, run_if_unwritable, utc_offset is not None)
        options = c.Options(
            size=sizeof(c.Options),
            path=None if path is None else checked_bytes(os.fsencode(path)),
            app_id=text_or_none(app_id),
            app_version=text_or_none(app_version),
            flags=sum(1 << bit for bit, is_set in enumerate(flags) if is_set),
            wait_ms=0 if wait is None else _milliseconds(wait),
            utc_offset_minutes=0 if utc_offset is None else number(utc_offset // timedelta(minutes=1), 32, signed=True),
            first_weekday=number(first_weekday, 32, signed=True),
        )
        pointer = c_void_p()
        call(library.firsttime_open, byref(options), byref(pointer))
        super().__init__(pointer.value or 0)

    def close(self) -> None:
        """Writes what is pending and closes the store; after a failure it is closed, too. Later calls raise."""
        self._close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def flush(self) -> None:
        """Makes the archive file current: on disk, with everything that was recorded."""
        self._call(library.firsttime_flush)

    @property
    def path(self) -> str:
        """The archive file's absolute path; "" in memory."""
        return os.fsdecode(self._call(library.firsttime_path))

    def set_clock(self, clock: Optional[Callable[[], Union[datetime, float]]]) -> None:
        """Replaces the clock, for tests: a function that gives a datetime or seconds since 1970. None: the system's."""
        store = self._open()
        if clock is None:
            call(library.firsttime_set_clock, store, c.no_clock, None, c.no_release)
        else:
            call(library.firsttime_set_clock, store, ask_clock, contexts.add(clock), release)

    def set_version_provider(self, provider: Optional[Callable[[], Optional[str]]]) -> None:
        """Replaces the source of the app's version. None: the one given when opening."""
        store = self._open()
        if provider is None:
            call(library.firsttime_set_version_provider, store, c.no_version_provider, None, c.no_release)
        else:
            call(library.firsttime_set_version_provider, store, ask_version, contexts.add(provider), release)

    def execute_once(
        self, key: str, first: Callable[[], object], after: Optional[Callable[[], object]] = None
    ) -> Outcome:
        """Runs `first` if `key` has never run on this install, and records it when it returns; otherwise runs `after`.

        What they return is ignored; what they raise passes through, and a `first` that raised is not recorded.
        """
        return self._run(library.firsttime_execute_once, (text(key),), first, after)

    def execute_once_per_version(
        self, key: str, first: Callable[[], object], after: Optional[Callable[[], object]] = None
    ) -> Outcome:
        """The same, once per app version."""
        return self._run(library.firsttime_execute_once_per_version, (text(key),), first, after)

    def execute_once_per_interval(
        self,
        key: str,
        interval: IntervalLike,
        first: Callable[[], object],
        after: Optional[Callable[[], object]] = None,
    ) -> Outcome:
        """The same, once per interval."""
        arguments = (text(key), c_interval(interval))
        return self._run(library.firsttime_execute_once_per_interval, arguments, first, after)

    def execute(
        self, key: str, policy: Policy, first: Callable[[], object], after: Optional[Callable[[], object]] = None
    ) -> Outcome:
        """The same under any policy."""
        return self._run(library.firsttime_execute, (text(key), byref(c_policy(policy))), first, after)

    def _run(
        self,
        function: Any,
        arguments: tuple[Any, ...],
        first: Callable[[], object],
        after: Optional[Callable[[], object]],
    ) -> Outcome:
        # The context is what they are given; it may be anything but NULL.
        called = [_called(each) for each in (first, after) if each is not None]
        callbacks = [each.callback for each in called] + [c.no_callback]
        try:
            return Outcome(self._call(function, *arguments, *callbacks[:2], 1))
        finally:
            for each in called:
                each.end()

    def begin(self, key: str, policy: Policy = ONCE) -> Claim:
        """Takes `key` if it is due, for work in a `with` statement: its normal end records the run, an exception
        doesn't.

        with store.begin("nightly") as claim:
            if claim:
                work()
        """
        pointer = c_void_p()
        claim = Claim(pointer)
        self._call(library.firsttime_begin, text(key), byref(c_policy(policy)), byref(pointer))
        return claim

    def once(self, key: Optional[str] = None, *, after: Optional[Callable[[], Any]] = None) -> Decorator[Any]:
        """Decorates a function that runs once per install, see `decorated`."""
        return self.decorated(key, ONCE, after)

    def once_per_version(
        self, key: Optional[str] = None, *, after: Optional[Callable[[], Any]] = None
    ) -> Decorator[Any]:
        """Decorates a function that runs once per app version, see `decorated`."""
        return self.decorated(key, Policy(per_version=True), after)

    def every(
        self,
        key: Optional[str] = None,
        interval: Optional[IntervalLike] = None,
        *,
        after: Optional[Callable[[], Any]] = None,
        **timedelta_arguments: float,
    ) -> Decorator[Any]:
        """Decorates a function that runs once per interval: `@store.every("key", days=1)`, with timedelta's arguments,
        or `@store.every("key", Interval.daily())`. See `decorated`."""
        return self.decorated(key, every_policy(interval, timedelta_arguments), after)

    def decorated(
        self, key: Optional[str], policy: Policy, after: Optional[Callable[[], Any]] = None
    ) -> Decorator[Any]:
        """Decorates a function that runs under a policy. Each call gives what it returned when it ran, what `after`
        returned when it wasn't due, or None. The key is by default the function's module and qualified name, which must
        then not change."""
        return decorator(lambda: self, key, policy, after)


def _called(function: Callable[[], object]) -> Called:
    return Called(c.Callback, lambda context: function())


def _milliseconds(wait: timedelta) -> int:
    """Nothing and less: none."""
    milliseconds = wait // timedelta(milliseconds=1)
    return -1 if wait <= timedelta(0) else max(1, min(milliseconds, 2**31 - 1))
