"""Waits of compiled programs, skipped and executed: the machine is the same at each moment."""

from random import Random

import pytest

from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.hardware.cpu import rounds
from ti99tools.language.program.program import Program

WAITS = {
    "CALL KEY": "100 CALL KEY(0,K,S)::IF S=0 THEN 100\n",
    "a moving sprite": "100 CALL SPRITE(#1,42,2,9,9,5,5)\n110 CALL KEY(1,K,S)::IF S=0 THEN 110\n",
    "INPUT": '100 INPUT "? ":A$::PRINT A$::GOTO 100\n',
    "the prompt": "100 CALL SOUND(-900,440,2)::END\n",
}
MOMENTS = 12


def moments(listing: str, seed: int) -> tuple[list[object], int]:
    """What is there at some moments, with keys now and then; how many rounds were skipped."""
    random = Random(seed)
    console = CartridgeConsole(compile_program(Program.from_listing(listing)).cartridge)
    console.choose()
    console.advance_to(4_000_000)
    keyboard, found = console.machine.keyboard, list[object]()
    for moment in range(MOMENTS):
        console.advance_to(
            console.clock.cycles + random.choice((1, 999, random.randrange(900_000)))
        )
        engine, vdp, cpu = console.engine, console.machine.vdp, console.engine.cpu
        found.append((engine.bus.cycles, cpu.pc, cpu.wp, cpu.st, cpu.request, keyboard.idle_scans))
        found.append((tuple(engine.bus.words), bytes(vdp.ram), bytes(vdp.registers)))
        if moment % 4 == 3:
            keyboard.press(random.choice("AB7"))
        elif moment == MOMENTS - 3:
            keyboard.set_joystick(1, 4, 0)
    return found, engine.rounds.skipped


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_that_is_skipped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = len(name)
    found, skipped = moments(WAITS[name], seed)
    monkeypatch.setattr(rounds, "OFTEN", 1 << 60)
    assert moments(WAITS[name], seed) == (found, 0)
    assert skipped > 50
