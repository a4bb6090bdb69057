"""Titles and drawings in machine code: video memory is as the SUB in BASIC leaves it."""

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.finding import find_game
from ti99tools.language.program.program import Program

SHOWN = 0x0800 + 32
"""Screen, sprites, patterns and colours end here in video memory."""


def shown_by(console: Console) -> bytes:
    assert console.run_until("5 END", seconds=60)
    console.wait(120)
    vdp = console.machine.vdp
    return bytes(vdp.ram[:SHOWN]) + bytes((vdp.backdrop,))


@pytest.mark.parametrize("name", ["lambo", "dimraw"])
def test_the_title_is_that_of_the_sub_in_basic(name: str) -> None:
    manifest = find_game(name)
    basic = Program.from_listing(generate_game(manifest).text)
    rows = []
    for program in (shipped(name).program, basic):
        console = Console(max_seconds=100)
        console.load(program)
        console.start()
        rows.append(shown_by(console))
    assert rows[0] == rows[1]
