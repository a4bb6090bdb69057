"""How long the games take to their menus, by our clock: as the sources say, optimized, fast.

`pytest -m bench -s tests/bench/test_bench_starts.py` prints the table of docs/commandline.md.
"""

from __future__ import annotations

import pytest

from ti99tools.app.build import fast_disk
from ti99tools.computer.console.session import Console
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.media.disk.image import DiskImage

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
