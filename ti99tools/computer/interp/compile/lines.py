"""A program as the interpreter sees it: numbered lines of tokens, parsed on demand, and Python
names for its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from ti99tools.base import tokens as tk
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax import parse_from
from ti99tools.language.syntax.cursor import Cursor, next_statement
from ti99tools.language.syntax.expressions import LEFT_WORDS
from ti99tools.language.syntax.statements import Statement

_NESTING = (tk.LPAREN, tk.CONCAT, *range(tk.OR, tk.POWER + 1))
"""Parentheses and operators: what may take words of stack, at most three each."""

FEWEST = 5
"""So many of them may fill the stack in a CALL, where functions require some free words."""

COMMAND = -1
"""Line number of a line typed without one."""


class Listing:
    """The lines of a program in order; a place in it is (index of the line, offset).

    `depth` is the number of words of the machine's stack in use before each of its statements.
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
            found = self._parsed[place] = parse_from(self.tokens[line], at, self.depth)
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
        found: set[int] = set()
        for tokens in self.tokens:
            cursor = Cursor(tokens)
            while cursor.token:
                if cursor.token == tk.LINE_NUMBER:
                    number = cursor.line_number()
                    if number in self.index:
                        found.add(self.index[number])
                        continue
                cursor.step()
        return frozenset(found)

    @cached_property
    def data(self) -> tuple[tuple[int, int], ...]:
        """The places of the first items of all DATA statements, in order."""
        found: list[tuple[int, int]] = []
        for line, tokens in enumerate(self.tokens):
            cursor = Cursor(tokens)
            while cursor.token not in (0, tk.DATA):
                cursor.step()
            if cursor.token:
                found.append((line, cursor.at + 1))
        return tuple(found)


def _has_little_room(tokens: bytes) -> bool:
    """Tell whether the stack may be too small for a line when some of its words stay taken.

    Functions of DEF may need all of it wherever they are used. Wrong syntax hides what follows it,
    but RETURN NEXT goes on after the next `::`.
    """
    if tokens.count(tk.DEF):
        return True
    if sum(map(tokens.count, _NESTING)) < FEWEST:
        return False
    at: int | None = 0
    while at is not None:
        if parse_from(tokens, at) != parse_from(tokens, at, LEFT_WORDS):
            return True
        at = next_statement(tokens, at)
    return False


def cells_of(symbol: Symbol) -> tuple[str, str]:
    """The two cells of a parameter that stands for an array element: list and position."""
    name = python_of(symbol)
    return f"{name}_list", f"{name}_at"


def python_of(symbol: Symbol) -> str:
    """Its name in generated code: `A`, `A_s` for A$, `A_a`, `A_sa` for arrays, `A_f` …"""
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
