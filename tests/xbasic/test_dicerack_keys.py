"""Dice Rack for its player: instructions, keys, the ladder, the Dealer's words and looks."""

import re

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import check_answers
from tests.xbasic.rackdriver import DROP_ALL, GAME, WON, Game, winning_keys
from ti99tools import Console
from ti99tools.hardware.machine.vdp import OFFSET, PATTERNS
from xbasic.dicerack.model import REMARKS, hand

FACE, EYES = 136, 40
"""The first characters of his face and of his eyes."""


def test_instructions_have_pages_and_lead_back() -> None:
    game = Game()
    game.answer(("5 END", "2"))
    for title in ("DICECRASH II: DICE RACK", "EACH DIE", "GATES, RED", "HANDS", "TIPS"):
        game.see(title)
        game.see("ANY KEY")
        game.console.type(" ")
    game.see("5 END")
    game.console.type("5")
    game.see("* READY *")


DICE = [(58, 41), (58, 89), (58, 137), (58, 185), (11, 41), (11, 89), (11, 137), (11, 185)]
"""Where the dice of the title lie: RACK on the floor, DICE on their gates."""


def test_the_title_is_whole_again_after_the_instructions() -> None:
    game = Game()
    hat = "".join(map(chr, range(128, 132)))
    game.see("SIT DOWN!")
    game.answer(("5 END", "2"), *[("PRESS ANY KEY", " ")] * 5, ("5 END", ""))
    game.console.wait(60)
    assert game.console.screen.rows[12][24:28] == hat
    assert [game.console.sprite(number) for number in range(1, 9)] == DICE


@pytest.mark.parametrize("start", ["LOADING", "5 END"])
def test_the_dice_of_the_title_fall_one_after_the_other(start: str) -> None:
    console = Console({"DSK1": shipped("dicerack").image})
    console.boot()
    assert console.run_until(start, seconds=60)
    seen: list[list[int]] = []
    for _ in range(80):
        console.wait(1)
        seen.append([console.sprite(number)[0] for number in range(1, 9)])
    falls = list(zip(*seen, strict=True))
    assert all(len(set(rows)) > 6 for rows in falls), "each is seen in many places"
    assert seen[-1] == [row for row, _ in DICE]
    landed = [
        rows[::-1].index(next(row for row in rows[::-1] if row != rows[-1])) for rows in falls
    ]
    assert landed == sorted(landed, reverse=True)
    assert landed[0] - landed[-1] > 20


@pytest.mark.parametrize("frames", [1, 9, 20, 33, 60])
def test_a_tap_while_the_dice_fall_is_taken(frames: int) -> None:
    game = Game()
    game.console.wait(frames)
    game.console.tap("3")
    game.see("NOBODY YET")


def test_a_key_that_is_held_while_the_title_comes_is_no_answer() -> None:
    game = Game()
    game.console.type("2")
    game.see("PRESS ANY KEY")
    game.answer(*[("PRESS ANY KEY", " ")] * 4, ("PRESS ANY KEY", ""))
    game.console.press("3", hold=600)
    game.console.wait(300)
    assert "5 END" in game.console.screen.text


def test_remarks_are_as_many_as_the_log_knows_and_fit_a_row() -> None:
    text = (GAME.folder / "dealer.xb").read_text("utf-8")
    kinds = [
        re.findall(r'^DATA "(.*)"$', part, re.MULTILINE)
        for part in re.split(r"^! \d+ ", text, flags=re.MULTILINE)[1:]
    ]
    counts = [int(number) for number in re.findall(r"^said\d+: DATA (\d+)$", text, re.MULTILINE)]
    kinds[-1] = kinds[-1][: counts[-1]]  # the names of the hands follow
    assert [len(remarks) for remarks in kinds] == counts == list(REMARKS.values())
    remarks = [remark for kind in kinds for remark in kind]
    assert len(set(remarks)) == len(remarks)
    drawn = set('"#$%&()*+/;<=>@[\\]^_')
    assert all(len(remark) <= 28 and not drawn & set(remark) for remark in remarks)
    assert all(remark == remark.upper() for remark in remarks), "dice are in the small letters"


@pytest.mark.parametrize("logged", [False, True])
def test_any_key_is_answered_within_a_second(logged: bool) -> None:
    """Machine time from the key to the sound or picture that answers it."""
    game = Game()
    if logged:
        game.log_on()
    game.play(474335, "C H M R ")
    check_answers(game.console, ("X", "ENTER", "1", " ", ",", "?", "S", ".", "C", "A", " "), 600)


def test_gates_at_the_first_question_leave_the_die_where_it_is() -> None:
    game = Game()
    game.log_on()
    game.play(3035, "S")
    game.see("SHIFT ,.  ENTER DROP")
    assert game.rack() == ["00000"] * 5
    game.console.type("D")  # no second gate
    game.console.type(",")
    game.console.wait(300)
    assert game.rack() == ["04000", "00000", "00000", "00000", "00000"]
    game.console.type("." + "D")
    game.console.type(" " * 23)
    game.see("PLAY AGAIN")
    log = [line for line in game.log() if line.split()[0] in ("GATE", "SHIFT", "REFUSED")]
    assert log == ["GATE S 1", "REFUSED 68", "SHIFT L 2", "SHIFT R 3", "GATE D 1"]


def test_the_sums_so_far() -> None:
    game = Game()
    game.log_on()
    game.play(3035, "C C  ,")
    game.console.wait(600)
    rows = game.rack()
    game.console.type("1")
    game.console.wait(600)
    lines = [[int(die) for die in str(row)] for row in rows]
    across = sum(map(hand, lines))
    down = sum(map(hand, zip(*lines, strict=True)))
    row, keys = game.console.screen.rows[19], game.console.screen.rows[21]
    shown = row.replace("=", " = ").split()
    assert shown == ["DOWN", str(down), "ACROSS", str(across), "=", str(down - across)]
    game.console.press("BACK")
    game.see("LEAVE THE MATCH?")
    game.console.wait(60)
    assert game.console.screen.rows[21].strip() == "LEAVE THE MATCH? Y OR N"
    game.console.type("N")
    game.console.wait(60)
    assert (game.console.screen.rows[19], game.console.screen.rows[21]) == (row, keys)
    game.console.type(" " * 22)
    game.see("PLAY AGAIN")
    assert not any(line.startswith("REFUSED") for line in game.log())


def test_back_leads_out_of_a_match_and_closes_its_log() -> None:
    game = Game()
    game.log_on()
    game.play(5, "  ")
    for key, text in (("N", "SHIFT ,"), ("Y", "5 END")):
        game.console.wait(60)
        game.console.press("BACK")
        game.see("LEAVE THE MATCH?")
        game.console.type(key)
        game.see(text)
    assert game.log()[-2:] == ["LEFT", "END"]
    game.play(6, DROP_ALL)
    game.see("PLAY AGAIN")
    assert game.log().count("END") == 2
    assert game.console.error is None


def test_the_ladder_rises() -> None:
    game = Game()
    game.log_on()
    keys, _ = winning_keys(WON)
    game.answer(("5 END", "6"), ("SEED?", f"{WON}\n"), ("SHIFT ,", keys), ("ANOTHER ROUND?", "Y"))
    game.answer(("SHIFT ,", DROP_ALL), ("NAME?", "\n"))
    game.see("PLAY AGAIN")
    log = game.log()
    assert log[2] == "LADDER 20"
    first, second = (line.split() for line in log if line.startswith("ROUND"))
    assert int(first[3]) == 100 + int(first[2])
    assert int(second[3]) == 120 + int(second[2])


@pytest.mark.parametrize(("more", "least", "most"), [("", 15, 25), (" ", 5, 12)])
def test_a_key_hurries_the_tally(more: str, least: float, most: float) -> None:
    game = Game()
    game.play(WON, winning_keys(WON)[0])
    game.see("DOWN 1")
    start = game.console.clock.seconds
    for _ in range(9 * len(more)):  # in the pauses, where nobody is asked
        game.console.tap(more, hold=8, gap=22)
    game.see("YOU MADE")
    assert least < game.console.clock.seconds - start < most


def test_the_dealer_shows_what_he_thinks() -> None:
    """His face while he talks about a drop is that of his mood, and his mouth moves."""
    game = Game()
    keys, _ = winning_keys(7)
    game.play(7, "")
    faces = set()
    at = PATTERNS + 8 * (FACE + OFFSET)
    for key in keys:
        game.console.type(key)
        for _ in range(30):
            game.console.wait(20)
            faces.add(bytes(game.console.machine.vdp.ram[at : at + 32]))
    assert len(faces) >= 6


def drawn(name: str) -> bytes:
    """A drawing of four characters in prepare.xb, as a sprite has them."""
    source = (GAME.folder / "prepare.xb").read_text("utf-8")
    rows = source.split(f"#art {name} SPRITE\n")[1].split("#end")[0].splitlines()
    halves = ["".join(row.split()[side] for row in rows) for side in (0, 1)]
    bits = "".join(halves).replace("X", "1").replace(".", "0")
    return int(bits, 2).to_bytes(32, "big")


@pytest.mark.parametrize(("seed", "keys", "face"), [(WON, None, "ANGRY"), (14, DROP_ALL, "GLAD")])
def test_he_is_angry_when_the_goal_is_reached_and_glad_when_not(
    seed: int, keys: str | None, face: str
) -> None:
    game = Game()
    game.play(seed, keys or winning_keys(seed)[0])
    game.see("YOU MADE")
    game.console.wait(30)
    for name, first in ((f"{face}$", FACE), (f"{face}EYES$", EYES)):
        at = PATTERNS + 8 * (first + OFFSET)
        assert bytes(game.console.machine.vdp.ram[at : at + 32]) == drawn(name), name
