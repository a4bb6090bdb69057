"""A program as the interpreter sees it: numbered lines of tokens, parsed on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ti99tools.base import tokens as tk
from ti99tools.source.syntax import parse_from
from ti99tools.source.syntax.cursor import Cursor, next_statement
from ti99tools.source.syntax.expressions import LEFT_WORDS
from ti99tools.source.syntax.statements import Statement

_NESTING = (tk.LPAREN, tk.CONCAT, *range(tk.OR, tk.POWER + 1))
"""Parentheses and operators: what may take words of stack, three each at most."""

FEWEST = 5
"""So many of them may fill the stack in a CALL, where functions need to see some words free."""

COMMAND = -1
"""Line number of a line typed without one."""


class Listing:
    """The lines of a program in order; a place in it is (index of the line, offset).

    `depth` is the words of the machine's stack in use before each of its statements.
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
        """The same lines as they run once an error has been caught; itself if that is the same."""
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
    """Tell whether the stack may be too small for a line when words of it stay taken.

    Functions of DEF may need all of it wherever they stand. Wrong syntax hides what stands after
    it, but RETURN NEXT goes on after the next `::`.
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
