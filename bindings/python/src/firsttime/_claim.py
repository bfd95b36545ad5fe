"""Owns a key that was taken without a function."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Optional

from ._calls import call
from ._library import library


class Claim:
    """A key that is yours to run, if it was due: then it is true. See `Store.begin`. It ends with `commit()`,
    `abandon()`, or its `with` statement; when nothing refers to it any more it is abandoned."""

    def __init__(self, pointer: c_void_p) -> None:
        self._pointer = pointer

    def __bool__(self) -> bool:
        return self._pointer.value is not None

    def commit(self) -> None:
        """Records the run. The claim is over, whatever comes of it."""
        call(library.firsttime_commit, self._take())

    def abandon(self) -> None:
        """Gives the key back and records nothing. Does nothing when the claim is over, or wasn't due."""
        call(library.firsttime_abandon, self._take())

    def _take(self) -> Optional[int]:
        pointer = self._pointer.value
        self._pointer.value = None
        return pointer

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *error: object) -> None:
        if kind is not None:
            self.abandon()
        elif self:
            self.commit()

    def __del__(self) -> None:
        if self:
            self.abandon()
