"""Memory is full where it is in Extended BASIC: strings, GOSUBs within GOSUBs, and both."""

import pytest

from tests.compiler.bothforms import check, full_rows, in_basic, played
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

pytestmark = pytest.mark.long

STRINGS = """\
100 DIM A$(400)
110 A$(N)=RPT$(CHR$(65+N/20),252)&STR$(N)::N=N+1::PRINT N::GOTO 110
"""


@pytest.mark.parametrize("short", [0, ALL_SHORT])
def test_strings(short: int) -> None:
    """A machine with a disk controller, which takes some of video memory, as the recorded one."""
    drives = {"DSK1": DiskImage.new()}
    program = compile_program(Program.from_listing(STRINGS), short=short)
    left = in_basic(STRINGS, (), drives)
    console = played(program.cartridge, (), drives)
    assert "* MEMORY FULL IN 110" in full_rows(console)
    assert tuple(console.screen.rows[:-1]) == left.rows[:-1]


LEFT_BY_GOTO = "100 N=N+1 :: IF N<1450 THEN GOSUB 100 ELSE PRINT N :: GOSUB 100\n"
CAUGHT = """\
100 ON ERROR 200
110 N=N+1 :: GOSUB 110
200 PRINT N :: END
"""
DEEP = """\
100 DIM A(800)
110 N=N+1 :: A(N/2)=N :: IF N<1400 THEN GOSUB 110
120 N=N-1 :: T=T+A(N/2):: IF N>0 THEN RETURN ELSE PRINT T
"""
"""The array would fill low memory, where the stack is."""


@pytest.mark.parametrize("listing", [LEFT_BY_GOTO, CAUGHT, DEEP])
def test_gosubs_within_gosubs(listing: str) -> None:
    check(listing, (True,))


@pytest.mark.parametrize("listing", [LEFT_BY_GOTO, CAUGHT])
def test_gosubs_within_gosubs_as_byte_code(listing: str) -> None:
    check(listing, (True,), short=ALL_SHORT)


IN_LOOPS = """\
100 FOR I=1 TO 5
110 FOR J=1 TO 5
120 N=N+1 :: IF N>1440 THEN PRINT N
130 GOSUB 100
140 NEXT J
150 NEXT I
"""
IN_SUBS = """\
100 CALL A
110 SUB A :: CALL B :: SUBEND
120 SUB B
130 N=N+1 :: IF N>1440 THEN PRINT N
140 GOSUB 130
150 SUBEND
"""
ROOM_FOR_THE_HANDLER = """\
100 ON ERROR 150
110 N=N+1 :: C=SIN(N)
120 FOR I=1 TO 2 :: GOSUB 110
130 NEXT I
140 END
150 ON ERROR STOP :: RETURN NEXT
"""


@pytest.mark.parametrize("listing", [IN_LOOPS, IN_SUBS, ROOM_FOR_THE_HANDLER])
def test_the_statement_that_has_no_room_is_named(listing: str) -> None:
    check(listing, (True,))


def test_large_programs_do_not_look_for_room() -> None:
    """Here many statements lead to another GOSUB, as in a game that begins again."""
    lines = [f"{line} A{line}=SIN(B)" for line in range(110, 220, 10)]
    for most, looks in ((10, True), (11, False)):
        listing = "\n".join(["100 ON ERROR 900", *lines[:most], "900 GOSUB 100"])
        assert compile_program(Program.from_listing(listing)).code.looks == looks


def test_a_program_whose_gosubs_all_return_has_no_such_end() -> None:
    listing = (
        "100 FOR I=1 TO 3 :: GOSUB 200 :: NEXT I :: END\n200 GOSUB 300\n210 RETURN\n300 RETURN\n"
    )
    assert compile_program(Program.from_listing(listing)).code.deepest == 0
