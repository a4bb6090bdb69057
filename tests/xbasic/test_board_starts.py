"""Lambo and Dimraw from both of their disks: whole matches of two computers, told by equal logs."""

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import image_of
from ti99tools import Console, DiskImage
from ti99tools.app.build import fast_disk
from ti99tools.games.models.playlog import read
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter

LOG_ON = (("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", "1"))
SEAT = (("H HUMAN", "C"), ("1 EASY", "2"), ("NAME?", "\n"))
PAGES = {
    "lambo": (*SEAT, *SEAT, ("12 TO 48", "24\n"), ("Y OR N", "Y"), ("SEED?", "5\n")),
    "dimraw": (("ENTER BEGINS", "113\n"), ("SEED?", "5\n")),
}


def played(name: str, disk: DiskImage) -> list[bytes]:
    """The log of a match, its records."""
    console = Console({"DSK1": DiskImage.from_bytes(disk.to_bytes())}, max_seconds=1e6)
    console.boot()
    for text, keys in (*LOG_ON, *PAGES[name]):
        assert console.run_until(text, seconds=100), console.screen.text
        console.wait(30)
        console.type(keys)
    assert console.run_until("PLAY AGAIN", seconds=1000), console.screen.text
    return list(image_of(console).read(f"{name.upper()}LOG").records)


@pytest.mark.parametrize("name", PAGES)
def test_a_match_is_the_same_from_both_disks(name: str) -> None:
    built = shipped(name)
    logs = [played(name, disk) for disk in (built.image, fast_disk(built))]
    assert logs[0] == logs[1]
    assert logs[0][-1] == b"END"
    assert judge(read(logs[0]), adapter(name).model) is None
