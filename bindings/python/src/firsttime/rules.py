"""Owns rules: what they are made of, and how they become the library's. Registers none: that is a store's."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_void_p, create_string_buffer
from datetime import timedelta
from typing import Any, Optional

from ._calls import call, contexts, number, text
from ._library import library
from ._values import Donations
from ._visits import ask_condition, ask_event_condition, release
from .errors import ArgumentError


class Rule:
    """A condition over events, versions, and whatever functions say. An immutable value: combine it with `&`, `|` and
    `~`, and use it as often as you like.

        Rule.event_at_least("document.saved", 3) & ~Rule.event_within("prompt.shown", timedelta(days=1))
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], int]) -> None:
        """Not for users: see the named constructors."""
        self._make = make

    @staticmethod
    def always() -> Rule:
        """Holds."""
        return _leaf(library.firsttime_rule_always)

    @staticmethod
    def never() -> Rule:
        """Doesn't hold."""
        return _leaf(library.firsttime_rule_never)

    @staticmethod
    def all_of(*rules: Rule) -> Rule:
        """Holds when all of them hold."""
        return _group(library.firsttime_rule_all_of, (), rules)

    @staticmethod
    def any_of(*rules: Rule) -> Rule:
        """Holds when any of them holds."""
        return _group(library.firsttime_rule_any_of, (), rules)

    @staticmethod
    def none_of(*rules: Rule) -> Rule:
        """Holds when none of them holds."""
        return _group(library.firsttime_rule_none_of, (), rules)

    @staticmethod
    def at_least(quorum: int, *rules: Rule) -> Rule:
        """Holds when at least `quorum` of them hold."""
        return _group(library.firsttime_rule_at_least, (number(quorum),), rules)

    @staticmethod
    def condition(function: Callable[[], object]) -> Rule:
        """Holds when `function()` is true."""
        return Rule(lambda: _made(library.firsttime_rule_condition, ask_condition, contexts.add(function), release))

    @staticmethod
    def event(event: str, function: Callable[[Donations], object]) -> Rule:
        """Holds when `function(donations)` is true of what is known of `event`."""
        name = text(event)
        return _checked(
            lambda: _made(library.firsttime_rule_event, name, ask_event_condition, contexts.add(function), release)
        )

    @staticmethod
    def event_at_least(event: str, count: int) -> Rule:
        """Holds when `event` was donated at least `count` times."""
        return _leaf(library.firsttime_rule_event_at_least, text(event), number(count))

    @staticmethod
    def event_within(event: str, time: timedelta) -> Rule:
        """Holds when `event` was last donated at most `time` ago."""
        return _leaf(library.firsttime_rule_event_within, text(event), time.total_seconds())

    @staticmethod
    def event_not_within(event: str, time: timedelta) -> Rule:
        """Holds when `event` was last donated more than `time` ago, or never."""
        return _leaf(library.firsttime_rule_event_not_within, text(event), time.total_seconds())

    @staticmethod
    def version_at_least(version: str) -> Rule:
        """Holds when the app's version is `version` or higher."""
        return _leaf(library.firsttime_rule_version_at_least, text(version))

    @staticmethod
    def first_seen_in_current_version(event: str) -> Rule:
        """Holds when `event` was first donated in the app's current version."""
        return _leaf(library.firsttime_rule_first_seen_in_current_version, text(event))

    @staticmethod
    def parse(words: str) -> Rule:
        """Reads what `str(rule)` writes."""
        return _leaf(library.firsttime_rule_parse, text(words))

    def __str__(self) -> str:
        made = self._make()
        try:
            buffer = create_string_buffer(library.firsttime_rule_text(made, None, 0) + 1)
            library.firsttime_rule_text(made, buffer, len(buffer))
            return buffer.value.decode()
        finally:
            library.firsttime_rule_free(made)

    def __repr__(self) -> str:
        return f"<Rule {self}>"

    def __and__(self, other: Rule) -> Rule:
        return Rule.all_of(self, other)

    def __or__(self, other: Rule) -> Rule:
        return Rule.any_of(self, other)

    def __invert__(self) -> Rule:
        return Rule(lambda: _made(library.firsttime_rule_not, self._make()))

    def __bool__(self) -> bool:
        raise TypeError("combine rules with & | ~, not with and, or, not")


def _made(function: Callable[..., Any], *arguments: Any) -> int:
    made: Optional[int] = call(function, *arguments)
    if made is None:
        raise ArgumentError(library.firsttime_last_error().decode())
    return made


def _checked(make: Callable[[], int]) -> Rule:
    """A rule that can be made: what is wrong with it shows at once."""
    library.firsttime_rule_free(make())
    return Rule(make)


def _leaf(function: Callable[..., Any], *arguments: Any) -> Rule:
    return _checked(lambda: _made(function, *arguments))


def _group(function: Callable[..., Any], first: tuple[int, ...], rules: tuple[Rule, ...]) -> Rule:
    def make() -> int:
        made: list[int] = []
        try:
            for rule in rules:
                made.append(rule._make())
        except BaseException:
            for rule_made in made:
                library.firsttime_rule_free(rule_made)
            raise
        return _made(function, *first, (c_void_p * len(made))(*made), len(made))

    return _checked(make)


class Observer:
    """A function that is told of notifications, until `remove()`, the end of a `with` block, or the store's."""

    def __init__(self, remove: Callable[[], None]) -> None:
        """Not for users: see `Store.observe`."""
        self._remove: Optional[Callable[[], None]] = remove

    def remove(self) -> None:
        """The function is told of nothing more."""
        remove, self._remove = self._remove, None
        if remove is not None:
            remove()

    def __enter__(self) -> Observer:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()
