"""Owns showing and checking bytes, whosever they are, and repairing a store that can't be opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Optional, Union

from . import _library as c
from ._calls import YES, Called, call, checked_bytes
from ._library import library
from ._values import Problem
from ._visits import all_seen
from ._writing import all_written
from .errors import CorruptError


def dump(data: bytes, *, json: bool = False, raw: bool = False) -> str:
    """Shows any property list, binary or XML, as text. The objects of a keyed archive stand where its UIDs lead.

    - `json`: JSON, for scripts.
    - `raw`: UIDs as they stand.
    """
    flags = (1 << 0 if json else 0) | (1 << 1 if raw else 0)

    def write(writer: Any) -> None:
        call(library.firsttime_dump_bytes, data, len(data), flags, writer, None)

    return all_written(write).decode()


def verify(data: bytes) -> list[Problem]:
    """Everything that is wrong with a property list, a keyed archive, or one of this library's; empty: it is sound.
    What is sound, but a newer version's, raises `FormatError`."""

    def show(visitor: Any) -> None:
        try:
            call(library.firsttime_verify_bytes, data, len(data), visitor, None)
        except CorruptError:
            pass  # it was shown why

    return all_seen(c.ProblemVisitor, Problem._from_c, show)


def repair(path: Union[str, os.PathLike[str]], told: Optional[Callable[[Problem], object]] = None) -> bool:
    """Repairs a store that can't be opened, while no program has it open: what can't be decoded is kept beside it under
    another name, and the store starts from every record that could be saved. False: it can be opened as it is.

    - `told(problem)` is told, before anything is changed, of what is wrong and what will be done about it. When it
      raises, nothing is changed.
    """
    c_path = checked_bytes(os.fsencode(path))
    if told is None:
        return bool(call(library.firsttime_repair, c_path, c.no_problem_visitor, None) == YES)
    tell = told
    visitor = Called(c.ProblemVisitor, lambda problem: tell(Problem._from_c(problem)))
    try:
        return bool(call(library.firsttime_repair, c_path, visitor.callback, None) == YES)
    finally:
        visitor.end()
