"""A source, numbered or structured, or a program file: read, with the origin of its lines.

Everything that is run, tokenized, linted or converted comes this way, so all of these take files of
every form. `Source` has what is odd about the lines, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ti99tools.base import tokens as t
from ti99tools.base.decoding import tidy
from ti99tools.base.errors import Place, SourceError, TIError
from ti99tools.base.hostio import read_bytes, too_large
from ti99tools.base.inputs import read_input
from ti99tools.language.findings import Finding, Severity, from_error
from ti99tools.language.lint.hidden import hidden
from ti99tools.language.listing.listing import Line, scan
from ti99tools.language.listing.numbered import Entry, as_one, is_numbered, no_lines, read_text
from ti99tools.language.listing.sourcemap import SourceMap
from ti99tools.language.listing.tokenize import MAX_LINE_BYTES
from ti99tools.language.program.hostfile import HostFile
from ti99tools.language.program.memory_image import Memory, ProgramImage

if TYPE_CHECKING:
    from ti99tools.language.dialect import Generated

_TOLD_ROWS = 3
"""Rows without a number that are reported one by one."""


@dataclass(slots=True)
class Source:
    """The lines of a source file, and what the editor refuses.

    `sourcemap` gives the origin of each numbered line of a structured source; `memory` is that of a
    program file, and whether it is protected. `skipped` are the places of remarks without a number;
    `width` is the number of characters after which lines were wrapped, `mended` the ends of rows
    where spaces were put into a string as lines were joined.
    """

    file: str | None
    entries: list[Entry]
    errors: Sequence[SourceError] = ()
    sourcemap: SourceMap | None = None
    memory: Memory | None = None
    skipped: Sequence[Place] = ()
    width: int | None = None
    mended: Sequence[Place] = ()
    _lines: dict[int, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = {entry.number: entry for entry in self.entries}

    @classmethod
    def of_memory(cls, memory: ProgramImage, protected: bool, file: str | None = None) -> Source:
        """A program file as a source; its places name the file alone."""
        entries = [Entry(n.number, n.tokens, Place(file)) for n in memory.lines()]
        return cls(file, entries, memory=(memory, protected))

    @classmethod
    def of_listing(
        cls,
        text: str,
        file: str | None,
        join: int | None = None,
        limit: int = MAX_LINE_BYTES,
        *,
        strict: bool = True,
    ) -> Source:
        """A numbered listing as a source; `join` and `limit` as in `read_source`.

        If not `strict`, a few lines that the editor refuses are accepted (see `tokenize_marked`).
        Raises SourceError for a text with nothing in it.
        """
        text = tidied(text, file)
        parts = read_text(text, file, join=join, limit=limit, strict=strict)
        entries, errors, skipped, width, mended = parts
        if errors:
            from ti99tools.language.remedies.statements import advised

            errors = [advised(error) for error in errors]
        return cls(file, entries, errors, skipped=skipped, width=width, mended=mended)

    @classmethod
    def of_generated(
        cls,
        generated: Generated,
        file: str | None = None,
        errors: Sequence[SourceError] = (),
    ) -> Source:
        """The listing made of a structured source; `errors` are mistakes within its lines."""
        return cls(file, generated.entries, list(errors), generated.sourcemap)

    def lines(self) -> list[Line]:
        """The lines, ascending: of a repeated number the last, and none if that one is bare."""
        return sorted(Line(n, e.tokens) for n, e in self._lines.items() if e.tokens)

    def entered(self) -> Iterator[Line]:
        """The lines that are left after all are entered, in the order of memory.

        Raises SourceError for what the editor refuses, and if no line is left.
        """
        if self.errors:
            wrong = sorted(self.errors, key=lambda e: (e.place.line or 0, e.place.column or 0))
            raise as_one(wrong, len(self.entries) + len(self.errors), self.file, basic=True)
        memory: dict[int, bytes] = {}
        for entry in self.entries:
            memory.pop(entry.number, None)
            if entry.tokens:
                memory[entry.number] = entry.tokens
        if not memory:
            raise no_lines(self.file)
        return itertools.starmap(Line, memory.items())

    def where(self, number: int, offset: int = 0) -> Place:
        """The place in the source of the token at `offset` of line `number`."""
        entry = self._lines.get(number)
        if entry is None or self.memory is not None:
            return Place(self.file)
        if self.sourcemap is not None:
            return self.sourcemap.place(number, entry.column(offset)) or Place(self.file)
        return entry.where(offset)

    def duplicates(self) -> Iterator[Finding]:
        """Lines whose number was used before or is out of order, and bare ones, which delete."""
        seen: dict[int, Entry] = {}
        for entry in self.entries:
            first = seen.setdefault(entry.number, entry)
            if first is not entry:
                message = f"line {entry.number} is also at {first.place}: this one counts"
                remedy = "renumber one of them"
                if not entry.tokens:
                    message = f"line {entry.number} is empty: it deletes the one at {first.place}"
                    remedy = "remove it, or write the line"
                yield Finding(
                    Severity.WARNING, "duplicate-line", entry.place, message, remedy, entry.number
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
        yield from self.strays()

    def strays(self) -> Iterator[Finding]:
        """Lines that are alone in not being in order, as a misread digit of the number makes them.

        None where a line beside it may be the wrong one, and none that other lines name.
        """
        if self.sourcemap is not None or self.memory is not None:
            return
        numbers = [entry.number for entry in self.entries]
        found: list[tuple[int, str]] = []
        for at in range(2, len(numbers) - 2):
            first, before, own, after, last = numbers[at - 2 : at + 3]
            if first < before < after < last and not first < own < last:
                found.append((at, f"line {own} stands between {before} and {after}"))
        named = self._named() if found else set()
        for at, message in found:
            number, place = numbers[at], self.entries[at].place
            if number not in named:
                remedy = "correct the number, or move the line"
                yield Finding(Severity.WARNING, "line-order", place, message, remedy, number)

    def _named(self) -> set[int]:
        """The line numbers that lines name."""
        elements = itertools.chain.from_iterable(scan(entry.tokens) for entry in self.entries)
        return {each.line_number for each in elements if each.token == t.LINE_NUMBER}

    def notes(self) -> Iterator[Finding]:
        """What was done to a text to read it: wrapped lines joined, rows skipped."""
        if self.width is not None:
            message = f"lines wrapped after {self.width} characters were joined"
            if not self.width:
                message = "rows that go on in the next one were joined"
            yield Finding(Severity.INFO, "joined", Place(self.file), message)
        for place in self.mended:
            message = "a string goes on in the next row; spaces were put back between them"
            yield Finding(Severity.INFO, "joined", place, message, "check the string")
        places = self.skipped if len(self.skipped) <= _TOLD_ROWS else self.skipped[:1]
        for place in places:
            message = "a row without a line number was skipped"
            if len(places) < len(self.skipped):
                message += f", and {len(self.skipped) - 1} more after it"
            yield Finding(Severity.INFO, "skipped", place, message, "give it a number to keep it")

    def findings(self) -> list[Finding]:
        """What the editor refuses, duplicates and empty lines, and `notes`."""
        refused = (from_error(error, "entry") for error in self.errors)
        return [*self.notes(), *refused, *self.duplicates()]


def tidied(text: str, file: str | None) -> str:
    """The text in the form that all readers take. Raises SourceError for an empty one."""
    text = tidy(text)
    if not text.strip():
        raise no_lines(file, empty=True)
    return text


MOST_BYTES = 1_000_000
"""Of a source; a program file has at most 25 KB, its listing not much more."""


def read_source(
    path: str | Path,
    *,
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
    generated or there is no line, ProgramError for a damaged program file. What the editor refuses
    is in `errors`.

    With `refused`, as much of a structured source is read as possible: mistakes in single lines are
    in `errors` too, and when SourceError is raised, everything else known is put there. If not
    `pack`, each statement has a line of its own, so that none hides another's mistake. `root` and
    `defines` are those of `generate`. A listing's lines may be wrapped after `join` characters
    (None: as the text suggests). `read` reads this file and those it includes (None: as they are on
    disk).
    """
    name = str(path)
    data = read_bytes(path) if read is None else read(Path(path))
    file = HostFile(data, name)
    try:
        if len(data) > MOST_BYTES:
            file.refuse()
            raise too_large(data, MOST_BYTES)
        content = file.content
    except TIError as error:
        raise error.at(name) from None
    return _source(content, name, join, refused, pack=pack, root=root, defines=defines,
                   read=read or read_input)  # fmt: skip


def source_of(
    data: bytes | str,
    file: str | None = None,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
) -> Source:
    """A source that has been read already, or a program file's bytes; see `read_source`."""
    content = tidy(data) if isinstance(data, str) else HostFile(data).content
    return _source(content, file, root=root, defines=defines)


def _source(
    content: str | Memory,
    file: str | None,
    join: int | None = None,
    refused: list[SourceError] | None = None,
    **options: Any,
) -> Source:
    """The source that a file holds, a text or a program; `options` are those of `generate`."""
    if not isinstance(content, str):
        return Source.of_memory(*content, file)
    if is_numbered(content):
        return Source.of_listing(content, file, join)
    from ti99tools.language.dialect import generate

    text = tidied(content, file)
    generated = generate(text, file, refused=refused, review=hidden, **options)
    return Source.of_generated(generated, file, refused or ())
