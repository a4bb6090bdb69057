"""What commas part."""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.source.dialect.lexer import Lexeme


def between_commas(lexemes: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """The parts between commas outside parentheses; one empty part of nothing."""
    parts: list[list[Lexeme]] = [[]]
    depth = 0
    for lexeme in lexemes:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if lexeme.is_symbol(",") and depth == 0:
            parts.append([])
        else:
            parts[-1].append(lexeme)
    return parts
