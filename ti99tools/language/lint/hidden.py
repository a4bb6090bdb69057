"""Mistakes in the lines of a source whose blocks do not fit: with theirs, all are told at once.

Only those are reported that stay mistakes however the blocks are corrected. The linter is imported
when there are mistakes, and not with each program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, SourceError
from ti99tools.language.findings import Severity, misspelt

if TYPE_CHECKING:
    from ti99tools.language.dialect import Generated

_CERTAIN = frozenset({"arguments", "range"})
"""Codes of findings that no other line can cause (an array can be too small because of its DIM).
Words of other BASICs are as certain."""


def hidden(generated: Generated, file: str | None) -> Iterator[SourceError]:
    """The mistakes in the statements of `generated`, the listing of a source with other mistakes.

    A missing subprogram is reported only where its name is nearly that of another one: its SUB may
    be in another file, or among the other mistakes.
    """
    from ti99tools.language.lint.linter import mistakes

    entries = {entry.number: entry for entry in generated.entries}

    def where(number: int, offset: int) -> Place:
        place = generated.sourcemap.place(number, entries[number].column(offset))
        return place or Place(file)

    lines = sorted((number, entry.tokens) for number, entry in entries.items())
    in_source_names = generated.sourcemap.in_source_names
    reported: set[tuple[Place, str]] = set()
    for each in mistakes(lines, where):
        named = each.code == "no-subprogram" and misspelt(each.edit)
        certain = each.code in _CERTAIN or named or each.elsewhere is not None
        # What the listing has more than once, for a PROC or a table, is in the source once.
        fresh = (each.place, each.message) not in reported
        reported.add((each.place, each.message))
        if each.severity is Severity.ERROR and certain and fresh:
            yield SourceError(
                in_source_names(each.message), remedy=in_source_names(each.remedy), place=each.place
            )
