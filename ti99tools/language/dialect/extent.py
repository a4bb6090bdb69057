"""How much of a line statements take: characters of its text, bytes of its tokens.

Packing asks this of many lines that it does not make. The rules are those of `listing.tokenize`,
without its errors: what the editor refuses is told where the line is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base import tokens as t
from ti99tools.language.dialect.lexer import Kind, Lexeme, needs_blank
from ti99tools.language.listing.tokenize import KEEP_REFERENCES, REFERENCE_LISTS

WIDEST = "32767"
"""What stands for a number that is not known yet."""
_REFERENCE = 3
"""Bytes of a line's number after GOTO and the like."""
_HEAD = 2
"""Bytes before a text or number: its token and its length."""

_WITH_TOKEN = (Kind.KEYWORD, Kind.SYMBOL)
_AS_WRITTEN = (Kind.NAME, *_WITH_TOKEN)
"""Names; a word of the dialect that stands where it cannot is one for the editor."""


def extent(lexemes: Sequence[Lexeme]) -> tuple[int, int]:
    """Characters and bytes of the lexemes, each label as wide as it may be; no raw ones."""
    characters = size = 0
    references = False
    previous: Lexeme | None = None
    for lexeme in lexemes:
        kind = lexeme.kind
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
    return characters, size
