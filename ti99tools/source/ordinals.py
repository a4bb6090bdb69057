"""The statements of a line in order, as source maps count them."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.base import tokens as t
from ti99tools.source.scan import scan


def statement_offsets(tokens: bytes) -> Iterator[int]:
    """Where the statements of a line begin, those after THEN and ELSE too; remarks aside."""
    start: int | None = 0
    for element in scan(tokens):
        if element.token in (t.REM, t.BANG):
            return
        if start is not None:
            if element.token != t.LINE_NUMBER:
                yield start
            start = None
        if element.token in (t.STATEMENT_SEP, t.THEN, t.ELSE):
            start = element.end
