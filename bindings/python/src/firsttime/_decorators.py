"""Owns what a decorated function does: it runs its key."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Optional, TypeVar

from ._values import IntervalLike, Policy
from .errors import ArgumentError

_Result = TypeVar("_Result")
Decorator = Callable[[Callable[..., _Result]], Callable[..., Optional[_Result]]]


def every_policy(interval: Optional[IntervalLike], timedelta_arguments: dict[str, float]) -> Policy:
    if (interval is None) == (not timedelta_arguments):
        raise ArgumentError("give either an interval or timedelta's arguments, such as days=1")
    return Policy(per_interval=timedelta(**timedelta_arguments) if interval is None else interval)


def decorator(
    store: Callable[[], Any], key: Optional[str], policy: Policy, after: Optional[Callable[[], Any]]
) -> Decorator[Any]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = key if key is not None else f"{function.__module__}.{function.__qualname__}"

        @functools.wraps(function)
        def run(*arguments: Any, **named: Any) -> Any:
            result: list[Any] = []

            def first() -> None:
                result.append(function(*arguments, **named))

            def run_after() -> None:
                result.append(after and after())

            store().execute(name, policy, first, run_after if after else None)
            return result[0] if result else None

        return run

    return decorate
