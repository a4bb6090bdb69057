"""`console.disks`: what is in the drives, and what a program finds when that changes."""

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.base.errors import TIError

WRITES = 'OPEN #1:"DSK1.BEST",OUTPUT\nPRINT #1:"ANNA"\nCLOSE #1\n'


def test_a_disk_that_is_put_in_is_written_to() -> None:
    first, second = DiskImage.new(name="FIRST"), DiskImage.new(name="SECOND")
    console = Console(disks={"DSK1": first})
    console.disks["DSK1"] = second
    console.load(Program.from_source(WRITES))
    assert console.run() == "ready"
    assert second.read("BEST").records == (b"ANNA",)
    assert not first.names()
    assert console.disks == {"DSK1": second}


def test_a_drive_without_a_disk_is_named() -> None:
    console = Console()
    with pytest.raises(KeyError):
        console.disks["DSK1"]
    with pytest.raises(TIError, match="no disk is in 'DSK1'; drives with one: none; put one in"):
        console.disks["DSK1"]
    console.disks["DSK2"] = DiskImage.new()
    with pytest.raises(TIError, match="no disk is in 'DSK1'; drives with one: DSK2; put one in"):
        del console.disks["DSK1"]
    assert console.disks.get("DSK1") is None
    assert list(console.disks) == ["DSK2"]
    assert len(console.disks) == 1
    assert repr(console.disks).startswith("{'DSK2': ")


def test_what_is_no_disk_and_no_drive_is_refused() -> None:
    console = Console()
    with pytest.raises(TIError, match=r"not a disk image; write DiskImage\.open"):
        console.disks["DSK1"] = "game.dsk"  # type: ignore[assignment]
    with pytest.raises(TIError, match="no drive 'DSK9'"):
        console.disks["DSK9"] = DiskImage.new()


def test_a_disk_is_taken_out() -> None:
    console = Console(disks={"DSK1": DiskImage.new()})
    del console.disks["DSK1"]
    console.load(Program.from_source(WRITES))
    assert console.run() == "error"
    assert not console.disks


def test_quit_does_not_close_files() -> None:
    console = Console({"DSK1": DiskImage.new()})
    lost = '100 OPEN #1:"DSK1.F",OUTPUT :: PRINT #1:"LOST"\n110 GOTO 110\n'
    again = '100 OPEN #1:"DSK1.F",OUTPUT :: PRINT #1:"KEPT" :: CLOSE #1\n'
    for listing, records in ((lost, ()), (again, (b"KEPT",))):
        console.load(Program.from_listing(listing))
        console.start()
        console.wait(60)
        console.tap("QUIT", 10)
        console.wait(60)
        assert not console.running
        assert console.disks["DSK1"].read("F").records == records
