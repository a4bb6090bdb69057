"""Lambo on the console: pages, settings, a view that follows, disks in trouble, times.

Whole matches are compared with the rules by `ti99tools verify`; here is what that does not reach.
"""

import re

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import DrivenGame, full_disk, image_of
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.loading import adapter
from xbasic.lambo.adapter import view

ADAPTER = adapter("lambo")
SETUP = Setup(0, (Player("H", "P1"), Player("H", "P2")), {})
HUMAN, EASY, HARD = "H", "C1", "C2"
FIRST_DRAWN = 96
"""Characters from here on are drawn over."""


class Game(DrivenGame):
    """The game on a console, driven by what it shows."""

    NAME = "lambo"
    READY = "VERSION"
    SECONDS = 1e6

    def start(self, *kinds: str, size: int = 48, adjacent: str = "N", seed: int = 1) -> None:
        self.answer(("1 PLAY", "1"))
        for kind in kinds or (HUMAN, HUMAN):
            self.answer(("H HUMAN", kind[0]))
            if kind != HUMAN:
                self.answer(("1 EASY", kind[1]))
            self.answer(("NAME?", "\n"))
        self.answer(("12 TO 48", f"{size}\n"), ("Y OR N", adjacent), ("SEED?", f"{seed}\n"))

    def place(self, *tiles: str) -> None:
        for tile in tiles:
            self.console.run_until(text="T:TYPE", seconds=100)
            self.console.type(f"T{tile}")
            self.console.wait(500)

    def resign(self) -> None:
        self.see("T:TYPE")
        self.console.press("BACK")
        self.console.type("Y")

    def visible(self) -> dict[str, object]:
        """The tiles in view, as verification reads them."""
        numbers = ADAPTER.shown(self.console.screen.rows, SETUP)
        return {name: value for name, value in numbers.items() if re.fullmatch(r"[A-Y]\d\d", name)}

    def results(self) -> list[str]:
        self.answer(("1 PLAY", "3"))
        self.see("ANY KEY")
        self.console.wait(60)
        rows = [row.strip() for row in self.console.screen.rows]
        self.console.type(" ")
        return [row for row in rows if "BEAT" in row or "TIED" in row or "NONE" in row]


def test_instructions_can_be_read() -> None:
    """No character of a page is one that the tiles are drawn over."""
    game = Game()
    game.answer(("1 PLAY", "2"))
    for title in ("LAMBO", "YOUR TURN", "OPTIONS"):
        game.see("ANY KEY")
        rows = game.console.screen.rows
        assert title in rows[1]
        assert all(ord(character) < FIRST_DRAWN for row in rows for character in row)
        game.console.type(" ")
        game.console.wait(60)
    game.see("VERSION")
    game.console.type("5")
    game.see("* READY *")


def test_a_size_out_of_range_is_asked_again() -> None:
    game = Game()
    game.answer(("1 PLAY", "1"))
    for _ in range(2):
        game.answer(("H HUMAN", "H"), ("NAME?", "\n"))
    game.answer(("12 TO 48", "11\n"), ("12 TO 48", "49\n"), ("12 TO 48", "12\n"), ("Y OR N", "Y"))
    game.answer(("ADJACENT PAIRS: YES", ""), ("SEED?", "1\n"))
    game.see("BAG 11")


def test_the_view_follows_the_tiles_and_has_them_all() -> None:
    game = Game()
    game.start()
    down = [f"M{row:02}A" for row in range(14, 21)]
    game.place(*down)
    shown = game.visible()
    tiles = {f"M{row:02}" for row in range(13, 21)}
    assert {name for name, value in shown.items() if value and isinstance(value, int)} == tiles
    rows = {cell.row for cell, _, _ in view(game.console.screen.rows)}
    assert min(rows) > 9
    assert 20 in rows


def test_a_tile_taken_back_does_not_return_with_the_view() -> None:
    game = Game()
    game.start()
    game.place("M14A", "M15A")
    game.console.type("U")
    game.console.wait(300)
    game.place(*(f"{column}13A" for column in "NOPQRSTU"))
    assert game.visible()["M15"] == 0


def test_a_tile_that_may_not_lie_there_is_told_why() -> None:
    game = Game()
    game.start(adjacent="Y")
    game.place("M20A")
    game.see("TAKEN, OR NOT BESIDE A TILE ")
    game.place("M14A", "M15A", "M12A")
    game.see("NOT BESIDE YOUR FIRST TILE ")


def test_results_are_kept_on_the_disk() -> None:
    game = Game()
    assert game.results() == ["NONE YET"]
    for _ in range(2):
        game.start()
        game.resign()
        game.answer(("PLAY AGAIN", "N"))
    rows = game.results()
    assert [row.split()[:3] for row in rows] == [["P2", "BEAT", "P1"]] * 2
    assert Game(image_of(game.console)).results() == rows


@pytest.mark.parametrize("trouble", ["protected", "full"])
def test_results_that_cannot_be_kept_do_not_stop_the_game(trouble: str) -> None:
    game = Game(
        full_disk(shipped("lambo").image, 0) if trouble == "full" else None,
        protected=trouble == "protected",
    )
    game.start()
    game.resign()
    game.see("RESULT NOT KEPT: DISK ERROR")
    game.answer(("PLAY AGAIN", "N"))
    assert len(game.results()) == 1
    assert game.console.error is None


def test_the_game_needs_no_disk() -> None:
    game = Game.without_disk()
    game.start()
    game.resign()
    game.see("RESULT NOT KEPT: DISK ERROR")
    game.see("PLAY AGAIN")


@pytest.mark.parametrize(
    ("kind", "adjacent", "most"), [(HARD, "N", 3), (HARD, "Y", 3), (EASY, "N", 3)]
)
def test_the_computer_answers_in_time(kind: str, adjacent: str, most: float) -> None:
    """Machine time of the turns of a match, tiles drawn and the view moved included."""
    game = Game()
    game.start(kind, kind, adjacent=adjacent, seed=1)
    game.see("THINKS")
    console = game.console
    seat, start, longest = "", 0.0, 0.0
    while "PLAY AGAIN" not in console.screen.text:
        console.wait(6)
        match = re.search(r"(LIGHT|DARK) +\w+ +\d OF", console.screen.text)
        if match and match[1] != seat:
            longest = max(longest, console.clock.seconds - start) if seat else 0.0
            seat, start = match[1], console.clock.seconds
    assert 1 < longest < most


def test_the_program_fits() -> None:
    assert shipped("lambo").program.memory.program_free >= 0
