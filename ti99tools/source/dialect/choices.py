"""SELECT CASE: what is chosen by, and the conditions that its CASEs stand for."""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base.errors import SourceError
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.mistakes import Report
from ti99tools.source.dialect.parts import between_commas
from ti99tools.source.dialect.statements import keyword, symbol

_RELATIONS = ("=", "<", ">")
_LOGICAL = ("AND", "OR", "XOR", "NOT")
_FORMS = "write CASE 1,5 or CASE 2 TO 4 or CASE IS>9 or CASE ELSE"


def is_text(expression: Sequence[Lexeme]) -> bool:
    """Tell whether an expression has a text as its value."""
    first = next((x for x in expression if not x.is_symbol("(")), None)
    return first is not None and (first.kind is Kind.STRING or first.text.endswith("$"))


def kept_in(expression: Sequence[Lexeme], number: int) -> Lexeme | None:
    """The variable that keeps the value chosen by; None where the expression is one lexeme.

    `number` tells the variable from those of the SELECT CASEs around it.
    """
    if len(expression) == 1 and not expression[0].is_word("RND"):
        return None
    name = f"_{number}" + ("$" if is_text(expression) else "")
    return Lexeme(Kind.NAME, name, expression[0].place)


def condition(
    chosen: Sequence[Lexeme], at: Lexeme, tests: Sequence[Lexeme], report: Report
) -> tuple[Lexeme, ...]:
    """The condition under which one of the `tests` of a CASE holds.

    Each is a value, `from TO to`, or `IS` with a relation and a value. Reports one that is none,
    and one whose type is not that of what is chosen by.
    """
    terms: list[list[Lexeme]] = []
    for test in between_commas(tests):
        if not test:
            report(SourceError("CASE without a value", remedy=_FORMS, place=at.place))
            continue
        terms.append(_term(chosen, test, report))
    result: list[Lexeme] = []
    for term in terms:
        if result:
            result.append(keyword("OR", term[0].place))
        result += term
    return tuple(result) or (Lexeme(Kind.NUMBER, "1", at.place),)


def _term(chosen: Sequence[Lexeme], test: Sequence[Lexeme], report: Report) -> list[Lexeme]:
    place = test[0].place
    if test[0].is_word("IS"):
        relation = [x for x in test[1:3] if x.is_symbol(*_RELATIONS)]
        value = test[1 + len(relation) :]
        if not relation or not value:
            report(SourceError("CASE IS without a relation", remedy=_FORMS, place=place))
            return [*chosen]
        _check_type(chosen, value, report)
        return [*chosen, *relation, *_operand(value)]
    ends = _parted(test)
    if ends is None:
        _check_type(chosen, test, report)
        return [*chosen, symbol("=", place), *_operand(test)]
    first, last = ends
    if not first or not last:
        report(SourceError("TO without a value on both sides", remedy=_FORMS, place=place))
        return [*chosen]
    for value in ends:
        _check_type(chosen, value, report)
    low = [*chosen, symbol(">", place), symbol("=", place), *_operand(first)]
    high = [*chosen, symbol("<", place), symbol("=", place), *_operand(last)]
    return [*low, keyword("AND", place), *high]


def _parted(test: Sequence[Lexeme]) -> tuple[Sequence[Lexeme], Sequence[Lexeme]] | None:
    """What stands before and after TO; None where there is none."""
    at = next((i for i, lexeme in enumerate(test) if lexeme.is_word("TO")), None)
    return None if at is None else (test[:at], test[at + 1 :])


def _operand(value: Sequence[Lexeme]) -> list[Lexeme]:
    """The value as it can stand beside a relation: in parentheses where it has one itself."""
    depth = 0
    for lexeme in value:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if depth == 0 and (lexeme.is_symbol(*_RELATIONS) or lexeme.is_word(*_LOGICAL)):
            place = value[0].place
            return [symbol("(", place), *value, symbol(")", place)]
    return list(value)


def _check_type(chosen: Sequence[Lexeme], value: Sequence[Lexeme], report: Report) -> None:
    if is_text(chosen) == is_text(value):
        return
    one, other = ("a text", "a number") if is_text(chosen) else ("a number", "a text")
    report(
        SourceError(
            f"SELECT CASE chooses by {one}, and this is {other}",
            remedy="compare texts with texts and numbers with numbers",
            place=value[0].place,
        )
    )
