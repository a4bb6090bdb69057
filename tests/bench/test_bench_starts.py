"""How long the games take to their menus, by our clock: as written, optimized, fast, compiled.

`pytest -m bench -s tests/bench/test_bench_starts.py` prints the tables of docs/commandline.md and,
for disks of compiled programs, docs/compiling.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ti99tools.app.build import fast_disk
from ti99tools.app.compile import program_of
from ti99tools.app.compiled_disk import DiskForm, game_files
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import loaded
from ti99tools.computer.console.session import Console
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.scaffold import new_game
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

pytestmark = pytest.mark.bench

MENU = "5 END"
MOST = 9.0
"""Seconds to the menu of a fast disk."""
HEAD = """
| seconds to the menu | as written | `NAME.dsk` | `NAME-fast.dsk` |
|---|---|---|---|"""


def seconds(image: bytes, real_drives: bool) -> float:
    """Machine time from choosing Extended BASIC to the menu."""
    console = Console({"DSK1": DiskImage.from_bytes(image)}, 300, real_drives=real_drives)
    console.boot()
    assert console.run_until(MENU)
    return console.clock.seconds


def test_starts(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [HEAD]
    slow: list[str] = []
    for name in game_names():
        manifest = find_game(name)
        plain, optimized = build_game(manifest, passes=()), build_game(manifest)
        disks = [
            plain.image.to_bytes(),
            optimized.image.to_bytes(),
            fast_disk(optimized).to_bytes(),
        ]
        times = [(seconds(disk, False), seconds(disk, True)) for disk in disks]
        cells = " | ".join(f"{bare:.1f} ({drive:.1f})" for bare, drive in times)
        rows.append(f"| {manifest.title} | {cells} |")
        if times[-1][0] > MOST:
            slow.append(f"{name}: {times[-1][0]:.1f}")
    with capsys.disabled():
        print("\n".join(rows))
    assert not slow


REVERSI = Path(__file__).parents[1] / "compiler" / "reversi.bas"
COMPILED = """
| | bytes | files | from RUN until it looks for a key | our drive turns and steps |
|---|---|---|---|---|"""
FIRST_KEY = 6.0
"""Seconds to the first key of a compiled program on a disk for Extended BASIC."""


def from_run(files: Iterable[DiskFile], real_drives: bool) -> float:
    """Machine time from the ENTER of RUN until the compiled program waits for a key."""
    image = DiskImage.new("SSSD", "TEST")
    for file in files:
        image.add(file)
    console = Console({"DSK1": image}, 300, real_drives=real_drives)
    console.type('RUN "DSK1.LOAD"')
    console.wait(60)
    console.press("ENTER")
    begun = console.clock.seconds
    while not (console.alone and console.line):
        console.wait(1)
    return console.clock.seconds - begun


def disks(folder: Path) -> dict[str, tuple[Compiled, list[DiskFile]]]:
    """Compiled programs and their files for Extended BASIC, without manuals."""
    new_game(folder / "dare")
    games: dict[str, Manifest | None] = {"the game of `new`": find_game(str(folder / "dare"))}
    games |= {"Reversi": None} | {find_game(name).title: find_game(name) for name in game_names()}
    found = {}
    for title, game in games.items():
        given = str(REVERSI) if game is None else str(game.folder)
        made = compile_program(program_of(given), "TEST", banks=False)
        if game is None:
            files = basic_files(loaded(made.linked), "TEST", title)
        else:
            files = game_files(game, made, DiskForm.BASIC, "TEST")
        found[title] = made, list(files)
    return found


def test_compiled_disks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, slow = [COMPILED], []
    for title, (made, files) in disks(tmp_path).items():
        bare, drive = (from_run(files, real) for real in (False, True))
        size = sum(len(piece.data) for piece in loaded(made.linked).pieces)
        own = sum(file.name == "LOAD" or file.name.startswith("TEST-") for file in files)
        rows.append(f"| {title} | {size:,} | {own} | {bare:.1f} s | ({drive:.1f} s) |")
        if bare > FIRST_KEY:
            slow.append(f"{title}: {bare:.1f}")
    with capsys.disabled():
        print("\n".join(rows))
    assert not slow
