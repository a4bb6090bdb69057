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


def test_a_program_whose_gosubs_all_return_has_no_such_end() -> None:
    listing = (
        "100 FOR I=1 TO 3 :: GOSUB 200 :: NEXT I :: END\n200 GOSUB 300\n210 RETURN\n300 RETURN\n"
    )
    assert compile_program(Program.from_listing(listing)).code.deepest == 0
