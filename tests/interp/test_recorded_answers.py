"""What the machine answered to single questions, as far as no recorded case holds it.

Each case names its question in the third round of answers.
"""

import pytest

from tests.interp.programs import console, printed, rows
from ti99tools.computer.console.session import Console
from ti99tools.media.disk.image import DiskImage


@pytest.mark.parametrize(
    ("line", "program", "expected"),
    [
        (12, "CALL FOO", ["* SUBPROGRAM NOT FOUND", "IN 12"]),
        (1, "CALL FOO", ["* SUBPROGRAM NOT FOUND", "IN 1"]),
        (12, "A=1::PRINT A(1)", ["* IMPROPERLY USED NAME", "IN 12"]),
        (1, "RETURN", ["* RETURN WITHOUT GOSUB", "IN 1"]),
        (1, "SUBEXIT", ["* MUST BE IN SUBPROGRAM", "IN 1"]),
        (1, "PRINT 1/X$", ["* STRING-NUMBER MISMATCH", "IN 1"]),
        (12, "NEXT I", ["* NEXT WITHOUT FOR IN 12"]),
        (32767, "OPTION BASE 2", ["* OPTION BASE ERROR IN 32767"]),
    ],
)
def test_long_messages_have_the_line_in_a_row_of_its_own(
    line: int, program: str, expected: list[str]
) -> None:
    """11-7 and other people's programs 4."""
    assert printed(f"{line} {program}\n", "error") == expected


ENDS = '100 CALL INIT::PRINT "A"\n200 CALL LOAD(-31962,{})\n300 GOTO 400\n400 PRINT "B"\n'


def poked_end(place: str) -> Console:
    computer = console(ENDS.format(place))
    computer.run(seconds=20)
    return computer


def test_the_end_poked_to_be_res() -> None:
    """18-9: no READY comes."""
    console = poked_end("100,136")
    assert rows(console) == ["A", "B"]
    assert "READY" not in console.screen.text
    assert console.program is not None
    assert [line.number for line in console.program.lines] == [100, 110, 120, 130]


def test_the_end_poked_to_be_a_place_that_fails() -> None:
    """18-9."""
    assert rows(poked_end("100,149")) == ["A", "B", "* SYNTAX ERROR IN 0"]


def test_the_end_poked_to_be_run_without_a_prescan() -> None:
    """18-9: the program runs again for ever."""
    assert rows(poked_end("160,4")).count("A") > 2


CLOSED_AFTER_A_FAILED_READ = """100 ON ERROR 900
110 OPEN #1:"DSK1.F1",OUTPUT,RELATIVE,INTERNAL,FIXED 128
120 PRINT #1:"A"
130 CLOSE #1
140 {before}
150 OPEN #1:"DSK1.F1",INPUT,RELATIVE,INTERNAL,FIXED 128
160 {after}
170 INPUT #1,REC 3:A$
180 CLOSE #1
190 STOP
900 ON ERROR 900::CALL ERR(A,B,C,D)::PRINT A;B;C;D::RETURN NEXT
"""


@pytest.mark.parametrize(
    ("before", "after", "number"), [("REM", "REM", 75), ("OPEN", "REM", 75), ("REM", "OPEN", 0)]
)
def test_the_file_number_of_a_refused_close(before: str, after: str, number: int) -> None:
    """F8: it is read where the file's PAB has been."""
    words = {"OPEN": 'OPEN #2:"DSK1.OUT",OUTPUT', "REM": "REM"}
    listing = CLOSED_AFTER_A_FAILED_READ.format(before=words[before], after=words[after])
    computer = console(listing, disks={"DSK1": DiskImage.new()})
    computer.run()
    assert rows(computer) == ["130  1  9  170", f"130  {number}  9  180"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("CLOSE #0:X", ["* FILE ERROR IN 100"]),
        ("CLOSE #1:X", ["* FILE ERROR IN 100"]),
        ("FOR Q=1 TO 3:: ::NEXT Q", ["* SYNTAX ERROR IN 100"]),
        ("CALL S(1)X", ["* INCORRECT ARGUMENT LIST", "IN 100"]),
        ("CALL T(5)", ["* SYNTAX ERROR IN 100"]),
        ('LINPUT "S":A$(11)', ["S", "* BAD SUBSCRIPT IN 100"]),
        ('PRINT SQR("4")', ["* STRING-NUMBER MISMATCH", "IN 100"]),
        ('A$=SEG$("A",1,"X")', ["* STRING-NUMBER MISMATCH", "IN 100"]),
        ('A$=SEG$("A",0,1', ["* BAD VALUE IN 100"]),
        ("FOR I=1 TO 2::NEXT I+", ["* SYNTAX ERROR IN 100"]),
    ],
)
def test_refused_statements(statement: str, message: list[str]) -> None:
    """11-7, 11-9, 11-10; the last three are like recorded ones."""
    listing = f"100 {statement}\n110 SUB S(A)\n120 SUBEND\n130 SUB T(A())\n140 SUBEND\n"
    assert printed(listing, "error") == message


def test_relative_files_that_are_longer_than_what_was_written() -> None:
    """11-11: REC and EOF after record 49, then a record that nobody has written."""
    listing = """100 OPEN #1:"DSK1.R",RELATIVE 50,INTERNAL,UPDATE,FIXED 20
110 PRINT #1,REC 49:"A",5::PRINT REC(1);EOF(1)
120 INPUT #1,REC 30:A$,B
"""
    computer = console(listing, disks={"DSK1": DiskImage.new()})
    computer.run()
    assert rows(computer) == ["50  1", "* FILE ERROR IN 120"]


def test_a_field_of_display_ends_with_its_row() -> None:
    """12-5: SIZE(60) from column 10 on."""
    lines = printed('100 CALL CLEAR::DISPLAY AT(15,10)SIZE(60):RPT$("ABCDEFGHIJ",6)')
    assert lines == ["ABCDEFGHIJABCDEFGHI"]
