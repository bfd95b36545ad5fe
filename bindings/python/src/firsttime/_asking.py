"""Owns what can be asked of a store, and marked and forgotten in it. Runs nothing."""

from __future__ import annotations

import functools
import math
from ctypes import byref, c_double
from datetime import datetime
from typing import Optional

from . import _library as c
from ._calls import YES, text, to_datetime
from ._handle import Handle
from ._library import library
from ._values import IntervalLike, Policy, Record, c_interval, c_policy
from ._visits import all_seen, one_seen

ONCE = Policy()


class Asking(Handle):
    """The part of `Store` that asks and marks."""

    def was_executed(self, key: str) -> bool:
        """Whether `key` has ever run on this install. Ignores versions and intervals."""
        return bool(self._call(library.firsttime_was_executed, text(key)) == YES)

    def is_due(self, key: str, policy: Policy = ONCE) -> bool:
        """Whether `execute` would run it now. Only a hint when others may run the key, too."""
        return bool(self._call(library.firsttime_is_due, text(key), byref(c_policy(policy))) == YES)

    def next_due(self, key: str, policy: Policy = ONCE) -> Optional[datetime]:
        """When `key` is due next, as things stand; now when it is due already; None: never."""
        time = c_double()
        self._call(library.firsttime_next_due, text(key), byref(c_policy(policy)), byref(time))
        # Rounded up, so that it is due at that time.
        return None if math.isinf(time.value) else to_datetime(time.value, math.ceil)

    def last_execution(self, key: str) -> Optional[datetime]:
        """When `key` last ran."""
        time = c_double()
        self._call(library.firsttime_last_execution, text(key), byref(time))
        return to_datetime(time.value)

    def find(self, key: str) -> Optional[Record]:
        """What is recorded of `key`."""
        show = functools.partial(self._call, library.firsttime_find, text(key))
        found: Optional[Record] = one_seen(c.RecordVisitor, Record._from_c, lambda visitor: show(visitor, None))
        return found

    def records(self, prefix: str = "") -> list[Record]:
        """The records whose keys begin with `prefix`, as they are at one moment, in the order of their keys' bytes."""
        show = functools.partial(self._call, library.firsttime_each, text(prefix))
        return all_seen(c.RecordVisitor, Record._from_c, lambda visitor: show(visitor, None))

    def count(self, prefix: str = "") -> int:
        """How many keys that begin with `prefix` have a record."""
        return int(self._call(library.firsttime_count, text(prefix)))

    def mark(self, key: str) -> None:
        """Records a run of `key` now, as if its function had just returned."""
        self._call(library.firsttime_mark, text(key))

    def reset_key(self, key: str) -> bool:
        """Forgets `key`: it is due again. Whether there was a record."""
        return bool(self._call(library.firsttime_reset_key, text(key)) == YES)

    def reset_prefix(self, prefix: str) -> None:
        """Forgets every key that begins with `prefix`, which may not be empty: that is `reset`."""
        self._call(library.firsttime_reset_prefix, text(prefix))

    def reset(self) -> None:
        """Forgets every execution record; events and triggers stay."""
        self._call(library.firsttime_reset)

    def should_run(self, name: str, interval: IntervalLike) -> bool:
        """Whether the interval key `name` was never marked, or `interval` has passed since. Ask, do, `mark_run`."""
        return bool(self._call(library.firsttime_should_run, text(name), c_interval(interval)) == YES)

    def mark_run(self, name: str) -> None:
        """Records that what `name` stands for ran now."""
        self._call(library.firsttime_mark_run, text(name))

    def reset_interval(self, name: str) -> bool:
        """Forgets the interval key `name`. Whether it was marked."""
        return bool(self._call(library.firsttime_reset_interval, text(name)) == YES)

    def reset_all_intervals(self) -> None:
        """Forgets every interval key, and no other."""
        self._call(library.firsttime_reset_all_intervals)
