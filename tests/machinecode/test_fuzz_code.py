"""Any bytes as machine code end in bounded time: back, at the limit, or with an error told."""

import random

import pytest

from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program

LISTING = """100 CALL INIT::CALL LOAD(16376,71,79,32,32,32,32,160,0)::CALL LOAD(8196,63,248)
110 CALL LINK("GO",X,A$,5,B())
"""


def run_code(seed: int) -> None:
    dice = random.Random(seed)
    console = Console(max_seconds=5)
    console.load(Program.from_listing(LISTING))
    code = bytearray(dice.randbytes(600))
    for at in range(0, 600, 40):
        word = dice.choice((0x0420, 0x045B, 0x0380, 0x0300, 0xD801))
        code[at : at + 4] = word.to_bytes(2, "big") + dice.choice(
            (0x2008, 0x2010, 0x2018, 0x201C, 0x2024, 0x2030, 0x8C02, 0x8800, 0x83C4)
        ).to_bytes(2, "big")
    console.machine.memory.store(0xA000, code)
    try:
        console.run(seconds=2)
        console.run_until(text="never", seconds=0.5)
    except TIError as error:
        assert str(error)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_code(first: int) -> None:
    for seed in range(first, first + 20):
        run_code(seed)


@pytest.mark.slow
def test_much_random_code(seed: int) -> None:
    for number in range(3_000):
        run_code(1_000 + seed * 3_000 + number)
