"""From lines and names of a numbered listing back to the source they were generated from.

Parameters and locals of a PROC have names of their own in the program, and the optimizer gives all
variables new ones. Here a name means what it means in the source, at one place or anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ti99tools.base.errors import Place, TIError
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


_OF_A_PROC = re.compile(r'"[^"]*"?|([A-Z@_][A-Z0-9@_]*)\.([A-Z@_][A-Z0-9@_]*\$?)')


class SourceNames:
    """What names mean: those of the PROC `here` first, then the program's, then those of a PROC.

    `renamed` maps names in the listing to those in the program, where they differ. `PROC.NAME` is
    the variable of a PROC, from everywhere in the program except a SUB (its name is `sub`).
    """

    def __init__(
        self,
        routines: Sequence[Routine] = (),
        renamed: Mapping[str, str] | None = None,
        here: Routine | None = None,
        sub: str = "",
    ) -> None:
        self.here = here
        self._sub = sub
        self._renamed = renamed or {}
        self._known = {each.name: each for each in routines}
        self._routines = () if sub else routines
        self._listed = {listed: each for each in self._routines for listed in each.own.values()}

    def meant(self, name: str, known: Collection[str]) -> str:
        """The name in the program of a name in the source; the same where it is none of `known`.

        Raises TIError for a name that more than one PROC has, where the program has none, and for
        one that only the optimizer gave.
        """
        if self.here is not None and name in self.here.own:
            return self._new(self.here.own[name])
        # Only the optimizer gives a variable this name.
        invented = name not in self._renamed and name in self._renamed.values()
        if not invented and self._new(name) in known:
            return self._new(name)
        owners = [each for each in self._routines if self._new(each.own.get(name, "")) in known]
        if len(owners) > 1:
            procs = " and ".join(each.name for each in owners)
            ways = " or ".join(f"{each.name}.{name}" for each in owners)
            raise TIError(f"{name} is a variable of the PROCs {procs}", remedy=f"write {ways}")
        if owners:
            return self._new(owners[0].own[name])
        if invented and name in known:
            raise TIError(
                f"{name} is no name of the source",
                remedy=f"write {self.written(known).get(name, name)}, which is {name} "
                "in the optimized program",
            )
        return self._new(name)

    def _new(self, name: str) -> str:
        return self._renamed.get(name, name)

    def plain(self, text: str) -> str:
        """An expression in capitals with `PROC.NAME` as the name in the listing. Raises TIError."""
        return _OF_A_PROC.sub(self._of_a_proc, text)

    def _of_a_proc(self, match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        routine = self._known.get(match[1])
        if routine is None:
            raise TIError(
                f"{match[0]}: there is no PROC {match[1]}",
                remedy="write PROC.NAME for a parameter or a local of a PROC",
            )
        if self._sub:
            raise TIError(
                f"{match[0]}: the program is in SUB {self._sub}, which does not see variables of "
                "PROCs",
                remedy="ask where the program is outside of the SUB",
            )
        if match[2] not in routine.own:
            own = ", ".join(routine.own) or "none"
            raise TIError(
                f"the PROC {match[1]} has no variable {match[2]}", remedy=f"its own are {own}"
            )
        return routine.own[match[2]]

    def written(self, known: Collection[str]) -> dict[str, str]:
        """Names in the program → names in the source, of those that can be named from here.

        Variables that share one, as they are never in use together, are written `A/B`. A local
        hides a variable of the program.
        """
        hidden = self.here.own if self.here is not None else {}
        names_of: dict[str, set[str]] = {}
        for routine in self._routines:
            for name, listed in routine.own.items():
                name_in_source = name if routine is self.here else f"{routine.name}.{name}"
                names_of.setdefault(self._new(listed), set()).add(name_in_source)
        for old in self._renamed.keys() - self._listed.keys() - hidden.keys():
            names_of.setdefault(self._renamed[old], set()).add(old)
        own = set(self._renamed.values())
        for name in known:
            if name not in names_of and name not in own and name not in hidden:
                names_of[name] = {name}
        return {new: "/".join(sorted(names_of[new])) for new in known if new in names_of}
