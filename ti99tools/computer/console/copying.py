"""A copy of a console at rest, which goes on by itself exactly as the original does.

A console is a graph of Python objects. Much of it are functions: the blocks that a program was
compiled to, with its variables in cells, and whatever calls back. `copy.deepcopy` takes functions
as they are, so that a copy would work on the original's variables. Here they get cells and globals
of their own. Code, classes, modules, and what modules have as globals stay shared.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import _lru_cache_wrapper, lru_cache, partial
from pathlib import PurePath
from re import Pattern
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

PACKAGE = __name__.partition(".")[0]
_SAME = (
    bool, int, float, str, bytes, range, type(None), type, CodeType, ModuleType, Enum, Pattern,
    PurePath,
)  # fmt: skip
"""What never changes."""
_PLAIN = {bool, int, float, str, bytes, type(None)}
"""The same, for a quick look at long lists: memory is some."""


class Copier:
    """Copies what belongs together: the same object is copied once. `shared` are not copied."""

    def __init__(self, shared: Iterable[object] = ()) -> None:
        self._copies: dict[int, Any] = _globals()
        self._copies.update((id(each), each) for each in shared)
        self._originals: list[object] = []
        """Kept alive, so that no other object gets the identity of one."""
        self._later: list[Callable[[], None]] = []
        """What fills the copies made so far: a graph may be deeper than Python's stack."""

    def copy(self, original: T) -> T:
        """A copy. Raises TypeError for what cannot be copied: a generator, an open file."""
        twin: T = self._of(original)
        while self._later:
            self._later.pop()()
        return twin

    def _of(self, x: Any) -> Any:
        key = id(x)
        if key in self._copies:
            return self._copies[key]
        if isinstance(x, _SAME):
            return x
        self._originals.append(x)
        maker = _MAKERS.get(type(x))
        twin = maker(self, x) if maker is not None else self._object(x)
        self._copies[key] = twin
        return twin

    def _all(self, things: Iterable[Any]) -> list[Any]:
        return [self._of(each) for each in things]

    # -- containers -----------------------------------------------------------------------

    def _list(self, x: Any) -> Any:
        if set(map(type, x)) <= _PLAIN:
            return type(x)(x)
        twin = type(x)()
        self._later.append(lambda: twin.extend(self._all(x)))
        return twin

    def _deque(self, x: deque[Any]) -> Any:
        twin: deque[Any] = deque(maxlen=x.maxlen)
        self._later.append(lambda: twin.extend(self._all(x)))
        return twin

    def _set(self, x: set[Any]) -> Any:
        twin: set[Any] = set()
        self._later.append(lambda: twin.update(self._all(x)))
        return twin

    def _dict(self, x: Mapping[Any, Any]) -> Any:
        twin: Any = type(x)()

        def fill() -> None:
            for key, value in list(x.items()):
                twin[self._of(key)] = self._of(value)

        self._later.append(fill)
        return twin

    def _tuple(self, x: tuple[Any, ...]) -> Any:
        if set(map(type, x)) <= _PLAIN:
            return x
        parts = self._all(x)
        return x if all(map(_is, parts, x)) else tuple.__new__(type(x), parts)

    # -- functions ------------------------------------------------------------------------

    def _cell(self, x: CellType) -> CellType:
        twin = CellType()

        def fill() -> None:
            try:
                value = x.cell_contents
            except ValueError:  # an empty cell
                return
            twin.cell_contents = self._of(value)

        self._later.append(fill)
        return twin

    def _function(self, x: FunctionType) -> Any:
        names, cells = self._of(x.__globals__), self._tuple(x.__closure__ or ())
        more = (x.__defaults__, x.__kwdefaults__, x.__dict__)
        if names is x.__globals__ and not cells and not any(more):
            return x
        twin = FunctionType(x.__code__, names, x.__name__, None, cells or None)
        twin.__qualname__ = x.__qualname__

        def fill() -> None:
            twin.__defaults__ = x.__defaults__ and self._tuple(x.__defaults__)
            twin.__kwdefaults__ = x.__kwdefaults__ and self._named(x.__kwdefaults__)
            twin.__dict__.update(self._named(x.__dict__))

        self._later.append(fill)
        return twin

    def _named(self, x: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._of(value) for name, value in x.items()}

    def _method(self, x: MethodType) -> Any:
        return MethodType(self._of(x.__func__), self._of(x.__self__))

    def _builtin(self, x: Any) -> Any:
        """A function written in C: one of an object, as `[].append`, belongs to its copy."""
        owner = self._of(x.__self__)
        return x if owner is x.__self__ else getattr(owner, x.__name__)

    def _partial(self, x: partial[Any]) -> Any:
        return partial(self._of(x.func), *self._all(x.args), **self._named(x.keywords))

    def _cached(self, x: Any) -> Any:
        return lru_cache(**x.cache_parameters())(self._of(x.__wrapped__))

    # -- objects --------------------------------------------------------------------------

    def _object(self, x: Any) -> Any:
        """An object of a class, by its attributes and slots."""
        if isinstance(x, tuple):
            return self._tuple(x)
        if isinstance(x, list):
            return self._list(x)
        if isinstance(x, dict):
            return self._dict(x)
        twin = object.__new__(type(x))
        self._later.append(partial(self._fill, twin, object.__getstate__(x)))
        return twin

    def _fill(self, twin: Any, state: Any) -> None:
        for part in state if isinstance(state, tuple) else (state,):
            for name, value in (part or {}).items():
                object.__setattr__(twin, name, self._of(value))


def _is(one: object, other: object) -> bool:
    return one is other


_MAKERS: dict[type, Callable[[Copier, Any], Any]] = {
    list: Copier._list,
    deque: Copier._deque,
    set: Copier._set,
    frozenset: lambda copier, x: frozenset(copier._all(x)),
    dict: Copier._dict,
    WeakValueDictionary: Copier._dict,
    MappingProxyType: lambda copier, x: MappingProxyType(copier._named(x)),
    tuple: Copier._tuple,
    bytearray: lambda _copier, x: bytearray(x),
    memoryview: lambda copier, x: memoryview(copier._of(x.obj)),
    CellType: Copier._cell,
    FunctionType: Copier._function,
    MethodType: Copier._method,
    BuiltinFunctionType: Copier._builtin,
    partial: Copier._partial,
    _lru_cache_wrapper: Copier._cached,
}


def _globals() -> dict[int, Any]:
    """The globals of all modules, and what is in those of our package, by identity."""
    by_identity: dict[int, Any] = {}
    for name, module in list(sys.modules.items()):
        names = getattr(module, "__dict__", None)
        if names is None:
            continue
        by_identity[id(names)] = names
        if name.partition(".")[0] == PACKAGE:
            by_identity.update((id(each), each) for each in names.values())
    return by_identity
