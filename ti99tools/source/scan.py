"""Walk over the tokens of a line without understanding the statement.

LIST, RES, the memory report and lint need to know where a token begins and what it carries, not
what it means (that is `syntax`). Total: what runs over the end of the line is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
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


_NAME = re.compile(rb"[\x01-\x7F]+")


@lru_cache(maxsize=4096)
def scan(tokens: bytes) -> tuple[Element, ...]:
    """The elements of a line, up to its end or a 00 byte.

    Lint and the pre-scan ask for each line a dozen times: the last ones are kept.
    """
    return tuple(_elements(tokens))


def _elements(tokens: bytes) -> Iterator[Element]:
    index = 0
    size = len(tokens)
    while index < size and tokens[index]:
        token = tokens[index]
        start = index
        index += 1
        if token < 0x80:
            match = _NAME.match(tokens, start)
            index = match.end() if match else index
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
