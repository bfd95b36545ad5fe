"""Owns how the library writes to a Python function. Knows nothing of what is written."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Generator
from ctypes import CFUNCTYPE, c_int, c_size_t, c_void_p, cast, string_at
from typing import Any

from . import _library as c
from ._calls import raise_later


class Written:
    """A function that is given what the library writes, part by part, during one call of ours: `callback`, for as long
    as this lives.

    As with `Called`, the exception of a signal must not get lost, as a part would be lost with it: a generator does the
    work. It is sent one argument at a time, by a function of C that takes two and gives one number: `min` sends it 0,
    the address and the length, and gives the one for which it answered least. That is 0: go on; or the length: stop.
    """

    def __init__(self, function: Callable[[bytes], object]) -> None:
        self._generator = self._run(function)
        next(self._generator)
        least = functools.partial(min, 0, key=self._generator.send)
        self._kept = CFUNCTYPE(c_int, c_void_p, c_size_t)(least)
        self.callback = cast(self._kept, c.Writer)

    @staticmethod
    def _run(function: Callable[[bytes], object]) -> Generator[int, Any, None]:
        try:
            zero = yield 1
            while zero is not None:
                address = yield 0
                length = yield 1
                function(string_at(address, length))
                zero = yield 1
        except BaseException as error:
            raise_later(error)
            # Wherever it was: less with each answer, so that the length has the least.
            for answer in itertools.count(-1, -1):
                yield answer

    def end(self) -> None:
        """It isn't called any more."""
        next(self._generator, None)


def write_to(function: Callable[[bytes], object], write: Callable[[Any], object]) -> None:
    """Calls `write` with a writer that gives each part to `function`."""
    written = Written(function)
    try:
        write(written.callback)
    finally:
        written.end()


def all_written(write: Callable[[Any], object]) -> bytes:
    """What `write` writes to its argument, a writer."""
    parts: list[bytes] = []
    write_to(parts.append, write)
    return b"".join(parts)
