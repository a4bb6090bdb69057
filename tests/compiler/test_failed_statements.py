"""Which statement of a line has ended a compiled program."""

from typing import Any

import pytest

from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.compiler.symbols import symbols_of
from ti99tools.computer.console.anyconsole import RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.listing.listing import statement_offsets
from ti99tools.language.program.program import Program

FAILING = (
    "A(Z+9)=1",
    "B=A(Z+9)",
    "B=VAL(S$)",
    "B=SQR(Z-1)",
    "B=ASC(S$)",
    "READ B",
    "B=LOG(Z)",
    "RETURN",
    "PRINT CHR$(B);A(Z-1)",
    "CALL HCHAR(Z,1,65)",
    "CALL SOUND(100,Z,0)",
    "ON Z GOTO 100",
    'OPEN #1:"DSK1.NONE",INPUT',
    'OPEN #2:"NOTHING"',
    "PRINT #3:1",
    "CLOSE #1",
    "CALL T(Z)",
    "PRINT USING S$:B",
    "GOSUB 200",
)
"""Statements that end the program below."""
FORMS: dict[str, dict[str, Any]] = {
    "high memory": {},
    "banks": {"rooms": Rooms(0, 60)},
    "byte code": {"short": ALL_SHORT},
}
LISTING = """\
90 DIM A(3)
100 Z=ZERO::B=1::{}::C=2::PRINT "NOT HERE"
110 END
200 PRINT "IN 200"::B=A(Z-1)::RETURN
300 SUB T(Q)
310 W=1::V=SQR(Q-1)::U=2
320 SUBEND
"""
OTHER = {"CALL T(Z)": (310, "V=SQR"), "GOSUB 200": (200, "B=A(")}
"""Where those fail that fail in another line: its number, and how the statement begins."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("statement", FAILING)
def test_the_statement_is_found(statement: str, form: str) -> None:
    program = Program.from_listing(LISTING.format(statement))
    compiled = compile_program(program, **FORMS[form])
    symbols = symbols_of(compiled, program)
    console = CartridgeConsole(compiled.cartridge, symbols=lambda: symbols)
    console.start()
    assert console.resume() is RunEnd.ERROR
    assert console.error is not None
    line, begins = OTHER.get(statement, (100, statement))
    assert console.error.line == line
    tokens = next(each.tokens for each in program.lines if each.number == line)
    offsets = list(statement_offsets(tokens))
    rows = (row.partition(" ") for row in LISTING.format(statement).splitlines())
    text = next(text for number, _, text in rows if number == str(line))
    index = [part.startswith(begins) for part in text.split("::")].index(True)
    assert offsets.index(console.failed_offset) == index
