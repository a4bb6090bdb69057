"""When a compiled program gets the keys of a script: where it asks, as in Extended BASIC."""

import pytest

from tests.forms.disks import from_basic
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.games.hosts.cartridge import CartridgeQuestions
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


TUNE = "100 FOR I=1 TO 8::CALL SOUND(300,262,2)::NEXT I\n"
NAMED = '110 INPUT A$\n120 PRINT "<";A$;">"\n'
THREE = """\
100 CALL KEY(1,K,S)::CALL KEY(2,L,S)::CALL KEY(5,M,T)::IF T=0 THEN 100
110 PRINT "GOT";M
"""


@pytest.mark.parametrize(
    ("listing", "keys", "shown"),
    [
        (TUNE + NAMED, "KIRK\n", "<KIRK>"),
        (TUNE + NAMED.replace("INPUT", "ACCEPT AT(9,9):"), "KIRK\n", "<KIRK>"),
        (TUNE + ASKED, "A", "AT 65"),
        (THREE, "A", "GOT 65"),
    ],
)
@pytest.mark.parametrize("disk", [False, True])
def test_a_program_of_which_only_its_memory_is_known_gets_its_keys(
    listing: str, keys: str, shown: str, disk: bool
) -> None:
    result = compile_program(Program.from_listing(listing), banks=False)
    console = from_basic(result) if disk else CartridgeConsole(result.cartridge)
    if isinstance(console, CartridgeConsole):
        console.choose()
    console.type(keys)
    assert console.run_until(shown, seconds=60)


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
