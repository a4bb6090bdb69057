"""What lint has to say: one record a finding."""

from __future__ import annotations

import enum
from typing import Any

from ti99tools.base.errors import Place, TIError
from ti99tools.base.record import Record


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
    """Something about a program: `code` names the rule, `line` the numbered line (if any)."""

    severity: Severity
    code: str
    place: Place
    message: str
    remedy: str = ""
    line: int | None = None

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
    return Finding(Severity.ERROR, code, error.place, error.problem, error.remedy, line)
