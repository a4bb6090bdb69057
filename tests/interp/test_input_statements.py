"""Statements of screen and keyboard as programs run them: order of evaluation, waits, errors."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program


def console(*lines: str, keys: str = "") -> Console:
    """Run a program (lines numbered 100, 110, …) with keys typed for it, as far as it goes."""
    console = Console()
    console.boot()
    numbered = (f"{100 + 10 * n} {line}\n" for n, line in enumerate(lines))
    console.load(Program.from_listing("".join(numbered)))
    console.screen.fill(32)
    console.machine.keyboard.type(keys)
    console.run()
    return console


def full_rows(console: Console) -> list[str]:
    """The rows between the first and the last that are not blank."""
    return [row.strip() for row in console.screen.text.split("\n") if row.strip()]


def test_subscripts_of_accept_are_evaluated_once_and_before_the_wait() -> None:
    program = ("I=2", "ACCEPT AT(1,1):A(I+INT(RND*2))", "X=RND")
    computer = console(*program, keys="7\n")
    plain = console("Y=RND", "X=RND")
    assert computer.variables["X"] == plain.variables["X"]
    assert 7 in (computer.variables["A(2)"], computer.variables["A(3)"])


def test_a_bad_subscript_of_accept_stops_before_anything_is_typed() -> None:
    computer = console("ACCEPT AT(1,1):A(11)")
    assert computer.error is not None
    assert computer.error.code == xb.BAD_SUBSCRIPT


def test_subscripts_of_input_see_the_items_before_them() -> None:
    computer = console("INPUT I,A(I),N$(I)", keys="3,7,JOE\n")
    assert (computer.variables["A(3)"], computer.variables["N$(3)"]) == (7, "JOE")


def test_waiting_statements_in_a_loop_and_a_subprogram() -> None:
    computer = console(
        "FOR I=1 TO 3::ACCEPT AT(I,1)SIZE(4):N$(I)::NEXT I",
        "CALL S(B$)",
        "LINPUT C$::PRINT C$&B$",
        "END",
        "SUB S(X$)::INPUT X$::SUBEND",
        keys="A\nB\nC\nIN\nL\n",
    )
    assert [computer.variables[f"N$({i})"] for i in (1, 2, 3)] == ["A", "B", "C"]
    assert "LIN" in full_rows(computer)


def test_a_program_waits_for_keys_and_goes_on() -> None:
    computer = console("INPUT A$", "PRINT A$")
    assert computer.running
    computer.machine.keyboard.type("HI\n")
    assert computer.resume() == "ready"
    assert "HI" in full_rows(computer)


def test_clear_and_con_begin_the_statement_again() -> None:
    computer = console("INPUT A$", "PRINT A$&A$")
    computer.press("CLEAR")
    assert full_rows(computer)[-2:] == ["* BREAKPOINT IN 100", ">"]
    computer.command("CON")
    computer.command("HI")
    assert "HIHI" in full_rows(computer)


def test_on_break_next_ignores_clear_in_a_line() -> None:
    computer = console("ON BREAK NEXT", "INPUT A$", "PRINT A$")
    computer.type("A")
    computer.press("CLEAR")
    computer.command("B")
    assert "AB" in full_rows(computer)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DISPLAY AT(40000,1):1", xb.BAD_VALUE),
        ('DISPLAY AT("1",1):1', xb.STRING_NUMBER_MISMATCH),
        ("DISPLAY AT(1,1)SIZE(0):1", xb.BAD_VALUE),
        ("DISPLAY AT(1,1)SIZE(256):1", xb.BAD_VALUE),
        ("DISPLAY AT(1):1", xb.SYNTAX_ERROR),
        ("DISPLAY ERASE:1", xb.SYNTAX_ERROR),
        ("ACCEPT AT(1,1)VALIDATE(5):A$", xb.STRING_NUMBER_MISMATCH),
        ("ACCEPT AT(1,1)SIZE(-300):A$", xb.BAD_VALUE),
        ("ACCEPT AT(1,1):5", xb.SYNTAX_ERROR),
        ("LINPUT A", xb.IMPROPERLY_USED_NAME),
        ("INPUT 5:A", xb.STRING_NUMBER_MISMATCH),
        ("PRINT TAB(32768)", xb.BAD_VALUE),
        ("PRINT 1 TO 2", xb.SYNTAX_ERROR),
        ("PRINT USING 100:5", xb.IMAGE_ERROR),
        ("PRINT USING 5:5", xb.IMAGE_ERROR),
        ('PRINT USING "##":1,', xb.SYNTAX_ERROR),
        ('PRINT USING "##":1;2', xb.SYNTAX_ERROR),
        ('PRINT USING "##":TAB(5)', xb.SYNTAX_ERROR),
        ("PRINT USING 5", xb.IMAGE_ERROR),
    ],
)
def test_errors(statement: str, code: int) -> None:
    computer = console("REM", statement)
    assert computer.error is not None
    assert (computer.error.code, computer.error.line) == (code, 110)


def test_using_finds_an_image_line_anywhere() -> None:
    computer = console(
        "PRINT USING 120:1,2", 'DISPLAY AT(10,1):USING 130:"X"', "IMAGE ## ##", 'IMAGE "[##]"'
    )
    assert full_rows(computer)[:2] == ["[X ]", "1  2"]


def test_clauses_act_in_order_before_an_error() -> None:
    computer = console("PRINT 1", 'DISPLAY ERASE ALL AT(40000,1):"X"')
    assert full_rows(computer)[0] == "* BAD VALUE IN 110"


def test_the_printed_part_of_a_failed_print_is_written_over() -> None:
    computer = console(
        "ON ERROR 130", 'PRINT "A";1;VAL("Q")', 'PRINT "C"::END', 'PRINT "H"::RETURN NEXT'
    )
    assert full_rows(computer)[:2] == ["H", "C"]


@pytest.mark.parametrize("clearing", ["CALL CLEAR", 'DISPLAY AT(1,1)ERASE ALL:"T"'])
def test_clearing_the_screen_clears_the_pending_row(clearing: str) -> None:
    computer = console('PRINT "AB";', clearing, 'PRINT "CD";', 'PRINT "E"')
    row = next(row for row in computer.screen.rows if "CD" in row)
    assert row[2:6] == "CDE "


@pytest.mark.parametrize(("number", "forgotten"), [(999, False), (1000, True)])
def test_a_warning_with_a_line_of_four_digits_makes_accept_forget_validate(
    number: int, forgotten: bool
) -> None:
    console = Console()
    listing = f'90 CALL CLEAR\n{number} ACCEPT AT(5,1)VALIDATE("357"):A\n'
    console.load(Program.from_listing(listing))
    console.machine.keyboard.type("\nAB5\n")
    console.run()
    assert full_rows(console)[0] == ("AB5" if forgotten else "5")
    assert console.waits == forgotten


def test_a_warning_of_input_in_a_sub_names_the_variable_for_the_sub() -> None:
    computer = console("CALL S(X)", "SUB S(X)", "INPUT Y,X", "SUBEND", keys="Q\n")
    assert full_rows(computer)[-5:-1] == [
        "* WARNING",
        "INPUT ERROR IN 120",
        "IN  Y",
        "CALLED FROM  28264",
    ]


@pytest.mark.parametrize(("prompt", "edges"), [("P" * 27, "\x1f\x1f"), ("P" * 28, "  ")])
def test_the_edge_is_renewed_in_the_row_where_the_answer_begins(prompt: str, edges: str) -> None:
    computer = console("CALL CLEAR", f'INPUT "{prompt}":A$')
    row = next(row for row in computer.screen.rows if "PPP" in row)
    assert row[30:] == edges
