"""The four games as cartridges: whole matches, with their logs on disk, against the models."""

import pytest

from tests.compiler.cartridgehost import CartridgeHost
from ti99tools.app.compile import program_of
from ti99tools.compiler.compiling import compile_program
from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.campaign import subject_of
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import make

GAMES = ("dimraw", "lambo", "d5000", "dicerack")
SEEDS = range(4)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_on_a_cartridge_follows_its_rules(name: str) -> None:
    subject = subject_of(find_game(name))
    adapter = subject.adapter()
    # Without pace: a script answers at once, and no question is deaf for the first moments.
    program = compile_program(program_of(name), "GAME", pace=False)
    assert program.linked.banks
    host = CartridgeHost(program)
    for seed in SEEDS:
        scenario, _ = make(adapter, seed)
        result = play(adapter, host, subject.disk, scenario)
        assert result.mismatch is None, (seed, result.mismatch)
        assert result.screens > 0
