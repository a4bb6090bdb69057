"""Mistakes in single statements of a source that cannot be used: told with those of its blocks.

A listing without such mistakes is judged by lint as a whole. Here only that is judged which stays
a mistake, whatever is done about the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, SourceError

if TYPE_CHECKING:
    from ti99tools.language.dialect.translate import Generated
    from ti99tools.language.lint.findings import Edit

_CERTAIN = frozenset({"arguments", "range"})
"""What lint finds in a statement, of which no other line can be the cause; of an array that is too
small the line with its DIM may be."""

_ALIKE = 0.75
"""Like CLEER and CLEAR, not like BOARD and LOAD."""


def hidden(generated: Generated, file: str | None) -> Iterator[SourceError]:
    """What is wrong in the statements of `generated`, a listing made of a source with mistakes.

    A subprogram that is not there is told where its name is all but that of one: its SUB may be
    in another file, or among the mistakes.
    """
    from ti99tools.language.lint.findings import Severity
    from ti99tools.language.lint.linter import mistakes

    entries = {entry.number: entry for entry in generated.entries}

    def where(number: int, offset: int) -> Place:
        place = generated.sourcemap.place(number, entries[number].column(offset))
        return place or Place(file)

    lines = sorted((number, entry.tokens) for number, entry in entries.items())
    said = generated.sourcemap.said
    told: set[tuple[Place, str]] = set()
    for each in mistakes(lines, where):
        certain = each.code in _CERTAIN or (each.code == "no-subprogram" and _near(each.edit))
        # What a PROC or a table has more than once in the listing stands once in the source.
        fresh = (each.place, each.message) not in told
        told.add((each.place, each.message))
        if each.severity is Severity.ERROR and certain and fresh:
            yield SourceError(said(each.message), remedy=said(each.remedy), place=each.place)


def _near(edit: Edit | None) -> bool:
    """Tell whether a word is for certain a misspelt form of what is to be put in its place."""
    return edit is not None and SequenceMatcher(None, edit.wrong, edit.right).ratio() > _ALIKE
