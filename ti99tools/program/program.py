"""A program: its lines, whether it is protected, and how it lies in memory.

Programs do not change; the editor (`program/editor.py`) makes new ones. A program read from a file
and not edited keeps its layout, so that writing it again gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ti99tools.base.errors import ProgramError
from ti99tools.base.hosttext import decode
from ti99tools.program.image import (
    LONG_MARK,
    LONG_TOP,
    MAX_BODY,
    MAX_PROGRAM_BODY,
    PROGRAM_TOP,
    Image,
    Line,
    check_line,
    parse_long,
    parse_program,
)
from ti99tools.program.merge import merge_records, parse_merge
from ti99tools.source.listing import LIST_WIDTH, list_lines, wrap
from ti99tools.source.numbered import read_listing, to_text
from ti99tools.source.tokenize import MAX_LINE_BYTES

if TYPE_CHECKING:
    from ti99tools.program.memory_report import MemoryReport

READ_LIMIT = 1_000_000
"""Bytes; a program file has at most 25 KB, its listing not much more."""


class Saved(NamedTuple):
    """A file as SAVE writes it: type `PROGRAM` with bytes, or `INT/VAR`/`DIS/VAR` with records."""

    type: str
    content: bytes | tuple[bytes, ...]
    recl: int = 0


class Program:
    """An Extended BASIC program."""

    def __init__(self, image: Image, *, protected: bool = False) -> None:
        self.image = image
        self.protected = protected
        self.lines: tuple[Line, ...] = image.lines()
        """Ascending by number."""

    @classmethod
    def from_lines(cls, lines: Iterable[Line], *, protected: bool = False) -> Program:
        """A program whose lines were entered in the order given (that is how they lie in memory).

        Without lines it is the empty memory after NEW, which no program file can hold.

        A number that comes again replaces the earlier line. ProgramError for numbers outside
        1–32767, empty or too long lines, and when memory is too small.
        """
        memory: dict[int, Line] = {}
        for line in lines:
            memory.pop(line.number, None)
            memory[line.number] = check_line(line)
        image = Image.build(memory.values())
        if image.body > MAX_BODY:
            raise ProgramError(
                f"the program has {image.body} bytes, memory holds {MAX_BODY}",
                remedy="shorten it or split it and chain with RUN",
            )
        return cls(image, protected=protected)

    @classmethod
    def from_listing(
        cls,
        text: str,
        file: str | None = None,
        *,
        limit: int = MAX_LINE_BYTES,
        strict: bool = True,
    ) -> Program:
        """The program that entering a numbered listing gives.

        As in the editor a line with a number already there replaces it, and a bare number deletes.
        Raises SourceError with the place of the first line refused. Not `strict`: a few lines
        that the editor refuses are taken all the same (see `tokenize_marked`).
        """
        memory: dict[int, Line] = {}
        for entry in read_listing(text, file, limit=limit, strict=strict):
            memory.pop(entry.number, None)
            if entry.tokens:
                memory[entry.number] = Line(entry.number, entry.tokens)
        if not memory:
            raise ProgramError("there is no line in the program", remedy="enter one")
        return cls.from_lines(memory.values())

    @classmethod
    def from_source(
        cls,
        text: str,
        file: str | None = None,
        *,
        folder: Path | None = None,
        defines: Mapping[str, int | str] | None = None,
    ) -> Program:
        """The program of a source text, numbered or in the dialect of xbasic/DIALECT.md.

        `file` is named in errors; `folder` is where includes are looked for (without one there are
        those of the library only), `defines` are constants. Raises SourceError, ProgramError.
        """
        from ti99tools.source.dialect import generate
        from ti99tools.source.numbered import is_numbered

        if is_numbered(text):
            return cls.from_listing(text, file)
        listing = generate(text, file, root=folder, defines=defines).text
        return cls.from_listing(listing, file)

    @classmethod
    def from_records(cls, records: Sequence[bytes]) -> Program:
        """Read the records of a long (INT/VAR 254) or MERGE (DIS/VAR 163) file.

        Raises ProgramError for records without a line.
        """
        if records and len(records[0]) == 10 and records[0][:2] == LONG_MARK.to_bytes(2, "big"):
            image, protected = parse_long(records)
            return cls(image, protected=protected)
        lines = parse_merge(records)
        if not lines:
            raise ProgramError("there is no line in the program", remedy="enter one")
        return cls.from_lines(lines)

    @classmethod
    def from_bytes(cls, data: bytes) -> Program:
        """Read a program from a host file's bytes, whatever its form.

        PROGRAM, long and MERGE (sectors with records), each bare or after a TIFILES or V9T9
        header, and numbered listings. Raises ProgramError if none fits, SourceError for a listing
        that the editor refuses, DiskError for a damaged container.
        """
        from ti99tools.program.hostfile import recognise

        form, content = recognise(data)
        if form == "program":
            assert isinstance(content, bytes)
            image, protected = parse_program(content)
            return cls(image, protected=protected)
        if form == "listing":
            assert isinstance(content, bytes)
            return cls.from_listing(decode(content))
        assert isinstance(content, tuple)
        return cls.from_records(content)

    @classmethod
    def open(cls, path: str | Path) -> Program:
        """Read a host file: a program (see `from_bytes`) or a source, numbered or structured."""
        from ti99tools.program.sourcefile import read_source

        return read_source(path).program()

    @property
    def size(self) -> int:
        """Bytes of line-number table and line memory."""
        return self.image.body

    @property
    def memory(self) -> MemoryReport:
        """What the program needs of the machine's memory, as far as it shows without running."""
        from ti99tools.program.memory_report import report

        return report(self.size, ((line.number, line.tokens) for line in self.lines))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return (self.lines, self.protected) == (other.lines, other.protected)

    def __hash__(self) -> int:
        return hash((self.lines, self.protected))

    def __repr__(self) -> str:
        kind = "protected " if self.protected else ""
        return f"<{kind}Program of {len(self.lines)} lines, {self.size} bytes>"

    def with_protection(self, on: bool) -> Program:
        """The same program, PROTECTED or not."""
        return Program(self.image, protected=on)

    def to_program_bytes(self) -> bytes:
        """The PROGRAM file; as it was read when it came from one.

        ProgramError above 11,584 bytes of table and lines, unless it was read from such a file.
        """
        image = self.image
        if image.top is not None and image.top != LONG_TOP:
            return image.to_program(protected=self.protected, top=image.top) + image.tail
        if image.body > MAX_PROGRAM_BODY:
            raise ProgramError(
                f"the program has {image.body} bytes, a PROGRAM file holds {MAX_PROGRAM_BODY}",
                remedy="use the long form",
            )
        return image.to_program(protected=self.protected)

    def to_long_records(self) -> tuple[bytes, ...]:
        """The records of the long (INT/VAR 254) file."""
        return self.image.to_long(protected=self.protected)

    def to_merge_records(self) -> tuple[bytes, ...]:
        """The records of the MERGE (DIS/VAR 163) file; a protected program has none.

        Raises ProgramError for one, and for lines that are too long.
        """
        if self.protected:
            raise ProgramError("a protected program cannot be saved in MERGE form")
        return merge_records(self.lines)

    def saved(self) -> Saved:
        """The file that SAVE writes: PROGRAM up to 11,584 bytes, the long form above."""
        if self.image.body <= MAX_PROGRAM_BODY:
            image = self.image.to_program(protected=self.protected, top=PROGRAM_TOP)
            return Saved("PROGRAM", image)
        return Saved("INT/VAR", self.to_long_records(), 254)

    def listing(self) -> str:
        """The whole program as numbered text, a line each, that `from_listing` reads again."""
        return "".join(to_text(line) + "\n" for line in listed(self.lines))

    def list_records(self, width: int = LIST_WIDTH) -> tuple[bytes, ...]:
        """The records that `LIST "DSK1.X"` writes; the first one is always empty."""
        rows = [row for line in listed(self.lines) for row in wrap(line, width)]
        return (b"", *(row.encode("latin-1") for row in rows))


def listed(lines: Iterable[Line]) -> Iterator[str]:
    """Lines as LIST shows them one after another."""
    return list_lines((line.number, line.tokens) for line in lines)
