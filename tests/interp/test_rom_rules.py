"""Rules of the language that no recording shows, from the published listing of the ROM."""

from __future__ import annotations

import pytest

from tests.interp.programs import console, printed, rows, run
from ti99tools.computer.interp.run.signals import EmptyStatementHang
from ti99tools.media.disk.image import DiskImage

HANDLED = '100 ON ERROR 900\n{}\n800 END\n900 CALL ERR(E,F,G,L)::PRINT "E";E\n910 RETURN NEXT\n'
"""A program whose errors are caught, told, and passed over."""


@pytest.mark.parametrize(
    "statement",
    [
        "IF 1 THEN PRINT 1",
        "LET X=5",
        "GOTO 300",
        "FOR I=1 TO 2",
        "NEXT I",
        "ON 1 GOTO 300",
        "GO TO 300",
        "GOSUB 300",
        "PRINT 1",
    ],
)
def test_after_an_empty_statement_most_statements_see_their_first_token_again(
    statement: str,
) -> None:
    listing = f"100 PRINT 0\n110 GOTO 130\n120 FOR I=1 TO 2\n130 :: {statement}\n300 END\n"
    if statement != "NEXT I":
        listing = listing.replace("120 FOR I=1 TO 2\n", "")
    if statement == "FOR I=1 TO 2":
        listing = listing.replace("300 END", "290 NEXT I\n300 END")
    assert printed(listing, "error") == ["0", "* SYNTAX ERROR IN 130"]


@pytest.mark.parametrize(
    ("statement", "left"),
    [("X=5", ["5"]), ("CALL CLEAR", ["0"]), ("END", []), ("DIM A(5)", ["0"]), ("REM", ["0"])],
)
def test_others_do_as_ever_after_an_empty_statement(statement: str, left: list[str]) -> None:
    assert printed(f"100 :: {statement}\n110 PRINT X\n120 END\n") == left


def test_gosub_after_an_empty_statement_leaves_its_way_back() -> None:
    listing = HANDLED.format(
        '110 :: GOSUB 300 :: PRINT "A"\n120 PRINT "B"\n130 N=N+1\n'
        '140 IF N<2 THEN RETURN\n150 STOP\n300 PRINT "S"'
    )
    assert printed(listing) == ["E 14", "A", "B", "A", "B"]


def test_return_after_an_empty_statement_drops_the_ways_back() -> None:
    listing = '100 GOSUB 200\n110 PRINT "BACK"\n120 END\n200 :: RETURN\n'
    assert printed(listing, "error") == ["* RETURN WITHOUT GOSUB", "IN 200"]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("5&(", "* STRING-NUMBER MISMATCH"),
        ('"A"^(', "* STRING-NUMBER MISMATCH"),
        ('"A"+(', "* SYNTAX ERROR IN 100"),
        ('MAX("A";1)', "* SYNTAX ERROR IN 100"),
        ('MAX("A",1;', "* STRING-NUMBER MISMATCH"),
        ("ASC(5;", "* SYNTAX ERROR IN 100"),
        ("LEN(5)", "* STRING-NUMBER MISMATCH"),
        ('POS(5;"A",1)', "* SYNTAX ERROR IN 100"),
    ],
)
def test_which_error_of_an_expression_comes_first(expression: str, message: str) -> None:
    assert printed(f"100 X={expression}\n", "error")[0] == message


def test_for_evaluates_all_before_its_start_is_found_to_be_a_string() -> None:
    lines = printed('100 FOR I="A" TO 1/0\n110 NEXT I\n', "error")
    assert lines[1:3] == ["NUMERIC OVERFLOW IN 100", "* STRING-NUMBER MISMATCH"]
    assert printed('100 FOR I="A" TO 5 STEP 0\n110 NEXT I\n', "error") == ["* BAD VALUE IN 100"]


def test_a_loop_with_a_string_for_its_start_is_on_the_stack_all_the_same() -> None:
    body = '110 FOR I="A" TO 2\n120 PRINT I;\n130 NEXT I'
    assert printed(HANDLED.format(body)) == ["E 24", "0  1  2"]


def test_for_that_fails_in_its_limit_leaves_a_loop_that_is_over() -> None:
    body = '110 I=5\n120 FOR I=1 TO VAL("X")\n130 NEXT I\n140 PRINT I'
    assert printed(HANDLED.format(body)) == ["E 74", "5"]


@pytest.mark.parametrize(("step", "error"), [("0", 79), ("N", 79), ('"A"', 24)])
def test_for_that_fails_by_its_step_leaves_no_loop(step: str, error: int) -> None:
    body = f"110 FOR I=1 TO 5 STEP {step}\n120 NEXT I"
    assert printed(HANDLED.format(body), "error") == [f"E {error}", "* NEXT WITHOUT FOR IN 120"]


def test_a_function_is_no_loop_variable_whatever_follows() -> None:
    listing = "100 DEF F=5\n110 FOR F=1/0 TO 2\n120 NEXT F\n"
    assert printed(listing, "error") == ["* IMPROPERLY USED NAME", "IN 110"]


def test_next_does_not_warn_of_an_overflow() -> None:
    listing = "100 FOR I=9E127 TO 9.5E127 STEP 9E127\n110 NEXT I\n120 GOTO 130\n130 PRINT I\n"
    assert printed(listing) == ["9.99999E+**"]
    assert printed(listing.replace("110 NEXT", "105 GOTO 110\n110 NEXT")) == ["9.99999E+**"]


@pytest.mark.parametrize(
    "statement", ["TRACE X", "UNTRACE X", "RANDOMIZE 5 X", "READ A(1)X", "FOR I=1 TO 1 STEP 1 X"]
)
def test_a_name_after_these_statements_ends_the_line(statement: str) -> None:
    listing = f'100 DATA 5\n110 {statement}::PRINT "NO"\n120 UNTRACE\n130 PRINT "ON"\n'
    if statement.startswith("FOR"):
        listing += "140 NEXT I\n"
    assert printed(listing)[-1].endswith("ON")


@pytest.mark.parametrize("call", ["S(1)X", "S(1)5", "S(1,2)", "S"])
def test_what_follows_the_list_of_a_sub_makes_it_an_incorrect_one(call: str) -> None:
    listing = f'100 CALL {call}\n110 SUB S(A)\n120 PRINT "IN"\n130 SUBEND\n'
    assert printed(listing, "error") == ["* INCORRECT ARGUMENT LIST", "IN 100"]


def test_an_argument_too_many_is_evaluated() -> None:
    listing = "100 CALL S(1,1/0)\n110 SUB S(A)\n120 SUBEND\n"
    lines = printed(listing, "error")
    assert lines[1:3] == ["NUMERIC OVERFLOW IN 100", "* INCORRECT ARGUMENT LIST"]


def test_a_sub_at_work_is_refused_before_its_arguments_are_evaluated() -> None:
    listing = "100 CALL S(1)\n110 SUB S(A)\n120 CALL S(1/0)\n130 SUBEND\n"
    assert printed(listing, "error")[0] == "* RECURSIVE SUBPROGRAM CALL"


def test_an_argument_that_begins_with_an_element_looks_at_its_subscripts_twice() -> None:
    listing = "100 RANDOMIZE 1\n110 CALL S(A(RND*5){})\n120 X=RND\n130 SUB S(B)\n140 SUBEND\n"
    draws = run("100 RANDOMIZE 1\n110 A=RND::B=RND::C=RND\n").variables
    assert run(listing.format("+1")).variables["X"] == draws["C"]
    assert run(listing.format("")).variables["X"] == draws["B"]


def test_subend_sets_on_warning_as_it_was() -> None:
    listing = "100 CALL S\n110 X=1/0\n120 SUB S\n130 ON WARNING NEXT\n140 X=1/0\n150 SUBEND\n"
    assert printed(listing) == ["* WARNING", "NUMERIC OVERFLOW IN 110"]


def test_charpat_refuses_a_code_whatever_follows() -> None:
    assert printed("100 CALL CHARPAT(300;A$)\n", "error") == ["* BAD ARGUMENT IN 100"]


def test_option_base_may_stand_in_a_sub() -> None:
    listing = "100 CALL S\n110 SUB S\n120 OPTION BASE 1\n130 DIM A(3)\n140 A(0)=1\n150 SUBEND\n"
    assert printed(listing, "error")[0] == "* BAD SUBSCRIPT IN 140"


@pytest.mark.parametrize(
    ("subscripts", "message"),
    [
        ("11;1", "* BAD SUBSCRIPT IN 110"),
        ('11,"A"', "* BAD SUBSCRIPT IN 110"),
        ('1,"A"', "* STRING-NUMBER MISMATCH"),
        ('"A",1/0', "* STRING-NUMBER MISMATCH"),
        ("1;1", "* SYNTAX ERROR IN 110"),
    ],
)
def test_each_subscript_is_looked_at_before_the_next(subscripts: str, message: str) -> None:
    size = "5,5" if "," in subscripts else "5"
    listing = f"100 DIM A({size})\n110 X=A({subscripts})\n"
    assert printed(listing, "error")[0] == message


@pytest.mark.parametrize("clauses", ["AT(1,1)AT(2,2)", "BEEP BEEP", "SIZE(3)BEEP SIZE(4)"])
def test_a_clause_twice_is_refused(clauses: str) -> None:
    lines = printed(f'100 DISPLAY {clauses}:"A"\n', "error")
    assert lines == ["* SYNTAX ERROR IN 100"]


def test_a_clause_twice_is_refused_when_the_first_has_acted() -> None:
    listing = '100 PRINT "A"\n110 DISPLAY ERASE ALL ERASE ALL:"B"\n'
    assert printed(listing, "error") == ["* SYNTAX ERROR IN 110"]


@pytest.mark.parametrize(
    ("statement", "prompt"),
    [
        ("INPUT", "?"),
        ('INPUT "S"', "?"),
        ('INPUT "S":', "S"),
        ('INPUT "S":5', "S"),
        ("LINPUT", "?"),
        ('LINPUT "S":5', "S"),
        ("INPUT A;B", "?"),
    ],
)
def test_the_prompt_is_shown_before_the_list_is_read(statement: str, prompt: str) -> None:
    assert printed(f"100 {statement}\n", "error") == [prompt, "* SYNTAX ERROR IN 100"]


def test_a_number_is_no_prompt() -> None:
    assert printed("100 INPUT A:B\n", "error") == ["* STRING-NUMBER MISMATCH", "IN 100"]


def test_what_stands_after_tabs_parentheses_belongs_to_its_number() -> None:
    rows = run('100 PRINT TAB(5)+3;"X"\n').screen.rows
    assert [row.index("X") for row in rows if "X" in row] == [9]
    assert printed('100 PRINT TAB(5)&"A"\n', "error")[0] == "* STRING-NUMBER MISMATCH"


def test_a_number_is_no_image() -> None:
    assert printed("100 PRINT USING X:1\n", "error") == ["* IMAGE ERROR IN 100"]


def test_restore_looks_at_what_follows_when_it_has_acted() -> None:
    body = "105 DATA 1\n106 DATA 2\n110 READ A\n120 RESTORE {}\n130 READ B\n140 PRINT B"
    assert printed(HANDLED.format(body.format("105 5"))) == ["E 14", "1"]
    assert printed(HANDLED.format(body.format("X"))) == ["E 14", "2"]
    assert printed('100 RESTORE 110 X::PRINT "NO"\n110 DATA 1\n') == []


def test_validate_takes_254_characters() -> None:
    listing = '100 ACCEPT VALIDATE(RPT$("A",200),RPT$("B",{})):A$\n'
    assert printed(listing.format(55), "error") == ["* STRING TRUNCATED IN 100"]
    run(listing.format(54), "keys")


@pytest.mark.parametrize("body", ['X&"A"', "5)", "(", "5 X"])
def test_def_does_not_look_at_its_expression(body: str) -> None:
    assert printed(f'100 DEF F(X)={body}::PRINT "ON"\n') == ["ON"]


def test_wrong_syntax_in_def_fails_where_the_function_is_used() -> None:
    lines = printed('100 DEF F(X)=X&"A"\n110 PRINT F(5)\n', "error")
    assert lines == ["* STRING-NUMBER MISMATCH", "IN 100", "CALLED FROM 110"]


@pytest.mark.parametrize(
    ("parameters", "call"), [(",Y", "1"), (",Y,Z", "1,2"), ("PRINT", "1"), ('"A$"', '"X"')]
)
def test_any_token_is_a_parameter(parameters: str, call: str) -> None:
    assert printed(
        f'100 CALL S({call})\n110 SUB S({parameters})\n120 PRINT "IN"\n130 SUBEND\n'
    ) == ["IN"]


def test_linput_evaluates_subscripts_when_its_prompt_stands_there() -> None:
    assert printed('100 LINPUT "S":A$(11)\n', "error") == ["S", "* BAD SUBSCRIPT IN 100"]
    console = run('100 I=2\n110 LINPUT "NAME? ":A$(I)\n120 PRINT A$(2)\n', "keys")
    console.type("ANNA\n")
    assert rows(console) == ["NAME? ANNA", "ANNA"]


def test_coinc_takes_tolerances_up_to_255() -> None:
    assert run("100 CALL COINC(#1,#2,255,C)\n").variables["C"] == -1
    assert printed("100 CALL COINC(#1,#2,256,C)\n", "error") == ["* BAD VALUE IN 100"]


def test_close_looks_for_the_file_before_what_follows() -> None:
    assert printed("100 CLOSE #1:X\n", "error") == ["* FILE ERROR IN 100"]


def test_restore_of_a_file_looks_at_what_follows_when_it_has_acted() -> None:
    listing = HANDLED.format(
        '110 OPEN #1:"DSK1.A",UPDATE\n120 PRINT #1:"ONE"\n130 PRINT #1:"TWO"\n140 RESTORE #1\n'
        '150 INPUT #1:A$\n160 RESTORE #1{}::PRINT "ON"\n170 INPUT #1:B$\n180 PRINT B$\n190 CLOSE #1'
    )
    for rest, expected in ((",5", ["E 14", "ON", "ONE"]), (" X", ["ONE"]), (",X", ["ONE"])):
        computer = console(listing.format(rest), disks={"DSK1": DiskImage.new()})
        computer.run()
        assert rows(computer) == expected


@pytest.mark.parametrize(
    ("call", "parameters", "message"),
    [
        ("5", "A()", "* SYNTAX ERROR IN 100"),
        ('"X"', "A()", "* SYNTAX ERROR IN 100"),
        ("5", "A$()", "* STRING-NUMBER MISMATCH"),
        ("B", "A()", "* INCORRECT ARGUMENT LIST"),
    ],
)
def test_a_value_for_an_array(call: str, parameters: str, message: str) -> None:
    listing = f"100 CALL S({call})\n110 SUB S({parameters})\n120 SUBEND\n"
    assert printed(listing, "error")[0] == message


def test_two_empty_statements_in_a_row_hang_the_machine() -> None:
    assert run("100 A=1::::B=2\n").variables["B"] == 2
    with pytest.raises(EmptyStatementHang, match="two empty statements") as caught:
        run("100 PRINT 1\n110 A=1::::::B=2\n")
    assert caught.value.line == 110


def test_a_step_that_is_0_at_first_fails_wherever_the_variable_gets_a_value() -> None:
    """FOR J gives J whole numbers, so that its bounds are known."""
    text = "100 FOR K=0 TO 3 STEP J\n110 NEXT K\n120 FOR J=3 TO 1\n130 NEXT J\n"
    assert printed(text, "error") == ["* BAD VALUE IN 100"]
