"""The word by which a compiled program tells hosts that it waits for a key."""

from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.games.hosts.cartridge import play_cartridge
from ti99tools.language.program.program import Program

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


def test_keys_are_given_where_the_program_waits() -> None:
    played = play_cartridge(made(), ["A", "7"], 60)
    assert played.done
    assert played.asked_in == (100, 120)
    assert any(row.strip(" \x1f") == "65  55" for row in played.rows)


def test_a_key_too_many_is_not_taken() -> None:
    assert not play_cartridge(made(), ["A", "7", "B"], 60).done


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
