"""Owns the library's handle of an open store, and closes it when nothing refers to it any more, or at exit."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from ctypes import c_void_p
from typing import Any, Optional

from ._calls import call
from ._library import library
from .errors import ArgumentError, ReentrantError


class Handle:
    """What the parts of a store have in common."""

    def __init__(self, pointer: int) -> None:
        self._pointer: Optional[int] = pointer
        self._finalizer = weakref.finalize(self, library.firsttime_close, c_void_p(pointer))

    def _open(self) -> int:
        pointer = self._pointer
        if pointer is None:
            raise ArgumentError("the store is closed")
        return pointer

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function whose first parameter is the store."""
        return call(function, self._open(), *arguments)

    def _close(self) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer is None:
            return
        try:
            call(library.firsttime_close, pointer)
        except ReentrantError:
            self._pointer = pointer
            raise
        finally:
            if self._pointer is None:
                self._finalizer.detach()
