"""Where a widely used disk manager fails, this one does not."""

from collections.abc import Callable

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.containers.hfe import create_hfe
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import repair
from ti99tools.media.disk.tifile import DiskFile


def test_names_over_ten_characters_are_refused_not_cut() -> None:
    disk = DiskImage.new()
    disk.add(DiskFile.program("LONGNAME10", b"1"))
    changes: tuple[Callable[[], object], ...] = (
        lambda: disk.add(DiskFile.program("LONGNAME10X", b"2")),
        lambda: disk.add(DiskFile.program("LONGNAME10X", b"2"), replace=True),
        lambda: disk.rename("LONGNAME10", "LONGNAME10X"),
    )
    for change in changes:
        with pytest.raises(DiskError, match="1 to 10 characters"):
            change()
    assert disk.read("LONGNAME10").data == b"1"


def test_80_track_double_density_works() -> None:
    disk = DiskImage.new("DSDD80")
    disk.add(DiskFile.program("BIG", bytes(range(256)) * 2500))
    again = DiskImage.from_bytes(create_hfe(disk.to_bytes(), disk.geometry))
    assert again.read("BIG") == disk.read("BIG")


def test_subdirectories_are_read() -> None:
    disk = DiskImage.new()
    disk.make_directory("SUB")
    disk.add(DiskFile.program("SUB.A", b"x"))
    assert DiskImage.from_bytes(disk.to_bytes()).read("SUB.A").data == b"x"


def test_an_edit_does_not_defragment() -> None:
    disk = DiskImage.new()
    for name in "ABC":
        disk.add(DiskFile.program(name, bytes(512)))
    disk.remove("A")
    disk.add(DiskFile.program("D", b"d" * 1200))
    chains = {n: disk.volume.fdr(disk.descriptor_sector(n)).chain for n in "BCD"}
    disk.add(DiskFile.program("E", b"e"))
    disk.rename("B", "B2")
    assert disk.volume.fdr(disk.descriptor_sector("D")).chain == chains["D"]
    assert disk.volume.fdr(disk.descriptor_sector("B2")).chain == chains["B"]
    assert len(disk.volume.extents(disk.volume.fdr(disk.descriptor_sector("D")))) == 2


def test_more_than_127_files_are_an_error_not_a_crash() -> None:
    disk = DiskImage.new("DSDD")
    for n in range(127):
        disk.add(DiskFile.program(f"N{n}", b""))
    with pytest.raises(DiskError, match="127"):
        disk.add(DiskFile.program("MORE", b""))
    disk.write_sector(1, disk.sector(1)[:254] + b"\x01\x00")
    assert any(f.code == "index-long" for f in check(disk.volume))
    repair(disk)
    assert len(disk.files()) == 127
