"""Owns how the library is called and how it calls back: failures become exceptions, and what a Python function raises
waits until the library has returned, then passes through. Knows nothing of what is called.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Generator
from ctypes import CFUNCTYPE, c_int, cast
from datetime import datetime, timedelta, timezone
from typing import Any, Optional

from ._library import library
from .errors import BY_CODE, ArgumentError, Error

OK = NO = 0
YES = RAN = 1
CALLBACK_FAILED = -7


class _Thread(threading.local):
    """The calls that this thread is in, the innermost last: for each, what was raised inside of it."""

    def __init__(self) -> None:
        self.calls: list[list[BaseException]] = []


_thread = _Thread()


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of the library and returns its result, if that isn't a failure."""
    raised: list[BaseException] = []
    _thread.calls.append(raised)
    try:
        result = function(*arguments)
        words = library.firsttime_last_error() if isinstance(result, int) and result < 0 else b""
    finally:
        _thread.calls.pop()
    if raised:
        try:
            raise raised[0]
        finally:
            raised.clear()
    if words:
        if result == CALLBACK_FAILED:
            # Nothing was raised: a signal came before the function could begin.
            raise KeyboardInterrupt
        raise BY_CODE.get(result, Error)(words.decode(errors="replace"))
    return result


def guarded(if_raised: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a Python function for the library. On a thread of the library's own, where no call waits for it, what the
    function raises goes to sys.unraisablehook."""
    try:
        return function(*arguments)
    except BaseException as error:
        if not _thread.calls:
            raise
        _thread.calls[-1].append(error)
        return if_raised


def raise_later(error: BaseException) -> None:
    """Raises it again when the call that this thread is in has returned."""
    _thread.calls[-1].append(error)


def status(function: Callable[..., Any], *arguments: Any) -> int:
    """The same for a function whose result doesn't count: 0, or 1 when it raised."""

    def run() -> int:
        function(*arguments)
        return 0

    return int(guarded(1, run))


class Called:
    """A function that the library calls back during one call of ours: `callback`, for as long as this lives. It is
    given the callback's first argument; the others, which C lets a function ignore, are not known to it.

    The exception of a signal may be raised where any Python function begins, before a `try` in it; of a C function that
    ctypes makes of one, the result is then whatever lay on the stack, and 0 would record a run that never was. A
    generator goes on inside its `try`.
    """

    def __init__(self, kind: Any, function: Callable[[Any], object]) -> None:
        self._generator = self._run(function)
        next(self._generator)
        self._kept = CFUNCTYPE(c_int, kind._argtypes_[0])(self._generator.send)
        self.callback = cast(self._kept, kind)

    @staticmethod
    def _run(function: Callable[[Any], object]) -> Generator[int, Any, None]:
        try:
            argument = yield 1
            while argument is not None:
                function(argument)
                argument = yield 0
        except BaseException as error:
            raise_later(error)
            yield 1

    def end(self) -> None:
        """It isn't called any more."""
        next(self._generator, None)


class Contexts:
    """Python objects that the library holds on to, under the number that it knows as `void *context`."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._objects: dict[int, Any] = {}

    def add(self, value: Any) -> int:
        number = next(self._numbers)
        self._objects[number] = value
        return number

    def __getitem__(self, number: int) -> Any:
        return self._objects[number]

    def remove(self, number: int) -> None:
        self._objects.pop(number, None)

    def __len__(self) -> int:
        return len(self._objects)


contexts = Contexts()


def text(value: str) -> bytes:
    """A string for C."""
    if not isinstance(value, str):
        raise TypeError(f"a str is needed, not {value!r}")
    return checked_bytes(value.encode())


def text_or_none(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else text(value)


def checked_bytes(value: bytes) -> bytes:
    if b"\0" in value:
        raise ArgumentError("a string holds a NUL byte")
    return value


def number(value: int, bits: int = 64, signed: bool = False) -> int:
    """A whole number for C, which ctypes would cut short."""
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    if not low <= value < high:
        raise ArgumentError(f"{value} is out of range")
    return value


def string(value: Optional[bytes]) -> Optional[str]:
    """A string from C."""
    return None if value is None else value.decode()


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_FIRST = datetime.min.replace(tzinfo=timezone.utc)
_LAST = datetime.max.replace(tzinfo=timezone.utc)


def to_datetime(seconds: float, rounded: Callable[[float], int] = round) -> Optional[datetime]:
    """A time from C; NaN is none. What datetime can't hold becomes its first or last time."""
    if math.isnan(seconds):
        return None
    if abs(seconds) < 1e12:
        whole = math.floor(seconds)
        try:
            return _EPOCH + timedelta(seconds=whole, microseconds=rounded((seconds - whole) * 1e6))
        except OverflowError:
            pass
    return _FIRST if seconds < 0 else _LAST
