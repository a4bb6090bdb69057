"""The word by which a compiled program tells hosts that it waits for a key."""

from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.program.program import Program

SECONDS = 30
ASKS = """\
100 CALL KEY(0,K,S)::IF S=0 THEN 100
110 FOR I=1 TO 500::NEXT I
120 CALL KEY(3,L,S)::IF S<1 THEN 120
130 PRINT K;L
140 CALL KEY(0,K,S)
150 FOR I=1 TO 2000::X=X+.5::NEXT I
160 PRINT "OVER"
"""


def made() -> bytes:
    return compile_program(Program.from_listing(ASKS), "ASKS").cartridge


def until_it_waits(console: CartridgeConsole, line: int) -> None:
    """Go on until a line is told to wait for a key; 0: until none is."""
    for _ in range(60 * SECONDS):
        if console.waiting_line == line or console.over:
            break
        console.wait(1)
    assert console.waiting_line == line


def test_keys_are_given_where_the_program_waits() -> None:
    console = CartridgeConsole(made())
    console.choose()
    for key, line in (("A", 100), ("7", 120)):
        until_it_waits(console, line)
        console.hold(key)
        until_it_waits(console, 0)
        console.release(key)
    # After its last look the program waits for none.
    assert console.run_until("65  55", seconds=SECONDS)
    assert console.run_until("OVER", seconds=SECONDS)
    assert console.waiting_line == 0


def test_a_single_look_is_no_waiting() -> None:
    console = CartridgeConsole(made())
    console.choose()
    console.press("A")
    console.wait(200)
    console.press("B")
    assert console.run_until("65  66", seconds=30)
    assert console.waiting_line == 0


def test_a_loop_that_looks_at_two_places_in_turn_waits() -> None:
    listing = "100 CALL KEY(1,K,S)::CALL KEY(3,L,S)::IF L<1 THEN 100\n110 PRINT L\n"
    console = CartridgeConsole(compile_program(Program.from_listing(listing)).cartridge)
    console.choose()
    console.wait(60)
    assert console.waiting_line == 100
    console.press("M")
    assert console.run_until(" 77", seconds=5)
