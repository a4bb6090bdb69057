"""The keys that the page offers for what a screen says; node runs the page's own module."""

import json
import shutil
import subprocess

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.fronts.web.site.making import PAGE

CODE = """
const { keysOf } = await import(process.argv[1]);
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(([game, text]) => keysOf(game, text))));
"""
MEN = """
  pr 1 WHITE        HUMAN
  qs 2 NAME         WHITE
     5 MEN          12/16
     6 MOVES TAKE   A AND B
     ENTER BEGINS
"""
MATCH = """
13            `b
  G H I J K L M N O P Q R S T
  LIGHT P1       1 OF 1 BAG 47
  PLACE A TILE  T:TYPE 0:HELP
  ESDX MOVE 123 TURN ENTER PUT
"""


def offered(*screens: tuple[str, str]) -> list[str]:
    """The names of the keys for each (game, screen)."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    module = (PAGE / "src" / "games.js").as_uri()
    command = [node, "--input-type=module", "-e", CODE, module, json.dumps(screens)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [" ".join(key for key, _ in keys) for keys in json.loads(done.stdout)]


def test_what_a_screen_offers_are_the_keys() -> None:
    rack = offered(("dicerack", "  SHIFT ,.  ENTER DROP\n  ROUND 1              TOTAL 0"))[0]
    assert rack.split()[:4] == ["LEFT", "RIGHT", "ENTER", "SPACE"]
    assert rack.endswith("A B C D E F G H I J K L M N O P Q R S T"), "the gates"
    assert offered(
        (
            "dicerack",
            "   1 PLAY   6 LADDER\n   4 PLAY LOG: OFF   SIT DOWN!\n   5 END    7 SOUND",
        ),
        ("dicerack", "PLAY AGAIN? Y/N"),
        ("lambo", "  LIGHT\n  H HUMAN  C COMPUTER"),
        ("lambo", MATCH),
        ("dimraw", MEN),
        ("own", "1 DRAGON ATE YOU"),
    ) == [
        "1 6 4 5 7",
        "Y N",
        "H C",
        "LEFT UP DOWN RIGHT SPACE ENTER U 0 BACK",
        "1 2 5 6 ENTER",
        "LEFT UP DOWN RIGHT ENTER SPACE 1",
    ]


def test_d5000_can_be_started_and_played_with_the_keys_that_are_offered() -> None:
    console = Console({"DSK1": shipped("d5000").image})
    console.boot()
    screens = []
    for key, then in (("", "1 PLAY"), ("1", "HOW MANY"), ("1", "WHO PLAYS"), ("H", "NAME?")):
        console.type(key)
        assert console.run_until(then, seconds=60)
        screens.append(("d5000", "\n".join(console.screen.rows)))
    console.type("\n")
    assert console.run_until("SEED?", seconds=9)
    console.type("7\n")
    assert console.run_until("ENTER TO ROLL", seconds=30)
    console.type("\n")
    assert console.run_until("1-5 pick", seconds=30)
    screens.append(("d5000", "\n".join(console.screen.rows)))
    assert offered(*screens) == [
        "1 2 3 4 5",
        "1 2 3 4 5 6",
        "H T A G I",
        "ENTER",
        "ENTER S 1 2 3 4 5 BACK",
    ]
