"""How much of the machine's memory a program needs, strings included, without running it.

The pre-scan enters the names. The length of a string is known where what is assigned to it consists
of constants, RPT$ and CHR$ of constants, and `&`. The stack for FOR, GOSUB and CALL does not count:
it is free again at the end, and only a run shows how much of it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.base.record import Record
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.constants import integer, text_length
from ti99tools.language.analysis.names import scoped, stored
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import HIGH_SPACE, STRING_OVERHEAD, VIDEO_SPACE, Scope
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st

_BY_VALUE = nodes.String | nodes.Function | nodes.Binary | nodes.Group
"""Arguments of CALL that are no variables."""


@dataclass(slots=True)
class StringValues:
    """What is assigned to a string variable or array.

    For a variable `longest` is the length of the last constant, for an array that of the longest;
    `by_element` has the lengths at constant subscripts. `unknown`: only a run shows them.
    """

    longest: int = 0
    by_element: dict[str, int] = field(default_factory=dict)
    unknown: bool = False


class Assignments:
    """The texts of all string variables of a program."""

    def __init__(self, program: Analysis) -> None:
        self._found = scan = program.scan
        self._texts: dict[tuple[str, str], StringValues] = {}
        for sub, _, statement in scoped(program.parsed):
            self._scope = scan.main if sub is None else scan.subs.get(sub.name, scan.main)
            self._statement(statement)

    def of(self, scope: Scope, name: str) -> StringValues:
        """What is assigned to a string variable of a scope."""
        return self._texts.setdefault((scope.name, name), StringValues())

    def _statement(self, statement: st.Statement) -> None:
        match statement:
            case st.Let(targets=targets, value=value) if value is not None:
                length = text_length(value)
                for target in targets:
                    self._assign(self._scope, target.name, _subscripts(target), length)
            case st.Call(name=name, arguments=arguments) if name in self._found.subs:
                sub = self._found.subs[name]
                for parameter, argument in zip(sub.parameters, arguments or (), strict=False):
                    if isinstance(argument, _BY_VALUE):
                        self._assign(sub, parameter.name, "", text_length(argument))
            case _:
                for filled in stored(statement, ()):
                    self._assign(self._scope, filled.name, "", None)

    def _assign(self, scope: Scope, name: str, subscripts: str, length: int | None) -> None:
        symbol = scope.symbols.get(name)
        if symbol is None or not symbol.is_string or symbol.function is not None:
            return
        texts = self.of(scope, name)
        if length is None:
            texts.unknown = True
        elif not subscripts:
            texts.longest = length
        else:
            texts.longest = max(texts.longest, length)
            if subscripts != "?":
                texts.by_element[subscripts] = length


def _subscripts(target: nodes.Target) -> str:
    """The subscripts of an element if they are constant, `?` if not; empty for a variable."""
    if isinstance(target, nodes.Variable):
        return ""
    numbers = [integer(one) for one in target.subscripts]
    return "?" if None in numbers else ",".join(map(str, numbers))


class MemoryReport(Record):
    """Bytes; `strings` counts what is known, `strings_most` the most to which strings can grow.

    `unknown` names the string variables whose content only a run shows (they count 0 in `strings`
    and 255 characters in `strings_most`).
    """

    program: int
    values: int
    symbols: int
    strings: int
    strings_most: int
    unknown: tuple[str, ...]

    @property
    def program_free(self) -> int:
        """With 32K: the bytes of program space that SIZE reports free; negative: MEMORY FULL."""
        return HIGH_SPACE - self.program - self.values

    @property
    def stack_free(self) -> int:
        """With 32K: the bytes of stack that SIZE reports free, with the strings that are known."""
        return VIDEO_SPACE - self.symbols - self.strings

    @property
    def stack_free_least(self) -> int:
        """With 32K: bytes of stack left when every string has grown as far as it can."""
        return VIDEO_SPACE - self.symbols - self.strings_most

    @property
    def console_free(self) -> int:
        """Console alone: bytes left in video memory, which then holds everything.

        The need is an upper bound: names may be counted twice (no console without 32K has been
        recorded).
        """
        return VIDEO_SPACE - self.program - self.values - self.symbols - self.strings


def report(size: int, analysis: Analysis) -> MemoryReport:
    """The memory report of a program of `size` bytes.

    In a line that the pre-scan refuses, names count only up to the mistake.
    """
    scan = analysis.scan
    strings = list(_strings(scan, Assignments(analysis)))
    return MemoryReport(
        program=size,
        values=scan.memory.values,
        symbols=scan.memory.video,
        strings=sum(_known(texts, array) for _, texts, array, _ in strings),
        strings_most=sum(_most(texts, elements) for _, texts, _, elements in strings),
        unknown=tuple(sorted({name for name, texts, _, _ in strings if texts.unknown})),
    )


def _strings(scan: Scan, texts: Assignments) -> Iterator[tuple[str, StringValues, bool, int]]:
    """For each string variable: its name, its texts, whether it is an array, and its elements.

    An array that is a parameter has none: they are the caller's.
    """
    for scope in (scan.main, *scan.subs.values()):
        given = {parameter.name for parameter in scope.parameters}
        for symbol in scope.symbols.values():
            if symbol.is_string and symbol.function is None:
                theirs = symbol.is_array and symbol.name in given
                elements = 0 if theirs else prod(symbol.extents(scan.base))
                yield symbol.name, texts.of(scope, symbol.name), symbol.is_array, elements


def _known(texts: StringValues, array: bool) -> int:
    """Bytes that are certainly taken."""
    if array:
        return sum(_size(length) for length in texts.by_element.values())
    return 0 if texts.unknown else _size(texts.longest)


def _most(texts: StringValues, elements: int) -> int:
    """Bytes that may be taken at most."""
    return elements * _size(LONGEST_STRING if texts.unknown else texts.longest)


def _size(length: int) -> int:
    return length + STRING_OVERHEAD if length else 0
