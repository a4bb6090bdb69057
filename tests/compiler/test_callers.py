"""Messages of compiled programs name the SUBs and lines that lead to an error, in all forms."""

from typing import Any

import pytest

from tests.compiler.bothforms import can_be_held, check, full_rows, played
from tests.compiler.randomcallers import CallerMaker
from tests.compiler.randomprograms import piece
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.language.program.program import Program

FORMS: tuple[dict[str, Any], ...] = (
    {"forms": (True,)},
    {"forms": (False,)},
    {"forms": (True,), "short": ALL_SHORT},
    {"forms": (True,), "rooms": Rooms(0, 60)},
    {"forms": (False,), "rooms": Rooms(0, 300)},
)


def held(seed: int) -> bool:
    """Hold a program in a form that the seed chooses; False if it cannot be."""
    listing = CallerMaker(seed).program()
    if not can_be_held(listing):
        return False
    check(listing, **FORMS[seed % len(FORMS)])
    return True


APART = """\
100 CALL GCHAR(1,3,N)::IF N>40 THEN PRINT "LAST"::STOP
110 CALL S
120 END
130 SUB S::X=LOG(X)::SUBEND
"""
"""The code of STOP comes between that of the CALL and that of line 120."""


def test_the_line_of_a_call_whose_next_statement_is_elsewhere() -> None:
    program = compile_program(Program.from_listing(APART), pace=Pace.ALL)
    assert "CALLED FROM  110" in full_rows(played(program.cartridge))


def test_random_callers() -> None:
    assert sum(map(held, range(5))) > 3


@pytest.mark.slow
def test_many_random_callers(seed: int) -> None:
    assert sum(map(held, piece(seed))) > 800, "so many of them are taken, and end"
