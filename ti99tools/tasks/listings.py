"""A program as LIST shows it, for a host's eyes and files."""

from __future__ import annotations

from ti99tools.program.program import Program, listed
from ti99tools.source.listing import list_tokens, wrap
from ti99tools.source.numbered import reads_back, to_text


def listing(program: Program, width: int | None = None) -> str:
    """The listing; its lines broken after `width` characters as LIST does, or whole."""
    if width is None:
        return program.listing()
    rows = (row for line in listed(program.lines) for row in wrap(line, width))
    return "".join(to_text(row) + "\n" for row in rows)


def inexact(program: Program) -> list[int]:
    """Numbers of lines that no listing tells exactly: tokenizing it gives other bytes."""
    lines = program.lines
    return [line.number for line in lines if not reads_back(line.number, line.tokens)]


def listing_data(program: Program) -> dict[str, object]:
    """The program as JSON values."""
    lines = [{"number": line.number, "text": list_tokens(line.tokens)} for line in program.lines]
    return {"protected": program.protected, "size": program.size, "lines": lines}
