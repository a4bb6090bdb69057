"""A listing of 200 lines in the style of 1983: a match is the same in both forms."""

from pathlib import Path

import pytest

from tests.compiler.bothforms import Left
from tests.compiler.listings import Basic, Compiled
from ti99tools.language.program.program import Program

REVERSI = Path(__file__).parent / "reversi.bas"
MOVES = ("2", "D3\n", "E6\n")
"""The TI begins; one move is refused."""


@pytest.mark.long
def test_a_match_looks_the_same_at_each_move() -> None:
    program = Program.from_listing(REVERSI.read_text())
    assert len(program.lines) >= 199
    forms = (Basic(program), Compiled(program))
    screens = set()
    for keys in MOVES:
        assert forms[0].rest()
        while not forms[1].console.waiting_line:
            forms[1].console.wait(1)
        basic, compiled = (Left.of(form.console) for form in forms)
        assert basic == compiled
        screens.add(basic.rows)
        for form in forms:
            for key in keys:
                form.press(key)
    assert len(screens) == len(MOVES)
