"""From lines of a numbered listing back to the source they were generated from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ti99tools.base.errors import Place


@dataclass(frozen=True, slots=True)
class Mark:
    """From `column` (1-based) of a numbered line on, the text comes from `place`.

    `statement` counts the line's statements from 0 in the order of the text; those after THEN and
    ELSE count like those after `::`.
    """

    column: int
    statement: int
    place: Place


class SourceMap:
    """Numbered line, and column or statement in it → file, line and column of the source."""

    def __init__(self, lines: Mapping[int, Sequence[Mark]]) -> None:
        self._lines = {number: tuple(marks) for number, marks in lines.items()}

    def __contains__(self, number: int) -> bool:
        return number in self._lines

    def __iter__(self) -> Iterator[int]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def marks(self, number: int) -> tuple[Mark, ...]:
        """All that is known of a line, by ascending column; empty for an unknown line."""
        return self._lines.get(number, ())

    def place(self, number: int, column: int = 1) -> Place | None:
        """Where the text at `column` (1-based) of line `number` comes from; None if unknown."""
        found = None
        for mark in self.marks(number):
            if found is not None and mark.column > column:
                break
            found = mark.place
        return found

    def statement(self, number: int, index: int) -> Place | None:
        """Where statement `index` (from 0) of line `number` comes from; None if unknown."""
        return next((m.place for m in self.marks(number) if m.statement == index), None)
