"""ON ERROR, RETURN in its forms, warnings, DEF."""

from __future__ import annotations

import pytest

from tests.interp.programs import printed, run
from ti99tools import Console, Program


def test_return_tries_again_return_next_goes_on_return_line_goes_there() -> None:
    listing = """
100 ON ERROR 200
110 A=A+1::B=1/VAL(A$)::PRINT "B";B
120 ON ERROR 300
130 C=VAL("X")::PRINT "NEXT"
140 ON ERROR 400
150 C=VAL("X")::PRINT "NEVER"
160 PRINT "LINE";A
170 END
200 A$="4"::RETURN
300 RETURN NEXT
400 RETURN 160
"""
    assert printed(listing) == ["B .25", "NEXT", "LINE 1"]


def test_an_error_in_the_handler_loses_the_first_one() -> None:
    listing = """
100 ON ERROR 200
110 A=VAL("X")
120 PRINT "NEVER"
200 ON ERROR 300
210 A=VAL("Y")
220 PRINT "BACK IN HANDLER"
230 RETURN NEXT
300 CALL ERR(C,T,S,L)::PRINT C;T;S;L
310 RETURN NEXT
"""
    assert printed(listing, "error") == [
        "74 -1  9  210",
        "BACK IN HANDLER",
        "* RETURN WITHOUT GOSUB",
        "IN 230",
    ]


def test_an_error_in_a_loop_finds_the_loop_again() -> None:
    listing = """
100 ON ERROR 200
110 FOR I=1 TO 3
120 FOR J=1 TO 2
130 A=A+VAL(SEG$("1X2",I,1))
140 B=B+1
150 NEXT J
160 NEXT I
170 PRINT A;B;N
180 END
200 N=N+1::ON ERROR 200::RETURN NEXT
"""
    assert printed(listing) == ["6  6  2"]


def test_retry_in_mid_line_repeats_the_statement_only() -> None:
    listing = """
100 ON ERROR 200
110 A=A+1::B=VAL(B$)::C=C+1
120 PRINT A;B;C
130 END
200 B$="5"::RETURN
"""
    assert printed(listing) == ["1  5  1"]


def test_stop_disarms_the_handler() -> None:
    listing = "100 ON ERROR 130::ON ERROR STOP\n110 A=VAL(A$)\n120 END\n130 PRINT A\n"
    assert printed(listing, "error") == ["* BAD ARGUMENT IN 110"]


def test_warnings_go_on_with_the_largest_number() -> None:
    console = run("100 ON WARNING NEXT\n110 A=1/0::B=-5/0::C$=STR$(A)\n")
    assert console.variables["C$"] == "9.99999E+**"
    assert console.variables["A"] == -console.variables["B"]  # type: ignore[operator]


def test_functions_see_the_programs_variables_and_their_own_parameter() -> None:
    listing = """
100 DEF A(X)=X*B
110 DEF C$(Y$)=Y$&D$
120 DEF E=A(3)+1
130 B=2::D$="!"::X=50
140 PRINT A(5);X;C$("HI");E
"""
    assert printed(listing) == ["10  50 HI! 7"]


def test_an_error_in_a_function_names_both_lines() -> None:
    listing = '100 DEF F(X)=VAL(A$)+X\n110 A$="Z"\n120 PRINT F(1)\n'
    assert printed(listing, "error") == ["* BAD ARGUMENT", "IN 100", "CALLED FROM 120"]


def test_a_function_that_uses_itself_fills_the_stack() -> None:
    listing = "100 DEF F$(X$)=F$(X$)&X$\n110 PRINT F$(A$)\n"
    assert printed(listing, "error") == [
        "* STACK OVERFLOW",
        "IN 100",
        "UDF REFS ITSELF",
        "CALLED FROM 110",
    ]


def test_strings_compare_by_signed_codes() -> None:
    console = run('100 A=CHR$(200)<"A"::B="A"<"AB"::C=CHR$(255)<CHR$(128)\n')
    assert (console.variables["A"], console.variables["B"], console.variables["C"]) == (-1, -1, 0)


def test_read_of_a_bad_number_leaves_its_comma() -> None:
    listing = """
100 ON ERROR 200
110 FOR I=1 TO 4::A=-1::READ A::PRINT A;::NEXT I
120 END
130 DATA X,1,"2",3
200 CALL ERR(C,T)::PRINT "E";C;::ON ERROR 200::RETURN NEXT
"""
    assert printed(listing) == ["E 84 -1 E 24 -1  1 E 24 -1"]


def test_functions_nested_too_deep_are_a_stack_overflow() -> None:
    """However long the chain, it is an error of the program, not of ours."""
    for count in (25, 700):
        chain = "\n".join(f"{100 + n} DEF F{n}(X)=F{n - 1}(X)+1" for n in range(1, count))
        listing = f"100 DEF F0(X)=X\n{chain}\n5000 PRINT F9(1)\n5010 PRINT F{count - 1}(1)\n"
        assert printed(listing, "error")[:2] == ["10", "* STACK OVERFLOW"]


def test_statements_that_wrong_syntax_hides_are_reckoned_with() -> None:
    """RETURN NEXT leads into the rest of a line whose IF cannot be read: I is no int there."""
    console = Console()
    listing = (
        '100 ON ERROR 140\n110 IF "A"&A$<>"B" THEN A$="C"::I=I+.5\n120 PRINT N(I)\n130 END\n'
        "140 RETURN NEXT\n150 FOR I=1 TO 3\n160 NEXT I\n"
    )
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    assert console.variables["I"] == 0.5


def test_an_error_in_a_function_of_functions_names_all_lines() -> None:
    listing = (
        '100 DEF F(X)=VAL("Q")\n110 DEF G(X)=F(X)+1\n120 DEF H(X)=G(X)\n'
        "130 ON ERROR 160\n140 PRINT H(1)\n150 PRINT H(2)\n160 CALL ERR(A,B,C,D)::PRINT A;D\n"
        "170 RETURN NEXT\n"
    )
    assert printed(listing, "error") == [
        "74  140",
        "* BAD ARGUMENT",
        "IN 100",
        "CALLED FROM 110",
        "CALLED FROM 120",
        "CALLED FROM 150",
    ]


@pytest.mark.parametrize("power", [".5^-1000", "(-.5)^-1001", ".5^-999.5"])
def test_powers_that_leave_the_range_from_below_one(power: str) -> None:
    assert printed(f"100 PRINT {power}\n", "error") == ["* BAD ARGUMENT IN 100"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("VERSION(A$)", 24),
        ("GCHAR(1,1,A$)", 28),
        ("KEY(0,A$,S)", 28),
        ("KEY(0,K,A$)", 28),
        ("JOYST(1,A$,Y)", 28),
        ("CHARPAT(65,X)", 24),
        ("ERR(A$,B)", 24),
        ("ERR(A,A$)", 24),
        ("POSITION(#1,A$,B)", 81),
        ("POSITION(#1,B,A$)", 81),
        ("DISTANCE(#1,#2,A$)", 81),
        ("COINC(ALL,A$)", 81),
        ("COINC(#1,#2,3,A$)", 81),
    ],
)
def test_how_built_in_subprograms_refuse_a_variable_of_the_other_type(call: str, code: int) -> None:
    listing = f"100 ON ERROR 130\n110 CALL {call}\n120 END\n130 CALL ERR(A,B,C,D)::PRINT A;D\n"
    assert printed(listing) == [f"{code}  110"]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ('"ABCABC","C",4', 6),
        ('"ABC","",2', 2),
        ('"ABC","",200', 0),
        ('"ABC","C",257', 256),
        ('"ABC","",258', 258),
        ('"ABC","",300', 256),
        ('"ABC","A",32767', 32512),
    ],
)
def test_pos_from_a_start_after_the_end(arguments: str, found: int) -> None:
    assert printed(f"100 PRINT POS({arguments})")[0] == str(found)
