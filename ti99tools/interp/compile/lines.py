"""A program as the interpreter sees it: numbered lines of tokens, parsed on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ti99tools.base import tokens as tk
from ti99tools.source.syntax import parse_from
from ti99tools.source.syntax.cursor import Cursor
from ti99tools.source.syntax.statements import Statement

COMMAND = -1
"""Line number of a line typed without one."""


class Listing:
    """The lines of a program in order; a place in it is (index of the line, offset)."""

    def __init__(self, lines: Iterable[tuple[int, bytes]]) -> None:
        pairs = list(lines)
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
            found = self._parsed[place] = parse_from(self.tokens[line], at)
        return found

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
