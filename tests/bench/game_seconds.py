"""Seconds of the machine that a player of a dice game waits: for the menu, a roll, a turn, a die.

    python -m tests.bench.game_seconds [GAME] … [--matches N]

Each match is played on the disk that `build` makes: by a player who looks before each key, then in
haste, with and without the play log. The difference of the latter is what the log's lines take.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import mean, median
from unittest.mock import patch

from ti99tools.computer.console.keyscript import Rest, Until
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.io.openfile import OpenFile
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.models.model import Match, Setup
from ti99tools.games.models.model import Player as Seat
from ti99tools.games.verify.adapter import AGAIN, Adapter, OwnPlayer
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.scenario import key_steps, steady
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.media.disk.image import DiskImage

GAMES = Path(__file__).parents[2] / "xbasic"
LONGEST = 7200.0
SAYS, CALLED = 20, re.compile(r"'S TURN|MUST BEAT|WINS")
"""The row in which D5000 speaks, from 0, and what calls a player, or the winner."""
DICE = 25
"""Dice of a round of Dice Rack; the standard matches have one round."""
LOOK = Rest(600)
"""How a player looks: longer than a pause of the game lasts."""
TARGETS = {
    "d5000": {"menu": 20.0, "roll": 2.5, "computer's turn": 6.0, "log line": 0.1},
    "dicerack": {"menu": 20.0, "die": 1.5, "die, gates moved": 2.0, "log line": 0.1},
}
"""Seconds aimed at; `menu` is to be kept always, the others in the mean."""
SEATS = {"d5000": (Seat("H", "P1"), Seat("I", "IDA")), "dicerack": (Seat("H", "PLAYER"),)}


@dataclass
class Watched:
    """What a session did, and when.

    (seconds, key taken or None) of scans, (seconds, log line), (seconds, text) of the row `SAYS`.
    """

    menu: float = 0.0
    seconds: float = 0.0
    scans: list[tuple[float, int | None]] = field(default_factory=list)
    lines: list[tuple[float, str]] = field(default_factory=list)
    called: list[tuple[float, str]] = field(default_factory=list)

    def waits(self, *kinds: str) -> Iterator[float]:
        """Seconds from the key before each line of these kinds to the next look for a key."""
        for when, line in self.lines:
            if line.split()[0] in kinds:
                seen = [at for at, key in self.scans if key is not None and at < when]
                after = [at for at, _ in self.scans if at > seen[-1]]
                if after:
                    yield after[0] - seen[-1]

    def turns(self, name: str) -> Iterator[float]:
        """Seconds from the row that calls a player to the one that calls the next."""
        called = [(when, text) for when, text in self.called if CALLED.search(text)]
        for (when, text), (then, _) in pairwise(called):
            if text.startswith((f"{name}'S", f"{name} MUST")):
                yield then - when


@contextmanager
def watching(console: Console, found: Watched) -> Iterator[None]:
    """Note scans and records while the body lasts."""
    keyboard, clock = console.machine.keyboard, console.clock
    scan, write = keyboard.scan, OpenFile.write_record

    def scanned(unit: int) -> tuple[int, int]:
        code, status = scan(unit)
        found.scans.append((clock.seconds, code if status == 1 else None))
        return code, status

    def written(file: OpenFile, data: bytes) -> None:
        write(file, data)
        heard(data)

    def heard(data: bytes) -> None:
        found.lines.append((clock.seconds, data.decode("ascii")))

    def looked() -> None:
        text = console.screen.rows[SAYS].strip(" @")
        if not found.called or found.called[-1][1] != text:
            found.called.append((clock.seconds, text))
        clock.schedule(clock.cycles + 4 * FRAME, looked)

    looked()
    console.machine.drives.overheard = heard
    with patch.object(keyboard, "scan", scanned), patch.object(OpenFile, "write_record", written):
        yield


def played(
    adapter: Adapter,
    disk: bytes,
    seed: int,
    logged: bool = True,
    hasty: bool = True,
    own: OwnPlayer | None = None,
) -> Watched:
    """A match of one human player, who plays steadily or as `own`, to the question for another."""
    setup = Setup(seed, SEATS[adapter.name])
    match = Match(adapter.model(setup))
    random, keys = Random(seed), list[int]()
    while match.ask is not None:
        ask = match.ask
        keys.append(own(match.model, ask, random) if own else steady(ask, random))
        match.press(keys[-1])
    opening = list(adapter.opening(setup))
    if not logged:
        for step in adapter.log_on(setup):
            opening.remove(step)  # the first one: the seed may look like the log's keys
    found = Watched()
    console = Console({"DSK1": DiskImage.from_bytes(disk)}, max_seconds=LONGEST)
    player = ScriptPlayer(console, LONGEST, look=1)
    with watching(console, found):
        console.boot()
        assert player.until(adapter.title).done
        found.menu = console.clock.seconds
        steps = [step for key in keys for step in (LOOK, *key_steps([key]))]
        pressed = key_steps(keys) if hasty else steps
        end = player.follow([*opening, *pressed, Until(AGAIN)])
        assert end.done, str(end)
    found.seconds = console.clock.seconds - found.menu
    return found


def measured(game: str, matches: int = 3) -> dict[str, list[float]]:
    """Name of a figure → its values in some matches."""
    manifest = read_manifest(GAMES / game)
    adapter = adapter_of(manifest)
    disk = build_game(manifest).image.to_bytes()
    figures: dict[str, list[float]] = {name: [] for name in TARGETS[game]}
    for seed in range(1, matches + 1):
        looking = played(adapter, disk, seed, hasty=False)
        log, plain = (played(adapter, disk, seed, logged) for logged in (True, False))
        figures["menu"].append(log.menu)
        figures["log line"].append((log.seconds - plain.seconds) / len(log.lines))
        if game == "d5000":
            human = {i for i, seat in enumerate(SEATS[game], 1) if seat.kind == "H"}
            figures["roll"] += _human_rolls(looking, human)
            figures["computer's turn"] += looking.turns("ida")
        else:
            figures["die"] += list(looking.waits("DROP"))[: DICE - 1]  # the tally follows the last
            player = adapter.players["builder"]
            gates = played(adapter, disk, seed, hasty=False, own=player)
            figures["die, gates moved"] += list(gates.waits("GATE", "DROP"))[:-1]
        figures.setdefault("match", []).append(log.seconds)
        figures.setdefault("match without log", []).append(plain.seconds)
    return figures


def _human_rolls(log: Watched, human: set[int]) -> Iterator[float]:
    """The waits for rolls in the turns of humans."""
    part = Watched(scans=log.scans)
    seat = 0
    for when, line in log.lines:
        words = line.split()
        seat = int(words[1]) if words[0] == "TURN" else seat
        if words[0] == "ROLL" and seat in human:
            part.lines.append((when, line))
    return part.waits("ROLL")


def report(game: str, figures: dict[str, list[float]]) -> Iterator[str]:
    """Lines for people."""
    yield f"{game:20} mean   median     most   target"
    for name, values in figures.items():
        target = TARGETS[game].get(name)
        row = f"  {name:18} {mean(values):6.3f}  {median(values):7.3f}  {max(values):7.3f}"
        yield row + (f"  {target:7.3f}" if target else "")


def main(arguments: list[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(TARGETS))
    parser.add_argument("--matches", type=int, default=3)
    options = parser.parse_args(arguments)
    for game in options.games:
        print("\n".join(report(game, measured(game, options.matches))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
