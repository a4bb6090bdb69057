"""Machine code that nothing ends: it is given up when nobody can stop it."""

import pytest

from tests.machinecode.codeprograms import console_with
from ti99tools.computer.machinecode.addresses import CodeError
from ti99tools.language.program.program import Program

ENDLESS = " DEF GO\nGO LI R0,1\nL INC R1\n JMP L\n END\n"
TRAPPED = " DEF GO\nGO LI R0,>0AC4\n MOV R0,@>83DC\n B @>0AC4\n END\n"
CALLING = """ DEF GO
GO CLR @CRU
 LI R12,>1100
 SBO 0
 LI R11,>40FE
 B @>4100
CRU DATA 0
 END
"""
LINKED = '100 CALL INIT :: CALL LOAD("DSK1.OBJ")\n110 CALL LINK("GO")\n'


def test_code_that_goes_on_and_on_ends_with_an_error() -> None:
    console = console_with(ENDLESS, LINKED, code_seconds=20)
    with pytest.raises(CodeError, match="goes on and on: for 20 seconds") as caught:
        console.run(seconds=10_000)
    assert caught.value.line == 110
    assert "code_seconds" in str(caught.value)
    assert 20 <= console.clock.seconds < 24
    console.load(Program.from_listing("100 A=5\n"))
    assert console.run() == "ready"
    assert console.variables["A"] == 5


def test_how_long_code_may_go_on_is_the_callers_choice() -> None:
    console = console_with(ENDLESS, LINKED, code_seconds=1)
    with pytest.raises(CodeError, match="for 1 seconds"):
        console.run()


@pytest.mark.parametrize("alive", [" LIMI 2\n LIMI 0\n", " BLWP @KSCAN\n"])
def test_code_that_can_be_stopped_may_go_on(alive: str) -> None:
    source = f" DEF GO\nGO LWPI >2700\nL {alive.strip()}\n JMP L\n END\n"
    console = console_with(source, LINKED, code_seconds=5)
    console.max_seconds = 12
    assert console.run() in ("limit", "keys")


@pytest.mark.parametrize("source", [TRAPPED, CALLING])
def test_entries_of_the_console_that_lead_to_themselves_end_too(source: str) -> None:
    with pytest.raises(CodeError):
        console_with(source, LINKED).run(seconds=10_000)
