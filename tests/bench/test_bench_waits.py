"""How many seconds of the machine a second of processor time passes while compiled programs wait.

Run with `pytest -m bench -s tests/bench/test_bench_waits.py`: it prints the seconds, and how many
times as many they are as without skipping rounds.
"""

import time

import pytest

from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.hardware.cpu import rounds
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.bench

START, SECONDS, ROUNDS = 6, 6, 3
WAITS = {
    "CALL KEY": ("100 CALL KEY(0,K,S)::IF S=0 THEN 100\n", 2.0),
    "a moving sprite": (
        "100 CALL SPRITE(#1,42,2,9,9,5,5)\n110 CALL KEY(0,K,S)::IF S=0 THEN 110\n",
        1.5,
    ),
    "INPUT": ("100 INPUT A\n", 1.5),
    "the prompt": ("100 PRINT 1\n", 2.0),
}
"""Wait → its program, and how many times as many seconds pass at least if rounds are skipped."""


def rate(listing: str) -> float:
    """Seconds of the machine in one of processor time."""
    console = CartridgeConsole(compile_program(Program.from_listing(listing)).cartridge)
    console.choose()
    console.advance_to(START * CPU_HZ)
    most = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        console.advance_to(console.clock.cycles + SECONDS * CPU_HZ)
        most = max(most, SECONDS / (time.process_time() - began))
    return most


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_passes_quickly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listing, times = WAITS[name]
    skipped = rate(listing)
    monkeypatch.setattr(rounds, "OFTEN", 1 << 60)
    executed = rate(listing)
    print(f"\n{name}: {skipped:.0f} s of the machine a second, {skipped / executed:.1f} times")
    assert skipped >= times * executed


def test_a_delay_passes_quickly() -> None:
    """Its rounds are skipped in the code itself: no less than in a wait for a key."""
    delay = rate("100 FOR I=1 TO 30000::NEXT I\n110 GOTO 100\n")
    key = rate(WAITS["CALL KEY"][0])
    print(f"\na delay: {delay:.0f} s of the machine a second")
    assert delay >= key / 2
