"""The names of a program as the console's pre-scan enters them before it runs.

Every name in the program gets an entry, reached or not, executed or not; names between `!@P-` and
`!@P+` do not. A SUB has names of its own. The parameter of a DEF is no entry.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ti99tools.base import tokens as t
from ti99tools.program.constants import text_length
from ti99tools.source.builtins import SUBPROGRAMS
from ti99tools.source.scan import NAME, Element, scan

MAIN = ""
"""Scope of the main program; a SUB's scope is its name."""
AUTOMATIC_LIMIT = 10
"""Highest subscript of an array used without DIM."""
_PRESCAN_OFF, _PRESCAN_ON = b"@P-", b"@P+"


class SymbolKind(enum.Enum):
    """What an entry of the symbol table stands for."""

    VARIABLE = "variable"
    FUNCTION = "DEF function"
    BUILT_IN = "built-in subprogram"
    UNKNOWN = "subprogram that is neither built in nor in the program"
    SUBPROGRAM = "SUB"


@dataclass(slots=True)
class Symbol:
    """An entry: `dimensions` are the highest subscripts; `parameters` those of a DEF or SUB."""

    name: str
    kind: SymbolKind
    scope: str = MAIN
    dimensions: tuple[int, ...] = ()
    parameters: tuple[str, ...] = ()

    @property
    def is_string(self) -> bool:
        """Whether it holds text."""
        return self.name.endswith("$")


@dataclass(slots=True)
class Strings:
    """What is assigned to a string variable or array, as far as constants show it.

    For a variable `longest` is the last constant's length, for an array the longest one's;
    `by_element` has the lengths at constant subscripts.
    """

    longest: int = 0
    by_element: dict[str, int] = field(default_factory=dict)
    unknown: bool = False


class Symbols:
    """The symbol tables of a program: main, SUBs, subprogram names."""

    def __init__(self) -> None:
        self.base = 0
        """OPTION BASE."""
        self._entries: dict[tuple[str, str], Symbol] = {}
        self._subprograms: dict[str, Symbol] = {}
        self._strings: dict[tuple[str, str], Strings] = {}

    @property
    def all(self) -> list[Symbol]:
        """Every entry: variables and functions in order of appearance, then subprograms."""
        return [*self._entries.values(), *self._subprograms.values()]

    def strings_of(self, symbol: Symbol) -> Strings:
        """What is assigned to a string symbol."""
        return self._strings.setdefault((symbol.scope, symbol.name), Strings())

    def find(self, scope: str, name: str) -> Symbol | None:
        """The variable or function `name` of a scope."""
        return self._entries.get((scope, name))

    def variable(self, scope: str, name: str, dimensions: tuple[int, ...] = ()) -> Symbol:
        """Enter a variable; one that is there already stays as it is."""
        symbol = Symbol(name, SymbolKind.VARIABLE, scope, dimensions)
        return self._entries.setdefault((scope, name), symbol)

    def function(self, scope: str, name: str, parameters: tuple[str, ...]) -> None:
        """Enter a DEF function."""
        symbol = Symbol(name, SymbolKind.FUNCTION, scope, (), parameters)
        self._entries.setdefault((scope, name), symbol)

    def subprogram(self, name: str, parameters: tuple[str, ...] | None = None) -> Symbol:
        """Enter a subprogram: with `parameters` a SUB, else the target of a CALL."""
        kind = SymbolKind.BUILT_IN if name in SUBPROGRAMS else SymbolKind.UNKNOWN
        symbol = self._subprograms.setdefault(name, Symbol(name, kind))
        if parameters is not None:
            symbol.kind = SymbolKind.SUBPROGRAM
            symbol.parameters = parameters
        return symbol


def collect(lines: Iterable[bytes]) -> Symbols:
    """The symbols of a program given the tokens of its lines in ascending order."""
    program = list(lines)
    symbols = Symbols()
    scope = MAIN
    scanning = True
    for tokens in program:
        for statement in statements(tokens):
            scanning = _prescan_switch(statement, scanning)
            if not scanning:
                continue
            if statement[0].token == t.SUB:
                scope = _sub(symbols, statement)
            _names(symbols, scope, statement)
            if statement[0].token == t.SUBEND:
                scope = MAIN
    scope = MAIN
    for tokens in program:
        for statement in statements(tokens):
            if statement[0].token == t.SUB and len(statement) > 1:
                scope = statement[1].text
            _assignments(symbols, scope, statement)
            if statement[0].token == t.SUBEND:
                scope = MAIN
    return symbols


def statements(tokens: bytes) -> Iterator[list[Element]]:
    """The statements of a line, parted at `::`, THEN and ELSE; none is empty."""
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
    """The arguments in the parentheses that open at `opening`, and the index behind them."""
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


def _prescan_switch(statement: list[Element], scanning: bool) -> bool:
    for element in statement:
        if element.token == t.BANG and element.data.startswith((_PRESCAN_OFF, _PRESCAN_ON)):
            return element.data.startswith(_PRESCAN_ON)
    return scanning


def _sub(symbols: Symbols, statement: list[Element]) -> str:
    """Enter a SUB and its parameters; returns its scope."""
    if len(statement) < 2 or statement[1].token != t.UNQUOTED:
        return MAIN
    scope = statement[1].text
    names = []
    if len(statement) > 2 and statement[2].token == t.LPAREN:
        for argument in arguments(statement, 2)[0]:
            if argument and argument[0].token == NAME:
                names.append(argument[0].text)
                # A whole array, `A()` or `B(,)`, is the caller's: it has no elements of its own.
                commas = sum(1 for e in argument if e.token == t.COMMA)
                limits = (-1,) * (commas + 1) if len(argument) > 1 else ()
                symbols.variable(scope, names[-1], limits)
    symbols.subprogram(scope, tuple(names))
    return scope


def _names(symbols: Symbols, scope: str, statement: list[Element]) -> None:
    first = statement[0].token
    if first == t.OPTION and len(statement) > 2 and statement[2].data == b"1":
        symbols.base = 1
    if first == t.CALL and len(statement) > 1 and statement[1].token == t.UNQUOTED:
        symbols.subprogram(statement[1].text)
    if first == t.SUB:
        return
    local = _def(symbols, scope, statement) if first == t.DEF else ()
    for index, element in enumerate(statement):
        if element.token != NAME or element.text in local:
            continue
        limits: tuple[int, ...] = ()
        if index + 1 < len(statement) and statement[index + 1].token == t.LPAREN:
            subscripts, _ = arguments(statement, index + 1)
            limits = tuple(_limit(s, declared=first == t.DIM) for s in subscripts)
        symbols.variable(scope, element.text, limits)


def _def(symbols: Symbols, scope: str, statement: list[Element]) -> tuple[str, ...]:
    if len(statement) < 2 or statement[1].token != NAME:
        return ()
    parameters: tuple[str, ...] = ()
    if len(statement) > 3 and statement[2].token == t.LPAREN and statement[3].token == NAME:
        parameters = (statement[3].text,)
    symbols.function(scope, statement[1].text, parameters)
    return parameters


def _limit(subscript: list[Element], *, declared: bool) -> int:
    if declared and len(subscript) == 1 and subscript[0].data.isdigit():
        return min(int(subscript[0].data[:6]), 32767)
    return AUTOMATIC_LIMIT


_FILLS_TEXT = frozenset({t.INPUT, t.LINPUT, t.ACCEPT, t.READ})


def _assignments(symbols: Symbols, scope: str, statement: list[Element]) -> None:
    first = statement[0].token
    if first == t.CALL:
        _call(symbols, scope, statement)
    elif first in _FILLS_TEXT:
        for element in statement:
            _mark_unknown(symbols, scope, element)
    elif first in (NAME, t.LET):
        _let(symbols, scope, statement[first == t.LET :])


def _mark_unknown(symbols: Symbols, scope: str, element: Element) -> None:
    symbol = symbols.find(scope, element.text) if element.token == NAME else None
    if symbol is not None and symbol.is_string:
        symbols.strings_of(symbol).unknown = True


def _let(symbols: Symbols, scope: str, statement: list[Element]) -> None:
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
        _assign(symbols, scope, name, where, length)


def _assign(symbols: Symbols, scope: str, name: str, subscripts: str, length: int | None) -> None:
    symbol = symbols.find(scope, name)
    if symbol is None or not symbol.is_string:
        return
    strings = symbols.strings_of(symbol)
    if length is None:
        strings.unknown = True
    elif not subscripts:
        strings.longest = length
    else:
        strings.longest = max(strings.longest, length)
        if subscripts != "?":
            strings.by_element[subscripts] = length


def _call(symbols: Symbols, scope: str, statement: list[Element]) -> None:
    """Constant arguments fill the SUB's parameters; a built-in may fill any string it is given."""
    if len(statement) < 3 or statement[2].token != t.LPAREN:
        return
    target = symbols.subprogram(statement[1].text)
    given, _ = arguments(statement, 2)
    if target.kind is not SymbolKind.SUBPROGRAM:
        for argument in given:
            if argument and len(argument) == 1:
                _mark_unknown(symbols, scope, argument[0])
        return
    for name, argument in zip(target.parameters, given, strict=False):
        if not (argument and argument[0].token == NAME):
            _assign(symbols, target.name, name, "", text_length(argument))
