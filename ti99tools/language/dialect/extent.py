"""How much of a line statements take: characters of text, bytes of tokens.

Packing asks this about many lines that it does not make. The rules are those of listing/tokenize,
without its errors: what the editor refuses is reported where the line is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base import tokens as t
from ti99tools.base.record import Record
from ti99tools.language.dialect.lexer import Kind, Lexeme, needs_blank
from ti99tools.language.listing.tokenize import (
    EDITOR_COLUMNS,
    EDITOR_LINE_BYTES,
    KEEP_REFERENCES,
    REFERENCE_LISTS,
)

WIDEST = "32767"
"""Stands for a number that is not known yet."""
_REFERENCE = 3
"""Bytes of a line number after GOTO and the like."""
_HEAD = 2
"""Bytes before a text or number: its token and its length."""

_WITH_TOKEN = (Kind.KEYWORD, Kind.SYMBOL)
_AS_WRITTEN = (Kind.NAME, *_WITH_TOKEN)
"""Names; a word of the dialect in the wrong place is a name to the editor."""


class Extent(Record):
    """Characters and bytes of the lexemes of a line, each label as wide as it may be.

    `raw` tells whether one of them is raw, which is not counted.
    """

    characters: int = 0
    size: int = 0
    raw: bool = False
    references: bool = False
    previous: Lexeme | None = None

    def fits(self) -> bool:
        """Tell whether they fit into a line of the editor, whatever the numbers in it."""
        if self.raw:
            return False  # DATA and IMAGE share a line with no other statement
        characters = self.characters + len(f"{WIDEST} ")
        return characters <= EDITOR_COLUMNS and self.size <= EDITOR_LINE_BYTES


def extent(lexemes: Sequence[Lexeme], before: Extent | None = None) -> Extent:
    """How much a line has with these lexemes after those `before`, which stay as they are."""
    known = before or Extent()
    characters, size, raw = known.characters, known.size, known.raw
    references, previous = known.references, known.previous
    for lexeme in lexemes:
        kind = lexeme.kind
        raw = raw or kind is Kind.RAW
        text = WIDEST if kind is Kind.LABEL else lexeme.text
        characters += len(text) + (previous is not None and needs_blank(previous, lexeme))
        previous = lexeme
        token = t.TOKENS.get(text, 0) if kind in _WITH_TOKEN else 0
        if token:
            size += 1
            keeps = references and token in KEEP_REFERENCES
            references = keeps or (kind is Kind.KEYWORD and token in REFERENCE_LISTS)
        elif kind in _AS_WRITTEN:
            size += len(text)
            references = False
        elif kind is Kind.STRING:
            size += _HEAD + len(text[1:-1].replace('""', '"'))
        elif kind is Kind.SUBPROGRAM:
            size += _HEAD + len(text)
        elif references and text[0] != ".":
            size += _REFERENCE
        else:
            size += _HEAD + len(text)
            references = False
    return Extent(characters, size, raw, references, previous)
