"""Numbers that stand alone beside a comparison: `IF A=1 OR 2`, where A=1 OR A=2 was meant.

AND and OR join such a number bit by bit, so that it counts as true, or as false if it is 0. Where
three values are compared, as in `IF 1<A<5`, the third is compared with -1 or 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeGuard

from ti99tools.base import tokens as t
from ti99tools.base.basic import HIGHEST_INTEGER
from ti99tools.language.analysis.constants import constant, whole
from ti99tools.language.findings import Noted
from ti99tools.language.listing.listing import NAME, Element, list_tokens, scan
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import (
    COMPARISONS,
    FUNCTIONS,
    GREATER_EQUAL,
    LESS_EQUAL,
    NOT_EQUAL,
)
from ti99tools.language.syntax.statements import every_statement, parts

CODE = "bare-number"
CHAINED = "comparison"
_COMPARING = (*COMPARISONS, NOT_EQUAL, LESS_EQUAL, GREATER_EQUAL)
Elements = Sequence[Element]
_JOINING = (t.AND, t.OR)
_ENDS = (t.IF, t.THEN, t.COMMA, t.AND, t.OR, t.XOR, t.NOT)
"""Where an operand of AND and OR begins or ends, besides parentheses."""
_SWITCHES = (0, 1)
"""Values of constants that switch a part of a condition on or off: `IF A=1 AND DEBUG`."""


def bare_numbers(
    lines: Mapping[int, bytes], parsed: st.Parsed, constants: Collection[str]
) -> Iterator[Noted]:
    """Warnings about numbers in the conditions of IFs that AND or OR join to a comparison.

    Bits that AND takes from a number (`A=1 AND K AND 4`) are meant. So are `_SWITCHES` in a source
    that has `constants`.
    """
    switches = _SWITCHES if constants else ()
    for number, row in parsed.items():
        for statement in every_statement(row):
            # Without a branch, something else than THEN may follow the condition.
            if not isinstance(statement, st.If) or statement.then is None:
                continue
            if nodes.faulty(statement.condition):
                continue
            tokens = lines[number]
            condition = _condition(tokens, statement)
            for own in _numbers(condition):
                text = _text(tokens, condition[own])
                value = whole(constant(nodes.Number(text)))
                if value is None or value in switches or abs(value) > HIGHEST_INTEGER:
                    continue
                comparison = _comparison(condition, own)
                if comparison is None:
                    continue
                message = f"{text} is always {'true' if value else 'false'} here"
                remedy = f"did you mean {_meant(tokens, condition, own, comparison)}?"
                yield Noted(CODE, number, condition[own.start].start, message, remedy)


def chained(parsed: st.Parsed) -> Iterator[Noted]:
    """Warnings about conditions that compare three values in a row."""
    for number, row in parsed.items():
        for statement in every_statement(row):
            if not isinstance(statement, st.If):
                continue
            if any(map(_chained, parts(statement.condition))):
                message = "the third value is compared with -1 or 0, the result of the others"
                remedy = "join two comparisons with AND: A<B AND B<C"
                yield Noted(CHAINED, number, statement.at, message, remedy)


def _chained(node: object) -> bool:
    """Tell whether a comparison is compared, and not for its truth: `A<B=-1` says what it means."""
    if not (_compares(node) and _compares(node.left)):
        return False
    truth = node.operator in (t.EQUAL, NOT_EQUAL) and node.left.operator != t.EQUAL
    return not (truth and constant(node.right) in (0, -1))


def _compares(node: object) -> TypeGuard[nodes.Binary]:
    """Tell whether an expression is a comparison, without parentheses round it."""
    return isinstance(node, nodes.Binary) and node.operator in _COMPARING


def _condition(tokens: bytes, statement: st.If) -> Elements:
    """The elements of an IF, with its IF and its THEN."""
    elements = [each for each in scan(tokens) if each.start >= statement.at]
    end = next(at for at, each in enumerate(elements) if each.token == t.THEN)
    return elements[: end + 1]


def _text(tokens: bytes, elements: Elements) -> str:
    """Elements as LIST shows them."""
    return list_tokens(tokens[elements[0].start : elements[-1].end])


def _numbers(condition: Elements) -> Iterator[slice]:
    """The operands of AND and OR that are numbers."""
    for at, element in enumerate(condition):
        if element.token == t.UNQUOTED:
            own = _operand(condition, at, -1)
            if _is_number(condition[own]) and own == _operand(condition, own.start, 1):
                yield own


def _is_number(operand: Elements) -> bool:
    """Tell whether an operand is a number, perhaps with a sign."""
    tokens = [each.token for each in operand]
    return tokens[-1:] == [t.UNQUOTED] and tokens[:-1] in ([], [t.MINUS], [t.PLUS])


def _comparison(condition: Elements, own: slice) -> slice | None:
    """The comparison that a number is joined to: the one before, or after it.

    None if AND joins the number to anything else, XOR or NOT is beside it, or nothing is compared.
    """
    found: list[slice] = []
    for step in (-1, 1):
        operand = own
        while True:
            joint = operand.stop if step > 0 else operand.start - 1
            if condition[joint].token in (t.XOR, t.NOT):
                return None
            if condition[joint].token not in _JOINING:
                break
            operand = _operand(condition, joint + step, step)
            if _is_number(condition[operand]):
                continue
            compared = _without_parentheses(condition, operand)
            if _relation(condition, compared) is not None:
                found.append(compared)
            elif condition[joint].token == t.AND:
                return None
            break
    return found[0] if found else None


def _operand(condition: Elements, at: int, step: int) -> slice:
    """The operand of AND and OR that begins (step 1) or ends (step -1) at an element."""
    opens, closes = (t.LPAREN, t.RPAREN) if step > 0 else (t.RPAREN, t.LPAREN)
    depth, end = 0, at
    while depth or condition[end].token not in (*_ENDS, closes):
        depth += (condition[end].token == opens) - (condition[end].token == closes)
        end += step
    return slice(at, end) if step > 0 else slice(end + 1, at + 1)


def _without_parentheses(condition: Elements, operand: slice) -> slice:
    """An operand without parentheses round all of it."""
    first, end = operand.start, operand.stop
    if condition[first].token == t.LPAREN:
        inner = _operand(condition, first + 1, 1)
        if inner.stop == end - 1:
            return _without_parentheses(condition, inner)
    return operand


def _relation(condition: Elements, operand: slice) -> slice | None:
    """The sign of the last comparison in an operand, outside of parentheses."""
    depth, signs = 0, []
    for at in range(operand.start, operand.stop):
        depth += (condition[at].token == t.LPAREN) - (condition[at].token == t.RPAREN)
        if depth == 0 and condition[at].token in COMPARISONS:
            signs.append(at)
    if not signs:
        return None
    last = signs[-1]
    return slice(last - 1 if last - 1 in signs else last, last + 1)


def _meant(tokens: bytes, condition: Elements, own: slice, comparison: slice) -> str:
    """Both comparisons, joined as they can be true: by OR if they are =, by AND if they are <>."""
    sign = _relation(condition, comparison)
    assert sign is not None
    relation = _text(tokens, condition[sign])
    number = _text(tokens, condition[own])
    if _is_string(condition[comparison]):
        number = f'"{number}"'
    compared = _text(tokens, condition[comparison.start : sign.start])
    before = comparison.start < own.start
    joint = t.KEYWORDS[condition[own.start - 1 if before else own.stop].token]
    joint = {"=": "OR", "<>": "AND"}.get(relation, joint)
    both = [_text(tokens, condition[comparison]), f"{compared}{relation}{number}"]
    return f" {joint} ".join(both if before else both[::-1])


def _is_string(operand: Elements) -> bool:
    """Tell whether strings are compared: the first value shows it."""
    first = next(each for each in operand if each.token != t.LPAREN)
    if first.token == NAME:
        return first.text.endswith("$")
    return first.token == t.QUOTED or (first.token in FUNCTIONS and FUNCTIONS[first.token][1])
