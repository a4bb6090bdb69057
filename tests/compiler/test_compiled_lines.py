"""INPUT, ACCEPT and USING compiled, with keys typed into them: equal to Extended BASIC."""

import pytest

from tests.compiler.bothforms import check, full_rows
from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.program.program import Program

EVERYTHING = """100 CALL CLEAR
110 DIM A(5)
120 INPUT "A,B:":A(2),B
130 INPUT C
140 ACCEPT AT(3,4)SIZE(-5)BEEP:A(B)
150 ACCEPT VALIDATE(DIGIT):D
160 PRINT A(2);B;C;A(3);D
170 DISPLAY SIZE(9):"ABC";::DISPLAY SIZE(4):"X":"Y"
180 PRINT USING "#.## ###^^^^ <##>":A(2),B,C,D
190 DISPLAY AT(4,4)SIZE(20):USING 200:A(2),D
200 IMAGE ## ##
"""
TEXTS = """100 CALL CLEAR
110 DIM B$(5)
120 INPUT "NAME? ":A$,B$(2),N
130 LINPUT "LINE: ":B$(3)
140 ACCEPT AT(3,4)SIZE(8)VALIDATE(A$,DIGIT):B$(N)
150 LINPUT C$
160 PRINT A$:B$(2):B$(3):B$(N):N:C$;LEN(C$)
170 PRINT USING A$&" ###":B$(2),N
"""


def test_lines_are_typed_and_shown_as_in_basic() -> None:
    check(EVERYTHING, (False,), "3,3\n7.5\n 12\n45\n")


def test_texts_are_typed_as_in_basic() -> None:
    long = "A LINE THAT GOES ON IN A SECOND ROW "
    check(TEXTS, (True,), f'AB#, "X,Y",1\nHELLO, "YOU"\nAC1\n{long}\n')


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ('100 INPUT "":A\n', "X\n"),
        ("100 CALL S\n110 SUB S\n120 INPUT A\n130 PRINT A\n140 SUBEND\n", "X\n7\n"),
        ("100 DIM A(3)\n110 INPUT I,A(I)\n", "9,1\n"),
        ('100 PRINT USING "NONE":1\n', ""),
        ('100 PRINT USING "###############":1\n', ""),
        ('1000 ACCEPT AT(5,5)VALIDATE("X1"):A\n1010 PRINT A\n', "X\n2\n"),
        ("100 ACCEPT SIZE(0):A\n", ""),
        ('1000 ON WARNING NEXT\n1010 ACCEPT VALIDATE("A1"):A\n1020 PRINT A\n', "A\nB1\n"),
        ("100 ON WARNING NEXT\n110 CALL S\n120 SUB S\n130 INPUT A\n140 SUBEND\n", "X\n7\n"),
        ("100 ON ERROR 120\n110 DIM A(1)::INPUT I,A(I)\n120 PRINT I::RETURN NEXT\n", "9,5\n"),
        ("100 ON ERROR 120\n110 LINPUT A\n120 RETURN NEXT\n", ""),
    ],
)
def test_warnings_and_errors_come_as_in_basic(source: str, keys: str) -> None:
    check(source, (True,), keys)


def test_no_key_is_lost_at_twelve_a_second() -> None:
    """Keys of a person, who does not wait: each is down for three frames and up for two."""
    source = "100 ACCEPT AT(2,2)VALIDATE(UALPHA)BEEP:A\n"
    console = CartridgeConsole(compile_program(Program.from_listing(source), "TEST").cartridge)
    console.choose()
    console.wait(20)
    keyboard = console.machine.keyboard
    for key in ("A", "B", "LEFT", "INS", *"CDEFGHIJK"):
        keyboard.key_down(key)
        console.wait(3)
        keyboard.key_up(key)
        console.wait(2)
    assert full_rows(console) == ["ACDEFGHIJKB"] or full_rows(console) == ["ACDEFGHIJK\x1e"]


def test_clear_stops_a_program_that_waits_for_a_line() -> None:
    check("100 INPUT A\n", (True,), keys=("7", "CLEAR"))


def test_clear_is_no_key_after_on_break_next() -> None:
    source = "100 ON BREAK NEXT\n110 INPUT A\n120 PRINT A\n"
    check(source, (True,), keys=("7", "CLEAR", "8", "ENTER"))


def test_a_def_is_refused_once_its_line_is_typed() -> None:
    source = """\
100 ON ERROR 200::DEF G=5::DEF G$="A"
110 ACCEPT G
120 ACCEPT AT(3,4)BEEP:G$
130 LINPUT "L":G$
140 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
"""
    check(source, (True,), keys=("7", "ENTER", "8", "ENTER", "9", "ENTER"))
