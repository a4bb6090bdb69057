"""A program: its lines, whether it is protected, and its layout in memory.

Programs do not change; the editor (`program.editor`) makes new ones. A program read from a file
and not edited keeps its layout, so that writing it again gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ti99tools.base.errors import ProgramError
from ti99tools.language.listing.listing import LIST_WIDTH, Line, list_lines, wrap
from ti99tools.language.listing.numbered import to_text
from ti99tools.language.listing.tokenize import MAX_LINE_BYTES
from ti99tools.language.program.memory_image import (
    LONG_RECORD,
    LONG_TOP,
    MAX_PROGRAM_BODY,
    PROGRAM_TOP,
    ProgramImage,
    entered,
    from_records,
    in_file,
    merge_records,
)
from ti99tools.language.program.sourcefile import Source, read_source, source_of

if TYPE_CHECKING:
    from ti99tools.language.analysis import Analysis
    from ti99tools.language.listing.sourcemap import Declared, Routine
    from ti99tools.language.program.memory_report import MemoryReport
    from ti99tools.media.disk.tifile import DiskFile


class Saved(NamedTuple):
    """A file as SAVE writes it: type `PROGRAM` with bytes, or `INT/VAR`/`DIS/VAR` with records."""

    type: str
    content: bytes | tuple[bytes, ...]
    recl: int = 0


class Program:
    """An Extended BASIC program."""

    def __init__(self, image: ProgramImage, *, protected: bool = False) -> None:
        self.image = image
        self.protected = protected
        self.lines: tuple[Line, ...] = image.lines()
        """Ascending by number."""
        self.ranges: tuple[Declared, ...] = ()
        """What its source declares about the values of variables (RANGE)."""
        self.routines: tuple[Routine, ...] = ()
        """The PROCs of its source, whose variables have other names in the program."""

    @classmethod
    def of(cls, source: Source) -> Program:
        """The program of a source that has been read. Raises what the editor refuses."""
        if source.memory is not None:
            memory, protected = source.memory
            return cls(memory, protected=protected)
        try:
            program = cls.from_lines(source.entered())
        except ProgramError as error:
            raise (error if source.file is None else error.at(source.file)) from None
        if source.sourcemap is not None:
            program.ranges = source.sourcemap.ranges
            program.routines = source.sourcemap.routines
        return program

    @classmethod
    def from_lines(cls, lines: Iterable[Line], *, protected: bool = False) -> Program:
        """A program whose lines were entered in the order given (that is how they lie in memory).

        Without lines it is the empty memory after NEW, which no program file can hold. A repeated
        number replaces the earlier line. Raises ProgramError for numbers outside 1–32767, empty or
        too long lines, and when memory is too small.
        """
        return cls(entered(lines), protected=protected)

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

        As in the editor, a line with a number in use replaces the earlier one, and a bare number
        deletes. Raises SourceError with the place of the first line refused. If not `strict`, a few
        lines that the editor refuses are accepted (see `tokenize_marked`).
        """
        return cls.of(Source.of_listing(text, file, limit=limit, strict=strict))

    @classmethod
    def from_source(
        cls,
        text: str,
        file: str | None = None,
        *,
        folder: Path | None = None,
        defines: Mapping[str, int | str] | None = None,
    ) -> Program:
        """The program of a source text, numbered or in the dialect of docs/dialect.md.

        `file` is the name in errors; `folder` is where includes are looked for (without one only
        those of the library are available), `defines` are constants. Raises SourceError,
        ProgramError.
        """
        return cls.of(source_of(text, file, root=folder, defines=defines))

    @classmethod
    def from_records(cls, records: Sequence[bytes]) -> Program:
        """Read the records of a long (INT/VAR 254) or MERGE (DIS/VAR 163) file.

        Raises ProgramError for records without a line.
        """
        memory, protected = from_records(records)
        return cls(memory, protected=protected)

    @classmethod
    def from_file(cls, file: DiskFile) -> Program:
        """Read a TI file of a disk or container: PROGRAM, long or MERGE.

        Raises ProgramError for another file.
        """
        memory, protected = in_file(file)
        return cls(memory, protected=protected)

    @classmethod
    def from_bytes(cls, data: bytes) -> Program:
        """Read a program from a host file's bytes, in any form.

        PROGRAM, long and MERGE (sectors with records), each bare or after a TIFILES or V9T9 header,
        and sources as `from_source` takes them. Raises ProgramError if none fits, SourceError for a
        source that is refused, DiskError for a damaged container.
        """
        return cls.of(source_of(data))

    @classmethod
    def open(cls, path: str | Path) -> Program:
        """Read a host file: a program or a source, as `from_bytes` does. Raises TIError."""
        return cls.of(read_source(path))

    @property
    def size(self) -> int:
        """Bytes of line number table and line memory."""
        return self.image.body

    @property
    def analysis(self) -> Analysis:
        """What follows from the lines: statements, pre-scan, flow, values; computed when asked."""
        from ti99tools.language.analysis import analysis_of

        return analysis_of(self.lines)

    @cached_property
    def memory(self) -> MemoryReport:
        """What the program needs of the machine's memory, as far as shows without running it."""
        from ti99tools.language.program.memory_report import report

        return report(self.size, self.analysis)

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
        """The PROGRAM file; the same bytes if the program was read from one.

        Raises ProgramError above 11,584 bytes of table and lines, unless it was read from such a
        file.
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
        """The records of the MERGE (DIS/VAR 163) file.

        Raises ProgramError for a protected program, which cannot be merged, and for lines that are
        too long.
        """
        if self.protected:
            raise ProgramError("a protected program cannot be saved in MERGE form")
        return merge_records(self.lines)

    def saved(self) -> Saved:
        """The file that SAVE writes: PROGRAM up to 11,584 bytes, the long form above."""
        if self.image.body <= MAX_PROGRAM_BODY:
            image = self.image.to_program(protected=self.protected, top=PROGRAM_TOP)
            return Saved("PROGRAM", image)
        return Saved("INT/VAR", self.to_long_records(), LONG_RECORD)

    def listing(self) -> str:
        """The whole program as numbered text, one line each, which `from_listing` reads again."""
        return "".join(to_text(line) + "\n" for line in list_lines(self.lines))

    def list_records(self, width: int = LIST_WIDTH) -> tuple[bytes, ...]:
        """The records that `LIST "DSK1.X"` writes; the first one is always empty."""
        rows = [row for line in list_lines(self.lines) for row in wrap(line, width)]
        return (b"", *(row.encode("latin-1") for row in rows))
