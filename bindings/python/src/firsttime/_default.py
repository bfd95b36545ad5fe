"""Owns the store that the decorators of the module use: one for the program, configured once, opened when needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Optional

from ._decorators import Decorator, decorator, every_policy
from ._values import IntervalLike, Policy
from .errors import ArgumentError
from .store import Store

_lock = threading.RLock()
_arguments: Optional[tuple[tuple[Any, ...], dict[str, Any]]] = None
_store: Optional[Store] = None


def configure(*arguments: Any, **named: Any) -> None:
    """Says how the program's default store is opened: the arguments of `Store`. One that is open already is closed."""
    global _arguments, _store
    with _lock:
        if _store is not None:
            _store.close()
        _arguments, _store = (arguments, named), None


def default_store() -> Store:
    """The program's default store, as `configure` said. It stays open until the program ends."""
    global _store
    with _lock:
        if _store is None:
            if _arguments is None:
                raise ArgumentError('no default store: call firsttime.configure(app_id="org.example.app") first')
            _store = Store(*_arguments[0], **_arguments[1])
        return _store


def once(key: Optional[str] = None, *, after: Optional[Callable[[], Any]] = None) -> Decorator[Any]:
    """`Store.once` of the default store, which may be configured later."""
    return decorator(default_store, key, Policy(), after)


def once_per_version(key: Optional[str] = None, *, after: Optional[Callable[[], Any]] = None) -> Decorator[Any]:
    """`Store.once_per_version` of the default store."""
    return decorator(default_store, key, Policy(per_version=True), after)


def every(
    key: Optional[str] = None,
    interval: Optional[IntervalLike] = None,
    *,
    after: Optional[Callable[[], Any]] = None,
    **timedelta_arguments: float,
) -> Decorator[Any]:
    """`Store.every` of the default store: `@every(days=1)`."""
    return decorator(default_store, key, every_policy(interval, timedelta_arguments), after)
