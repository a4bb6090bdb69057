"""Make the pictures of README and of the site: the tutorial's game, and the four games.

    python docs/pictures.py

Each game is built, started from its disk and played on the embedded console by the players of
`verify`, with fixed seeds, so that the pictures change when the games do, and only then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ti99tools import Console, DiskImage, Program
from ti99tools.app.run_output import record, write_animation, write_picture
from ti99tools.computer.console.player import ScriptPlayer as Hands
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.scenario import POLICIES, key_steps

FOLDER = Path(__file__).parent / "pictures"
SHOP = Path(__file__).parents[1] / "ti99tools" / "fronts" / "web" / "page" / "pictures"
"""The moving pictures of the studio's opening page, each with a still one."""
MOST_SECONDS = 5000.0
"""Machine time of a session, at most."""
THOUGHT = 18
"""Frames that a human takes before a key."""
MOST_BYTES = 1_000_000
"""What README's animation may have."""


@dataclass(frozen=True)
class Sitting:
    """A game with its players, and how many seconds of play come before the picture."""

    game: str
    setup: Setup
    seconds: float
    policy: str = "steady"
    film: float = 0
    """Seconds of an animation that begins `seconds` after the first key."""
    most_keys: int = 400


TWO_COMPUTERS = (Player("C", "ANNA"), Player("C", "BOB"))
OPEN_BOARD = Setup(17, TWO_COMPUTERS, {"men": "12/16", "capture": "4", "full": "OPEN"})
SITTINGS = (
    Sitting("dicerack", Setup(1983, (Player("H", "PLAYER"),)), 0, "builder", film=40),
    Sitting("dicerack", Setup(1983, (Player("H", "PLAYER"),)), 40, "builder"),
    Sitting("d5000", Setup(4711, (Player("H", "ANNA"), Player("A", "ADA"))), 150),
    Sitting("lambo", Setup(22, TWO_COMPUTERS), 420),
    Sitting("dimraw", OPEN_BOARD, 110),
)


WINDOW = (
    Sitting("dicerack", Setup(1983, (Player("H", "PLAYER"),)), 0, "builder", film=30),
    Sitting("d5000", Setup(4711, (Player("H", "ANNA"), Player("A", "ADA"))), 8, film=22),
    Sitting("lambo", Setup(22, TWO_COMPUTERS), 15, film=30),
    Sitting("dimraw", OPEN_BOARD, 60, film=22),
)
"""What is seen in the shop window."""


def keys_of(game: Adapter, sitting: Sitting) -> list[int]:
    """What the human of a sitting presses, found by playing the model."""
    random = Random(sitting.game)
    match = Match(game.model(sitting.setup))
    own = game.players.get(sitting.policy)
    found: list[int] = []
    while match.ask is not None and len(found) < sitting.most_keys:
        if own is not None:
            found.append(own(match.model, match.ask, random))
        else:
            found.append(POLICIES[sitting.policy](match.ask, random))
        match.press(found[-1])
    return found


def play(sitting: Sitting, folder: Path = FOLDER, rate: int = 12, scale: int = 2) -> Path:
    """Play as far as the picture, and write it; the file."""
    game = adapter(sitting.game)
    image = build_game(find_game(sitting.game)).image
    console = Console({"DSK1": DiskImage.from_bytes(image.to_bytes())}, max_seconds=MOST_SECONDS)
    console.boot()
    hands = Hands(console, MOST_SECONDS)
    assert hands.follow(game.opening(sitting.setup)).done, f"{sitting.game}: {console.screen.text}"
    keys = keys_of(game, sitting)
    if keys:
        assert hands.follow(key_steps(keys[:1])).done
    begun = console.clock.seconds

    def left(seconds: float) -> float:
        return begun + seconds - console.clock.seconds

    def go(keys: list[int], seconds: float) -> list[int]:
        """Press keys until so much time has passed since the first one; those left over."""
        while keys and left(seconds) > 0:
            console.wait(THOUGHT)
            assert hands.follow(key_steps(keys[:1])).done, f"{sitting.game}: {console.screen.text}"
            keys = keys[1:]
        if left(seconds) > 0:
            console.wait(int(60 * left(seconds)))
        return keys

    keys = go(keys[1:], sitting.seconds)
    still = folder / f"{sitting.game}.png"
    if not sitting.film:
        write_picture(console, still, scale)
        return still
    if folder == SHOP:
        write_picture(console, still, scale)
    recording = record(console, rate, scale)
    go(keys, sitting.seconds + sitting.film)
    path = folder / f"{sitting.game}.gif"
    write_animation(console, recording, path)
    assert path.stat().st_size < MOST_BYTES, f"{path.name}: {path.stat().st_size} bytes"
    return path


def window(sitting: Sitting) -> Path:
    """The pictures of a game in the shop window."""
    return play(sitting, SHOP, rate=8, scale=1)


def stars() -> Path:
    """The game of the tutorial, as its page ends with it."""
    text = (FOLDER.parent / "tutorial.md").read_text(encoding="utf-8")
    *_, drawn, rules = re.findall(r'^```xb title="stars.xb"[^\n]*\n(.*?)^```$', text, re.M | re.S)
    source = drawn[: drawn.index("\nCALL CLEAR\n") + 1] + rules
    console = Console()
    console.load(Program.from_source(source))
    console.start()
    assert console.run_until("SCORE", seconds=20)
    console.wait(150)
    path = FOLDER / "stars.png"
    write_picture(console, path)
    return path


def main() -> None:
    """Make all of them."""
    FOLDER.mkdir(exist_ok=True)
    SHOP.mkdir(exist_ok=True)
    for path in [stars(), *map(play, SITTINGS), *map(window, WINDOW)]:
        print(f"{path.relative_to(FOLDER.parents[1])}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
