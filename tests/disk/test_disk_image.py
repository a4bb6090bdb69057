"""The public API on sector images: what is added comes back, nothing else moves."""

from collections.abc import Callable

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.geometry import GEOMETRIES
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

FILES = [
    DiskFile.program("PROG", bytes(range(256)) * 3),
    DiskFile.display_var("TEXT", [b"HELLO", b"", b"W" * 80]),
    DiskFile.display_fix("FIX", [b"A" * 80, b"B" * 80, b"C" * 80, b"D" * 80]),
    DiskFile.internal_var("INTV", [bytes((n,)) * 254 for n in range(3)]),
    DiskFile.internal_fix("INTF", [b"\1" * 192]),
    DiskFile.program("EMPTY", b""),
    DiskFile.display_var("NOREC", []),
]


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_every_file_type_on_every_geometry(geometry: str) -> None:
    disk = DiskImage.new(geometry, "TEST")
    total = GEOMETRIES[geometry].sectors
    assert len(disk.to_bytes()) == total * 256
    for file in FILES:
        disk.add(file)
    again = DiskImage.from_bytes(disk.to_bytes())
    assert [again.read(f.name) for f in FILES] == FILES
    assert again.geometry == GEOMETRIES[geometry]
    assert [i.name for i in again.files()] == sorted(f.name for f in FILES)
    assert again.name == "TEST"
    for file in FILES:
        again.remove(file.name)
    assert again.files() == []
    assert again.free_sectors == DiskImage.new(geometry).free_sectors


def test_a_blank_disk() -> None:
    disk = DiskImage.new("SSSD", "BLANK")
    sector = disk.sector(0)
    assert (
        sector[:0x14].hex(" ").startswith("42 4c 41 4e 4b 20 20 20 20 20 01 68 09 44 53 4b 20 28")
    )
    assert sector[0x38:0x3A] == b"\x03\x00"
    assert sector[0x38 + 45 :] == b"\xff" * 155
    assert disk.free_sectors == 358


def test_a_name_that_exists_is_never_overwritten_silently() -> None:
    disk = DiskImage.new()
    disk.add(DiskFile.program("A", b"1"))
    before = disk.to_bytes()
    with pytest.raises(DiskError, match="exists"):
        disk.add(DiskFile.program("A", b"2"))
    assert disk.to_bytes() == before
    disk.add(DiskFile.program("A", b"2"), replace=True)
    assert disk.read("A").data == b"2"
    assert len(disk.files()) == 1


@pytest.mark.parametrize("name", ["", "ELEVENCHARS", "A B", "A\0", " A", "A\x7f"])
def test_illegal_names_are_refused(name: str) -> None:
    disk = DiskImage.new()
    before = disk.to_bytes()
    with pytest.raises(DiskError, match="1 to 10 characters"):
        disk.add(DiskFile.program(name, b""))
    assert disk.to_bytes() == before


def test_a_protected_file_refuses_changes_until_released() -> None:
    disk = DiskImage.new()
    disk.add(DiskFile.program("A", b"1"))
    disk.protect("A")
    assert disk.read("A").protected
    changes: tuple[Callable[[], object], ...] = (
        lambda: disk.remove("A"),
        lambda: disk.rename("A", "B"),
        lambda: disk.add(DiskFile.program("A", b"2"), replace=True),
    )
    for change in changes:
        with pytest.raises(DiskError, match="protected"):
            change()
    disk.protect("A", False)
    disk.remove("A")


def test_a_full_disk_is_an_error_and_changes_nothing() -> None:
    disk = DiskImage.new()
    disk.add(DiskFile.program("BIG", bytes(300 * 256)))
    before = disk.to_bytes()
    with pytest.raises(DiskError, match="full"):
        disk.add(DiskFile.program("MORE", bytes(60 * 256)))
    assert disk.to_bytes() == before
    disk.add(DiskFile.program("FITS", b"F" * 56 * 256))
    assert disk.free_sectors == 0
    assert disk.read("FITS").data == b"F" * 56 * 256


def test_the_128th_file_is_refused() -> None:
    disk = DiskImage.new("DSSD")
    for n in range(127):
        disk.add(DiskFile.program(f"F{n}", b"x"))
    with pytest.raises(DiskError, match="127"):
        disk.add(DiskFile.program("LAST", b"x"))
    assert len(disk.files()) == 127


def test_types_have_the_labels_of_catalogues() -> None:
    labels = {kind.label for kind in FileType}
    assert labels == {"PROGRAM", "DIS/VAR", "DIS/FIX", "INT/VAR", "INT/FIX"}
    assert all(FileType.from_label(label).label == label for label in labels)
