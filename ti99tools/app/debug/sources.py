"""From the statements of a running program to the lines of its source, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base import tokens as tk
from ti99tools.base.errors import TIError, Where, suggestion
from ti99tools.base.hostio import read_text
from ti99tools.computer.console.evaluating import Evaluator
from ti99tools.computer.interp.compile.units import Listing, StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.listing.listing import list_line
from ti99tools.language.listing.sourcemap import Routine, SourceNames
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

_CALLS = (st.Gosub, st.OnGo, st.Call)


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a source: file (as the program's places name it) and number from 1."""

    file: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the stack: where the program, a SUB, a PROC or a GOSUB stands.

    `name` is `program`, `SUB NAME`, `PROC NAME` or `GOSUB`; `number` is the line number in the
    program; `position` is the statement's position in its source line, from 1, and how many the
    line has.
    """

    name: str
    line: FileLine
    column: int
    number: int
    position: tuple[int, int]
    activation: Activation


def path_of(file: str) -> Path:
    """The path of a file by its name in a `Place`: `<keys.xb>` is one of the library."""
    if file.startswith("<"):
        return library_folder() / file.strip("<>")
    return Path(file)


class SourceTexts:
    """The lines of source files, as they were when the program was made."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        """The lines of a file; empty if it cannot be read as text."""
        if file not in self._files:
            path = path_of(file)
            try:
                self._files[file] = read_text(path).splitlines()
            except TIError:
                self._files[file] = []
        return self._files[file]


class StatementLines:
    """The statements of one program in order, with the lines they were written in.

    `where` is None for a program without a source: its LIST output stands in, numbered by the
    program's line numbers. `main`: this is the program being debugged, not one that loads it.
    """

    def __init__(self, listing: Listing, where: Where | None, name: str, main: bool = True) -> None:
        self.main = main
        self.names: Mapping[str, Mapping[str, str]] = {}
        """SUB (empty: the program) → name in the listing → its different name in the program."""
        self.routines: Sequence[Routine] = ()
        """The PROCs of the source."""
        self._procs: dict[FileLine, Routine] = {}
        self.file = ""
        """The file in which the program begins."""
        self.listing = listing
        self.name = name
        self.has_source = where is not None
        self._where = where
        self.lines: dict[StatementPlace, FileLine] = {}
        """Statement where the program can stop → the line in which it begins."""
        self.entries: dict[FileLine, list[StatementPlace]] = {}
        """Line → the statements at which control can enter it."""
        self._together: dict[FileLine, list[StatementPlace]] = {}
        self._calls: dict[StatementPlace, list[StatementPlace]] = {}
        self._read()

    def _read(self) -> None:
        before: FileLine | None = None
        for spot, statement in self._statements():
            if isinstance(statement, _CALLS):
                self._calls.setdefault(self._after(spot, statement), []).append(spot)
            if isinstance(statement, st.SILENT) and statement.fault is None:
                continue
            line = self._written(spot)
            if line is None:
                continue
            self.lines[spot] = line
            self._together.setdefault(line, []).append(spot)
            if line != before:
                self.entries.setdefault(line, []).append(spot)
            before = line

    def _statements(self) -> Iterator[tuple[StatementPlace, st.Statement]]:
        """All statements, nested ones after their IF."""
        for line in range(len(self.listing)):
            for statement in every_statement(self.listing.statements(line)):
                yield (line, statement.at), statement

    def _written(self, spot: StatementPlace) -> FileLine | None:
        """The line of a statement; None for one that the optimizer made."""
        number = self.listing.numbers[min(spot[0], len(self.listing) - 1)]
        if self._where is None:
            return FileLine(self.name, number)
        place = self._where(number, spot[1])
        if place.file is None or place.line is None:
            return None
        return FileLine(place.file, place.line)

    def _after(self, spot: StatementPlace, statement: st.Statement) -> StatementPlace:
        """The statement to which control returns after a call."""
        tokens = self.listing.tokens[spot[0]]
        end = statement.end
        if end < len(tokens) and tokens[end] == tk.STATEMENT_SEP:
            return spot[0], end + 1
        return spot[0] + 1, 0

    def line(self, spot: StatementPlace) -> FileLine:
        """The line in which the statement at a place was written."""
        own = self.lines.get(spot) or self._written(spot)
        if own is not None:
            return own
        after = min((other for other in self.lines if other >= spot), default=None)
        return FileLine(self.name, 0) if after is None else self.lines[after]

    def position(self, spot: StatementPlace) -> tuple[int, int]:
        """A statement's position in its line, from 1, and how many the line has."""
        together = self._together.get(self.line(spot), [])
        return together.index(spot) + 1 if spot in together else 1, len(together)

    def column(self, spot: StatementPlace) -> int:
        """The column of a statement in its line, from 1."""
        if self._where is None:
            return 1
        return self._where(self.listing.numbers[spot[0]], spot[1]).column or 1

    def caller(self, back: StatementPlace) -> StatementPlace:
        """The calling statement, by the one to which control returns."""
        return self._calls.get(back, [back])[0]

    def text(self, texts: SourceTexts, line: FileLine) -> str:
        """The text of a line; for a program without a source, as LIST shows it."""
        if self.has_source:
            lines = texts.lines(line.file)
            return lines[line.number - 1] if line.number <= len(lines) else ""
        index = self.listing.index.get(line.number)
        return "" if index is None else list_line(line.number, self.listing.tokens[index])

    def listed(self) -> list[str]:
        """The program as LIST shows it."""
        return [list_line(number, tokens) for number, tokens in self.listing]

    def know(self, routines: Sequence[Routine], seen: Callable[[str | None], str | None]) -> None:
        """Set the PROCs of the source; `seen` gives a file's name as `FileLine` has it."""
        self.routines = routines
        self._procs = {
            FileLine(seen(row.file) or "", row.line or 0): each
            for each in routines
            for row in each.rows
        }

    def proc(self, line: FileLine | None) -> Routine | None:
        """The PROC that a line belongs to."""
        return None if line is None else self._procs.get(line)

    def meaning(self, sub: str, line: FileLine | None) -> SourceNames:
        """The meaning of names in a SUB, or (`sub` empty) at a line of the program."""
        here = None if sub else self.proc(line)
        return SourceNames(self.routines, self.names.get(sub), here, sub)

    def evaluator(
        self, execution: Execution, activation: Activation | None, line: FileLine | None
    ) -> Evaluator:
        """An evaluator for expressions in the names of the source, at a line.

        `activation` None: the current one.
        """
        scope = (activation or execution.active).scope
        return Evaluator(execution, activation, self.meaning(scope.name, line))

    def files(self) -> list[str]:
        """The source files of the program."""
        return list(dict.fromkeys(line.file for line in self.lines.values()))

    # -- breakpoints ----------------------------------------------------------------------

    def numbered(self, number: int) -> FileLine:
        """The source line in which line `number` of the program begins. Raises TIError."""
        index = self.listing.index.get(number)
        if index is None:
            near = min(self.listing.numbers, key=lambda n: abs(n - number))
            row = any(entry.number >= number for entry in self.entries)
            meant = f"; :{number} means row {number} of the source" if row else ""
            remedy = f"the nearest one is {near}{meant}"
            raise TIError(f"the program has no line {number}", remedy=remedy)
        return self.line((index, 0))

    def nearest(self, file: str, number: int) -> FileLine:
        """The first line with a statement at or after line `number` of a file. Raises TIError."""
        name = self.file_named(file)
        later = [n.number for n in self.entries if n.file == name and n.number >= number]
        if not later:
            raise TIError(
                f"{name}:{number}: no statement is there or further down",
                remedy=f"lines with statements are {self._span(name)}",
            )
        return FileLine(name, min(later))

    def file_named(self, file: str) -> str:
        """The program's source file of this name, with or without its folder. Raises TIError."""
        known = self.files()
        if not file:
            first = known[0] if known else self.name
            return self.file if self.file in known else first
        path = Path(file).resolve()
        for name in known:
            if name == file or Path(name).resolve() == path or Path(name).name == file:
                return name
        names = [*known, *(Path(name).name for name in known)]
        remedy = suggestion(file, names, f"its files are {', '.join(known)}")
        raise TIError(f"{file}: not a file of this program", remedy=remedy)

    def _span(self, name: str) -> str:
        numbers = [line.number for line in self.entries if line.file == name]
        return f"{min(numbers)} to {max(numbers)}" if numbers else "in other files"


class BareLines(StatementLines):
    """The lines of a compiled program whose source is not known: numbers without a text."""

    def _read(self) -> None:
        for index, number in enumerate(self.listing.numbers):
            line = FileLine(self.name, number)
            self.lines[index, 0] = line
            self._together[line] = self.entries[line] = [(index, 0)]

    def text(self, _texts: SourceTexts, line: FileLine) -> str:
        """The number of the line."""
        return str(line.number)
