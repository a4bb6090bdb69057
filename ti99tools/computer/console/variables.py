"""The variables of a program from outside: read and set by their BASIC names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite, prod
from typing import Any

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.base.errors import TIError, suggestion
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import LARGEST, Number, Radix, overflowed, settle
from ti99tools.language.listing.sourcemap import Routine, SourceNames
from ti99tools.language.prescan.symbols import Scope, Symbol

_ELEMENT = re.compile(r"([^(]+)\(([\d, ]+)\)")
_SHOWN = 10
"""Most names that a message lists."""


class UnknownVariable(TIError, KeyError):
    """A name that the program does not know at the place where it stopped."""


class WrongValue(TIError, TypeError, ValueError):
    """A value that a variable cannot hold."""


def _plain(value: float | Number | str) -> float | str:
    """A value as Python has it."""
    return float(value) if isinstance(value, Radix) else value


@lru_cache(maxsize=64)
def _meant(name: str, known: tuple[str, ...]) -> str:
    """The remedy for an unknown name. Cached: callers often ask for a name of another scope."""
    names = ", ".join([*sorted(known)[:_SHOWN], *(["…"] if len(known) > _SHOWN else [])])
    return suggestion(name, known, f"there are {names}" if known else "there are none")


class Variables(Mapping[str, float | str]):
    """`["A"]`, `["N$"]`, `["A(2,1)"]`; a whole array under `"A()"` is not a value.

    A whole number is an int, any other a float: the one nearest to the machine's, which no other
    number of the machine is nearest to. Setting one (`["A"] = 5`) is as if the program had done it;
    no time passes. Names that the program does not know raise UnknownVariable, a KeyError; values
    of the wrong type, numbers beyond those of the machine, and texts of more than 255 characters
    raise WrongValue. In a SUB these are the SUB's variables. To see them all (without arrays),
    print them.

    Names are those of the source, wherever the program is: `["FALL.N"]` is N of the PROC FALL.
    `["N"]` is N of the program, or else that of the only PROC that has one; where there are several
    it raises UnknownVariable.
    """

    def __init__(
        self,
        execution: Execution | None,
        routines: Sequence[Routine] = (),
        names: SourceNames | None = None,
    ) -> None:
        """`routines` are the PROCs of the source; `names` says what names mean where it stands."""
        self._execution = execution
        self._routines = routines
        self._given_names = names

    @property
    def _names(self) -> SourceNames:
        """What names mean where the program is."""
        if self._given_names is not None:
            return self._given_names
        inside = "" if self._execution is None else self._execution.scope.name
        return SourceNames(self._routines, sub=inside)

    def __getitem__(self, name: str) -> float | str:
        execution, symbol, index = self._found(name)
        value = execution.active.value(symbol)
        return _plain(value if index is None else value[index])

    def __setitem__(self, name: str, value: float | Number | str) -> None:
        execution, symbol, index = self._found(name)
        new = _text(name, value, execution) if symbol.is_string else _number(name, value)
        limits = execution.compiler.outline.ranges.get(symbol.name)
        if limits is not None and not (isinstance(new, int) and limits[0] <= new <= limits[1]):
            problem = f"{name} is counted by FOR and cannot be {_plain(value)}"
            raise WrongValue(problem, remedy="set it to a whole number of the loop")
        active = execution.active
        active.assign(symbol, new, index)

    def _found(self, name: str) -> tuple[Execution, Symbol, int | None]:
        """The symbol of a name, and the index in the flat list of an array."""
        execution = self._execution
        if execution is None:
            remedy = "call run() or start() first"
            raise UnknownVariable(f"no program has run, so there is no {name}", remedy=remedy)
        match = _ELEMENT.fullmatch(name)
        symbol = self._symbol(execution, match[1] if match else name)
        base = execution.active.compiler.scan.base
        extents = symbol.extents(base) if symbol.dimensions else ()
        if match is None:
            if extents:
                example = f"{name}({','.join('1' for _ in extents)})"
                raise UnknownVariable(f"{name} is an array", remedy=f"write {example}")
            return execution, symbol, None
        subscripts = [int(part) for part in match[2].split(",") if part.strip()]
        if len(subscripts) != len(extents):
            many = f"{len(extents)} subscript{'s' * (len(extents) > 1)}"
            problem = f"{symbol.name} has {many if extents else 'no subscript'}, not "
            raise UnknownVariable(f"{problem}{len(subscripts)}", remedy="correct the name")
        index = 0
        for subscript, extent in zip(subscripts, extents, strict=True):
            if not 0 <= subscript - base < extent:
                remedy = f"subscripts go from {base} to {base + extent - 1} here"
                raise UnknownVariable(f"{name} is not in the array", remedy=remedy)
            index = index * extent + subscript - base
        return execution, symbol, index

    def __contains__(self, name: object) -> bool:
        """Tell whether a variable or an element can be read: sooner than by the error."""
        execution = self._execution
        if execution is None or not isinstance(name, str):
            return False
        try:
            match = _ELEMENT.fullmatch(name)
            symbol = self._named(execution, match[1] if match else name)
            if symbol is None or symbol.function is not None:
                return False
            if match or symbol.dimensions:
                self._found(name)
        except UnknownVariable:
            return False
        return True

    def _named(self, execution: Execution, name: str) -> Symbol | None:
        """What a name stands for where the program is; None for nothing."""
        symbols, names = execution.scope.symbols, self._names
        try:
            return symbols.get(names.meant(names.plain(name), symbols))
        except TIError as error:
            raise UnknownVariable(error.problem, remedy=error.remedy) from error

    def _symbol(self, execution: Execution, name: str) -> Symbol:
        symbols, names = execution.scope.symbols, self._names
        symbol = self._named(execution, name)
        if symbol is not None and symbol.function is None:
            return symbol
        if symbol is not None:
            raise UnknownVariable(f"{name} is a function of DEF", remedy="look at what it uses")
        inside = execution.scope.name
        written = names.written(symbols)
        known = tuple(written[each.name] for each in symbols.values() if each.function is None)
        where = f" in SUB {inside}, where the program is" if inside else ""
        raise UnknownVariable(f"no variable {name}{where}", remedy=_meant(name, known))

    def everything(self) -> dict[str, Any]:
        """All variables by name; arrays as lists, those of two dimensions as lists of lists, …

        The name of an array is written `A()`. With OPTION BASE 1 a list begins with element 1.
        """
        if self._execution is None:
            return {}
        scope = self._execution.scope
        return values_of(self._execution.active, scope, self._names.written(scope.symbols))

    def __iter__(self) -> Iterator[str]:
        if self._execution is not None:
            symbols = self._execution.scope.symbols
            written = self._names.written(symbols)
            for symbol in symbols.values():
                if symbol.function is None and not symbol.dimensions:
                    yield written[symbol.name]

    def __repr__(self) -> str:
        return repr(dict(self))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def values_of(activation: Activation, scope: Scope, written: Mapping[str, str]) -> dict[str, Any]:
    """All variables of an activation by name; see `Variables.everything`.

    `written` maps names in the program to names in the source; variables not in it are left out.
    """
    base = activation.compiler.scan.base
    values: dict[str, Any] = {}
    for symbol in scope.symbols.values():
        name = written.get(symbol.name)
        if symbol.function is not None or name is None:
            continue
        value = activation.value(symbol)
        if symbol.dimensions:
            values[f"{name}()"] = _nested(value, symbol.extents(base))
        else:
            values[name] = value
    return values


def _number(name: str, value: object) -> Number:
    """A number as the machine has it. Raises WrongValue."""
    if isinstance(value, Radix):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        remedy = "write -1 for true and 0 for false" if isinstance(value, bool) else "give a number"
        raise WrongValue(f"{name} holds numbers, not {value!r}", remedy=remedy)
    if isinstance(value, int):
        number = settle(value)
    elif isfinite(value):
        number = parse_number(repr(value).upper())
    else:
        raise WrongValue(f"{name} cannot be {value}", remedy="give a number")
    if overflowed(number):
        problem = f"{name} cannot hold a number so far from 0"
        raise WrongValue(problem, remedy=f"give at most {float(LARGEST)} either way")
    return number


def _text(name: str, value: object, execution: Execution) -> str:
    """A string as the machine has it. Raises WrongValue."""
    if not isinstance(value, str):
        raise WrongValue(f"{name} holds texts, not {value!r}", remedy=f'write "{value}"')
    if len(value) > LONGEST_STRING:
        problem = f"{name} cannot hold {len(value)} characters"
        raise WrongValue(problem, remedy=f"give at most {LONGEST_STRING}")
    wrong = next((char for char in value if ord(char) > 0xFF), None)
    if wrong is not None:
        raise WrongValue(f"the console has no {wrong}", remedy="use character codes up to 255")
    try:
        return execution.heap.kept(value)
    except XBError as error:
        raise WrongValue(f"{name}: {error.text}", remedy="give a shorter text") from error


def _nested(values: Sequence[Any], extents: Sequence[int]) -> list[Any]:
    """A flat list as lists in lists."""
    if len(extents) == 1:
        return list(values)
    size = prod(extents[1:])
    return [_nested(values[at : at + size], extents[1:]) for at in range(0, len(values), size)]
