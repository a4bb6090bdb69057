"""The program side of the console's editor: lines go in, replace, delete; RES renumbers.

No screen and no keys: what is typed arrives as text. Each refusal is an EntryError with the
console's message.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.base import xberrors as xb
from ti99tools.program.image import MAX_BODY, Image, Line
from ti99tools.program.program import Program
from ti99tools.program.resequence import parse_resequence, resequence
from ti99tools.source.tokenize import (
    EDITOR_LINE_BYTES,
    EntryError,
    as_typed,
    split_number,
    tokenize_line,
)


class Editor:
    """A program being edited; starts empty or with `program`."""

    def __init__(self, program: Program | None = None) -> None:
        self._image = program.image if program else Image((), b"")
        self._protected = program.protected if program else False

    @property
    def program(self) -> Program | None:
        """The program as it stands, None while it has no line."""
        return Program(self._image, protected=self._protected) if self._image.table else None

    def enter(self, text: str) -> None:
        """Type a line: a numbered line or RES.

        A numbered line replaces the one of that number, a bare number deletes it. EntryError when
        the console refuses; the program is then unchanged.
        """
        text = as_typed(text)
        if split_number(text)[0] is None and (numbers := parse_resequence(text)):
            self.resequence(*numbers)
            return
        number, tokens = tokenize_line(text, limit=EDITOR_LINE_BYTES)
        self.put(Line(number, tokens))

    def put(self, line: Line) -> None:
        """Store a line; without tokens delete it. Raises EntryError (MEMORY FULL) without room."""
        self._check_open()
        image = self._image.with_line(line) if line.tokens else self._image.without(line.number)
        if image.body > MAX_BODY:
            raise EntryError(xb.TEXTS[xb.MEMORY_FULL], remedy="delete lines or shorten them")
        self._image = image

    def merge(self, lines: Iterable[Line]) -> None:
        """Put the lines of a MERGE file into the program, in the order of the file."""
        for line in lines:
            self.put(line)

    def resequence(self, start: int, step: int) -> None:
        """RES start,step. Raises EntryError where nothing can be numbered."""
        self._check_open()
        if not self._image.table:
            raise EntryError(xb.TEXTS[xb.NO_PROGRAM_PRESENT], remedy="enter a line first")
        self._image = resequence(self._image, start, step)

    def _check_open(self) -> None:
        if self._protected:
            raise EntryError(
                xb.TEXTS[xb.PROTECTION_VIOLATION], remedy="a protected program cannot be changed"
            )
