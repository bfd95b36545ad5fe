"""Owns the events, rules, triggers and observers of a store. What a rule says is the rule's affair."""

from __future__ import annotations

import functools
from collections.abc import Callable
from ctypes import byref, c_uint64, sizeof
from dataclasses import dataclass
from datetime import timedelta
from typing import Optional

from . import _library as c
from ._calls import YES, call, contexts, number, text, text_or_none
from ._handle import Handle
from ._library import library
from ._values import Donations, IntervalLike, TriggerRecord, c_interval
from ._visits import all_seen, execute, fire, one_seen, release
from .rules import Observer, Rule


@dataclass(frozen=True)
class _Fired:
    """What the library is told to call when a rule fires or a notification is posted."""

    fire: Callable[[str], object]
    execute: Optional[Callable[[Callable[[], None]], object]] = None


class Events(Handle):
    """The part of `Store` that counts events and fires rules."""

    def donate(self, event: str) -> None:
        """Counts `event`, then evaluates the rules."""
        self._call(library.firsttime_donate, text(event))

    def find_donations(self, event: str) -> Optional[Donations]:
        """What is known of `event`."""
        show = functools.partial(self._call, library.firsttime_find_donations, text(event))
        found: Optional[Donations] = one_seen(
            c.DonationsVisitor, Donations._from_c, lambda visitor: show(visitor, None)
        )
        return found

    def all_donations(self) -> list[Donations]:
        """What is known of every event."""
        show = functools.partial(self._call, library.firsttime_each_donations)
        return all_seen(c.DonationsVisitor, Donations._from_c, lambda visitor: show(visitor, None))

    def reset_donations(self, event: str) -> None:
        """Forgets `event`."""
        self._call(library.firsttime_reset_donations, text(event))

    def reset_all_donations(self) -> None:
        """Forgets every event."""
        self._call(library.firsttime_reset_donations, None)

    def set_rule(
        self,
        name: str,
        rule: Rule,
        trigger: Optional[Callable[[str], object]] = None,
        *,
        frequency: Optional[IntervalLike] = None,
        throttle_name: Optional[str] = None,
        limit: int = 0,
        delay: timedelta = timedelta(0),
        executor: Optional[Callable[[Callable[[], None]], object]] = None,
    ) -> None:
        """Calls `trigger(name)` when `rule` holds after a donation, or posts `name` when there is no trigger.

        - `frequency`: fires at most once per interval; rules with one `throttle_name` share that.
        - `limit`: fires at most this often, ever; 0: no limit.
        - `delay`: how long after the donation; none: inside of it.
        - `executor`: is given a function that it must call exactly once, at any time and on any thread, such as the
          `submit` of a thread pool or the `call_soon_threadsafe` of an event loop. None: the thread that donates, and
          for delayed rules a thread of the store's.
        """
        c_name, c_throttle_name = text(name), text_or_none(throttle_name)
        options = c.RuleOptions(size=sizeof(c.RuleOptions), throttle_name=c_throttle_name, limit=number(limit))
        if frequency is not None:
            options.frequency = c_interval(frequency)
        options.delay_seconds = delay.total_seconds()
        store, made = self._open(), rule._make()
        # The library owns the rule and the context from here on, whatever comes of the call.
        context = contexts.add(_Fired(trigger or (lambda name: None), executor))
        options.release = release
        options.queue = context
        if executor is not None:
            options.executor = execute
        call(
            library.firsttime_set_rule, store, c_name, made, fire if trigger else c.no_trigger, context, byref(options)
        )

    def remove_rule(self, name: str) -> None:
        """Removes the rule, if there is one. What was counted of it stays."""
        self._call(library.firsttime_remove_rule, text(name))

    def is_rule_registered(self, name: str) -> bool:
        """Whether there is a rule of this name."""
        return bool(self._call(library.firsttime_is_rule_registered, text(name)) == YES)

    def rules(self) -> list[str]:
        """The rules' names."""
        show = functools.partial(self._call, library.firsttime_each_rule)
        return all_seen(c.NameVisitor, bytes.decode, lambda visitor: show(visitor, None))

    def find_trigger(self, name: str) -> Optional[TriggerRecord]:
        """How often the rule `name` has fired."""
        show = functools.partial(self._call, library.firsttime_find_trigger, text(name))
        found: Optional[TriggerRecord] = one_seen(
            c.TriggerVisitor, TriggerRecord._from_c, lambda seen: show(seen, None)
        )
        return found

    def reset_trigger(self, name: str) -> None:
        """Forgets how often the rule `name` has fired."""
        self._call(library.firsttime_reset_trigger, text(name))

    def reset_all_triggers(self) -> None:
        """Forgets it of every rule."""
        self._call(library.firsttime_reset_trigger, None)

    def evaluate_rules(self) -> None:
        """Evaluates the rules without a donation."""
        self._call(library.firsttime_evaluate_rules)

    def wait_for_delayed_rules(self) -> None:
        """Waits until every delayed rule that is to fire has fired."""
        self._call(library.firsttime_wait_for_delayed_rules)

    def observe(self, name: str, function: Callable[[str], object]) -> Observer:
        """Calls `function(name)` whenever `name` is posted, by `post` or by a rule without a trigger."""
        observer = c_uint64()
        store, c_name = self._open(), text(name)
        call(library.firsttime_observe, store, c_name, fire, contexts.add(_Fired(function)), release, byref(observer))
        return Observer(lambda: self._remove_observer(observer.value))

    def post(self, name: str) -> None:
        """Tells the observers of `name`."""
        self._call(library.firsttime_post, text(name))

    def _remove_observer(self, observer: int) -> None:
        if self._pointer is not None:
            self._call(library.firsttime_remove_observer, observer)
