"""The result of lint: one record per finding."""

from __future__ import annotations

import enum
from typing import Any

from ti99tools.base.errors import Place, TIError
from ti99tools.base.record import Record
from ti99tools.language.listing.hints import Edit, Elsewhere, Failing, edit_of, elsewhere_of


class Severity(enum.IntEnum):
    """How bad a finding is; only errors make lint fail."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """Lower-case word for people and JSON."""
        return self.name.lower()


class Finding(Record):
    """Something about a program: `code` names the rule, `line` the numbered line (if any).

    `message` and `remedy` are for people. Programs use the rest: `edit` corrects it (None:
    unknown), `error` is the number of the console's error it reports (0: none), `fact` what it
    reports besides (None: all of the message), `elsewhere` the word of another BASIC (None: none).
    """

    severity: Severity
    code: str
    place: Place
    message: str
    remedy: str = ""
    line: int | None = None
    edit: Edit | None = None
    error: int = 0
    fact: str | None = None
    elsewhere: Elsewhere | None = None

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        line = f" (line {self.line})" if self.line is not None else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}{self.severity.label}: {self.message}{line}{remedy} [{self.code}]"

    def as_dict(self) -> dict[str, Any]:
        """The finding for JSON."""
        return {
            "severity": self.severity.label,
            "code": self.code,
            "file": self.place.file,
            "row": self.place.line,
            "column": self.place.column,
            "line": self.line,
            "message": self.message,
            "remedy": self.remedy,
        }


def from_error(error: TIError, code: str, line: int | None = None) -> Finding:
    """An error that stopped a reader, as a finding."""
    return found(Severity.ERROR, code, error.place, error.problem, error.remedy, line)


def found(
    severity: Severity,
    code: str,
    place: Place,
    message: str,
    remedy: str = "",
    line: int | None = None,
) -> Finding:
    """A finding, with the data that its message and its remedy carry."""
    edit = edit_of(remedy)
    if edit is not None:
        edit = Edit(edit.wrong, edit.right, edit.how, place)
    failing = message if isinstance(message, Failing) else None
    error, fact = (0, None) if failing is None else (failing.code, failing.fact)
    elsewhere = elsewhere_of(remedy)
    return Finding(severity, code, place, message, remedy, line, edit, error, fact, elsewhere)
