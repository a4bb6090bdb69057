"""A program as the file that SAVE would write, and as LIST shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ti99tools.base.record import Record
from ti99tools.base.tokens import TOKENS
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.lint.linter import mistakes
from ti99tools.language.listing.listing import NAME, list_lines, list_tokens, scan, wrap
from ti99tools.language.listing.numbered import reads_back, to_text
from ti99tools.language.listing.tokenize import COMMANDS
from ti99tools.language.program.memory_image import LONG_RECORD, MERGE_RECORD
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

Form = Literal["auto", "program", "long", "merge"]
NO_INIT = "machine-code"
"""The rule of lint for LOAD and LINK in a program without INIT."""
_TOLD = ("line-length", NO_INIT)
"""Rules of lint whose warnings are shown when a source is tokenized."""


class SavedProgram(Record):
    """The file that SAVE writes: its type, and its bytes (PROGRAM) or its records."""

    type: str
    content: bytes | tuple[bytes, ...]

    @classmethod
    def of(cls, program: Program, form: Form = "auto") -> SavedProgram:
        """The file of a program in a form; `auto` chooses as SAVE does. Raises ProgramError."""
        if form == "program":
            return cls("PROGRAM", program.to_program_bytes())
        if form == "long":
            return cls("INT/VAR", program.to_long_records())
        if form == "merge":
            return cls("DIS/VAR", program.to_merge_records())
        saved = program.saved()
        return cls(saved.type, saved.content)

    def bare(self) -> bytes:
        """The file without a container: records as they lie in sectors on a disk."""
        if isinstance(self.content, bytes):
            return self.content
        from ti99tools.media.disk.records import pack_variable

        return pack_variable(self.content)[0]

    def tifiles(self, name: str) -> bytes:
        """The file with a TIFILES header. Raises DiskError for a name that is not allowed."""
        from ti99tools.media.disk.hostfiles import build_tifiles
        from ti99tools.media.disk.records import store
        from ti99tools.media.disk.tifile import DiskFile, check_name

        check_name(name)
        if isinstance(self.content, bytes):
            file = DiskFile.program(name, self.content)
        elif self.type == "INT/VAR":
            file = DiskFile.internal_var(name, self.content, LONG_RECORD)
        else:
            file = DiskFile.display_var(name, self.content, MERGE_RECORD)
        return build_tifiles(store(file))


def program_of(source: Source) -> Program:
    """The program of a source. Raises SourceError for what the console's editor refuses."""
    return Program.of(source)


def warnings(source: Source) -> Iterator[Finding]:
    """Findings to show when a source is tokenized: the editor accepts it, but a run would fail.

    Such errors are warnings here.
    """
    yield from source.notes()
    yield from source.duplicates()
    for finding in mistakes(source.lines(), source.where):
        if finding.severity is Severity.ERROR or finding.code in _TOLD:
            yield replace(finding, severity=Severity.WARNING)


def file_name(output: Path) -> str:
    """The TI file name that a host file's name gives. Raises DiskError when it gives none."""
    from ti99tools.media.disk.extract import from_host

    return from_host(str(output))


def listing(program: Program, width: int | None = None) -> str:
    """The listing, with lines broken after `width` characters as LIST does, or not at all."""
    if width is None:
        return program.listing()
    rows = (row for line in list_lines(program.lines) for row in wrap(line, width))
    return "".join(to_text(row) + "\n" for row in rows)


def inexact(program: Program) -> list[tuple[int, str]]:
    """Numbers of lines whose listing gives other bytes when tokenized, each with the reason.

    The reason is empty unless it is names: TI BASIC programs may have variables whose names are
    words of Extended BASIC (OR, MIN, SIZE, PI).
    """
    lines = (line for line in program.lines if not reads_back(line.number, line.tokens))
    return [(line.number, ", ".join(_words(line.tokens))) for line in lines]


def _words(tokens: bytes) -> list[str]:
    """Names in a line that are words of Extended BASIC."""
    names = dict.fromkeys(e.text for e in scan(tokens) if e.token == NAME)
    return [name for name in names if name in TOKENS or name in COMMANDS]


def listing_data(program: Program) -> dict[str, object]:
    """The program as JSON values."""
    lines = [{"number": line.number, "text": list_tokens(line.tokens)} for line in program.lines]
    return {"protected": program.protected, "size": program.size, "lines": lines}
