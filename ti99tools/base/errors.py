"""The one family of errors that a user can cause.

Whatever is wrong with a source, a program, a disk image or a command line is raised as a
`TIError`: one line that says what is wrong, where, and what to do. The command line prints it and
exits with 2; a traceback is only ever a fault of ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base.record import Record
from ti99tools.base.remedy import Advice, Remedy


class Place(Record):
    """Where in a file something is: 1-based line and column, None where not known."""

    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if not self.file:
            parts = [
                (f"{name} {value}")
                for name, value in (("line", self.line), ("column", self.column))
                if value is not None
            ]
            return ", ".join(parts)
        parts = [self.file]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


class TIError(Exception):
    """Something the user can mend.

    `problem` is a phrase without a full stop, `remedy` says what to do about it (may be empty),
    `place` where it was found. Where the way to do it differs between Python and the command line
    the remedy is an `Advice`.
    """

    def __init__(
        self, problem: str, *, remedy: str | Remedy = "", place: Place | None = None
    ) -> None:
        self.problem = problem
        self.remedy = remedy.of() if isinstance(remedy, Remedy) else remedy
        self.place = place or Place()
        super().__init__(str(self))

    def __str__(self) -> str:
        return self.told(self.remedy)

    @property
    def meaning(self) -> Remedy | None:
        """What the remedy means; None when its words say all there is."""
        return self.remedy.meaning if isinstance(self.remedy, Advice) else None

    def told(self, remedy: str) -> str:
        """The error in one line, its remedy in these words."""
        where = str(self.place)
        text = f"{where}: {self.problem}" if where else self.problem
        return f"{text}; {remedy}" if remedy else text

    def at(self, file: str, line: int | None = None, column: int | None = None) -> TIError:
        """The same error with its place filled in where it was unknown."""
        place = Place(
            self.place.file or file,
            self.place.line if self.place.line is not None else line,
            self.place.column if self.place.column is not None else column,
        )
        return type(self)(self.problem, remedy=self.remedy, place=place)


class SourceError(TIError):
    """A source text that cannot be generated, tokenized or parsed.

    `others` are what else is wrong with the same source: one look tells all of its mistakes.
    """

    others: tuple[SourceError, ...] = ()

    def at(self, file: str, line: int | None = None, column: int | None = None) -> TIError:
        """As `TIError.at`; the others are kept."""
        error = super().at(file, line, column)
        assert isinstance(error, SourceError)
        error.others = self.others
        return error


def together(errors: Sequence[SourceError]) -> SourceError:
    """The first of several mistakes in a source (at least one), which knows the others."""
    first, *others = errors
    first.others = tuple(others)
    return first


class ProgramError(TIError):
    """A program file that is damaged, of no known form, or too large for the machine."""


class DiskError(TIError):
    """A disk image or file container that is damaged, full, protected or of no known form."""


class BuildError(TIError):
    """A game's manifest or its parts do not fit together."""


class ScriptError(TIError):
    """A key script or play log that cannot be read."""


class HostError(TIError):
    """A host (emulator, log) that cannot run here; the text says what is missing."""
