"""What the methods of a game's adapter and model must return, checked when they are called.

The settings of an adapter are checked when it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import unwrap
from typing import Any

from ti99tools.base.errors import BuildError, Place
from ti99tools.games.models.model import Setup
from ti99tools.games.verify.adapter import Adapter

STEPS = (Iterable, "steps")
NUMBERS = (Mapping, "a dict of numbers by name")
RETURNS: dict[str, tuple[type, str]] = {
    "setup": (Setup, "a Setup"),
    "files": (Mapping, "a dict of files by name"),
    "opening": STEPS,
    "seed": STEPS,
    "again": STEPS,
    "closing": STEPS,
    "after_leaving": STEPS,
    "shown": NUMBERS,
    "implied": NUMBERS,
    "board": (str, "a text"),
}


SETTINGS: dict[str, tuple[type, str]] = {
    "title": (str, "a text"),
    "pace": (int, "a whole number of frames"),
    "looks": (int, "a whole number"),
    "keeps_quit": (bool, "True or False"),
    "needs_load": (bool, "True or False"),
    "pauses": (bool, "True or False"),
    "players": (Mapping, "a dict of players by name"),
}


def guarded(adapter: Adapter) -> Adapter:
    """The adapter; methods of its own raise BuildError when they return something else.

    Raises BuildError for a setting that is something else.
    """
    for name, (kind, words) in SETTINGS.items():
        value = getattr(adapter, name)
        if not isinstance(value, kind) or (isinstance(value, int) and value < 0):
            raise BuildError(
                f"{adapter.name}: {name} of {type(adapter).__name__} is {value!r}",
                remedy=f"write {words}",
            )
    for name, (kind, words) in RETURNS.items():
        if getattr(type(adapter), name) is not getattr(Adapter, name):
            setattr(adapter, name, _checked(getattr(adapter, name), kind, words))
    return adapter


def _checked(method: Any, kind: type, words: str) -> Callable[..., object]:
    """The method; it raises BuildError when its result is not of this kind."""

    @wraps(method)
    def _call(*args: object, **named: object) -> object:
        value = method(*args, **named)
        if isinstance(value, kind):
            return value
        raise wrong_result(method, value, words)

    return _call


def wrong_result(method: Any, value: object, words: str) -> BuildError:
    """The error for a method that has returned something else than it must."""
    code = unwrap(getattr(method, "__func__", method)).__code__
    return BuildError(
        f"{method.__name__} returns {value!r}",
        remedy=f"return {words}",
        place=Place(code.co_filename, code.co_firstlineno),
    )
