"""The turns that D5000's rules name, played by the program and by the model with the same dice.

The program is changed in one place: its dice come from a text in place of RND.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import lines_of
from ti99tools import Console, DiskImage, Program
from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.language.program.editor import with_code, without_code
from xbasic.d5000.model import D5000

DIE, FROM_TEXT = "V(I)=INT(RND*6)+1", "V(I)=VAL(SEG$(DX$,1,1)):: DX$=SEG$(DX$,2,255)"

TO_4500 = "12345" * 3
"""Three straights, each banked with `RS` (R is ENTER)."""
BOTH_TO_4900 = "12345" * 6 + "44423" * 2

VECTORS = {
    "four 1s and a 5": (1, "11115", "R", ["SCORE 1150 1150", "KEEP 1150 1 1 1 1 1"]),
    "all five roll again": (1, "1111523466", "RR", ["AGAIN 1150 5", "ROLL 2 3 4 6 6"]),
    "four 2s": (1, "2222634", "RR", ["SCORE 200 200", "KEEP 200 1 1 1 0 0", "AGAIN 200 2"]),
    "four 5s": (1, "55552", "R", ["SCORE 550 550"]),
    "no straight": (1, "12346", "R", ["SCORE 100 100"]),
    "500 get on the board": (1, "33311", "RS", ["SCORE 500 500", "BANK 500 500"]),
    "five of a kind off the board": (1, "66666", "R", ["FIVE 6", "WIN 1 0 1"]),
    "dice of two rolls": (1, "11346122", "RR", ["KEEP 200 1 1 0 0 0", "SCORE 100 300"]),
    "picking two up": (1, "155231234", "R23R", ["KEEP 100 1 0 0 0 0", "AGAIN 100 4"]),
    "picking all up": (1, "15523", "R123", ["PICK 1", "PICK 2", "REFUSED 51"]),
    "breaking a triple": (1, "222141234", "R1R", ["KEEP 100 0 0 0 1 0", "AGAIN 100 4"]),
    "breaking all there is": (1, "22234", "R1", ["REFUSED 49"]),
    "450 off the board": (1, "44452", "RS", ["REFUSED 83", "NEED 50"]),
    "5000 is not over 5000": (
        1,
        f"{TO_4500}333521523612345",
        "RS" * 5 + "R",
        ["BANK 350 4850", "BANK 150 5000", "TURN 1 5000"],
    ),
    "a tie loses": (
        2,
        f"{BOTH_TO_4900}1523615236",
        "RS" * 10,
        ["BANK 150 5050", "LASTROUND 1 5050", "BEAT 5050", "BANK 150 5050", "WIN 1 5050 5"],
    ),
    "more wins": (
        2,
        f"{BOTH_TO_4900}1523611236",
        "RS" * 10,
        ["LASTROUND 1 5050", "BANK 200 5100", "WIN 2 5100 5"],
    ),
}
"""Players, dice, keys, and what the log must tell in this order."""


def keys_of(keys: str) -> list[int]:
    return [ENTER if key == "R" else ord(key) for key in keys]


def told_by_model(players: int, dice: str, keys: str) -> list[str]:
    setup = Setup(1, tuple(Player("H", f"P{seat}") for seat in range(1, players + 1)))
    model = D5000(setup)
    draws = iter(dice)
    model.rnd.below = lambda n: int(next(draws)) - 1  # type: ignore[method-assign]
    match = Match(model)
    for key in keys_of(keys):
        match.press(key)
    return [str(event) for event in match.log]


@cache
def changed() -> Program:
    """The program that takes its dice from DX$, the same for all vectors."""
    lines, code = without_code(shipped("d5000", ()).program)
    listing = lines.listing()
    assert listing.count(DIE) == 1, "the program was changed"
    return with_code(Program.from_listing(listing.replace(DIE, FROM_TEXT)), code)


def told_by_program(players: int, dice: str, keys: str) -> list[str]:
    console = Console(disks={"DSK1": DiskImage.new("DSSD")})
    console.load(changed())
    console.start()
    steps = [("1 PLAY", "4\n"), ("LOG: ON", "1"), ("HOW MANY", str(players))]
    steps += [("WHO PLAYS", "H\n")] * players
    console.run_until(text="1 PLAY")
    console.variables["DX$"] = dice
    for text, typed in [*steps, ("SEED", "1\n")]:
        assert console.run_until(text=text), f"no {text} but\n{console.screen.text}"
        console.type(typed)
    assert console.run_until(text="PRESS ENTER TO ROLL")
    console.type(keys.replace("R", "\n"))
    console.wait(1200)
    console.close_files()
    return lines_of(console, "D5000LOG")[2:]


@pytest.mark.parametrize("name", VECTORS)
def test_the_model_and_the_program_play_as_the_rules_say(name: str) -> None:
    players, dice, keys, wanted = VECTORS[name]
    lines = told_by_model(players, dice, keys)
    rest = iter(lines)
    assert all(line in rest for line in wanted), lines
    program = told_by_program(players, dice, keys)
    assert [line for line in program if line != "END"][: len(lines)] == lines
