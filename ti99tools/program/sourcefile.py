"""Read a source file, numbered or structured, into lines that know where they came from.

A program file of any form does too, so that lint and conversion take all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.base.errors import Place, ProgramError, SourceError, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.base.hosttext import decode, is_text
from ti99tools.program.image import Line
from ti99tools.program.program import READ_LIMIT, Program
from ti99tools.source.findings import Finding, Severity, from_error
from ti99tools.source.numbered import Entry, as_one, is_numbered, read_lines, read_text
from ti99tools.source.sourcemap import SourceMap
from ti99tools.source.tokenize import MAX_LINE_BYTES, EntryError

_TOLD_ROWS = 3
"""Rows without a number that are told one by one."""


@dataclass(slots=True)
class Source:
    """The lines of a source file, and what the editor refuses of them.

    `sourcemap` tells of a structured source where each numbered line was written; `made` is the
    program itself when the file is a program file. `skipped` are the places of remarks without a
    number; `width` is after how many characters lines were wrapped.
    """

    file: str
    entries: list[Entry]
    errors: Sequence[SourceError] = ()
    sourcemap: SourceMap | None = None
    made: Program | None = None
    skipped: Sequence[Place] = ()
    width: int | None = None
    _lines: dict[int, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = {entry.number: entry for entry in self.entries}

    @classmethod
    def of_program(cls, program: Program, file: str) -> Source:
        """A program file as a source; places are its file alone."""
        entries = [Entry(n.number, n.tokens, Place(file)) for n in program.lines]
        return cls(file, entries, made=program)

    @classmethod
    def of_listing(
        cls, text: str, file: str, join: int | None = None, limit: int = MAX_LINE_BYTES
    ) -> Source:
        """A numbered listing as a source; `join` and `limit` as in `read_source`."""
        found = read_text(text, file, join=join, limit=limit)
        return cls(file, found.entries, found.errors, skipped=found.skipped, width=found.width)

    def lines(self) -> list[tuple[int, bytes]]:
        """Number and tokens of each line, ascending; the last of duplicates counts."""
        return sorted((n, e.tokens) for n, e in self._lines.items() if e.tokens)

    def program(self) -> Program:
        """The program; the last of duplicate lines counts. Raises what the editor refuses."""
        if self.made is not None:
            return self.made
        if self.errors:
            wrong = sorted(self.errors, key=lambda e: (e.place.line or 0, e.place.column or 0))
            raise as_one(wrong, len(self.entries) + len(self.errors), self.file)
        typed = [Line(e.number, e.tokens) for e in self.entries if e.tokens]
        if not typed:
            raise ProgramError(f"{self.file}: there is no line in it", remedy="write one")
        return Program.from_lines(typed)

    def where(self, number: int, offset: int = 0) -> Place:
        """The place in the source of the token at `offset` of line `number`."""
        entry = self._lines.get(number)
        if entry is None or self.made is not None:
            return Place(self.file)
        if self.sourcemap is not None:
            return self.sourcemap.place(number, entry.column(offset)) or Place(self.file)
        return entry.where(offset)

    def duplicates(self) -> Iterator[Finding]:
        """Lines whose number was used before, and bare numbers, which would delete."""
        seen: dict[int, Entry] = {}
        for entry in self.entries:
            first = seen.setdefault(entry.number, entry)
            if first is not entry:
                yield Finding(
                    Severity.WARNING,
                    "duplicate-line",
                    entry.place,
                    f"line {entry.number} is also at {first.place}: this one counts",
                    "renumber one of them",
                    entry.number,
                )
                seen[entry.number] = entry
            elif not entry.tokens:
                yield Finding(
                    Severity.WARNING,
                    "empty-line",
                    entry.place,
                    f"line {entry.number} is empty",
                    "remove it: in the editor it deletes the line",
                    entry.number,
                )

    def notes(self) -> Iterator[Finding]:
        """What was made of a listing that is no listing as the editor takes it."""
        if self.width is not None:
            message = f"lines wrapped after {self.width} characters were joined"
            yield Finding(Severity.INFO, "joined", Place(self.file), message)
        told = self.skipped if len(self.skipped) <= _TOLD_ROWS else self.skipped[:1]
        for place in told:
            message = "a row without a line number was skipped"
            if len(told) < len(self.skipped):
                message += f", and {len(self.skipped) - 1} more after it"
            yield Finding(Severity.INFO, "skipped", place, message, "give it a number to keep it")

    def findings(self) -> list[Finding]:
        """What the editor refuses, duplicates and empty lines, and `notes`."""
        refused = (from_error(error, "entry") for error in self.errors)
        return [*self.notes(), *refused, *self.duplicates()]


def read_source(
    path: str | Path,
    *,
    limit: int = MAX_LINE_BYTES,
    refused: list[SourceError] | None = None,
    pack: bool = True,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    join: int | None = None,
    read: Callable[[Path], bytes] | None = None,
) -> Source:
    """Read a numbered listing, a structured source, or a program file of any form.

    A container with a text file of the console, as LIST writes one, is read as that text.

    Raises TIError when the file cannot be read, SourceError when a structured source cannot be
    generated or no line is there, ProgramError for a damaged program file. What the editor
    refuses is in `errors`.

    With `refused`, as much of a structured source is read as can be: what is wrong in single lines
    is in `errors` too, and when SourceError is raised, what else is known is put there.
    Not `pack`: each of its statements has a line of its own, so that none hides another's mistake.
    `root` and `defines` are those of `generate`. A listing's lines may be wrapped after `join`
    characters; without that it is taken as it looks. `read` reads this file and those it includes
    (None: as they are on disk).
    """
    name = str(path)
    data = read_bytes(path, READ_LIMIT) if read is None else read(Path(path))
    try:
        text = decode(data) if is_text(data) else _listed_in(data)
        if text is None:
            return Source.of_program(Program.from_bytes(data), name)
    except TIError as error:
        raise error.at(name) from None
    if not text.strip("\ufeff \t\r\n"):
        raise SourceError("the source is empty", remedy="write a program", place=Place(name))
    if is_numbered(text):
        return Source.of_listing(text, name, join, limit)
    from ti99tools.source.dialect import generate

    reader = read or Path.read_bytes
    generated = generate(
        text, name, root=root, defines=defines, refused=refused, pack=pack, read=reader
    )
    entries, errors = read_lines(generated.text, name, limit=limit)
    if refused is not None:
        return Source(name, entries, list(refused), generated.sourcemap)
    mapped = [_mapped(error, generated.listing, generated.sourcemap) for error in errors]
    return Source(name, entries, mapped, generated.sourcemap)


def _listed_in(data: bytes) -> str | None:
    """The listing in a container; the disk room is loaded for files that are no text alone."""
    from ti99tools.program.hostfile import listed_in

    return listed_in(data)


def _mapped(error: EntryError, listing: list[str], sourcemap: SourceMap) -> EntryError:
    """An error in a generated line, moved to where the line was written."""
    number = listing[(error.place.line or 1) - 1].split(maxsplit=1)[0]
    place = sourcemap.place(int(number), error.place.column or 1)
    return EntryError(error.problem, remedy=error.remedy, place=place or error.place)
