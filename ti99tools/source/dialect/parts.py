"""What commas part, and what parentheses hold."""

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


def closed(lexemes: Sequence[Lexeme], index: int) -> int | None:
    """The index after the parentheses that begin at `index`; None where none do."""
    depth = 0
    for at in range(index, len(lexemes)):
        depth += lexemes[at].is_symbol("(") - lexemes[at].is_symbol(")")
        if depth == 0:
            return at + 1 if at > index else None
    return None
