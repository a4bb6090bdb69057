"""Expressions: binding, faults at the machine's points, and a parser that never gives up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.syntax import parse_from, parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Fault,
    Function,
    Group,
    Number,
    String,
    Unary,
    Variable,
    faulty,
)

SIGNS = {
    tk.PLUS: "+",
    tk.MINUS: "-",
    tk.MULTIPLY: "*",
    tk.DIVIDE: "/",
    tk.POWER: "^",
    tk.CONCAT: "&",
    tk.EQUAL: "=",
    tk.LESS: "<",
    tk.GREATER: ">",
    NOT_EQUAL: "<>",
    LESS_EQUAL: "<=",
    GREATER_EQUAL: ">=",
    tk.AND: " AND ",
    tk.OR: " OR ",
    tk.XOR: " XOR ",
}


def parsed(text: str) -> Expression:
    """The expression in `X=text`, or in `X$=text` if that fits better."""
    number = assigned("X", text)
    if isinstance(number, Fault) and number.code == xb.STRING_NUMBER_MISMATCH:
        return assigned("X$", text)
    return number


def assigned(target: str, text: str) -> Expression:
    """The expression in `target=text`."""
    (let,) = parse_line(tokenize_line(f"100 {target}={text}")[1])
    assert isinstance(let, st.Let)
    assert let.value is not None
    return let.value


def bracketed(node: Expression) -> str:
    """An expression with every operation in brackets."""
    match node:
        case Number(text) | Variable(text):
            return text
        case String(text):
            return f'"{text}"'
        case Group(inner):
            return bracketed(inner)
        case Unary(tk.NOT, operand):
            return f"[NOT {bracketed(operand)}]"
        case Unary(op, operand):
            return f"[{SIGNS[op]}{bracketed(operand)}]"
        case Binary(op, left, right, _):
            return f"[{bracketed(left)}{SIGNS[op]}{bracketed(right)}]"
        case Element(name, parts) | Function(name, parts, _):
            return f"{name}({','.join(map(bracketed, parts))})"
        case Fault(code, before):
            return f"!{code}({','.join(map(bracketed, before))})"
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("2+3*4", "[2+[3*4]]"),
        ("10-3-2", "[[10-3]-2]"),
        ("10/2*5", "[[10/2]*5]"),
        ("2^3^2", "[[2^3]^2]"),
        ("-2^2", "[-[2^2]]"),
        ("2^-1*4", "[2^[-[1*4]]]"),
        ("-3+5", "[[-3]+5]"),
        ("A=B=6", "[[A=B]=6]"),
        ("1<2=-1", "[[1<2]=[-1]]"),
        ("A<>B", "[A<>B]"),
        ("A=<B", "[A<=B]"),
        ("A>=B", "[A>=B]"),
        ("NOT A=B", "[NOT [A=B]]"),
        ("NOT A AND B", "[[NOT A] AND B]"),
        ("A OR B AND C", "[A OR [B AND C]]"),
        ("A AND B XOR C", "[A AND [B XOR C]]"),
        ("--2", "[-[-2]]"),
        ('A$&"B"', '[A$&"B"]'),
        ("(2+3)*4", "[[2+3]*4]"),
    ],
)
def test_operators_bind_as_on_the_machine(text: str, meaning: str) -> None:
    assert bracketed(parsed(text)) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1+", "[1+!14()]"),
        ("1+*5", "[1+!14()]"),
        ("(1+2", "!14([1+2])"),
        ('"A"&1', '!24("A",1)'),
        ('"A"+1', '!24("A",1)'),
        ('1="A"', '!24(1,"A")'),
        ('-"A"', '[-!24("A")]'),
        ('"A"&"B"="AB"', '!24("A",["B"="AB"])'),
        ("5(3)", "!14(5)"),
        ("RND(1)", f"!14({tk.RND}())"),
        ("LEN(A)", "!14(!24(A))"),
        ("SEG$(A$,1)", "!14(A$,1)"),
        ("SQR 4", "!14()"),
    ],
)
def test_faults_come_after_what_was_evaluated_before(text: str, meaning: str) -> None:
    assert bracketed(parsed(text)) == meaning


@pytest.mark.parametrize(("opening", "most"), [("(", 23), ("ABS(", 11)])
def test_nesting_has_the_machines_limit(opening: str, most: int) -> None:
    assert not faulty(parsed(opening * most + "1" + ")" * most))
    deeper = parsed(opening * (most + 1) + "1" + ")" * (most + 1))
    assert str(xb.STACK_OVERFLOW) in bracketed(deeper)


@given(some.binary(max_size=40), some.integers(0, 45))
def test_any_bytes_are_statements(tokens: bytes, at: int) -> None:
    """Total: whatever the bytes, statements come out, in order and within the line."""
    for statements in (parse_line(tokens), parse_from(tokens, at)):
        assert statements
        last = -1
        for statement in statements:
            assert last < statement.at <= max(statement.end, at)
            assert statement.end <= max(len(tokens), at)
            last = statement.at


WORDS = some.sampled_from([*range(0x81, 0xFF), *b"AB$19", 0xC8, 0xC7, 1, 2])


@given(some.lists(WORDS, max_size=30))
def test_any_words_are_statements(words: list[int]) -> None:
    assert parse_line(bytes(words))
