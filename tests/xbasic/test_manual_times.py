"""The manuals tell the time to the title as our clock has it."""

import re

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.app.build import fast_disk
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.media.disk.image import DiskImage

SAID = re.compile(r"title\s+after\s+about\s+(\d+)\s+seconds,\s+or\s+about\s+(\d+)\s+with")
SAID_OF_FAST = re.compile(SAID.pattern.replace("after", r"appears\s+after", 1))


@pytest.mark.parametrize("name", game_names())
def test_the_manual_tells_the_time_to_the_title(name: str) -> None:
    manifest = find_game(name)
    match = SAID.search(manifest.manual_path.read_text("utf-8"))
    assert match is not None
    built = shipped(name)
    _check(match, built.image.to_bytes(), 3)
    quick = SAID_OF_FAST.search(manifest.manual_path.read_text("utf-8"))
    assert quick is not None
    _check(quick, fast_disk(built).to_bytes(), 1.5)


def _check(match: re.Match[str], disk: bytes, near: float) -> None:
    for number, real_drives in enumerate((False, True), 1):
        image = DiskImage.from_bytes(disk)
        console = Console({"DSK1": image}, real_drives=real_drives, max_seconds=100)
        console.boot()
        assert console.run_until("5 END")
        assert console.clock.seconds == pytest.approx(int(match[number]), abs=near)
