"""A program as LIST shows it, for people and for files of the host."""

from __future__ import annotations

from ti99tools.base.tokens import TOKENS
from ti99tools.language.listing.listing import NAME, list_tokens, scan, wrap
from ti99tools.language.listing.numbered import reads_back, to_text
from ti99tools.language.listing.tokenize import COMMANDS
from ti99tools.language.program.program import Program, listed


def listing(program: Program, width: int | None = None) -> str:
    """The listing; its lines whole, or broken after `width` characters as LIST does."""
    if width is None:
        return program.listing()
    rows = (row for line in listed(program.lines) for row in wrap(line, width))
    return "".join(to_text(row) + "\n" for row in rows)


def inexact(program: Program) -> list[tuple[int, str]]:
    """Numbers of lines that no listing reproduces exactly, and why, where names are the reason.

    Tokenizing the listing gives other bytes. Programs of TI BASIC have variables whose names are
    words of Extended BASIC: OR, MIN, SIZE, PI.
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
