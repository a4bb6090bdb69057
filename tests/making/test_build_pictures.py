"""The picture that stands while a game loads, on its own disk and on that of all games."""

from functools import cache
from pathlib import Path

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.collection import build_collection
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.making.manifest import Manifest, read_manifest
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.media.disk.image import DiskImage

SECONDS = (1.5, 2.0, 5.0, 8.0)


def seen(console: Console, since: float, until: str) -> dict[float, tuple[int, bytes]]:
    """Cells of the screen that are not blank, and the picture, so many seconds after `since`."""
    found: dict[float, tuple[int, bytes]] = {}

    def look(seconds: float) -> None:
        drawn = sum(cell != " " for row in console.screen.rows for cell in row)
        found[seconds] = drawn, console.screen.png()

    for seconds in SECONDS:
        at = round((since + seconds) * CPU_HZ)
        console.clock.schedule(at, lambda seconds=seconds: look(seconds))  # type: ignore[misc]
    assert console.run_until(until, seconds=60)
    return found


def title(game: Manifest) -> str:
    return "5 END" if game.model else "END"


@cache
def seen_alone(name: str) -> dict[float, tuple[int, bytes]]:
    """What a game shows from its own disk."""
    console = Console({"DSK1": shipped(name).image})
    console.boot()
    return seen(console, console.clock.seconds, title(find_game(name)))


@cache
def disk_of_all() -> bytes:
    """The disk of all games."""
    games = [shipped(name) for name in game_names()]
    return build_collection(games_root(), games).image.to_bytes()


@pytest.mark.parametrize("name", game_names())
def test_a_picture_stands_while_a_game_loads(name: str) -> None:
    assert (find_game(name).folder / "picture.xb").is_file()
    found = seen_alone(name)
    assert found[1.5][0] > 40
    assert found[5.0] == found[8.0]
    assert found[8.0][0] >= found[2.0][0] > 40


@pytest.mark.parametrize("number", range(1, len(game_names()) + 1))
def test_the_disk_of_all_games_shows_the_picture_of_the_game_chosen(number: int) -> None:
    name = game_names()[number - 1]
    console = Console({"DSK1": DiskImage.from_bytes(disk_of_all())})
    console.boot()
    assert console.run_until("0 END", seconds=20)
    console.machine.keyboard.press(str(number))
    found = seen(console, console.clock.seconds, title(find_game(name)))
    assert found[8.0] == seen_alone(name)[8.0]


SHOW = """
VSBW   EQU  >2020
       DEF  SHOW
SHOW   LWPI >2600
       LI   R0,{place}
       LI   R1,{cell}
       BLWP @VSBW
       LWPI >83E0
       B    *R11
       END
"""


def game_with_code(folder: Path, name: str, place: int) -> Manifest:
    """A game whose picture is one letter, its first, that machine code puts on the screen."""
    folder.mkdir()
    head = f'title = "{name}"\nversion = "1"\nprogram = "{name}"\ndisk = "{name}"\n'
    (folder / "game.toml").write_text(f'{head}source = "game.xb"\n')
    (folder / "game.xb").write_text(f'FOR I=1 TO 3000\nNEXT I\nPRINT "THIS IS {name}"\n')
    (folder / "picture.xb").write_text('CALL SHOW\nSUB SHOW ASM "show.a99"\nSUBEND\n')
    cell = (ord(name[0]) + 96) << 8
    (folder / "show.a99").write_text(SHOW.format(place=place, cell=cell))
    return read_manifest(folder)


def test_pictures_of_all_games_may_have_machine_code(tmp_path: Path) -> None:
    places = {"ALPHA": 40, "BETA": 75}
    games = [
        build_game(game_with_code(tmp_path / name.lower(), name, at)) for name, at in places.items()
    ]
    collection = build_collection(games_root(), games)
    for number, (name, place) in enumerate(places.items(), 1):
        console = Console({"DSK1": DiskImage.from_bytes(collection.image.to_bytes())})
        console.boot()
        assert console.run_until("0 END", seconds=20)
        console.tap(str(number))
        console.wait(300)
        assert console.screen.text.split("\n")[place // 32][place % 32] == name[0]
        assert console.run_until(f"THIS IS {name}", seconds=60)
        assert not console.error


def test_a_picture_with_machine_code_asks_for_the_expansion_first() -> None:
    console = Console({"DSK1": shipped("dicerack").image}, expansion=False)
    console.boot()
    assert console.run_until("DICE RACK NEEDS 32K MEMORY", seconds=20)
    assert not console.error
