"""Loops, jumps and subroutines: what the recordings show, in forms of its own."""

from __future__ import annotations

import pytest

from tests.interp.programs import console, printed, rows, run
from ti99tools.base import xberrors as xb


def test_loop_values_while_and_after() -> None:
    assert printed("100 FOR I=1 TO 7 STEP 3::PRINT I;::NEXT I::PRINT I\n") == ["1  4  7  10"]


def test_limit_and_step_are_taken_at_the_start() -> None:
    listing = "100 L=3::S=1\n110 FOR I=1 TO L STEP S\n120 L=9::S=5::N=N+1\n130 NEXT I\n"
    assert run(listing).variables["N"] == 3


def test_a_changed_loop_variable_counts() -> None:
    assert run("100 FOR I=1 TO 10\n110 N=N+1::I=I+2\n120 NEXT I\n").variables["N"] == 4


def test_loops_left_by_goto_stay_until_dropped() -> None:
    listing = """
100 FOR I=1 TO 3
110 FOR J=1 TO 3
120 IF J=2 THEN 150
130 NEXT J
140 GOTO 160
150 N=N+10*I+J
160 NEXT I
170 PRINT N
"""
    assert printed(listing) == ["66"]


def test_the_same_variable_in_a_subroutines_loop_takes_the_callers_off_the_stack() -> None:
    listing = """
100 FOR I=1 TO 2
110 GOSUB 200
120 PRINT I
130 NEXT I
140 PRINT "END";I
150 END
200 FOR I=10 TO 12
210 NEXT I
220 RETURN
"""
    assert printed(listing, "error") == ["13", "* NEXT WITHOUT FOR IN 130"]


def test_a_subs_loop_leaves_the_callers_alone() -> None:
    listing = """
100 FOR I=1 TO 2
110 CALL S
120 NEXT I
130 PRINT I
140 SUB S
150 FOR I=1 TO 3::NEXT I
160 SUBEND
"""
    assert printed(listing) == ["3"]


def test_loop_variable_out_of_its_usual_range_by_a_subroutine() -> None:
    listing = """
100 DIM A(5)
110 FOR I=1 TO 5
120 GOSUB 200
130 A(I)=1
140 NEXT I
150 END
200 FOR I=1 TO 8
210 NEXT I
220 RETURN
"""
    assert printed(listing, "error") == ["* BAD SUBSCRIPT IN 130"]


def test_jumps_forward_inside_a_loop() -> None:
    listing = """
100 FOR I=1 TO 4
110 IF I=2 THEN 150
120 IF I=3 THEN A$=A$&"T"::GOTO 160
130 A$=A$&"A"
140 IF I=4 THEN A$=A$&"F" ELSE 160
150 A$=A$&"B"
160 A$=A$&"."
170 NEXT I
"""
    assert run(listing).variables["A$"] == "A.B.T.AFB."


def test_jump_into_the_middle_of_a_loop_without_its_for() -> None:
    listing = '100 GOTO 120\n110 FOR I=1 TO 2\n120 PRINT "IN"\n130 NEXT I\n'
    assert printed(listing, "error") == ["IN", "* NEXT WITHOUT FOR IN 130"]


def test_goto_loop_back_to_its_own_start() -> None:
    assert run("100 A=A+1\n110 IF A<50 THEN 100\n").variables["A"] == 50


def test_return_goes_on_in_mid_line() -> None:
    listing = """
100 A$="1"::GOSUB 200::A$=A$&"2"::IF A$="1S2" THEN GOSUB 200::A$=A$&"3" ELSE A$="NO"
110 A$=A$&"4"
120 END
200 A$=A$&"S"::RETURN
"""
    assert run(listing).variables["A$"] == "1S2S34"


def test_return_passes_whatever_follows_a_gosub_up_to_the_next_statement() -> None:
    listing = '100 GOSUB 200 TO=::PRINT "ON"\n110 END\n200 PRINT "SUB"::RETURN\n'
    assert printed(listing) == ["SUB", "ON"]


def test_on_gosub_past_the_list_leaves_its_frame() -> None:
    listing = """
100 ON ERROR 200
110 ON 3 GOSUB 150,150
120 PRINT "ONCE"::RETURN
150 RETURN
200 PRINT "H"::RETURN NEXT
"""
    assert printed(listing, "error") == ["H", "ONCE", "ONCE", "* RETURN WITHOUT GOSUB", "IN 120"]


def test_endless_gosub_fills_the_memory() -> None:
    console = run("100 N=N+1::GOSUB 100\n", "error")
    assert console.error is not None
    assert console.error.code == xb.MEMORY_FULL
    assert console.error.line == 100


def test_endless_program_ends_at_the_limit() -> None:
    computer = console("100 A=A+1::GOTO 100\n")
    computer.start()
    since = computer.clock.seconds
    assert computer.resume(seconds=5) == "limit"
    assert 5 <= computer.clock.seconds - since < 5.1
    count = computer.variables["A"]
    assert computer.resume(seconds=5) == "limit"
    assert abs(float(str(computer.variables["A"])) - 2 * float(str(count))) < 10


def test_rows_of_operators_that_are_too_long_for_one_expression_of_python() -> None:
    sums, texts = "+".join("A" * 30), "&".join(["B$"] * 25)
    assert printed(f'100 A=2::B$="X"\n110 PRINT {sums};LEN({texts})\n') == ["60  25"]


def test_if_takes_fractions_for_true() -> None:
    assert run("100 IF .01 THEN A=1 ELSE A=2\n110 IF 1-1 THEN B=1 ELSE B=2\n").variables["A"] == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("FOR I=1 TO 3", "* FOR-NEXT NESTING IN 110"),
        ("NEXT I", "* NEXT WITHOUT FOR IN 110"),
        ("IF A THEN FOR I=1 TO 2", "* SYNTAX ERROR IN 110"),
        ("IF A THEN DIM B(2)", "* SYNTAX ERROR IN 110"),
        ("SUBEXIT", "* MUST BE IN SUBPROGRAM"),
        ("SUB S", "* MISSING SUBEND IN 110"),
        ("A(1)=A", "* IMPROPERLY USED NAME"),
        ("OPTION BASE 3", "* OPTION BASE ERROR IN 110"),
        ("DIM B(5000)", "* MEMORY FULL IN 110"),
    ],
)
def test_what_is_found_before_the_run_prints_nothing_first(line: str, message: str) -> None:
    lines = printed(f'100 PRINT "START"\n110 {line}\n', "error")
    assert lines[0] == message


def test_the_scan_can_be_switched_off() -> None:
    listing = "100 A=1::B(1)=0\n110 !@P-\n120 A=A+1::NEXT I\n"
    assert rows(run(listing, "error")) == ["* NEXT WITHOUT FOR IN 120"]
    assert printed("100 A=1\n110 !@P-\n120 B=1\n", "error") == ["* SYNTAX ERROR IN 120"]
    assert run("100 A=1\n110 !@P-\n120 A=A+1\n130 !@P+\n140 B=A\n").variables["B"] == 2


def test_a_next_above_its_for_ends_a_round_where_the_pre_scan_is_off() -> None:
    loop = "130 GOTO 160\n140 NEXT I\n150 END\n160 FOR I=1 TO 3::PRINT I;\n170 GOTO 140\n"
    assert printed(f"100 I=0\n110 !@P-\n{loop}") == ["1  2  3"]
    skipped = "100 I=0\n110 !@P-\n120 FOR I=2 TO 1\n"
    assert printed(skipped, "error") == ["* FOR-NEXT NESTING IN 120"]


@pytest.mark.parametrize(
    ("statement", "value", "text"),
    [
        ('IF A THEN 200::PRINT "X"', 0, ["X", "END"]),
        ('IF A THEN 200::PRINT "X"', 1, ["200"]),
        ('IF A THEN 200::PRINT "X" ELSE PRINT "Y"', 0, ["X", "END"]),
        ('IF A THEN 200 ELSE PRINT "Y"::PRINT "Z"', 0, ["Y", "Z", "END"]),
        ("IF A THEN 200 ! NO", 0, ["END"]),
        ('IF A THEN GOTO 200::PRINT "X"', 0, ["END"]),
        ('IF A=0 THEN IF A THEN 200::PRINT "X"', 0, ["X", "END"]),
        ('IF A=0 THEN IF A THEN 200::PRINT "X"', 1, ["END"]),
        ('IF A=1 THEN 200 ELSE IF A=2 THEN 200::PRINT "X"', 0, ["X", "END"]),
        ('IF A THEN PRINT "Y" ELSE 200::PRINT "X"', 0, ["200"]),
    ],
)
def test_the_rest_of_the_line_after_then_line_belongs_to_the_false_case(
    statement: str, value: int, text: list[str]
) -> None:
    listing = f'100 A={value}::{statement}\n110 PRINT "END"::END\n200 PRINT "200"\n'
    assert printed(listing) == text


def test_other_words_after_then_line_are_an_error_of_the_false_case_only() -> None:
    listing = "100 A={}\n110 IF A THEN 200 THEN 200\n200 PRINT A\n"
    assert printed(listing.format(1)) == ["1"]
    assert printed(listing.format(0), "error") == ["* SYNTAX ERROR IN 110"]


@pytest.mark.parametrize("words", ["NEXT", "130", "X"])
def test_return_with_words_passes_subroutines_on_its_way_to_the_handler(words: str) -> None:
    listing = f"100 GOSUB 120\n110 END\n120 RETURN {words}\n130 END\n"
    assert printed(listing, "error") == ["* RETURN WITHOUT GOSUB", "IN 120"]


def test_return_next_from_a_subroutine_of_the_handler() -> None:
    listing = """
100 ON ERROR 130
110 X=VAL("")::PRINT "NEXT"
120 END
130 GOSUB 150
140 PRINT "NOT HERE"
150 RETURN NEXT
"""
    assert printed(listing) == ["NEXT"]


def test_restore_fails_only_beyond_the_last_line() -> None:
    listing = "100 DATA 5\n110 RESTORE {}\n120 READ X\n"
    assert printed(listing.format(115), "error") == ["* DATA ERROR IN 120"]
    assert printed(listing.format(121), "error") == ["* DATA ERROR IN 110"]


def test_what_the_prescan_did_not_see() -> None:
    listing = "100 A=0::F=0::!@P-\n110 {}\n120 DATA 1\n"
    assert printed(listing.format("CALL CLEAR"), "error") == ["* SUBPROGRAM NOT FOUND", "IN 110"]
    assert printed(listing.format("READ A"), "error") == ["* DATA ERROR IN 110"]
    assert printed(listing.format("RESTORE::READ A::PRINT A")) == ["1"]
    assert printed(listing.format("DEF F(A)=A")) == []
    for statement in ("B=1", "PRINT F(3)", "F(3)=1", "CALL SCREEN(B)"):
        assert printed(listing.format(statement), "error")[0][:8] in ("* SYNTAX", "* SUBPRO")


def test_return_goes_past_an_else() -> None:
    listing = (
        '110 IF 1 THEN GOSUB 200 ELSE PRINT "B" :: PRINT "C"\n120 PRINT "D"::END\n200 RETURN\n'
    )
    assert printed(listing) == ["C", "D"]
    assert printed(listing.replace(" :: PRINT", ' ELSE PRINT "E" !')) == ["D"]


@pytest.mark.parametrize(
    ("end", "error"),
    [("NEXT J", "* FOR-NEXT NESTING IN 130"), ("NEXT I,J", "* SYNTAX ERROR IN 130")],
)
def test_a_loop_that_is_skipped_looks_at_its_next(end: str, error: str) -> None:
    listing = f'100 PRINT "A"\n110 FOR I=3 TO 1\n120 PRINT I\n130 {end}\n140 PRINT "B"\n'
    assert printed(listing, "error") == ["A", error]
    caught = f"90 ON ERROR 200\n{listing}150 END\n200 CALL ERR(A,B,C,D)::PRINT D::RETURN NEXT\n"
    assert printed(caught) == ["A", "130", "B"]


@pytest.mark.parametrize("end", ["NEXT I,J", "NEXT I 5", 'NEXT I"A"'])
def test_what_stands_after_next_is_seen_when_the_loop_is_over(end: str) -> None:
    listing = f"110 FOR I=1 TO 2\n120 PRINT I\n130 {end}\n140 PRINT 5\n"
    assert printed(listing, "error") == ["1", "2", "* SYNTAX ERROR IN 130"]


def test_open_loops_are_noticed_before_a_missing_subend() -> None:
    listing = "100 CALL S\n110 SUB S\n120 FOR I=1 TO 2\n"
    assert printed(listing, "error") == ["* FOR-NEXT NESTING IN 120"]


@pytest.mark.parametrize(
    ("then", "when_false"),
    [
        ("ELSE 140", ["J"]),
        ('"X"', ["N", "J"]),
        (":: PRINT 5", ["N", "J"]),
        ("(5", ["N", "J"]),
        ('"X" ELSE PRINT "E"', ["E", "N", "J"]),
    ],
)
def test_what_stands_after_then_matters_when_it_is_come_to(
    then: str, when_false: list[str]
) -> None:
    listing = f'110 IF A{{}} THEN {then}\n120 PRINT "N"\n140 PRINT "J"\n'
    assert printed(listing.format("")) == when_false
    assert printed(listing.format("=0"), "error") == ["* SYNTAX ERROR IN 110"]


@pytest.mark.parametrize(
    ("targets", "value", "left"),
    [("A,B$", '"X"', "0 X"), ("A$,B", "5", "5"), ("A$,B", '"X"', "0"), ("A,B$,C", "5", "0  5")],
)
def test_the_last_of_several_variables_gets_its_value_first(
    targets: str, value: str, left: str
) -> None:
    text = targets.replace(",", ";")
    listing = f"100 ON ERROR 200\n110 {targets}={value}\n120 PRINT {text}::END\n"
    listing += "200 CALL ERR(E,F,G,H)::PRINT E::RETURN NEXT\n"
    assert printed(listing) == ["24", left]


def test_next_after_an_empty_statement_is_wrong_in_a_short_loop_too() -> None:
    error = run("100 FOR I=1 TO 3:: ::NEXT I\n", "error").error
    assert str(error) == "SYNTAX ERROR IN 100"
