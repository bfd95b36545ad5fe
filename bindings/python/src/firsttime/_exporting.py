"""Owns giving a copy of all state away."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Optional, Union, overload

from ._calls import checked_bytes
from ._handle import Handle
from ._library import library
from ._values import c_format
from ._writing import all_written, write_to


class Exporting(Handle):
    """The part of `Store` that exports."""

    @overload
    def export(self, path: None = None, *, format: str = "archive") -> bytes: ...

    @overload
    def export(self, path: Union[str, os.PathLike[str]], *, format: str = "archive") -> None: ...

    def export(self, path: Union[str, os.PathLike[str], None] = None, *, format: str = "archive") -> Optional[bytes]:
        """A copy of everything the store holds, at one moment: as bytes, or to the file `path`, which is there when it
        is complete, or not at all.

        - `format`: "archive", "archive-xml", "defaults" (for `defaults import` on a Mac), or "json", which can't be
          imported again.
        """
        number = c_format(format)
        if path is None:
            return all_written(lambda writer: self._call(library.firsttime_export_to, number, writer, None))
        self._call(library.firsttime_export, checked_bytes(os.fsencode(path)), number)
        return None

    def export_to(self, write: Callable[[bytes], object], *, format: str = "archive") -> None:
        """The same to `write(part)`, part by part: a file's `write`, for example. What it returns is ignored; what it
        raises ends the export, and passes through."""
        number = c_format(format)
        write_to(write, lambda writer: self._call(library.firsttime_export_to, number, writer, None))
