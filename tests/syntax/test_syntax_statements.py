"""Statements from tokens: their parts, their ends, and where wrong syntax is noticed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.syntax import parse_from, parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import find_else, next_statement
from ti99tools.language.syntax.nodes import Element, Fault, Group, Number, String, Variable

A, B = Variable("A"), Variable("B")
ONE = Number("1")


def line(text: str) -> tuple[st.Statement, ...]:
    return parse_line(tokenize_line(f"100 {text}")[1])


def only(text: str) -> st.Statement:
    (statement,) = line(text)
    return statement


def test_statements_of_a_line_end_where_the_next_begins() -> None:
    tokens = tokenize_line("100 A=1::PRINT A;::GOSUB 200 ! TAIL")[1]
    statements = parse_line(tokens)
    assert [type(s) for s in statements] == [st.Let, st.Print, st.Gosub]
    for before, following in pairwise(statements):
        assert tokens[before.end] == tk.STATEMENT_SEP
        assert following.at == before.end + 1
        assert parse_from(tokens, following.at)[0] == following


def test_assignment_to_several_targets() -> None:
    let = only("LET A,B(1)=2")
    assert isinstance(let, st.Let)
    assert let.targets == (A, Element("B", (ONE,)))
    assert let.value == Number("2")


def test_else_belongs_to_the_nearest_open_if() -> None:
    node = only("IF A THEN IF B THEN 200 ELSE 300 ELSE 400")
    assert isinstance(node, st.If)
    assert node.otherwise == st.Jump(400)
    (inner,) = node.then if isinstance(node.then, tuple) else ()
    assert isinstance(inner, st.If)
    assert (inner.then, inner.otherwise) == (st.Jump(200), st.Jump(300))


def test_else_is_found_behind_wrong_syntax() -> None:
    node = only("IF A THEN PRINT +* ELSE 300")
    assert isinstance(node, st.If)
    assert node.otherwise == st.Jump(300)


def test_if_without_then_and_without_anything_behind_it() -> None:
    node = only('IF A PRINT "B"')
    assert isinstance(node, st.If)
    assert node.then is None
    assert node.fault == xb.SYNTAX_ERROR
    empty = only("IF A THEN")
    assert isinstance(empty, st.If)
    assert empty.then is None
    assert empty.fault == xb.SYNTAX_ERROR


def test_else_skips_strings_and_remarks() -> None:
    tokens = tokenize_line('100 IF A THEN PRINT "ELSE" ! ELSE 200')[1]
    assert find_else(tokens, tokens.index(tk.THEN) + 1) is None


def test_the_next_statement_is_behind_the_next_colons() -> None:
    tokens = tokenize_line('100 IF A THEN PRINT "::" ELSE B=1::C=2')[1]
    following = next_statement(tokens, 0)
    assert following is not None
    assert parse_from(tokens, following)[0] == st.Let(
        at=following, end=len(tokens), targets=(Variable("C"),), value=Number("2")
    )


@pytest.mark.parametrize(
    ("text", "start", "limit", "step", "fault"),
    [
        ("FOR A=1 TO B", ONE, B, None, None),
        ("FOR A=1 TO B STEP 2", ONE, B, Number("2"), None),
        ("FOR A=1", ONE, None, None, xb.SYNTAX_ERROR),
        ("FOR A(1)=1 TO 2", None, None, None, xb.IMPROPERLY_USED_NAME),
        ("FOR A$=1 TO 2", None, None, None, xb.IMPROPERLY_USED_NAME),
    ],
)
def test_for(text: str, start: object, limit: object, step: object, fault: int | None) -> None:
    node = only(text)
    assert isinstance(node, st.For)
    assert (node.start, node.limit, node.step, node.fault) == (start, limit, step, fault)


def test_on_goto_in_one_and_two_words() -> None:
    for text in ("ON A GOTO 10,20", "ON A GO TO 10,20"):
        node = only(text)
        assert isinstance(node, st.OnGo)
        assert (node.selector, node.gosub, node.lines) == (A, False, (10, 20))
    node = only("ON A GO SUB 10")
    assert isinstance(node, st.OnGo)
    assert node.gosub


def test_call_keeps_how_arguments_are_written() -> None:
    node = only("CALL S(A,(A),B(),C(,),#1,ALL,1)")
    assert isinstance(node, st.Call)
    assert node.arguments == (
        A,
        Group(A),
        st.WholeArray("B", 1),
        st.WholeArray("C", 2),
        st.Hash(ONE),
        st.All(),
        ONE,
    )
    assert only("CALL S") == st.Call(at=0, end=4, name="S", arguments=None)


def test_a_list_of_arguments_that_does_not_end() -> None:
    node = only("CALL S(1 TO 2)")
    assert isinstance(node, st.Call)
    assert node.broken == xb.SYNTAX_ERROR


def test_print_list_stops_where_the_machine_stops() -> None:
    node = only("PRINT 1 TO 2")
    assert isinstance(node, st.Print)
    assert (node.items, node.fault) == ((ONE,), xb.SYNTAX_ERROR)
    node = only('PRINT "A" "B"')
    assert isinstance(node, st.Print)
    assert node.items == (Fault(xb.SYNTAX_ERROR, (String("A"),)),)


def test_print_to_a_file_with_record_and_image() -> None:
    node = only("PRINT #A,REC B,USING 200:1,")
    assert isinstance(node, st.Print)
    assert node.file == st.FileRef(A, B)
    assert node.using == st.Using(None, 200)
    assert node.items[:2] == (ONE, st.Separator(tk.COMMA))


def test_input_takes_a_variable_for_a_prompt_only_before_a_colon() -> None:
    node = only("INPUT A$,B")
    assert isinstance(node, st.Input)
    assert (node.prompt, node.targets) == (None, (Variable("A$"), B))
    node = only("INPUT A$:B")
    assert isinstance(node, st.Input)
    assert (node.prompt, node.targets) == (Variable("A$"), (B,))


def test_data_items() -> None:
    node = only('DATA ,A B,"Q,R" ,')
    assert isinstance(node, st.Data)
    assert [text for text, _ in node.items] == ["", "A B", "Q,R", ""]


@pytest.mark.parametrize(
    "text", ["DIM A", "DIM A(-1)", "DIM A(2.5)", "DEF F(1)=2", "THEN 5", "CLOSE", "NEXT", "GOSUB"]
)
def test_wrong_from_the_start(text: str) -> None:
    assert only(text).fault == xb.SYNTAX_ERROR


def test_a_size_without_digits_is_wrong() -> None:
    merged = bytes((tk.DIM, 0x41, tk.LPAREN, tk.UNQUOTED, 0, tk.RPAREN))
    (statement,) = parse_line(merged)
    assert statement.fault == xb.SYNTAX_ERROR


def test_return_keeps_what_follows_it() -> None:
    assert only("RETURN NEXT") == st.Return(at=0, end=2, next=True)
    node = only("RETURN 200")
    assert isinstance(node, st.Return)
    assert node.line == 200
