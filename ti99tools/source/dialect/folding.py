"""Functions of constants worked out: `LEN("AB")`, `INT((W-24)/8)`, and SET, which is none here.

`SET(code)` is the colour set of a character: 0 for codes 30 and 31, 1 for 32 to 39, up to 14. Of a
code that is not constant it becomes the expression that works it out. A program that has an array
of that name keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from ti99tools.base.errors import SourceError
from ti99tools.source.dialect.evaluation import Evaluation, Value, number_text
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.parts import closed
from ti99tools.source.dialect.table import literal

SET = "SET"
DEEPEST = 20
"""Functions in functions that are looked into."""
_ARRAY = re.compile(r"\bDIM\b[^\n]*\bSET\s*\(|\bSET\s*\([^()\n]*\)\s*=(?!\s*[^:\n]*\bTHEN\b)", re.I)
_LOWEST, _HIGHEST = 30, 143
_PARTS = ("+", "-", "*", "/", "&", "(", ")")
_FUNCTIONS = ("CHR$", "RPT$", "STR$", "LEN", "INT")


def has_own_set(text: str) -> bool:
    """Tell whether a source has an array named SET."""
    return _ARRAY.search(text) is not None


def worked_out(lexemes: list[Lexeme], sets: bool, depth: int = 0) -> list[Lexeme]:
    """The lexemes with functions of constants as their values; SET too, if `sets`.

    What is nested deeper than `DEEPEST` stays. Raises SourceError for a SET of what is no character
    code.
    """
    if depth > DEEPEST:
        return lexemes
    result: list[Lexeme] = []
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        is_set = sets and lexeme.kind is Kind.NAME and lexeme.text == SET
        folds = is_set or lexeme.is_word("LEN", "INT")
        end = closed(lexemes, index + 1) if folds else None
        if end is None:
            result.append(lexeme)
            index += 1
            continue
        inner = lexemes[index + 2 : end - 1]
        if is_set:
            result += _set_of(lexeme, inner, depth)
        else:
            result += _function(lexeme, lexemes[index + 1 : end], sets, depth)
        index = end
    return result


def _function(lexeme: Lexeme, whole: Sequence[Lexeme], sets: bool, depth: int) -> list[Lexeme]:
    """LEN or INT and its parentheses, worked out where its parts are constant."""
    inner = whole[1:-1]
    value = _constant([lexeme, *whole]) if _all_constant(inner) else None
    if isinstance(value, Decimal) and number_text(value) is not None:
        return [literal(value, lexeme.place)]
    return [lexeme, whole[0], *worked_out(list(inner), sets, depth + 1), whole[-1]]


def _set_of(lexeme: Lexeme, inner: list[Lexeme], depth: int) -> list[Lexeme]:
    """The colour set of a character code."""
    value = _constant(inner) if _all_constant(inner) else None
    if value is None and inner:
        words = (*_symbols(lexeme, "("), _word(lexeme, "INT"), *_symbols(lexeme, "(("))
        rest = (*_symbols(lexeme, ")/"), _number(lexeme, 8), *_symbols(lexeme, ")-"))
        inside = worked_out(inner, True, depth + 1)
        return [*words, *inside, *rest, _number(lexeme, 3), *_symbols(lexeme, ")")]
    if not isinstance(value, Decimal) or not _LOWEST <= value <= _HIGHEST:
        shown = value if value is not None else "nothing"
        raise SourceError(
            f"SET of {shown}, which is no character code",
            remedy=f"use {_LOWEST} to {_HIGHEST}",
            place=lexeme.place,
        )
    return [literal(Decimal(int(value) // 8 - 3), lexeme.place)]


def _all_constant(lexemes: Sequence[Lexeme]) -> bool:
    return bool(lexemes) and all(
        x.kind in (Kind.NUMBER, Kind.STRING)
        or x.is_symbol(*_PARTS)
        or (x.is_symbol(",") or x.is_word(*_FUNCTIONS))
        for x in lexemes
    )


def _constant(lexemes: Sequence[Lexeme]) -> Value | None:
    try:
        return Evaluation(lexemes, {}).value()
    except SourceError:
        return None


def _symbols(at: Lexeme, text: str) -> list[Lexeme]:
    return [Lexeme(Kind.SYMBOL, char, at.place) for char in text]


def _word(at: Lexeme, text: str) -> Lexeme:
    return Lexeme(Kind.KEYWORD, text, at.place)


def _number(at: Lexeme, value: int) -> Lexeme:
    return Lexeme(Kind.NUMBER, str(value), at.place)
