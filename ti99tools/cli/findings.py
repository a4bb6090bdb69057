"""Findings of lint as text, with colors and a caret, and as annotations of GitHub."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ti99tools.source.findings import Finding
    from ti99tools.tasks.linting import Rows

_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}
_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
_WIDEST = 100
"""Characters of a row that are shown."""


def colored() -> bool:
    """Tell whether standard output takes colors (see no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def as_text(finding: Finding, rows: Rows | None) -> str:
    """A finding in a line; with `rows` its row below, and a caret under the place."""
    label = finding.severity.label
    text = str(finding)
    if colored():
        styled = click.style(label, fg=_COLORS[label], bold=True)
        text = text.replace(f"{label}: ", f"{styled}: ", 1)
    row = rows.row(finding) if rows is not None else None
    if row is None:
        return text
    at = (finding.place.column or 1) - 1
    start = max(0, at - _WIDEST + 20)
    shown = "".join(char if char.isprintable() else " " for char in row[start : start + _WIDEST])
    caret = " " * (at - start) + "^"
    mark = click.style(caret, fg=_COLORS[label], bold=True) if colored() else caret
    return f"{text}\n    {shown}\n    {mark}"


def as_annotation(finding: Finding) -> str:
    """A finding as a workflow command of GitHub, which shows it at its line."""
    place = finding.place
    fields = {"file": place.file, "line": place.line, "col": place.column, "title": finding.code}
    told = ",".join(f"{key}={_property(str(v))}" for key, v in fields.items() if v is not None)
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    message = _data(f"{finding.message}{remedy}")
    return f"::{_LEVELS[finding.severity.label]} {told}::{message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
