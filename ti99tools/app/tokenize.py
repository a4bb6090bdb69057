"""A program as the file that SAVE would write: its form, and its container."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.language.lint.findings import Finding, Severity
from ti99tools.language.lint.linter import mistakes
from ti99tools.language.program.image import LONG_RECORD, MERGE_RECORD
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

Form = Literal["auto", "program", "long", "merge"]
NO_INIT = "machine-code"
"""The warning of LOAD and LINK in a program without INIT."""
_TOLD = ("line-length", NO_INIT)
"""Warnings of lint that are shown when a source is tokenized."""


class Saved(Record):
    """What SAVE writes: the file's type, and a PROGRAM's bytes or the records."""

    type: str
    content: bytes | tuple[bytes, ...]

    @classmethod
    def of(cls, program: Program, form: Form = "auto") -> Saved:
        """The program in a form; `auto` chooses as SAVE does. Raises ProgramError."""
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
        from ti99tools.media.disk.tifile import NAME_RULE, DiskFile, is_legal_name

        if not is_legal_name(name):
            raise DiskError(f"file name {name!r} is invalid", remedy=NAME_RULE)
        if isinstance(self.content, bytes):
            file = DiskFile.program(name, self.content)
        elif self.type == "INT/VAR":
            file = DiskFile.internal_var(name, self.content, LONG_RECORD)
        else:
            file = DiskFile.display_var(name, self.content, MERGE_RECORD)
        return build_tifiles(store(file))


def program_of(source: Source) -> Program:
    """The program of a source. Raises what the editor refuses."""
    return Program.of(source)


def warnings(source: Source) -> Iterator[Finding]:
    """What the editor accepts but the console will refuse: shown when a source is tokenized.

    Lines that will be errors when they run are warnings here.
    """
    yield from source.notes()
    yield from source.duplicates()
    for finding in mistakes(source.lines(), source.where):
        if finding.severity is Severity.ERROR or finding.code in _TOLD:
            yield replace(finding, severity=Severity.WARNING)


def file_name(output: Path) -> str:
    """The TI file name for a host file's name. Raises DiskError when none is possible."""
    from ti99tools.media.disk.extract import from_host

    return from_host(str(output))
