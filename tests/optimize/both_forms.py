"""The same scenarios on a game as its source says and optimized: all that can be seen is equal.

    python -m tests.optimize.both_forms [GAME] … [--scenarios N] [--first N]

Compared are the play log and all other files on the disk, screens in the middle of a match and at
its end as pictures, and the sounds that were asked for, in their order.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.shipped import shipped
from ti99tools.base.basic import AUTOSTART
from ti99tools.computer.console.player import HASTY, ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.subprograms.args import Sound, Sounds
from ti99tools.games.hosts.disklog import FILLER, filled, with_files
from ti99tools.games.making.artefacts import Built
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.verify.adapter import BLANK_SEED, Adapter, room_of
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.matches import course_of, steps_of
from ti99tools.games.verify.scenario import Scenario, make
from ti99tools.hardware.render.picture import render
from ti99tools.media.disk.image import DiskImage

GAMES = Path(__file__).parents[2] / "xbasic"
BOTH = ("d5000", "dicerack")
LONGEST = 100_000.0


@dataclass
class Seen:
    """What a session came to. `screens`: texts and digests of pictures by name."""

    end: str = ""
    files: dict[str, Any] = field(default_factory=dict)
    screens: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    sounds: list[tuple[Any, ...]] = field(default_factory=list)

    def differs(self, other: Seen) -> str:
        """What is different; empty when nothing is."""
        for name in ("end", "files", "screens", "sounds"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                return f"{name}: {_first(ours, theirs)}"
        return ""


def _first(ours: Any, theirs: Any) -> str:
    if isinstance(ours, dict):
        keys = [key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key)]
        return f"{keys[0]}: {ours.get(keys[0])} is not {theirs.get(keys[0])}"
    return f"{ours} is not {theirs}"


def scenario_of(adapter: Adapter, seed: int) -> Scenario:
    """A scenario whose seed is given: what a game chooses depends on the time."""
    scenario, _ = make(adapter, seed)
    setup = scenario.setup
    options = {name: text for name, text in setup.options.items() if name != BLANK_SEED}
    return replace(scenario, setup=replace(setup, options=options))


def session(adapter: Adapter, built: Built, scenario: Scenario) -> Seen:
    """Play a scenario on one form of the game."""
    setup = scenario.setup
    disk = built.image.to_bytes()
    room = room_of(setup)
    image = with_files(disk if room is None else filled(disk, room), adapter.files(setup))
    console = Console({"DSK1": image}, max_seconds=LONGEST)
    player = ScriptPlayer(console, LONGEST, look=HASTY)
    found = Seen()

    def snapped(name: str) -> None:
        # What is seen, not all of video memory: the program's names and values lie there, too.
        picture = render(console.machine.picture().vdp())
        found.screens[name] = player.screens[name], hashlib.sha256(picture).hexdigest()

    def begin(sounds: Sounds, sound: Sound) -> None:
        found.sounds.append((sound.milliseconds, tuple(sound.tones), sound.noise))
        begun(sounds, sound)

    player.when_snapped = snapped
    begun = Sounds.begin
    with patch.object(Sounds, "begin", begin):
        console.boot()
        found.end = str(player.follow(steps_of(adapter, course_of(adapter, scenario))))
    console.close_files()
    found.files = dict(_files(image, built))
    return found


def _files(image: DiskImage, built: Built) -> Iterator[tuple[str, Any]]:
    """The files on the disk, each with its type and content, but for the programs and what fills
    a disk beside them."""
    for name in image.names():
        if name not in (AUTOSTART, built.manifest.program, FILLER):
            file = image.read(name)
            yield name, (file.type.label, file.recl, file.records, file.data)


def differences(game: str, first: int, scenarios: int) -> Iterator[tuple[int, str]]:
    """Number of each scenario, and what was different; empty where nothing was."""
    manifest = read_manifest(GAMES / game)
    adapter = adapter_of(manifest)
    forms = shipped(game, ()), shipped(game)
    assert forms[0].program != forms[1].program
    for seed in range(first, first + scenarios):
        scenario = scenario_of(adapter, seed)
        plain, optimized = (session(adapter, form, scenario) for form in forms)
        yield seed, plain.differs(optimized)


def main(arguments: list[str] | None = None) -> int:
    """Tell how many scenarios were played, and which of them differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=BOTH)
    parser.add_argument("--scenarios", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args(arguments)
    bad = 0
    for game in options.games:
        played = 0
        for seed, wrong in differences(game, options.first, options.scenarios):
            played += 1
            if wrong:
                bad += 1
                print(f"{game} {seed}: {wrong[:400]}", flush=True)
            elif played % 100 == 0:
                print(f"{game}: {played} scenarios, {bad} differ", flush=True)
        print(f"{game}: {played} scenarios on both forms, {bad} differ", flush=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
