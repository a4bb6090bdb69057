"""From lines of a numbered listing back to the source they were generated from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ti99tools.base.errors import Place
from ti99tools.base.record import Record

_NAME = re.compile(r"[A-Z@\[\]\\_][A-Z0-9@\[\]\\_]*\$?")


class Mark(Record):
    """From `column` (1-based) of a numbered line on, the text comes from `place`.

    `statement` counts the line's statements from 0 in the order of the text, with those after THEN
    and ELSE. `inverted`: it is an IF whose condition is the opposite of the written one.
    `otherwise`: it is the line number after the ELSE of that IF, in place of a GOTO. `copy_of`: the
    same text was put into the line before, as this statement.
    """

    column: int
    statement: int
    place: Place
    inverted: bool = False
    otherwise: bool = False
    copy_of: int | None = None


class Uncalled(Record):
    """A PROC that nothing calls: its parameters as the listing has them, and its rows.

    A row is a place without a column.
    """

    name: str
    place: Place
    parameters: tuple[str, ...]
    rows: frozenset[Place]


class Routine(Record):
    """A PROC: its parameters and locals with their names in the listing, and its rows.

    A row is a place without a column. `given` are the names in the listing of the parameters that
    only take values, `place` is that of its name.
    """

    name: str
    own: Mapping[str, str]
    rows: frozenset[Place]
    given: tuple[str, ...] = ()
    place: Place = Place()


class Declared(Record):
    """A variable or array of a scope (a SUB's name, or "") with the values that RANGE declares."""

    scope: str
    name: str
    low: int
    high: int
    place: Place


class SourceMap:
    """Numbered line, and column or statement in it → file, line and column of the source.

    `routines` are the PROCs, `names` maps names that only the listing has to those of the source;
    `ranges` are those that the source declares, `code` the files of its twins in machine code,
    `constants` the names of its constants.
    """

    def __init__(
        self,
        lines: Mapping[int, Sequence[Mark]],
        routines: Sequence[Routine] = (),
        uncalled: Sequence[Uncalled] = (),
        ranges: Sequence[Declared] = (),
        code: Sequence[str] = (),
        constants: Collection[str] = (),
    ) -> None:
        self._lines = {number: tuple(marks) for number, marks in lines.items()}
        self.routines = tuple(routines)
        self.names = {listed: name for each in routines for name, listed in each.own.items()}
        self.uncalled = tuple(uncalled)
        self.ranges = tuple(ranges)
        self.code = tuple(code)
        self.constants = frozenset(constants)

    def __contains__(self, number: int) -> bool:
        return number in self._lines

    def __iter__(self) -> Iterator[int]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def in_source_names(self, text: str) -> str:
        """A text with the names of the source in place of those that only the listing has."""
        return _NAME.sub(lambda match: self.names.get(match[0], match[0]), text)

    def marks(self, number: int) -> tuple[Mark, ...]:
        """All that is known of a line, by ascending column; empty for an unknown line."""
        return self._lines.get(number, ())

    def place(self, number: int, column: int = 1) -> Place | None:
        """The origin of the text at `column` (1-based) of line `number`; None if unknown."""
        place = None
        for mark in self.marks(number):
            if place is not None and mark.column > column:
                break
            place = mark.place
        return place

    def statement(self, number: int, index: int) -> Place | None:
        """The origin of statement `index` (from 0) of line `number`; None if unknown."""
        mark = self.mark(number, index)
        return None if mark is None else mark.place

    def mark(self, number: int, index: int) -> Mark | None:
        """The mark at the beginning of statement `index` (from 0) of line `number`; None if
        unknown.
        """
        return next(
            (m for m in self.marks(number) if m.statement == index and not m.otherwise), None
        )
