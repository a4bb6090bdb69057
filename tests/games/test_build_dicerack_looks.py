"""How Dice Rack looks and sounds: rows that do not touch, the glove that counts, sound off."""

import re
from collections.abc import Iterator

import pytest

from tests.games.rackdriver import GAME, WON, Game, winning_keys
from ti99tools.hardware.machine.vdp import OFFSET, PATTERNS

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
    game.see("SIT DOWN!")
    ram = game.console.machine.vdp.ram
    for letter in range(65, 91):
        at = PATTERNS + 8 * (letter + OFFSET)
        ram[at] = ram[at + 7] = 0x18
    assert any(row == 20 for row, _ in touching(game)), "SIT DOWN! and V1.1"


@pytest.mark.parametrize("key", ["2", "3"])
def test_the_dealer_leaves_the_title_with_it(key: str) -> None:
    game = Game()
    game.answer(("SIT DOWN!", key), ("PRESS ANY KEY", ""))
    assert game.console.sprite(3) == game.console.sprite(4) == (0, 0)


def test_remarks_about_hands_fit_a_row() -> None:
    text = (GAME.folder / "dealer.xb").read_text("utf-8")
    hands = re.findall(r'^HA\$\(\d\)="(.*)"$', text, re.MULTILINE)
    said = re.findall(r'^SY\$\(8[1-8]\)="(.*)"$', text, re.MULTILINE)
    assert len(hands) == 9 and len(said) == 8
    assert max(map(len, hands)) + max(map(len, said)) <= 28


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
    assert bool(heard) is not off and volumes
