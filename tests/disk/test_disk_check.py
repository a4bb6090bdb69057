"""Every kind of damage is found, named with its place, and mended without losing a file."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import ERROR, NOTE, WARNING
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import repair
from ti99tools.media.disk.tifile import DiskFile

TEXT = DiskFile.display_var("TEXT", [b"LINE %d" % n for n in range(60)])
FIX = DiskFile.display_fix("FIX", [b"%080d" % n for n in range(7)])
PROG = DiskFile.program("PROG", bytes(range(200)) * 5)
FILES = (TEXT, FIX, PROG)


def disk() -> DiskImage:
    image = DiskImage.new("SSSD", "TEST")
    for file in FILES:
        image.add(file)
    assert check(image.volume) == []
    return image


def edit(image: DiskImage, file: str, /, **fields: object) -> None:
    sector = image.descriptor_sector(file)
    image.volume.set_fdr(sector, replace(image.volume.fdr(sector), **fields))  # type: ignore[arg-type]


def block(image: DiskImage, **fields: object) -> None:
    image.volume.vib = replace(image.volume.vib, **fields)  # type: ignore[arg-type]


def link(image: DiskImage) -> None:
    """PROG's first sector becomes TEXT's."""
    fdr = image.volume.fdr(image.descriptor_sector("PROG"))
    extents = image.volume.extents(fdr)
    start = image.volume.extents(image.volume.fdr(image.descriptor_sector("TEXT")))[0].start
    chain = image.volume.chain(
        [range(start, start + 1), range(extents[0].start + 1, extents[0].stop)]
    )
    edit(image, "PROG", chain=chain)


def scramble(image: DiskImage) -> None:
    image.volume.set_pointers(1, image.volume.pointers(1)[::-1])


def forget(image: DiskImage) -> None:
    """PROG's entry gets lost, all else stays."""
    sector = image.descriptor_sector("PROG")
    pointers = image.volume.pointers(1)
    image.volume.set_pointers(1, tuple(p for p in pointers if p != sector))


def twice(image: DiskImage) -> None:
    image.volume.set_pointers(1, (*image.volume.pointers(1), image.volume.pointers(1)[-1]))


def point(sector: int) -> Callable[[DiskImage], None]:
    """One more entry of the index, pointing at `sector`."""
    return lambda d: d.volume.set_pointers(1, (*d.volume.pointers(1), sector))


def chain(blocks: str) -> Callable[[DiskImage], None]:
    """TEXT's cluster blocks, in hexadecimal."""
    return lambda d: edit(d, "TEXT", chain=bytes.fromhex(blocks).ljust(228, b"\0"))


def leave_open(image: DiskImage) -> None:
    edit(image, "TEXT", flags=0, record_length=0, sectors=0, chain=bytes(228))


def lose_directory(image: DiskImage) -> None:
    block(image, subdirectories=(descriptors.Subdirectory(b"SUB       ", 999),) * 3)


def free_used(image: DiskImage) -> None:
    image.volume.mark({0x24, 0x25}, False)


def clear_end(image: DiskImage) -> None:
    block(image, bitmap=image.volume.vib.bitmap[:45] + bytes(155))


MENDABLE: dict[str, tuple[str, Callable[[DiskImage], None]]] = {
    "mark": ("mark", lambda d: block(d, magic=b"XXX")),
    "total": ("total", lambda d: block(d, total_sectors=0)),
    "geometry": ("geometry", lambda d: block(d, tracks=0, sides=0)),
    "bitmap-free": ("bitmap-free", free_used),
    "bitmap-end": ("bitmap-end", clear_end),
    "order": ("index-order", scramble),
    "orphan": ("orphan", forget),
    "double": ("index-double", twice),
    "outside": ("index-pointer", point(4000)),
    "at the index": ("index-pointer", point(1)),
    "blank": ("index-empty", point(300)),
    "name": ("name", lambda d: edit(d, "PROG", name=b"A.B C     ")),
    "name case": ("name", lambda d: edit(d, "PROG", name=b"PROG\0\0\0\0\0\0")),
    "name twice": ("name-double", lambda d: edit(d, "PROG", name=b"TEXT      ")),
    "cross-link": ("cross-link", link),
    "end": ("end", lambda d: edit(d, "TEXT", eof_offset=7)),
    "count": ("count", lambda d: edit(d, "FIX", level3_records=0x0700)),
    "count of sectors": ("count", lambda d: edit(d, "TEXT", level3_records=0x0300)),
    "no count": ("count", lambda d: edit(d, "TEXT", level3_records=0)),
    "per sector": ("per-sector", lambda d: edit(d, "FIX", records_per_sector=9)),
    "short": ("chain-short", lambda d: edit(d, "TEXT", sectors=9)),
}


def contents(image: DiskImage) -> list[tuple[object, ...]]:
    files = [image.read(name) for name in image.names()]
    return sorted((f.type.label, f.recl, f.records, f.data) for f in files)


@pytest.mark.parametrize(("code", "spoil"), MENDABLE.values(), ids=MENDABLE)
def test_damage_is_found_and_mended(code: str, spoil: Callable[[DiskImage], None]) -> None:
    image = disk()
    spoil(image)
    found = [finding for finding in check(image.volume) if finding.code == code]
    assert found
    assert found[0].mend
    assert found[0].place
    assert found[0].problem
    result = repair(image)
    assert result.done
    assert result.clean
    assert [f for f in check(image.volume) if f.severity != NOTE] == []
    assert repair(image).done == ()
    again = DiskImage.from_bytes(image.to_bytes())
    if code == "cross-link":
        assert {"TEXT", "PROG", "FIX"} == set(again.names())
        assert again.read("TEXT") == TEXT
    else:
        expected = sorted((f.type.label, f.recl, f.records, f.data) for f in FILES)
        assert contents(again) == expected


def test_cross_linked_files_keep_what_they_had() -> None:
    image = disk()
    link(image)
    before = contents(image)
    repair(image)
    assert contents(image) == before
    image.remove("PROG")
    assert image.read("TEXT") == TEXT


def test_a_cross_link_stays_when_the_disk_is_full() -> None:
    image = disk()
    image.add(DiskFile.program("FILL", bytes(image.free_sectors * 256 - 256)))
    link(image)
    image.volume.mark(set(range(360)), True)
    before = contents(image)
    result = repair(image)
    assert not result.clean
    assert [f.code for f in result.remaining if f.severity == ERROR] == ["cross-link"]
    assert contents(image) == before


UNMENDABLE: dict[str, tuple[str, Callable[[DiskImage], None]]] = {
    "chain falls": ("chain", chain("222000 300000")),
    "chain leaves": ("chain", chain("ff2300")),
    "record": ("records", lambda d: d.write_sector(0x22, b"\xf0" * 256)),
    "no length": ("record-length", lambda d: edit(d, "TEXT", record_length=0)),
    "disk name": ("disk-name", lambda d: block(d, name=b"A.B       ")),
    "directory": ("directory", lose_directory),
    "unclosed": ("unclosed", leave_open),
}


@pytest.mark.parametrize(("code", "spoil"), UNMENDABLE.values(), ids=UNMENDABLE)
def test_what_cannot_be_mended_is_left_and_said(
    code: str, spoil: Callable[[DiskImage], None]
) -> None:
    image = disk()
    spoil(image)
    others = {name: image.read(name) for name in ("FIX", "PROG")}
    found = [finding for finding in check(image.volume) if finding.code == code]
    assert found
    assert not found[0].mend
    result = repair(image)
    assert not result.clean
    assert {name: image.read(name) for name in others} == others


def test_lost_sectors_are_freed_only_on_request() -> None:
    image = disk()
    free = image.free_sectors
    image.volume.mark({200, 201}, True)
    findings = check(image.volume)
    assert [f.code for f in findings] == ["bitmap-lost"]
    assert "200–201" in findings[0].problem
    assert repair(image).done == ()
    assert image.free_sectors == free - 2
    assert repair(image, reclaim=True).done
    assert image.free_sectors == free


def test_a_cut_off_image_is_filled_up_only_where_no_file_is() -> None:
    image = disk()
    short = DiskImage.from_bytes(image.to_bytes()[: 100 * 256])
    assert [f.code for f in check(short.volume)] == ["cut-off"]
    assert repair(short).clean
    assert short.to_bytes() == image.to_bytes()
    within = DiskImage.from_bytes(image.to_bytes()[: 100 * 256 - 80] + b"END")
    assert repair(within).clean
    assert len(within.to_bytes()) == len(image.to_bytes()), "it has ended within a sector"
    assert within.to_bytes()[100 * 256 - 80 :].startswith(b"END")
    shorter = DiskImage.from_bytes(image.to_bytes()[: 0x24 * 256])
    assert not repair(shorter).clean
    assert len(shorter.to_bytes()) == 0x24 * 256
    with pytest.raises(DiskError, match="outside the disk"):
        shorter.read("PROG")


def test_an_entry_whose_descriptor_was_cut_off_is_kept() -> None:
    image = disk()
    image.volume.set_pointers(1, (*image.volume.pointers(1), 300))
    short = DiskImage.from_bytes(image.to_bytes()[: 100 * 256])
    result = repair(short)
    assert {f.code for f in result.remaining} == {"cut-off", "index-cut"}
    assert short.volume.pointers(1)[-1] == 300


def test_a_last_sector_without_ff_is_only_a_warning() -> None:
    image = disk()
    last = image.volume.file_sectors(image.volume.fdr(image.descriptor_sector("TEXT")))[-1]
    content = bytearray(image.sector(last))
    end = image.volume.fdr(image.descriptor_sector("TEXT")).eof_offset
    content[end:] = b"\xe5" * (256 - end)
    image.write_sector(last, bytes(content))
    assert image.read("TEXT") == TEXT
    assert [(f.code, f.severity) for f in check(image.volume)] == [("end", "warning")]


def test_a_file_behind_the_volume_can_be_removed() -> None:
    image = DiskImage(disk().to_bytes() + bytes(5400 * 256))
    edit(image, "PROG", chain=image.volume.chain([range(3000, 3004)]))
    image.remove("PROG")
    assert image.names() == ["FIX", "TEXT"]


def test_a_claimed_size_that_cannot_be_is_not_believed() -> None:
    image = disk()
    block(image, total_sectors=6504)
    assert image.volume.scale == image.volume.unit == 1
    assert image.read("TEXT") == TEXT


def test_odd_bytes_where_later_disks_name_directories() -> None:
    image = disk()
    odd = descriptors.Subdirectory(b"(C) 1983 A", 0x2042)
    block(image, subdirectories=(odd, odd, odd))
    assert image.directories == []
    assert [image.read(f.name) for f in FILES] == list(FILES)
    assert {f.severity for f in check(image.volume)} == {"note"}


def test_a_disk_of_another_computer_is_not_repaired() -> None:
    image = DiskImage.from_bytes(b"\xeb\x3c\x90MSDOS5.0".ljust(360 * 256, b"\xe5"), strict=False)
    with pytest.raises(DiskError, match="does not look like a TI disk"):
        repair(image)


def test_a_damaged_index_is_a_clear_error_not_a_short_list() -> None:
    image = disk()
    image.volume.set_pointers(1, (*image.volume.pointers(1), 4000))
    with pytest.raises(DiskError, match="sector 4000"):
        image.files()


def test_127_files_are_checked_and_repaired() -> None:
    image = DiskImage.new("DSSD")
    for n in range(127):
        image.add(DiskFile.program(f"F{n}", b"x"))
    assert check(image.volume) == []
    scramble(image)
    forget_one = image.volume.pointers(1)[:-1]
    image.volume.set_pointers(1, forget_one)
    assert repair(image).clean
    assert len(image.files()) == 127
    image.write_sector(1, (b"\x01\x00" * 128))
    assert check(image.volume)
    repair(image)


def test_files_elsewhere_on_the_disk_are_found_again_when_the_index_is_wiped() -> None:
    image = disk()
    image.write_sector(1, bytes(256))
    result = repair(image)
    assert len(result.done) == 3
    assert [image.read(f.name) for f in FILES] == list(FILES)


def test_deleted_files_stay_deleted() -> None:
    image = disk()
    image.remove("PROG")
    assert check(image.volume) == []
    assert image.names() == ["FIX", "TEXT"]


def test_an_unreadable_descriptor_hides_nothing_else() -> None:
    """The check tells of it and goes on; no sector of the hidden file is called lost."""
    image = disk()
    edit(image, "TEXT", sectors=99)
    image.volume.defects[image.descriptor_sector("FIX")] = "bad CRC"
    codes = [finding.code for finding in check(image.volume)]
    assert "unreadable" in codes
    assert len(codes) > 1
    assert "bitmap-lost" not in codes


@pytest.mark.parametrize(
    "change",
    [
        lambda image: image.remove("FIX"),
        lambda image: image.rename("FIX", "ZZ"),
        lambda image: image.add(DiskFile.program("NEW", b"X")),
    ],
)
def test_a_change_that_fails_changes_nothing(change: Callable[[DiskImage], None]) -> None:
    image = disk()
    image.volume.defects[image.descriptor_sector("TEXT")] = "bad CRC"
    before = image.volume.data[:], dict(image.volume.defects)
    with pytest.raises(DiskError, match="cannot be read"):
        change(image)
    assert before == (image.volume.data, image.volume.defects)


@pytest.mark.parametrize("byte", [0x00, 0x05, 0xE5])
def test_a_missing_ff_is_set_where_the_records_end(byte: int) -> None:
    """Whatever stands there, every record stays."""
    image = disk()
    fdr = image.volume.fdr(image.descriptor_sector("TEXT"))
    number, end = image.volume.file_sectors(fdr)[-1], fdr.eof_offset
    rest = bytes((byte,)) * (256 - end)
    image.volume.write_sector(number, image.volume.sector(number)[:end] + rest)
    (finding,) = check(image.volume)
    assert finding.code == "end"
    assert finding.severity == WARNING
    assert "reads on" in finding.problem
    assert finding.mend == f"sets the FF at offset {end} of sector {number}"
    result = repair(image)
    assert len(result.done) == 1
    assert result.clean
    assert check(image.volume) == []
    assert image.read("TEXT").records == TEXT.records
    assert image.volume.sector(number)[end] == 0xFF


def ending_at_0(content: bytes) -> DiskImage:
    """A disk with T, DIS/VAR 80, whose one sector has no FF and whose end is at offset 0."""
    image = DiskImage.new("SSSD", "TEST")
    image.add(DiskFile.display_var("T", [b"A"]))
    edit(image, "T", eof_offset=0)
    image.write_sector(image.volume.file_sectors(image.volume.fdr(2))[-1], content)
    return image


@pytest.mark.parametrize(
    ("content", "severity", "lengths"),
    [
        (b"?".ljust(64, b"X") * 4, NOTE, [63] * 4),
        (b"\x05HELLO\x03YOU".ljust(256, b"\0"), WARNING, [5, 3] + [0] * 246),
        (b"?".ljust(64, b"X") * 3 + b"@" * 64, ERROR, None),
    ],
)
def test_no_ff_is_set_at_offset_0_of_a_sector_with_records(
    content: bytes, severity: str, lengths: list[int] | None
) -> None:
    image = ending_at_0(content)
    (finding,) = check(image.volume)
    assert (finding.severity, finding.mend) == (severity, "")
    before = image.to_bytes()
    result = repair(image)
    assert result.done == ()
    assert image.to_bytes() == before
    assert result.clean == (severity == NOTE)
    if lengths is None:
        with pytest.raises(DiskError, match="do not end where they should"):
            image.read("T")
    else:
        assert list(map(len, image.read("T").records)) == lengths


def test_a_file_that_lost_its_last_sector_keeps_all_records_of_the_one_before() -> None:
    """Its end was an offset in the sector that is lost; no FF goes there in another."""
    image = ending_at_0(b"?".ljust(64, b"X") * 4)
    edit(image, "T", sectors=2, level3_records=2, eof_offset=64)
    assert [f.code for f in check(image.volume)] == ["chain-short"]
    assert repair(image).clean
    assert len(image.read("T").records) == 4
