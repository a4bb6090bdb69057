"""Dimraw on the console: the rules' vectors, cursor and joystick, disks in trouble, times.

Whole matches are compared with the rules by `ti99tools verify`; here is what that does not reach.
"""

import re
from collections.abc import Iterable

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import DrivenGame, check_answers, full_disk, image_of
from ti99tools.app.debug.debugging import names_in_program
from ti99tools.app.twin_proof import Harness
from ti99tools.games.making.finding import find_game
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.loading import adapter
from ti99tools.media.disk.tifile import DiskFile
from xbasic.dimraw.model import MILLS, NEIGHBOURS, POINTS, STRAIGHT, straight_on

GAME = find_game("dimraw")
ADAPTER = adapter("dimraw")
SETUP = Setup(0, (Player("H", "WHITE"), Player("H", "RED")), {})
HUMANS, COMPUTERS = "33", "113"
"""Keys of the page of a new match: red is a person, too; both are HARD."""


class Game(DrivenGame):
    """The game on a console, driven by what it shows."""

    NAME = "dimraw"
    READY = "VERSION"
    LOG = "DIMRAWLOG"
    SECONDS = 1e6

    def start(self, chosen: str = HUMANS, seed: int | str = 1) -> None:
        self.answer(("1 PLAY", "1"), ("ENTER BEGINS", f"{chosen}\n"), ("SEED?", f"{seed}\n"))

    def play(self, points: str) -> None:
        """Points named by their letters."""
        self.see("PLACE A MAN")
        self.console.type(points)
        self.console.wait(120)

    def resign(self) -> None:
        self.console.press("BACK")
        self.console.type("Y")
        self.see("PLAY AGAIN")

    def visible(self, name: str) -> object:
        """A number on the screen, as verification reads it."""
        return ADAPTER.shown(self.console.screen.rows, SETUP)[name]

    def results(self) -> list[str]:
        self.answer(("1 PLAY", "3"))
        self.see("ANY KEY")
        self.console.wait(60)
        rows = [row.strip() for row in self.console.screen.rows]
        self.console.type(" ")
        return [row for row in rows if "BEAT" in row or "DREW" in row or "NONE" in row]


BEFORE = 'DIM B(19)\nOP,P,RA,RB,F,T,N,J=0\nH$=""'
BOARD = "CALL BOARD(OP,P,RA,RB,B(),F,T,N,J,H$)"


def letters(points: Iterable[int]) -> str:
    return "".join(chr(65 + point) for point in sorted(points))


@pytest.mark.parametrize("native", [False, True])
def test_the_board_is_that_of_the_rules(native: bool) -> None:
    """Neighbours, mills, and what lies straight beside a mill, of the SUB and of its twin."""
    harness = Harness(GAME.folder / "board.xb", BEFORE, BOARD, native=native)

    def found(men: Iterable[int], **given: int) -> tuple[object, ...]:
        board = {f"B({point})": 2 * (point in men) for point in POINTS}
        return harness.run({**board, "P": 2, "RA": 1, "RB": 1, **given}, ("N", "J", "H$"))

    for point in POINTS:
        assert found({point}, OP=4, F=point)[2] == letters(NEIGHBOURS[point])
    for number, mill in enumerate(MILLS):
        assert found(mill, OP=1, F=20, T=mill[number % 3]) == (1, 0, letters(mill))
    for mill in STRAIGHT:
        for point in set(POINTS) - set(mill):
            near = (other for other in NEIGHBOURS[point] if straight_on(point, other))
            beside = sum(other in mill for other in near)
            away = next(other for other in POINTS if other not in (*mill, point))
            count, taking, marked = found({*mill, away}, OP=1, F=point, T=away)
            assert taking == beside
            if not count:
                assert marked == (letters(mill) if beside else "")


def test_a_mill_takes_a_man_and_is_shown_with_rings() -> None:
    game = Game()
    game.start()
    game.play("BTEQG")
    game.see("WHITE: TAKE A MAN OFF")
    rows = game.console.screen.rows
    assert [rows[18][11], rows[15][11], rows[12][8]] == ["t"] * 3, "B, E and G have rings"
    game.console.type("A")
    game.console.wait(60)
    game.console.type("T")
    game.see("RED: PLACE A MAN")
    game.console.wait(60)
    assert game.console.screen.rows[18][11] == "p"
    assert game.visible("board") == "01001010000000002000"
    assert (game.visible("hand of player 1"), game.visible("men taken by player 1")) == ("9", "1")


def test_cursor_and_joystick_name_points() -> None:
    game = Game()
    game.start()
    game.see("PLACE A MAN")
    console = game.console
    for key in ("RIGHT", "UP"):
        console.press(key)
        console.wait(30)
    assert console.screen.rows[17][23:30] == "POINT E"
    console.press("ENTER")
    game.see("RED: PLACE")
    for x, y in ((-4, 0), (0, 4), (4, 0), (0, -4)):
        console.joystick(1, x=x, y=y)
        console.wait(60)
        console.joystick(1)
        console.wait(60)
    assert console.screen.rows[17][23:30] == "POINT D", "D, J, G and down again"
    console.joystick(1, fire=True)
    console.wait(60)
    console.joystick(1)
    game.see("WHITE: PLACE")
    assert game.visible("board") == "00021000000000000000"
    console.type("Q")
    game.see("RED: PLACE")
    assert game.visible("board") == "00021000000000001000", "Q is no button"


def test_a_stick_that_is_held_moves_once() -> None:
    game = Game()
    game.start()
    game.see("PLACE A MAN")
    game.console.joystick(1, x=4)
    game.console.wait(240)
    assert game.console.screen.rows[17][23:30] == "POINT B"


def test_the_arrows_go_round_the_enemy_men() -> None:
    game = Game()
    game.start()
    game.play("BTEQG")
    game.see("TAKE A MAN OFF")
    letters = []
    for key in ("RIGHT", "UP", "LEFT", "DOWN"):
        letters.append(game.console.screen.rows[17][29])
        game.console.press(key)
        game.console.wait(60)
    assert letters == ["Q", "T", "Q", "T"]


def test_two_matches_give_two_complete_logs_in_one_file() -> None:
    game = Game()
    game.log_on()
    game.start(seed=12)
    game.play("A")
    game.resign()
    game.answer(("PLAY AGAIN", "Y"), ("SEED?", "13\n"))
    game.play("B")
    game.resign()
    lines = game.log()
    first = lines.index("END")
    head = ["TI99LOG 1 DIMRAW 1.0", "SEED 12", "OPTIONS 12 16 4 OPEN", "PLAYER 1 H WHITE"]
    assert lines[:4] == head
    assert lines[first + 1 : first + 3] == ["TI99LOG 1 DIMRAW 1.0", "SEED 13"]
    assert lines[first - 3 : first] == ["BACK", "RESIGN", "WIN 1 RESIGNED"]
    assert lines[-1] == "END"
    assert lines.count("END") == 2


def test_a_blank_seed_is_picked_shown_and_logged() -> None:
    game = Game()
    game.log_on()
    game.start(seed="")
    shown = game.console.run_until(text="SEED ", seconds=10)
    match = re.search(r"SEED (\d+)", game.console.screen.text)
    assert shown
    assert match is not None
    game.see("PLACE A MAN")
    game.resign()
    assert game.log()[1] == f"SEED {match[1]}"


def test_names_are_taken_and_blank_ones_come_back() -> None:
    game = Game()
    game.start("2ANNA\n4BOB\n33")
    game.see("ANNA: PLACE A MAN")
    assert game.visible("name of player 2") == "BOB"
    game.resign()
    game.console.type("N")
    game.start("2\n31")
    game.see("EASY IS THINKING")
    assert game.visible("name of player 1") == "EASY"


@pytest.mark.parametrize("name", ["DSK1.DIMRAWLOG", "DSK2.NONE"])
def test_a_log_that_cannot_be_opened_is_said_once_and_the_match_goes_on(name: str) -> None:
    game = Game(protected=True)
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
    game.console.press("ERASE")
    game.console.type(f"{name}\n")
    game.start()
    game.see("NO PLAY LOG: DISK ERROR")
    game.play("ABC")
    assert game.visible("board") == "12100000000000000000"
    game.resign()
    game.console.type("N")
    game.see("PLAY LOG: OFF")
    assert game.console.error is None


def test_results_are_kept_on_the_disk_the_last_six() -> None:
    game = Game()
    assert game.results() == ["NONE YET"]
    for number in range(7):
        game.start(f"2A{number}\n" + (HUMANS if number == 0 else ""))
        game.see("PLACE A MAN")
        game.resign()
        game.console.type("N")
    rows = game.results()
    assert rows[0].split() == ["7", "RED", "BEAT", "A6"]
    assert len(rows) == 6
    again = Game(image_of(game.console))
    assert again.results() == rows
    file = image_of(again.console).read("DIMRAWRES")
    assert (file.type.label, len(file.records)) == ("DIS/VAR", 6)


@pytest.mark.parametrize("trouble", ["protected", "full", "another file"])
def test_results_that_cannot_be_kept_do_not_stop_the_game(trouble: str) -> None:
    image = full_disk(shipped("dimraw").image, 0) if trouble == "full" else shipped("dimraw").image
    if trouble == "another file":
        image.add(DiskFile.display_var("DIMRAWRES", (b"HELLO",)))
    game = Game(image, protected=trouble == "protected")
    game.start()
    game.see("PLACE A MAN")
    game.console.press("BACK")
    game.console.type("Y")
    if trouble != "another file":
        game.see("RESULT NOT SAVED: DISK ERROR")
    game.see("PLAY AGAIN")
    game.console.type("N")
    assert [row.split()[1:] for row in game.results()] == [["RED", "BEAT", "WHITE"]]
    assert game.console.error is None


def test_the_game_needs_no_disk() -> None:
    game = Game.without_disk()
    game.start()
    game.see("PLACE A MAN")
    game.console.press("BACK")
    game.console.type("Y")
    game.see("RESULT NOT SAVED: DISK ERROR")
    game.see("PLAY AGAIN")


def test_instructions_have_pages_and_lead_back() -> None:
    game = Game()
    game.answer(("1 PLAY", "2"))
    for title in ("DIMRAW", "MILLS", "BENT MILLS", "KEYS", "CREDITS"):
        game.see("ANY KEY")
        assert title in game.console.screen.rows[1]
        game.console.type(" ")
        game.console.wait(60)
    game.see("VERSION")
    game.console.type("5")
    game.see("* READY *")


@pytest.mark.parametrize("logged", [False, True])
def test_any_key_is_answered_within_a_second(logged: bool) -> None:
    """Machine time from the key to the sound or picture that answers it."""
    game = Game()
    if logged:
        game.log_on()
    game.start()
    game.see("PLACE A MAN")
    keys = ("X", "RIGHT", "A", "A", "B", "UP", "ENTER", "1", "BACK", "?", "N", "T", "Q")
    check_answers(game.console, keys, 400)


def test_the_computer_answers_in_time() -> None:
    """Machine time of a whole match between two HARD players: turns, men taken included."""
    game = Game()
    game.start(COMPUTERS, seed=3)
    game.see("THINKING")
    console = game.console
    names = names_in_program("dimraw")[0][""]
    turn_number, player = (names.get(name, name) for name in ("TN", "P"))
    turn, start, longest = (0, 0), console.clock.seconds, 0.0
    while "PLAY AGAIN" not in console.screen.text:
        console.wait(10)
        numbers = console.variables
        now = (int(str(numbers[turn_number])), int(str(numbers[player])))
        if now != turn:
            longest = max(longest, console.clock.seconds - start) if turn[0] else 0.0
            turn, start = now, console.clock.seconds
    assert 1 < longest < 8


def test_the_program_fits() -> None:
    assert shipped("dimraw").program.memory.program_free >= 0
