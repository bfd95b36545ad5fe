"""Owns what the library calls: one C function for each kind of callback, which finds its Python function by the context."""

from __future__ import annotations

import threading
from ctypes import addressof, create_string_buffer
from datetime import datetime
from typing import Any, Callable, Optional, Union

from . import _library as c
from ._calls import YES, call, contexts, guarded, status, text
from ._values import Donations, Record, TriggerRecord


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


def _append(context: int, make: Callable[[Any], Any], shown: Any) -> int:
    return status(lambda: contexts[context].append(make(shown)))


@c.RecordVisitor
def see_record(record: Any, context: int) -> int:
    return _append(context, Record._from_c, record)


@c.DonationsVisitor
def see_donations(donations: Any, context: int) -> int:
    return _append(context, Donations._from_c, donations)


@c.TriggerVisitor
def see_trigger(record: Any, context: int) -> int:
    return _append(context, TriggerRecord._from_c, record)


@c.NameVisitor
def see_name(name: bytes, context: int) -> int:
    return _append(context, bytes.decode, name)


def all_seen(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What the function shows to its last argument, a visitor."""
    shown: list[Any] = []
    context = contexts.add(shown)
    try:
        stopped = call(function, *arguments, context) == YES
    finally:
        contexts.remove(context)
    if stopped:
        raise KeyboardInterrupt  # ours stop nothing: a signal came before one could begin
    return shown


def one_seen(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function shows to its last argument, a visitor; None when it finds nothing."""
    shown: list[Any] = []
    context = contexts.add(shown)
    try:
        found = call(function, *arguments, context) == YES
    finally:
        contexts.remove(context)
    if found and not shown:
        raise KeyboardInterrupt
    return shown[0] if found else None


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


@c.ProblemVisitor
def see_problem(problem: Any, context: int) -> int:
    value = problem.contents
    return status(lambda: contexts[context].skipped(value.offset, value.text.decode()))


@c.Progress
def see_progress(done: int, total: int, context: int) -> int:
    return status(lambda: contexts[context].progress(done, total))
