"""Where things go: the controller's order, and nothing that is there ever moves."""

import random
from dataclasses import replace

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


def program(name: str, sectors: int) -> DiskFile:
    return DiskFile.program(name, bytes([(len(name) + sectors) % 251]) * sectors * 256)


def places(disk: DiskImage, name: str) -> list[int]:
    return disk.volume.file_sectors(disk.volume.fdr(disk.descriptor_sector(name)))


def test_descriptors_from_2_contents_from_22h() -> None:
    disk = DiskImage.new()
    disk.add(program("B", 2))
    disk.add(program("A", 3))
    assert [disk.descriptor_sector(n) for n in "BA"] == [2, 3]
    assert disk.volume.pointers(1) == (3, 2)
    assert places(disk, "B") == [0x22, 0x23]
    assert places(disk, "A") == [0x24, 0x25, 0x26]


def test_gaps_are_filled_first_and_files_may_be_in_pieces() -> None:
    disk = DiskImage.new()
    for name in "ABCD":
        disk.add(program(name, 2))
    before = {n: places(disk, n) for n in "BD"}
    disk.remove("A")
    disk.remove("C")
    disk.add(program("E", 6))
    assert places(disk, "E") == [0x22, 0x23, 0x26, 0x27, 0x2A, 0x2B]
    assert disk.files()[2].pieces == 3
    assert {n: places(disk, n) for n in "BD"} == before
    assert disk.descriptor_sector("E") == 2
    assert check(disk.volume) == []


def test_when_all_is_full_above_contents_go_to_the_low_sectors() -> None:
    disk = DiskImage.new()
    disk.add(program("BIG", 360 - 0x22))
    disk.add(program("LOW", 3))
    assert places(disk, "LOW") == [4, 5, 6]
    disk.add(program("C", 1))
    assert disk.descriptor_sector("C") == 7
    assert check(disk.volume) == []


def test_replacing_keeps_the_descriptor_and_reuses_the_sectors() -> None:
    disk = DiskImage.new()
    for name in "ABC":
        disk.add(program(name, 2))
    disk.add(program("B", 3), replace=True)
    assert disk.descriptor_sector("B") == 3
    assert places(disk, "B") == [0x24, 0x25, 0x28]
    assert check(disk.volume) == []


def test_a_change_leaves_every_other_byte_alone() -> None:
    disk = DiskImage.new("DSSD")
    rng = random.Random(1)
    for n in range(12):
        disk.add(DiskFile.program(f"F{n}", rng.randbytes(rng.randrange(5000))))
    disk.volume.data[40000:] = bytes(
        b or rng.randrange(256) for b in disk.volume.data[40000:]
    )  # garbage in free sectors
    before = bytes(disk.volume.data)
    disk.rename("F3", "ZZ")
    disk.protect("F4")
    changed = {
        at // 256 for at, (a, b) in enumerate(zip(before, disk.volume.data, strict=True)) if a != b
    }
    assert changed == {1, disk.descriptor_sector("ZZ"), disk.descriptor_sector("F4")}
    before = bytes(disk.volume.data)
    disk.remove("F5")
    changed = {
        at // 256 for at, (a, b) in enumerate(zip(before, disk.volume.data, strict=True)) if a != b
    }
    assert changed == {0, 1}


def test_an_index_out_of_order_keeps_its_order() -> None:
    disk = DiskImage.new()
    for name in "ABC":
        disk.add(program(name, 1))
    disk.volume.set_pointers(1, (4, 2, 3))
    disk.add(program("BB", 1))
    assert [i.name for i in disk.files()] == ["BB", "C", "A", "B"]


def test_a_wrong_bitmap_never_costs_a_file() -> None:
    disk = DiskImage.new()
    disk.add(program("A", 5))
    disk.volume.mark(set(range(2, 100)), False)
    disk.add(program("B", 5))
    assert disk.read("A") == program("A", 5)
    assert disk.read("B") == program("B", 5)
    assert not {*places(disk, "A"), 2} & {*places(disk, "B"), 3}


def test_too_many_pieces_are_avoided_while_larger_gaps_exist() -> None:
    disk = DiskImage.new("DSSD")
    disk.volume.mark(set(range(0x22, 0x22 + 200, 2)), True)  # a hundred gaps of one sector
    large = 720 - 0x22 - 200
    disk.add(program("WIDE", large + 50))
    assert disk.read("WIDE") == program("WIDE", large + 50)
    assert disk.files()[0].pieces <= 76


def test_a_disk_too_fragmented_says_so() -> None:
    disk = DiskImage.new("DSSD")
    for sector in range(0x22, 720, 2):
        disk.volume.mark({sector}, True)
    before = disk.to_bytes()
    with pytest.raises(DiskError, match="76 pieces"):
        disk.add(program("WIDE", 150))
    assert disk.to_bytes() == before


@pytest.mark.parametrize(("geometry", "unit"), [("DSDD80", 2), ("DSHD", 4)])
def test_one_bit_covers_several_sectors_on_large_disks(geometry: str, unit: int) -> None:
    disk = DiskImage.new(geometry)
    assert disk.sector(0)[0x38] == 1
    assert disk.volume.unit == unit
    assert disk.free_sectors == disk.total_sectors - unit
    for n in range(10):
        disk.add(program(f"F{n}", 3))
    assert [disk.descriptor_sector(f"F{n}") for n in range(5)] == [unit + n for n in range(5)]
    starts = [places(disk, f"F{n}")[0] for n in range(10)]
    assert all(start % unit == 0 and start >= 0x22 for start in starts)
    assert check(disk.volume) == []
    disk.remove("F0")
    assert disk.volume.is_used(unit)  # other descriptors share the unit
    for n in range(1, 10):
        assert disk.read(f"F{n}") == program(f"F{n}", 3)
        disk.remove(f"F{n}")
    assert disk.free_sectors == disk.total_sectors - unit


def test_a_large_disk_can_be_filled_to_the_last_sector() -> None:
    disk = DiskImage.new("DSHD")
    rest = disk.free_sectors - 4
    half = rest // 2
    disk.add(program("A", half))
    disk.add(program("B", rest - half))
    assert disk.free_sectors == 0
    assert disk.read("B") == program("B", rest - half)
    first = disk.volume.fdr(disk.descriptor_sector("B")).chain[:3]
    assert (first[0] | (first[1] & 15) << 8) * 4 == places(disk, "B")[0]
    assert check(disk.volume) == []


def test_subdirectories() -> None:
    disk = DiskImage.new("DSSD")
    disk.make_directory("GAMES")
    disk.add(program("A", 1))
    disk.add(replace(program("A", 2), name="GAMES.A"))
    assert disk.names() == ["A", "GAMES.A"]
    assert disk.read("GAMES.A").data == program("A", 2).data
    assert [i.directory for i in disk.files()] == ["", "GAMES"]
    assert [i.name for i in disk.files("GAMES")] == ["A"]
    disk.rename("GAMES.A", "B")
    disk.protect("GAMES.B")
    with pytest.raises(DiskError, match="protected"):
        disk.remove("GAMES.B")
    assert check(disk.volume) == []
    with pytest.raises(DiskError, match="no directory 'NONE'"):
        disk.add(replace(program("A", 1), name="NONE.A"))
    for name in ("D2", "D3"):
        disk.make_directory(name)
    with pytest.raises(DiskError, match="three"):
        disk.make_directory("D4")
    with pytest.raises(DiskError, match="exists"):
        DiskImage.from_bytes(disk.to_bytes()).make_directory("D2")
