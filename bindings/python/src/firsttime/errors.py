"""Owns the exceptions: one for each failing result of the library."""

from __future__ import annotations

from ._library import library


class Error(Exception):
    """A call that failed. Its text says what could not be done, with which file, and why."""

    code = 0
    """The C enumerator's value, FIRSTTIME_ERROR_IO and so on."""

    @property
    def name(self) -> str:
        """The C enumerator's name."""
        return str(library.firsttime_result_name(self.code).decode())


class ArgumentError(Error, ValueError):
    """A wrong argument; nothing ran and nothing changed."""

    code = -1


class InputOutputError(Error):
    """A system call failed; nothing ran and nothing changed."""

    code = -2


class CorruptError(Error):
    """The bytes on disk can't be decoded. The files are left as they are."""

    code = -3


class FormatError(Error):
    """Written by a newer version of the format. The file is left as it is."""

    code = -4


class BusyError(Error):
    """Someone else is running this key, and the wait limit passed."""

    code = -5


class ReentrantError(Error):
    """It would wait for itself: a key inside its own function, or a claim that this thread holds."""

    code = -6


class CallbackError(Error):
    """A function that the library called failed. In Python its exception is raised instead."""

    code = -7


class ReadOnlyError(Error):
    """The store can't be written; nothing ran."""

    code = -8


class NotRecordedError(Error):
    """The function ran, but recording it failed. It is remembered and tried again, at the latest when closing."""

    code = -9


class ForkedError(Error):
    """The function returned in a forked child, or the claim is its parent's: recording it is the parent's affair."""

    code = -10


BY_CODE: dict[int, type[Error]] = {kind.code: kind for kind in Error.__subclasses__()}
