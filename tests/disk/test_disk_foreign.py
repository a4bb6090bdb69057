"""Images and files as other tools and real machines write them: each read rightly, or refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from ti99tools.base.decoding import decode
from ti99tools.base.errors import DiskError
from ti99tools.language.program.hostfile import HostFile
from ti99tools.language.program.program import Program
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk import records as text
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.containers.hfe import create_hfe
from ti99tools.media.disk.containers.pc99 import dump
from ti99tools.media.disk.containers.tracks import PC99_HD, PC99_MFM16, TrackFormat
from ti99tools.media.disk.convert import convert
from ti99tools.media.disk.geometry import GEOMETRIES
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import repair
from ti99tools.media.disk.tifile import DiskFile


@pytest.mark.parametrize(
    "field",
    [
        bytes(10),
        b"\xca\x53" * 5,
        b"\xff" * 10,
        b" " * 10,
        b"game.prg  ",
        b"AB CD     ",
        b"\0ABC      ",
    ],
)
def test_a_tifiles_header_without_a_name_a_disk_could_have(field: bytes) -> None:
    data = hostfiles.build_tifiles(records.store(DiskFile.program("P", b"x" * 300)))
    found = HostFile(data[:0x10] + field + data[0x1A:], "/tmp/game.tfi").ti_file
    assert found is not None
    assert found.name == "GAME"


def test_the_mark_of_dates_may_be_behind_them() -> None:
    file = replace(records.store(DiskFile.program("P", b"x")), created=0x1234, updated=0x5678)
    data = bytearray(hostfiles.build_tifiles(file))
    assert data[0x1C:0x28].hex() == "ffff00001234000056780000"
    data[0x1C:0x1E], data[0x26:0x28] = bytes(2), b"\xff\xff"
    assert hostfiles.contained(bytes(data)) == file
    data[0x26:0x28] = b"\xca\x53"
    undated = hostfiles.contained(bytes(data))
    assert undated is not None
    assert undated.created == 0


def test_fiad_headers_of_other_tools() -> None:
    file = records.store(DiskFile.program("P", b"x" * 300))
    good = hostfiles.build_fiad(file)
    for other in (
        b"P" + bytes(9) + good[10:],  # name padded with zeros
        good[:0x1C] + bytes.fromhex("221000") + good[0x1F:],  # clusters left in
    ):
        assert HostFile(other, "x").ti_file == file
        assert HostFile(other[:0x1C] + b"\x22" + other[0x1D:-1]).container != "fiad"


@pytest.mark.parametrize("filler", [b"\xe5", b"\0"])
def test_an_unformatted_image_has_the_usual_geometry_of_its_size(filler: bytes) -> None:
    image = DiskImage.from_bytes(filler * 256 * 720, strict=False)
    assert image.geometry == GEOMETRIES["DSSD"]
    (finding,) = check(image.volume)
    assert finding.problem.endswith("not initialised, or no TI disk?")


def test_an_index_full_of_filler_is_told_in_a_few_lines() -> None:
    image = DiskImage.new("SSSD")
    image.add(DiskFile.display_var("A", [b"1"]))
    image.add(DiskFile.display_var("B", [b"2"]))
    image.write_sector(1, b"\xe5" * 256)
    findings = check(image.volume)
    assert len(findings) < 6
    assert any("(128 such entries)" in finding.problem for finding in findings)
    assert repair(image).clean
    assert image.names() == ["A", "B"]


@pytest.mark.parametrize("unused", [0x00, 0xE5, None])
def test_the_unused_bytes_of_a_card_may_be_anything(unused: int | None) -> None:
    disk = DiskImage.new("CF", "VOL")
    disk.add(DiskFile.display_var("A", [b"1"]))
    card = bytearray(convert(disk, "cf7", 2))
    card[1::2] = card[::2] if unused is None else bytes([unused]) * (len(card) // 2)
    image = DiskImage.from_bytes(bytes(card), volume=2)
    assert image.names() == ["A"]
    assert image.to_bytes() == card
    image.add(DiskFile.display_var("B", [b"2"]))
    changed = image.to_bytes()
    assert changed[1::2] == card[1::2]
    assert changed[: 1600 * 512] == card[: 1600 * 512]


def test_the_image_of_a_whole_card_is_told_how_to_be_cut(tmp_path: Path) -> None:
    path = tmp_path / "card.img"
    with path.open("wb") as file:
        file.truncate(300 << 20)
    with pytest.raises(DiskError, match=r"card.img: larger than 256 MB; cut volume N .* dd if="):
        DiskImage.open(path)


@pytest.mark.parametrize(
    ("geometry", "form", "size"),
    [("DSDD16", PC99_MFM16, 491_520), ("DSHD", PC99_HD, 2_007_040)],
)
def test_track_dumps_that_only_mame_has(geometry: str, form: TrackFormat, size: int) -> None:
    disk = DiskImage.new(geometry)
    disk.add(DiskFile.program("P", bytes(range(256)) * 50))
    data = dump(disk.to_bytes(), disk.geometry, form)
    assert len(data) == size
    image = DiskImage.from_bytes(data)
    assert (image.form, image.geometry.name) == ("PC99", geometry)
    assert bytes(image.volume.data) == disk.to_bytes()
    image.remove("P")
    assert DiskImage.from_bytes(image.to_bytes()).names() == []


@pytest.mark.parametrize("junk", [bytes(256), b"\xe5" * 256, b"\0\x64" * 128, bytes(range(256))])
@pytest.mark.parametrize("geometry", ["SSSD", "DSDD80"])
def test_a_wiped_volume_block_is_written_anew_for_the_files_there(
    junk: bytes, geometry: str
) -> None:
    image = DiskImage.new(geometry, "DISK")
    image.add(DiskFile.program("P", bytes(300)))
    image.add(DiskFile.display_var("T", [b"x"] * 500))
    before = image.to_bytes()
    image.write_sector(0, junk)
    damaged = DiskImage.from_bytes(image.to_bytes(), strict=False)
    assert check(damaged.volume)[0].mend
    assert repair(damaged).clean
    assert damaged.to_bytes() == before


@pytest.mark.parametrize("data", [b"100 PRINT\r\n110 END\r\n\x1a\x1a", b"100 PRINT\r110 END\r"])
def test_listings_of_dos_xmodem_and_old_macs(data: bytes, tmp_path: Path) -> None:
    wanted = Program.from_listing("100 PRINT\n110 END\n")
    assert Program.from_bytes(data) == wanted
    (tmp_path / "a.bas").write_bytes(data)
    assert Program.open(tmp_path / "a.bas") == wanted


def test_texts_filled_up_by_a_transfer() -> None:
    data = b"ONE\r\nTWO\r\n" + b"\x1a" * 118
    assert HostFile(data).text is not None
    assert text.to_records(decode(data)) == (b"ONE", b"TWO")


def test_a_side_that_cannot_be_read_is_told_in_a_line() -> None:
    disk = DiskImage.new("DSSD")
    disk.add(DiskFile.display_var("A", [b"1"]))
    one_side = create_hfe(disk.to_bytes()[: 360 * 256], GEOMETRIES["SSSD"])
    image = DiskImage.from_bytes(one_side)
    assert image.read("A").records == (b"1",)
    assert [str(finding) for finding in check(image.volume)] == [
        "error: sectors 360–719: missing: cylinder 39, side 1, sector 0, and the 359 after it"
    ]
