"""Walk over the tokens of a line without understanding the statement.

LIST, RES, the memory report and lint need to know where a token begins and what it carries, not
what it means (that is `syntax`). Total: what runs over the end of the line is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ti99tools.base import tokens as t

NAME = 0
"""Token value of a variable's name, which has no token of its own."""


class Element(NamedTuple):
    """One token: `tokens[start:end]`; `data` is its name, text, number (2 bytes) or comment."""

    token: int
    start: int
    end: int
    data: bytes = b""

    @property
    def text(self) -> str:
        """The data as text; code points are character codes."""
        return self.data.decode("latin-1")

    @property
    def line_number(self) -> int:
        """The line that a LINE_NUMBER token names."""
        return int.from_bytes(self.data, "big")


def scan(tokens: bytes) -> Iterator[Element]:
    """The elements of a line, up to its end or a 00 byte."""
    index = 0
    size = len(tokens)
    while index < size and tokens[index]:
        token = tokens[index]
        start = index
        index += 1
        if token < 0x80:
            while index < size and 0 < tokens[index] < 0x80:
                index += 1
            yield Element(NAME, start, index, tokens[start:index])
        elif token in (t.QUOTED, t.UNQUOTED):
            length = tokens[index] if index < size else 0
            end = min(index + 1 + length, size)
            yield Element(token, start, end, tokens[index + 1 : end])
            index = end
        elif token == t.LINE_NUMBER:
            end = min(index + 2, size)
            yield Element(token, start, end, tokens[index:end])
            index = end
        elif token in (t.REM, t.BANG):
            end = tokens.find(0, index)
            end = size if end < 0 else end
            yield Element(token, start, end, tokens[index:end])
            index = end
        else:
            yield Element(token, start, index)
