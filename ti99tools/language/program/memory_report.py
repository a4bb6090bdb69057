"""How much of the machine's memory a program needs, strings included, without running it.

The pre-scan enters the names. The length of a string is known where what is assigned to it consists
of constants, RPT$ and CHR$ of constants, and `&`. The stack for FOR, GOSUB and CALL does not count:
it is free again at the end, and only a run shows how much of it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from ti99tools.base import tokens as t
from ti99tools.language.analysis import Analysis
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import (
    HIGH_SPACE,
    MAX_STRING,
    STRING_OVERHEAD,
    VIDEO_SPACE,
    Scope,
    Symbol,
)


def text_length(elements: Sequence[Element]) -> int | None:
    """The length of a string expression's value; None if only a run shows it."""
    total = 0
    index = 0
    while True:
        length, index = _operand(elements, index)
        if length is None:
            return None
        total += length
        if index >= len(elements) or elements[index].token == t.BANG:
            return min(total, MAX_STRING)
        if elements[index].token != t.CONCAT:
            return None
        index += 1


def _operand(elements: Sequence[Element], index: int) -> tuple[int | None, int]:
    if index >= len(elements):
        return None, index
    element = elements[index]
    if element.token == t.QUOTED:
        return len(element.data), index + 1
    shape = [e.token for e in elements[index + 1 : index + 6]]
    if element.token == t.RPT and shape == [t.LPAREN, t.QUOTED, t.COMMA, t.UNQUOTED, t.RPAREN]:
        count = elements[index + 4].data
        if count.isdigit():
            # No string is as long as a number of six digits.
            times = min(int(count[:6]), MAX_STRING)
            return min(len(elements[index + 2].data) * times, MAX_STRING), index + 6
    if element.token == t.CHR and shape[:3] == [t.LPAREN, t.UNQUOTED, t.RPAREN]:
        return 1, index + 4
    return None, index


_FILLS_TEXT = frozenset({t.INPUT, t.LINPUT, t.ACCEPT, t.READ})


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
    """The texts of all string variables of a program, given the result of the pre-scan."""

    def __init__(self, found: Scan, lines: Iterable[bytes]) -> None:
        self._found = found
        self._texts: dict[tuple[str, str], StringValues] = {}
        self._scope = found.main
        for tokens in lines:
            for statement in statements(tokens):
                self._statement(statement)

    def of(self, scope: Scope, name: str) -> StringValues:
        """What is assigned to a string variable of a scope."""
        return self._texts.setdefault((scope.name, name), StringValues())

    def _statement(self, statement: list[Element]) -> None:
        first = statement[0].token
        if first == t.SUB and len(statement) > 1:
            self._scope = self._found.subs.get(statement[1].text, self._found.main)
        elif first == t.SUBEND:
            self._scope = self._found.main
        elif first == t.CALL:
            self._call(statement)
        elif first in _FILLS_TEXT:
            for element in statement:
                self._unknown(element)
        elif first in (NAME, t.LET):
            self._let(statement[first == t.LET :])

    def _unknown(self, element: Element) -> None:
        symbol = self._scope.symbols.get(element.text) if element.token == NAME else None
        if symbol is not None and symbol.is_string:
            self.of(self._scope, symbol.name).unknown = True

    def _let(self, statement: list[Element]) -> None:
        """`A$,B$(I)=value`: note the length of the value for every target."""
        targets: list[tuple[str, str]] = []
        index = 0
        while index < len(statement) and statement[index].token == NAME:
            name = statement[index].text
            index += 1
            subscripts = ""
            if index < len(statement) and statement[index].token == t.LPAREN:
                found, index = arguments(statement, index)
                constant = all(len(s) == 1 and s[0].data.isdigit() for s in found)
                subscripts = ",".join(s[0].text for s in found) if constant else "?"
            targets.append((name, subscripts))
            if index < len(statement) and statement[index].token == t.COMMA:
                index += 1
        if index >= len(statement) or statement[index].token != t.EQUAL:
            return
        length = text_length(statement[index + 1 :])
        for name, where in targets:
            self._assign(self._scope, name, where, length)

    def _assign(self, scope: Scope, name: str, subscripts: str, length: int | None) -> None:
        symbol = scope.symbols.get(name)
        if symbol is None or not _holds_text(symbol):
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

    def _call(self, statement: list[Element]) -> None:
        """Note that constant arguments fill a SUB's parameters; a built-in may fill any string."""
        if len(statement) < 3 or statement[2].token != t.LPAREN:
            return
        sub = self._found.subs.get(statement[1].text)
        given, _ = arguments(statement, 2)
        if sub is None:
            for argument in given:
                if len(argument) == 1:
                    self._unknown(argument[0])
            return
        for parameter, argument in zip(sub.parameters, given, strict=False):
            if not (argument and argument[0].token == NAME):
                self._assign(sub, parameter.name, "", text_length(argument))


def _holds_text(symbol: Symbol) -> bool:
    return symbol.is_string and symbol.function is None


def statements(tokens: bytes) -> Iterator[list[Element]]:
    """The statements of a line, split at `::`, THEN and ELSE; none is empty."""
    current: list[Element] = []
    for element in scan(tokens):
        if element.token in (t.STATEMENT_SEP, t.THEN, t.ELSE):
            if current:
                yield current
            current = []
        else:
            current.append(element)
    if current:
        yield current


def arguments(elements: Sequence[Element], opening: int) -> tuple[list[list[Element]], int]:
    """The arguments in the parentheses that open at `opening`, and the index after them."""
    depth = 0
    found: list[list[Element]] = [[]]
    for index in range(opening, len(elements)):
        token = elements[index].token
        if token == t.LPAREN:
            depth += 1
        elif token == t.RPAREN:
            depth -= 1
        if depth == 0:
            return found, index + 1
        if depth == 1 and token == t.COMMA:
            found.append([])
        elif index > opening:
            found[-1].append(elements[index])
    return found, len(elements)


@dataclass(frozen=True, slots=True)
class MemoryReport:
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
    found = analysis.scan
    strings = list(_strings(found, Assignments(found, analysis.tokens.values())))
    return MemoryReport(
        program=size,
        values=found.taken.values,
        symbols=found.taken.video,
        strings=sum(_known(texts, array) for _, texts, array, _ in strings),
        strings_most=sum(_most(texts, elements) for _, texts, _, elements in strings),
        unknown=tuple(sorted({name for name, texts, _, _ in strings if texts.unknown})),
    )


def _strings(found: Scan, texts: Assignments) -> Iterator[tuple[str, StringValues, bool, int]]:
    """For each string variable: its name, its texts, whether it is an array, and its elements.

    An array that is a parameter has none: they are the caller's.
    """
    for scope in (found.main, *found.subs.values()):
        given = {parameter.name for parameter in scope.parameters}
        for symbol in scope.symbols.values():
            if symbol.is_string and symbol.function is None:
                theirs = symbol.is_array and symbol.name in given
                elements = 0 if theirs else prod(symbol.extents(found.base))
                yield symbol.name, texts.of(scope, symbol.name), symbol.is_array, elements


def _known(texts: StringValues, array: bool) -> int:
    """Bytes that are certainly taken."""
    if array:
        return sum(_size(length) for length in texts.by_element.values())
    return 0 if texts.unknown else _size(texts.longest)


def _most(texts: StringValues, elements: int) -> int:
    """Bytes that may be taken at most."""
    return elements * _size(MAX_STRING if texts.unknown else texts.longest)


def _size(length: int) -> int:
    return length + STRING_OVERHEAD if length else 0
