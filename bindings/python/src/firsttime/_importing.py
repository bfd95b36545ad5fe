"""Owns taking in old state: files of YCFirstTime, of other installs, preferences."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from ctypes import byref, c_char_p, sizeof
from typing import Any, Optional, Union

from . import _library as c
from ._calls import Called, checked_bytes, contexts, text, text_or_none
from ._handle import Handle
from ._library import library
from ._values import FORMATS, ImportReport, IntervalLike, c_format, c_interval
from ._visits import see_progress


def _tell(skipped: Optional[Callable[[int, str], object]], problem: Any) -> None:
    if skipped is not None:
        skipped(problem.contents.offset, problem.contents.text.decode())


class Importing(Handle):
    """The part of `Store` that imports."""

    def import_archive(
        self,
        path: Union[str, os.PathLike[str]],
        *,
        format: str = "auto",
        defaults_key: Optional[str] = None,
        intervals: Optional[Mapping[str, IntervalLike]] = None,
        dry_run: bool = False,
        skipped: Optional[Callable[[int, str], object]] = None,
        progress: Optional[Callable[[int, int], object]] = None,
    ) -> ImportReport:
        """Takes the records of an old file into the store: an archive of YCFirstTime or of this library, or preferences
        that hold one. All or nothing; for each key the newest last time wins.

        - `format`: "auto", "archive", "archive-xml", "defaults" or "rulekit".
        - `defaults_key`: where preferences hold the archive; None: "YCFirstTime".
        - `intervals`: the interval keys to take from preferences, each with its interval.
        - `dry_run`: report what would change, and change nothing.
        - `skipped(offset, why)` is told of each entry left out, `progress(done, total)` how far it has come; what they
          raise stops the import.
        """
        arguments = (checked_bytes(os.fsencode(path)),)
        return self._import(
            library.firsttime_import, arguments, format, defaults_key, intervals, dry_run, skipped, progress
        )

    def import_bytes(
        self,
        data: bytes,
        *,
        format: str = "auto",
        defaults_key: Optional[str] = None,
        intervals: Optional[Mapping[str, IntervalLike]] = None,
        dry_run: bool = False,
        skipped: Optional[Callable[[int, str], object]] = None,
        progress: Optional[Callable[[int, int], object]] = None,
    ) -> ImportReport:
        """The same from memory."""
        arguments = (data, len(data))
        return self._import(
            library.firsttime_import_bytes, arguments, format, defaults_key, intervals, dry_run, skipped, progress
        )

    def _import(
        self,
        function: Any,
        arguments: tuple[Any, ...],
        format: str,
        defaults_key: Optional[str],
        intervals: Optional[Mapping[str, IntervalLike]],
        dry_run: bool,
        skipped: Optional[Callable[[int, str], object]],
        progress: Optional[Callable[[int, int], object]],
    ) -> ImportReport:
        wanted = dict(intervals or {})
        options = c.ImportOptions(size=sizeof(c.ImportOptions), format=c_format(format))
        options.defaults_key = text_or_none(defaults_key)
        options.interval_names = (c_char_p * len(wanted))(*map(text, wanted))
        options.intervals = (c.Interval * len(wanted))(*map(c_interval, wanted.values()))
        options.interval_count = len(wanted)
        options.flags = 1 if dry_run else 0
        visitor = Called(c.ProblemVisitor, lambda problem: _tell(skipped, problem))
        if skipped is not None:
            options.skipped = visitor.callback
        if progress is not None:
            options.progress = see_progress
        options.context = contexts.add(progress)
        report = c.ImportReport(size=sizeof(c.ImportReport))
        try:
            self._call(function, *arguments, byref(options), byref(report))
        finally:
            contexts.remove(options.context)
            visitor.end()
        return ImportReport(
            report.records_added,
            report.records_updated,
            report.records_kept,
            report.events_added,
            report.events_updated,
            report.events_kept,
            report.skipped,
            FORMATS[report.format] if report.format < len(FORMATS) else str(report.format),
        )
