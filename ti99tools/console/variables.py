"""The variables of a program from outside: read by their BASIC names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from ti99tools.interp.run.activation import Activation
from ti99tools.interp.run.execution import Execution
from ti99tools.numbers.radix import Number
from ti99tools.source.prescan.symbols import Scope

_ELEMENT = re.compile(r"([^(]+)\(([\d, ]+)\)")


class Variables(Mapping[str, Number | str]):
    """`["A"]`, `["N$"]`, `["A(2,1)"]`; a whole array under `"A()"` is not a value.

    Names that the program does not know raise KeyError. In a SUB these are the SUB's variables.
    To see them all (arrays aside), print them.
    """

    def __init__(self, execution: Execution | None) -> None:
        self._execution = execution

    def __getitem__(self, name: str) -> Number | str:
        if self._execution is None:
            raise KeyError(name)
        activation = self._execution.active
        match = _ELEMENT.fullmatch(name)
        base_name = match[1] if match else name
        symbol = self._execution.scope.symbols.get(base_name)
        if symbol is None or symbol.function is not None:
            inside = self._execution.scope.name
            raise KeyError(f"{name} in SUB {inside}, where the program is" if inside else name)
        value = activation.value(symbol)
        if match is None:
            if symbol.dimensions:
                raise KeyError(name)
            found: Number | str = value
            return found
        subscripts = [int(part) for part in match[2].split(",")]
        base = activation.compiler.scan.base
        extents = symbol.extents(base)
        if len(subscripts) != len(extents):
            raise KeyError(name)
        index = 0
        for subscript, extent in zip(subscripts, extents, strict=True):
            if not 0 <= subscript - base < extent:
                raise KeyError(name)
            index = index * extent + subscript - base
        element: Number | str = value[index]
        return element

    def everything(self) -> dict[str, Any]:
        """All variables by name; arrays as lists, those of two dimensions as lists of lists, …

        The name of an array is written `A()`. With OPTION BASE 1 a list begins with element 1.
        """
        if self._execution is None:
            return {}
        return values_of(self._execution.active, self._execution.scope)

    def __iter__(self) -> Iterator[str]:
        if self._execution is not None:
            for symbol in self._execution.scope.symbols.values():
                if symbol.function is None and not symbol.dimensions:
                    yield symbol.name

    def __repr__(self) -> str:
        return repr(dict(self))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def values_of(activation: Activation, scope: Scope) -> dict[str, Any]:
    """All variables of an activation by name; see `Variables.everything`."""
    base = activation.compiler.scan.base
    found: dict[str, Any] = {}
    for symbol in scope.symbols.values():
        if symbol.function is not None:
            continue
        value = activation.value(symbol)
        if symbol.dimensions:
            found[f"{symbol.name}()"] = _nested(value, symbol.extents(base))
        else:
            found[symbol.name] = value
    return found


def _nested(values: Sequence[Any], extents: Sequence[int]) -> list[Any]:
    """A flat list as lists in lists."""
    if len(extents) == 1:
        return list(values)
    size = prod(extents[1:])
    return [_nested(values[at : at + size], extents[1:]) for at in range(0, len(values), size)]
