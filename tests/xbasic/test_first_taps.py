"""From the moment that a menu can be read its keys count: no tap is lost before the first look."""

from __future__ import annotations

import pytest

from tests.shipped import shipped
from ti99tools import Console, DiskImage
from ti99tools.games.making.finding import game_names, games_root
from ti99tools.games.making.keeping import kept_collection

SHORT = 4
"""Frames of a short tap: 67 ms."""
NAMES = game_names()
LAST = {"dicerack": "5 END"}
"""What a title shows last, if that is not `1 PLAY`."""


def menu_of_all() -> DiskImage:
    built = kept_collection(games_root(), [shipped(name) for name in NAMES])
    return DiskImage.from_bytes(built.image.to_bytes())


def rows_after_tap(disk: DiskImage, menu: str, key: str, after: int) -> list[str]:
    """What the screen shows after a short tap, `after` frames after the menu's text."""
    console = Console(disks={"DSK1": disk}, max_seconds=60)
    console.boot()
    assert console.run_until(text=menu)
    console.wait(after)
    console.tap(key, hold=SHORT, gap=90)
    return console.screen.rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("after", [0, 1])
def test_the_first_tap_at_a_title_counts(name: str, after: int) -> None:
    rows = rows_after_tap(shipped(name).image, LAST.get(name, "1 PLAY"), "1", after)
    assert not any("1 PLAY" in row for row in rows)


@pytest.mark.parametrize("after", [0, 2])
def test_the_first_tap_at_the_menu_of_all_games_counts(after: int) -> None:
    rows = rows_after_tap(menu_of_all(), "OR ARROWS", "2", after)
    assert not any("OR ARROWS" in row for row in rows) or "ONE MOMENT!" in rows[21]
