"""When a compiled program gets the keys of a script: where it asks, as in Extended BASIC."""

import pytest

from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.cartridge_questions import CartridgeQuestions
from ti99tools.language.program.program import Program

PAUSE = """\
100 FOR I=1 TO 100::CALL KEY(0,K,S)::IF S THEN 120
110 NEXT I::PRINT "A WHOLE PAUSE"
120 CALL KEY(0,K,S)::IF S=0 THEN 120
130 PRINT K
"""
SOUND = """\
100 CALL KEY(0,K,S)::CALL SOUND(300,440,9)::CALL SOUND(1,40000,30)::N=N+1::IF N<4 THEN 100
110 CALL KEY(0,K,S)::IF S<1 THEN 110
120 PRINT "NEW";K
"""
STICK = """\
100 CALL KEY(0,K,S)::CALL JOYST(1,X,Y)::N=N+1::IF S<1 THEN 100
110 PRINT "NEW";K
"""
ANIMATED = """\
100 A$="*"
110 FOR I=1 TO 5::CALL HCHAR(9,9+I,42+I-I)::CALL HCHAR(9,9+I,32)::NEXT I
120 CALL KEY(0,K,S)::IF S=0 THEN 110
130 PRINT "AT";K
"""
ASKED = '110 CALL KEY(0,K,S)::IF S=0 THEN 110\n120 PRINT "AT";K\n'
TYPED = '100 INPUT "NAME: ":A$\n110 CALL KEY(0,K,S)::IF S<1 THEN 110\n120 PRINT A$;K\n'


@pytest.mark.parametrize(
    ("listing", "keys", "shown"),
    [
        (PAUSE, "A", ("A WHOLE PAUSE", " 65")),
        (SOUND, "A", ("NEW 65",)),
        (STICK, "A", ("NEW 65",)),
        (ANIMATED, "A", ("AT 65",)),
        (TYPED, "AB\nC", ("AB 67",)),
    ],
)
@pytest.mark.parametrize("pace", list(Pace))
def test_a_key_is_given_where_the_program_asks(
    listing: str, keys: str, shown: tuple[str, ...], pace: Pace
) -> None:
    program = Program.from_listing(listing)
    result = compile_program(program, pace=pace)
    console = CartridgeConsole(result.cartridge)
    questions = CartridgeQuestions(
        console.machine, lambda: console.engine.bus, deciding_of(result, program)
    )
    console.machine.keyboard.ask(questions)
    console.choose()
    for key in keys:
        console.press(key)
    assert console.run_until(shown[-1], seconds=40)
    assert all(console.screen.shows(text) for text in shown)


def test_a_sound_that_waits_passes_as_quickly_with_a_key_in_the_queue() -> None:
    program = Program.from_listing("100 CALL SOUND(2000,440,2)::CALL SOUND(1,440,2)\n" + ASKED)
    result = compile_program(program)
    console = CartridgeConsole(result.cartridge)
    questions = CartridgeQuestions(
        console.machine, lambda: console.engine.bus, deciding_of(result, program)
    )
    console.machine.keyboard.ask(questions)
    console.machine.keyboard.type("A")
    console.choose()
    console.wait(60)
    rounds = console.engine.rounds
    before = rounds.skipped
    console.wait(30)
    assert rounds.skipped - before > 100
    assert console.run_until("AT 65", seconds=10)
