"""What lint knows of a statement that has failed: the console's error says less."""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place
from ti99tools.source.findings import Finding, Severity
from ti99tools.source.lint import lint
from ti99tools.source.scan import scan


def explained(lines: Mapping[int, bytes], number: int, offset: int) -> str:
    """What is wrong with the statement at `offset` of a line, and what to do; empty if unknown.

    `lines` are the numbers and tokens of a program.
    """
    ends = [e.start for e in scan(lines.get(number, b"")) if e.token == t.STATEMENT_SEP]
    end = next((at for at in ends if at > offset), len(lines.get(number, b"")))

    def where(line: int, at: int) -> Place:
        return Place(None, line, at)

    found = [
        finding
        for finding in lint(sorted(lines.items()), where)
        if finding.line == number and offset <= (finding.place.column or 0) < end
    ]
    return next((_said(finding) for finding in found if _tells(finding)), "")


def _tells(finding: Finding) -> bool:
    """Tell whether a finding can be why a statement fails."""
    return finding.severity is Severity.ERROR or _foreign(finding)


def _foreign(finding: Finding) -> bool:
    """Tell whether a finding is about what other BASICs have."""
    return finding.remedy.startswith("Extended BASIC has no")


def _said(finding: Finding) -> str:
    """The finding without the error, which is told already."""
    said, fails, _ = finding.message.partition("fails with ")
    said = said.removesuffix("this ").rstrip(": ") if said.endswith("this ") or not fails else ""
    if not said or _foreign(finding) or finding.code in ("never-set", "prescan", "syntax"):
        return finding.remedy
    return f"{said}; {finding.remedy}"
