"""RANGE: the values that a variable may take, declared for the compiler, checked in every run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, between_commas
from ti99tools.language.listing.sourcemap import Declared

_LOWEST, _HIGHEST = -32768, 32767
_FORM = "write RANGE N=1 TO 24, or RANGE T()=0 TO 9 for an array"


def declared(lexemes: Sequence[Lexeme], scope: str, report: Report) -> Iterator[Declared]:
    """The variables of `RANGE N=1 TO 24,T()=0 TO 9` in a scope. Reports mistakes in it."""
    for part in between_commas(lexemes[1:]):
        at = part[0] if part else lexemes[0]
        try:
            yield _one(part, scope, at)
        except SourceError as error:
            report(error)


def _one(part: Sequence[Lexeme], scope: str, at: Lexeme) -> Declared:
    """One declaration. Raises SourceError."""
    rest = list(part[1:])
    if len(rest) > 1 and rest[0].is_symbol("(") and rest[1].is_symbol(")"):
        rest = rest[2:]
    to = next((n for n, lexeme in enumerate(rest) if lexeme.is_word("TO")), None)
    if not part or at.kind is not Kind.NAME or to is None or not rest[0].is_symbol("="):
        raise SourceError("RANGE without a name and its values", remedy=_FORM, place=at.place)
    if at.text.endswith("$"):
        problem = f"RANGE of {at.text}, whose values are texts"
        raise SourceError(problem, remedy="remove it", place=at.place)
    low, high = _number(rest[1:to], at), _number(rest[to + 1 :], at)
    if low > high:
        problem = f"RANGE from {low} to {high}, which is less"
        raise SourceError(problem, remedy="write the lower one first", place=at.place)
    return Declared(scope, at.text, low, high, at.place)


def _number(lexemes: Sequence[Lexeme], at: Lexeme) -> int:
    """A whole number of 16 bits. Raises SourceError."""
    minus = bool(lexemes) and lexemes[0].is_symbol("-")
    digits = lexemes[minus:]
    if len(digits) != 1 or digits[0].kind is not Kind.NUMBER or not digits[0].text.isdigit():
        place = lexemes[0].place if lexemes else at.place
        problem = f"RANGE of {at.text} without a whole number"
        raise SourceError(problem, remedy=_FORM, place=place)
    value = int(digits[0].text) * (-1 if minus else 1)
    if not _LOWEST <= value <= _HIGHEST:
        problem = f"RANGE of {at.text} beyond {_LOWEST} to {_HIGHEST}"
        remedy = "leave it out: larger numbers are calculated as the console does"
        raise SourceError(problem, remedy=remedy, place=digits[0].place)
    return value
