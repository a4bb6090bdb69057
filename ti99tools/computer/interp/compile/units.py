"""A program as the interpreter sees it: numbered lines of tokens, and functions compiled from them.

The layout of the stack is here because generated code and its runtime share it. Generated code
makes and reads frames of loops and subroutines all the time, so they are plain lists and tuples.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base.record import Record
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.prescan.symbols import ELEMENT, Scope, Shape, Symbol
from ti99tools.language.syntax.cursor import Cursor, next_statement
from ti99tools.language.syntax.expressions import LEFT_WORDS
from ti99tools.language.syntax.statements import Statement

StatementPlace = tuple[int, int]
"""A place in a program: index of its line, offset of a statement."""

Key = tuple[int, int, int]
"""An entry: line index, offset, phase. 0 is the statement's start, 1 and up are the blocks after a
wait; others are below."""

LOOP_BODY = 9
"""The phase of the block that runs a loop from the start of its body on, round after round."""

LINE = 6
"""The phase of a block of one line, or of the rest of it, used to go on after an error. Errors can
lead to any statement, and a longer block would be compiled anew for each."""

SHORT, CHARGED = 7, 8
"""Phases of blocks of a single statement, used to go on after a stop between two statements: before
its time was charged, or after that but before it has done anything.
"""

SPENT = "spent"
"""The local variable of generated code that adds up cycles before the clock gets them; only a block
that runs a loop by itself has it. Whoever needs the time meanwhile adds it to the clock's."""

Counter = list[tuple[StatementPlace, str]]
"""The statements that are counted together, and what of each: see base.counts."""

Block = Callable[[], Any]
"""A block: runs and returns the block that comes next."""

ForFrame = list[Any]
"""A running loop: variable, last value, step, the block of its body, that block's place and phase
(LOOP_BODY if it runs the loop by itself)."""

VARIABLE, LIMIT, STEP, BODY, PLACE, PHASE = range(6)
"""Indexes in a ForFrame."""

GosubFrame = tuple[Block, StatementPlace]
"""A GOSUB that has not returned: where RETURN will go on."""


class Passed(Record):
    """One argument: a variable, whole array or array element passed by reference, or a value.

    `source` is the source of the value, or of an element's position in the flat list of `symbol`.
    """

    symbol: Symbol | None
    source: str = ""

    @property
    def is_element(self) -> bool:
        """Tell whether an array element is passed, possibly by a parameter that stands for one."""
        return self.symbol is not None and (bool(self.source) or self.symbol.element)

    @property
    def shape(self) -> Shape:
        """What the SUB must know about the argument."""
        if self.is_element:
            return ELEMENT
        return self.symbol.sizes if self.symbol is not None else None


class SubCall(Record):
    """A CALL of a program's SUB: how its arguments are passed."""

    sub: Scope
    passed: tuple[Passed, ...]


_LAST: StatementPlace = sys.maxsize, 0
"""A place after all others."""


@dataclass(slots=True, weakref_slot=True)
class Unit:
    """One compiled function: its code, the meaning of its free names, and its places.

    A free name is one of `blocks`, `symbols`, `sites` (SUBs called) or `makers` (functions that
    make the arguments of a built-in subprogram, once per activation); `constants` are globals.
    `depths` is, for a function of DEF, the number of words of stack taken where it is used. `sums`:
    lines of the source that add the times of statements, with the place and the cycles of each;
    `carried`: lines that give the clock what such lines have accumulated. `counters`: lines that
    count statements, with the number of the counter.
    """

    name: str
    key: Key
    careful: bool
    code: CodeType
    source: str
    marks: list[tuple[int, StatementPlace]]
    blocks: dict[str, Key]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    sites: dict[str, SubCall] = field(default_factory=dict)
    makers: dict[str, CodeType] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    is_function: bool = False
    numbers: list[int] = field(default_factory=list)
    sums: dict[int, list[tuple[StatementPlace, int]]] = field(default_factory=dict)
    carried: frozenset[int] = frozenset()
    counters: dict[int, int] = field(default_factory=dict)

    def number(self, place: StatementPlace) -> int:
        """The line number of a place in the listing that the unit was made from.

        For the place after the last line, where RETURN NEXT may lead, that of the last line.
        """
        return self.numbers[min(place[0], len(self.numbers) - 1)]

    def place(self, line: int) -> StatementPlace:
        """The statement that a line of the Python source belongs to."""
        i = bisect_right(self.marks, (line, _LAST)) - 1
        return self.marks[max(i, 0)][1]


_NESTING = (tk.LPAREN, tk.CONCAT, *range(tk.OR, tk.POWER + 1))
"""Parentheses and operators: what may take words of stack, at most three each."""

FEWEST = 5
"""Fewest of them that may fill the stack in a CALL, where functions require some free words."""

COMMAND = -1
"""Line number of a line typed without one."""


class Listing:
    """The lines of a program in order; a place in it is (index of the line, offset).

    `depth` is the number of words of the machine's stack in use before each of its statements.
    A line is parsed when control may come to it: to parse all 381 lines of d5000 takes 26 ms, which
    a start would notice. What is asked of all lines is therefore found in their tokens, in 4 ms.
    """

    def __init__(self, lines: Iterable[tuple[int, bytes]], depth: int = 0) -> None:
        pairs = list(lines)
        self.depth = depth
        self.numbers = [number for number, _ in pairs]
        self.tokens = [tokens for _, tokens in pairs]
        self.index = {number: i for i, number in enumerate(self.numbers)}
        self._parsed: dict[tuple[int, int], tuple[Statement, ...]] = {}

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return zip(self.numbers, self.tokens, strict=True)

    def __len__(self) -> int:
        return len(self.numbers)

    def statements(self, line: int, at: int = 0) -> tuple[Statement, ...]:
        """The statements of line index `line` from offset `at` on, up to an ELSE or the end."""
        place = (line, at)
        found = self._parsed.get(place)
        if found is None:
            found = self._parsed[place] = statements_from(self.tokens[line], at, self.depth)
        return found

    @cached_property
    def after_error(self) -> Listing:
        """The same lines as they run after an error was caught; itself if nothing differs."""
        if not any(map(_has_little_room, self.tokens)):
            return self
        return Listing(self, self.depth + LEFT_WORDS)

    @cached_property
    def targets(self) -> frozenset[int]:
        """Indexes of all lines that some other line names: where control may join."""
        indexes: set[int] = set()
        for tokens in self.tokens:
            if tk.LINE_NUMBER not in tokens:
                continue
            cursor = Cursor(tokens)
            while cursor.token:
                if cursor.token == tk.LINE_NUMBER:
                    number = cursor.line_number()
                    if number in self.index:
                        indexes.add(self.index[number])
                        continue
                cursor.step()
        return frozenset(indexes)

    @cached_property
    def data(self) -> tuple[tuple[int, int], ...]:
        """The places of the first items of all DATA statements, in order."""
        places: list[tuple[int, int]] = []
        for line, tokens in enumerate(self.tokens):
            if tk.DATA not in tokens:
                continue
            cursor = Cursor(tokens)
            while cursor.token not in (0, tk.DATA):
                cursor.step()
            if cursor.token:
                places.append((line, cursor.at + 1))
        return tuple(places)


def _has_little_room(tokens: bytes) -> bool:
    """Tell whether the stack may be too small for a line when some of its words stay taken.

    Functions of DEF may need all of it wherever they are used. Wrong syntax hides what follows it,
    but RETURN NEXT goes on after the next `::`.
    """
    if tokens.count(tk.DEF):
        return True
    # A count of bytes is quick, and never below that of the tokens; most lines leave here.
    if sum(map(tokens.count, _NESTING)) < FEWEST:
        return False
    at: int | None = 0
    while at is not None:
        if statements_from(tokens, at) != statements_from(tokens, at, LEFT_WORDS):
            return True
        at = next_statement(tokens, at)
    return False


def cells_of(symbol: Symbol) -> tuple[str, str]:
    """The two cells of a parameter that stands for an array element: list and position."""
    name = python_of(symbol)
    return f"{name}_list", f"{name}_at"


def python_of(symbol: Symbol) -> str:
    """A symbol's name in generated code: `A`, `A_s` for A$, `A_a`, `A_sa` for arrays, `A_f` …"""
    kind = "f" if symbol.function is not None else "a" if symbol.dimensions else ""
    text = python_name(symbol.name)
    return text + kind if text.endswith("_s") else f"{text}_{kind}" if kind else text


@lru_cache(maxsize=4096)
def python_name(name: str) -> str:
    """A BASIC name as a Python identifier; small letters never occur in BASIC names."""
    string = name.endswith("$")
    body = name[:-1] if string else name
    text = "".join(
        c if c.isascii() and (c.isupper() or c.isdigit() or c == "_") else f"x{ord(c):02x}"
        for c in body
    )
    if not text or text[0].isdigit():
        text = f"n{text}"
    return f"{text}_s" if string else text
