"""Owns what the library calls: visitors, and one C function for each kind of callback that it keeps, which finds its
Python function by the context."""

from __future__ import annotations

import threading
from ctypes import addressof, create_string_buffer
from datetime import datetime
from typing import Any, Callable, Optional, Union

from . import _library as c
from ._calls import Called, call, contexts, guarded, status, text
from ._values import Donations


@c.Release
def release(context: int) -> None:
    contexts.remove(context)


def _seconds(time: Union[datetime, float]) -> float:
    return time.timestamp() if isinstance(time, datetime) else float(time)


@c.Clock
def ask_clock(context: int) -> float:
    return float(guarded(float("nan"), lambda: _seconds(contexts[context]())))


_versions = threading.local()
_NOT_UTF8 = create_string_buffer(b"\xff")


@c.VersionProvider
def ask_version(context: int) -> Optional[int]:
    """The text must live until the library has copied it: each thread keeps its last one."""

    def ask() -> Optional[int]:
        version = contexts[context]()
        if version is None:
            return None
        _versions.text = create_string_buffer(text(version))
        return addressof(_versions.text)

    # What isn't UTF-8 makes the call fail before anything runs.
    address: Optional[int] = guarded(addressof(_NOT_UTF8), ask)
    return address


def all_seen(kind: Any, make: Callable[[Any], Any], show: Callable[[Any], Any]) -> list[Any]:
    """What `show` shows to its argument, a visitor."""
    shown: list[Any] = []
    visitor = Called(kind, lambda value: shown.append(make(value)))
    try:
        show(visitor.callback)
    finally:
        visitor.end()
    return shown


def one_seen(kind: Any, make: Callable[[Any], Any], show: Callable[[Any], Any]) -> Any:
    """The same for one that shows one thing; None when it finds nothing."""
    shown = all_seen(kind, make, show)
    return shown[0] if shown else None


@c.Condition
def ask_condition(context: int) -> int:
    return int(guarded(0, lambda: bool(contexts[context]())))


@c.EventCondition
def ask_event_condition(donations: Any, context: int) -> int:
    return int(guarded(0, lambda: bool(contexts[context](Donations._from_c(donations)))))


@c.Trigger
def fire(name: bytes, context: int) -> None:
    status(lambda: contexts[context].fire(name.decode()))


@c.Executor
def execute(queue: int, work: Callable[[Optional[int]], None], argument: Optional[int]) -> None:
    status(lambda: contexts[queue].execute(lambda: call(work, argument)))


@c.Progress
def see_progress(done: int, total: int, context: int) -> int:
    return status(lambda: contexts[context](done, total))
