"""Keys as a person gives them: a tap counts once, a key that is held answers one question."""

from random import Random

import pytest

from tests.xbasic.gamedriver import DrivenGame
from tests.xbasic.rackdriver import Game as RackGame
from ti99tools.computer.interp.io.openfile import OpenFile

LOG_ON = (("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", "1"))
MATCH = {
    "d5000": (
        *(("HOW MANY", "1"), ("WHO PLAYS", "H"), ("NAME?", "\n"), ("SEED?", "5\n")),
        *(("PRESS ENTER", "\n"), ("1-5 pick", "")),
    ),
    "dicerack": (("SEED?", "5\n"), ("SHIFT ,", "")),
    "lambo": (
        *(("H HUMAN", "H"), ("NAME?", "\n"), ("H HUMAN", "H"), ("NAME?", "\n")),
        *(("12 TO 48", "\n"), ("ADJOIN?", "N"), ("SEED?", "5\n"), ("PLACE A TILE", "")),
    ),
    "dimraw": (("ENTER BEGINS", "33\n"), ("SEED?", "5\n"), ("PLACE A MAN", "")),
}
"""Keys to a question of a human player."""


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Lines of play logs, as PRINT # writes them."""
    lines: list[bytes] = []
    write = OpenFile.write_record

    def written(file: OpenFile, data: bytes) -> None:
        write(file, data)
        lines.append(data)

    monkeypatch.setattr(OpenFile, "write_record", written)
    return lines


class Game(DrivenGame):
    """A game with a match of one who does not wait for the program, the play log switched on."""

    READY = "5 END"

    def __init__(self, name: str, logged: list[bytes]) -> None:
        self.NAME = name
        super().__init__()
        self.logged = logged
        self.console.machine.drives.overheard = logged.append  # what machine code writes
        self.answer(*LOG_ON, *MATCH[name])
        self.console.wait(300)

    def count(self, kind: str) -> int:
        """How many events of a kind are logged."""
        return sum(line.split()[0] == kind.encode() for line in self.logged)


@pytest.mark.parametrize("name", MATCH)
def test_each_tap_counts_once(name: str, logged: list[bytes]) -> None:
    """90 to 120 ms long, at a person's pace; the question stays, as the key is not allowed."""
    game, random, taps = Game(name, logged), Random(name), 20
    for _ in range(taps):
        game.console.tap("Z", hold=random.choice((6, 7)), gap=random.randint(24, 60))
    game.console.wait(60)
    assert game.count("REFUSED") == taps


@pytest.mark.parametrize("name", MATCH)
def test_a_key_that_is_held_counts_once(name: str, logged: list[bytes]) -> None:
    game = Game(name, logged)
    game.console.tap("Z", hold=200, gap=60)
    assert game.count("REFUSED") == 1


def test_a_held_key_does_not_answer_the_next_question(logged: list[bytes]) -> None:
    game = Game("dicerack", logged)
    game.console.hold("ENTER")
    game.see("ENTER DROP")
    game.console.wait(200)
    assert game.console.screen.shows(" 1/25")
    assert (game.count("STAY"), game.count("DROP")) == (1, 0)
    game.console.release("ENTER")
    game.console.wait(20)
    game.console.tap("ENTER", hold=6, gap=200)
    assert game.count("DROP") == 1


@pytest.mark.parametrize("name", ["dicerack", "dimraw"])
def test_a_key_that_is_down_before_a_question_is_no_answer(name: str, logged: list[bytes]) -> None:
    game = Game(name, logged)
    key, early, kind = {"dicerack": (" ", "B", "GATE"), "dimraw": ("A", "B", "PLACE")}[name]
    before = game.count(kind)
    game.console.tap(key, hold=6, gap=2)
    game.console.hold(early)  # nobody looks: a die falls, a man is placed
    game.console.wait(240)
    assert game.count(kind) == before + (name == "dimraw")
    game.console.release(early)
    game.console.wait(60)
    game.console.tap(early, hold=6, gap=120)
    assert game.count(kind) == before + 1 + (name == "dimraw")


def test_a_key_that_goes_down_while_the_title_is_drawn_is_no_answer() -> None:
    game = RackGame()
    game.answer(("SIT DOWN!", "3"), ("PRESS ANY KEY", " "))
    game.see("3 HIGH SCORES")
    game.console.hold("5")
    game.see("SIT DOWN!")
    game.console.wait(60)
    assert game.console.screen.shows("5 END")
    game.console.release("5")
    game.console.wait(20)
    game.console.tap("5")
    assert game.console.run_until(ready=True, seconds=10)


def test_the_joystick_of_dimraw_and_its_button(logged: list[bytes]) -> None:
    game = Game("dimraw", logged)
    point = "POINT A"
    for _ in range(3):
        assert game.console.screen.shows(point)
        game.console.joystick(1, x=4)
        game.console.wait(30)
        game.console.joystick(1)
        game.console.wait(30)
        point = {"A": "POINT B", "B": "POINT C", "C": "POINT L"}[point[-1]]
        if point == "POINT L":
            break
    assert game.console.screen.shows("POINT C")
    for _ in range(2):  # the second time there is a man
        game.console.joystick(1, fire=True)
        game.console.wait(6)
        game.console.joystick(1)
        game.console.wait(200)
    assert (game.count("PLACE"), game.count("REFUSED")) == (1, 1)
    game.console.tap("Q", hold=6, gap=200)  # which the console takes for the button
    assert game.count("PLACE") == 2
