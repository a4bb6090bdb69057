"""How Dice Rack looks and sounds: whole texts, rows that do not touch, the glove, sound off."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from tests.shipped import shipped
from tests.xbasic.rackdriver import DROP_ALL, GAME, WON, Game, winning_keys
from ti99tools.app.build import fast_disk
from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.hardware.machine.vdp import OFFSET, PATTERNS
from ti99tools.media.disk.image import DiskImage
from xbasic.dicerack.builder import builder
from xbasic.dicerack.model import DiceRack

COLUMNS, ROWS = 32, 24
DRAWN = {35, 40, 41, 42, 43, 59, 60, 62}
"""Characters below the small letters that are no text."""
LOOKS = 25
"""Frames between two looks."""
SILENT = 0x0F


def touching(game: Game) -> Iterator[tuple[int, int]]:
    """Row and column of each letter whose dots touch those of the row below or above."""
    ram = game.console.machine.vdp.ram
    cells = [ram[at] - OFFSET for at in range(COLUMNS * ROWS)]
    for at in range(COLUMNS * (ROWS - 1)):
        above, below = cells[at], cells[at + COLUMNS]
        if not any(32 < code < 91 and code not in DRAWN for code in (above, below)):
            continue
        last = ram[PATTERNS + 8 * (above + OFFSET) + 7]
        first = ram[PATTERNS + 8 * (below + OFFSET)]
        if first & (last | last << 1 | last >> 1):
            yield divmod(at, COLUMNS)


def looks(game: Game, keys: str, most: int) -> list[tuple[int, int]]:
    """What touches while these keys are pressed, and so many frames after each."""
    found: list[tuple[int, int]] = []
    for key in keys:
        game.console.type(key)
        for _ in range(most // LOOKS):
            game.console.wait(LOOKS)
            found += touching(game)
    return found


@pytest.mark.parametrize("seed", [WON, 7])
def test_no_letter_touches_another_row(seed: int) -> None:
    game = Game()
    game.see("SIT DOWN!")
    assert list(touching(game)) == []
    game.console.type("1")
    game.see("SEED?")
    assert list(touching(game)) == []
    game.answer(("SEED?", f"{seed}\n"), ("SHIFT ,", ""))
    keys, _ = winning_keys(seed)
    assert looks(game, keys, 100) == []
    for _ in range(60):
        game.console.wait(LOOKS)
        assert list(touching(game)) == []


def test_the_check_finds_letters_that_touch() -> None:
    game = Game()
    game.answer(("5 END", "1"), ("SEED?", "7\n"), ("SHIFT ,", DROP_ALL), ("ACROSS", ""))
    ram = game.console.machine.vdp.ram
    for letter in range(65, 91):
        at = PATTERNS + 8 * (letter + OFFSET)
        ram[at] = ram[at + 7] = 0x18
    assert any(row == 0 for row, _ in touching(game)), "DOWN stands above ACROSS"


@cache
def texts() -> dict[int, re.Pattern[str]]:
    """What may stand in a row of text during a match, by its number from 1."""
    source = (GAME.folder / "dealer.xb").read_text("utf-8")
    texts = [re.escape(text) for text in re.findall(r'DATA "(.*)"$', source, re.MULTILINE)]
    hands, other_texts = "|".join(texts[88:]), texts[:88]
    remarks = "|".join(other_texts[:80]) + f"|({hands})({'|'.join(other_texts[80:])})"
    other = r"LET US COUNT, SHALL WE\?|THE GAME IS OVER|NUMBER \d IN MY HALL OF FAME!"
    keys = r"SHIFT ,\. GATE A-T ENTER STAY|GATE A-T  ENTER DROP  1 SUM|SHIFT ,\.  ENTER DROP"
    sums = r"DOWN -?\d+ +ACROSS -?\d+ += -?\d+"
    tally = rf"(DOWN|ACROSS) \d ({hands})|YOU MADE -?\d+ OF \d+|ANOTHER ROUND\? Y OR N"
    match = r"GAME \d+(: SHUFFLING[ .]*| \w{4} \w{4} \w{4})|HIGH SCORE! NAME\? *\w*"
    total = r"ROUND \d+( +LAST -?\d+)?( +TOTAL \d+)?"  # one after the other
    rows = {
        20: f"{remarks}|{other}|{sums}",
        22: f"{keys}|{tally}|{match}",
        24: rf"{total}|PLAY AGAIN\? Y/N +TOTAL \d+",
    }
    return {row: re.compile(f"({text})?") for row, text in rows.items()}


def clipped(game: Game) -> list[str]:
    """Rows of text in a match that are no whole text."""
    shown = game.console.screen.rows
    rows = {row: shown[row - 1].strip() for row in texts()}
    return [text for row, text in rows.items() if not texts()[row].fullmatch(text)]


MOST_ROUNDS = 6
"""Of a match that is looked at."""


def rounds(seed: int) -> list[str]:
    """Keys of a match of a good player, those of each round."""
    match = Match(DiceRack(Setup(seed, (Player("H", "PLAYER"),))))
    random, found = Random(seed), [""]
    while match.ask is not None:
        asked = ord("Y") in match.ask.keys
        if asked and len(found) == MOST_ROUNDS:
            key = ord("N")
        else:
            key = builder(match.model, match.ask, random)
        if asked and key == ord("Y"):
            found.append("")
        found[-1] += "\n" if key == ENTER else chr(key)
        match.press(key)
    return found


def faults_seen(seed: int) -> list[object]:
    """What is clipped or touches in the match of a seed: from the fast disk, or from the other."""
    built = shipped("dicerack")
    disk = fast_disk(built) if seed % 2 else built.image
    game = Game(DiskImage.from_bytes(disk.to_bytes()))
    game.answer(("SIT DOWN!", "1"), ("SEED?", f"{seed}\n"), ("SHIFT ,", ""))
    found: list[object] = []
    for keys in rounds(seed):
        game.console.type(keys)
        still, before = 0, ""
        while still < SETTLED:
            game.console.wait(LOOKS)
            found += clipped(game)
            found += touching(game)
            now = game.console.screen.text
            still = still + 1 if now == before else 0
            before = now
    assert re.search(r"NAME\?|PLAY AGAIN\?", game.console.screen.text), game.console.screen.text
    game.console.type("\n")
    game.see("PLAY AGAIN?")
    return [*found, *clipped(game), *touching(game)]


SETTLED = 24
"""Looks without a change after which nothing but a question can follow."""


@pytest.mark.parametrize("seed", range(4))
def test_all_texts_of_a_match_are_whole_and_touch_no_other(seed: int) -> None:
    assert faults_seen(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 204))
def test_all_texts_of_many_matches_are_whole_and_touch_no_other(seed: int) -> None:
    assert faults_seen(seed) == []


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (20, "THE HOUSE WINS! SUPPER TIME"),
        (22, "SHIFT ,. GATE A-T ENTER STA"),
        (24, "LAST 450TOTAL 1"),
    ],
)
def test_the_check_finds_a_text_that_is_clipped(row: int, text: str) -> None:
    game = Game()
    game.play(WON, "")
    assert clipped(game) == []
    ram = game.console.machine.vdp.ram
    ram[32 * (row - 1) : 32 * row] = bytes(ord(c) + OFFSET for c in f"  {text:30}")
    assert clipped(game) == [text]


@pytest.mark.parametrize("key", ["2", "3"])
def test_the_dealer_leaves_the_title_with_it(key: str) -> None:
    game = Game()
    game.answer(("SIT DOWN!", key), ("PRESS ANY KEY", ""))
    assert game.console.sprite(3) == game.console.sprite(4) == (0, 0)


def test_remarks_about_hands_fit_a_row() -> None:
    text = (GAME.folder / "dealer.xb").read_text("utf-8")
    texts = re.findall(r'DATA "(.*)"$', text, re.MULTILINE)
    hands, remarks = texts[88:], texts[80:88]
    assert len(hands) == 9
    assert len(remarks) == 8
    assert max(map(len, hands)) + max(map(len, remarks)) <= 28


def test_the_glove_walks_over_columns_and_rows() -> None:
    game = Game()
    game.play(WON, winning_keys(WON)[0])
    game.see("LET US COUNT")
    places = set()
    while "YOU MADE" not in game.console.screen.text:
        game.console.wait(10)
        places.add(game.console.sprite(1))
    assert {(1, 24 * column + 1) for column in range(1, 6)} <= places
    assert {(24 * row - 7, 145) for row in range(1, 6)} <= places


def test_no_sprite_is_in_motion_but_the_coins_of_who_has_won() -> None:
    game = Game()
    game.play(WON, winning_keys(WON)[0])
    served, sprites = set(), game.console.machine.sprites
    while "ANOTHER ROUND" not in game.console.screen.text:
        served.add(sprites.moving)
        game.console.wait(10)
    assert max(served) == 5, "the routine of the console serves all up to the highest that moves"
    assert sprites.moving == 0
    assert game.console.sprite(3) == (97, 201)
    assert game.console.sprite(5) == (0, 0)


@pytest.mark.parametrize("off", [True, False])
def test_sound_can_be_switched_off(off: bool) -> None:
    game = Game()
    game.see("7 SOUND: ON")
    if off:
        game.console.tap("7")
        game.see("7 SOUND: OFF")
    game.answer(("5 END", "1"), ("SEED?", "3035\n"), ("SHIFT ,", ""))
    game.console.wait(60)
    before = len(game.console.sound.written)
    game.console.type("CX 1")
    game.console.wait(300)
    volumes = [byte for byte in game.console.sound.written[before:] if byte & 0x90 == 0x90]
    heard = [byte for byte in volumes if byte & 0x0F != SILENT]
    assert bool(heard) is not off
    assert volumes
