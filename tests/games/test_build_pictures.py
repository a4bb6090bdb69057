"""The picture that stands while a game loads, on its own disk and on that of all games."""

import pytest

from ti99tools import Console
from ti99tools.disk.image import DiskImage
from ti99tools.games.artefacts import Built, build_game
from ti99tools.games.collection import build_collection
from ti99tools.games.finding import find_game, game_names, games_root
from ti99tools.machine.clock import CPU_HZ

GAMES = [build_game(find_game(name)) for name in game_names()]
SECONDS = (1.0, 2.0, 5.0, 8.0)


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


def title(game: Built) -> str:
    return "5 END" if game.manifest.model else "END"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_picture_stands_from_the_first_second_of_loading_on(game: Built) -> None:
    assert (game.manifest.folder / "picture.xb").is_file()
    console = Console({"DSK1": DiskImage.from_bytes(game.image.to_bytes())})
    console.boot()
    found = seen(console, console.clock.seconds, title(game))
    assert found[1.0][0] > 40
    assert found[5.0] == found[8.0] and found[8.0][0] >= found[2.0][0] > 40


@pytest.mark.parametrize("number", range(1, len(GAMES) + 1))
def test_the_disk_of_all_games_shows_the_picture_of_the_game_chosen(number: int) -> None:
    own = Console({"DSK1": DiskImage.from_bytes(GAMES[number - 1].image.to_bytes())})
    own.boot()
    wanted = seen(own, own.clock.seconds, title(GAMES[number - 1]))[8.0]
    built = build_collection(games_root(), GAMES)
    console = Console({"DSK1": DiskImage.from_bytes(built.image.to_bytes())})
    console.boot()
    assert console.run_until("0 END", seconds=20)
    console.machine.keyboard.press(str(number))
    found = seen(console, console.clock.seconds, title(GAMES[number - 1]))
    assert found[8.0] == wanted
