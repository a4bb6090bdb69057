"""ARK archives of Barry Boone's Archiver, read as disks."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from ti99tools import DiskImage
from ti99tools.base.errors import DiskError
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.records import store
from ti99tools.media.disk.tifile import DiskFile

TEXT = DiskFile.display_var("TEXT", [b"HELLO WORLD" * (n % 7) for n in range(60)])
FILES = (
    TEXT,
    DiskFile.program("PROGRAM", Random(1).randbytes(9000)),
    DiskFile.internal_fix("FIXED", [bytes(20), b"B" * 20], 20),
    DiskFile.display_var("EMPTY", []),
)


def directory(image: DiskImage) -> bytes:
    """The uncompressed archive of a disk's files."""
    entries, sectors = b"", b""
    for name in image.names():
        file = image.read_stored(name)
        entries += file.name.ljust(10).encode() + bytes((file.flags, file.records_per_sector))
        entries += file.sectors.to_bytes(2, "big") + bytes((file.eof_offset, file.record_length))
        entries += file.level3_records.to_bytes(2, "little")
        sectors += file.content
    return entries.ljust(252, b"\0") + b"END!" + sectors


def packed(data: bytes) -> bytes:
    """LZW: codes of 9 to 12 bits, 256 empties the table, 257 ends."""
    bits = ""
    table: dict[bytes, int] = {}
    width, string = 9, b""

    def put(code: int) -> None:
        nonlocal bits
        bits += f"{code:0{width}b}"

    for byte in data:
        if not table or len(table) + 2 >= 4096:
            if table:
                put(table[string])
            put(256)
            table = {bytes((each,)): each for each in range(256)}
            width, string = 9, b""
        longer = string + bytes((byte,))
        if longer in table:
            string = longer
            continue
        put(table[string])
        table[longer] = len(table) + 2
        string = bytes((byte,))
        # The reader's table lacks the string that this code has just made.
        width = max((len(table) + 1).bit_length(), 9)
    put(table[string])
    width = max((len(table) + 2).bit_length(), 9)
    put(257)
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def disk() -> DiskImage:
    image = DiskImage.new("DSSD")
    for file in FILES:
        image.add(file)
    return image


def contents(image: DiskImage) -> list[object]:
    return [image.read(name) for name in image.names()]


@pytest.mark.parametrize("pack", [packed, bytes], ids=["packed", "plain"])
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_archive_is_a_disk_of_its_files(pack: Callable[[bytes], bytes], wrapped: bool) -> None:
    data = pack(directory(disk()))
    if wrapped:
        records = [data[at : at + 128].ljust(128, b"\0") for at in range(0, len(data), 128)]
        make = DiskFile.internal_fix if pack is packed else DiskFile.display_fix
        data = build_tifiles(store(make("ARC", records, 128)))
    image = DiskImage.from_bytes(data)
    assert image.form == "ARK archive"
    assert contents(image) == contents(disk())


@pytest.mark.parametrize("seed", range(3))
def test_what_is_packed_comes_out(seed: int) -> None:
    rng = Random(seed)
    image = DiskImage.new("DSDD")
    data = b"".join(rng.choice((b"AB", b"ABC", rng.randbytes(3))) for _ in range(20_000))
    image.add(DiskFile.program("LONG", data[:40_000]))
    assert contents(DiskImage.from_bytes(packed(directory(image)))) == contents(image)


def test_it_is_not_written() -> None:
    image = DiskImage.from_bytes(directory(disk()))
    with pytest.raises(DiskError, match=r"^an archive is not written; make a disk of it"):
        image.to_bytes()


def test_a_cut_or_damaged_one_is_told() -> None:
    plain = directory(disk())
    with pytest.raises(DiskError, match="cut off in its file"):
        DiskImage.from_bytes(plain[:2000])
    data = bytearray(packed(plain))
    for at in range(600, len(data)):
        data[at] = 0xFF
    with pytest.raises(DiskError, match=r"damaged|cut off"):
        DiskImage.from_bytes(bytes(data))


@pytest.mark.parametrize("seed", range(12))
def test_noise_gives_an_error_of_ours_or_files(seed: int) -> None:
    rng = Random(seed)
    data = bytearray(packed(directory(disk())))
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    with contextlib.suppress(DiskError):
        DiskImage.from_bytes(bytes(data))


def test_the_disk_commands_take_it(tmp_path: Path) -> None:
    path = tmp_path / "a.ark"
    path.write_bytes(packed(directory(disk())))
    listed = CliRunner().invoke(cli, ["disk", "ls", str(path)]).output
    assert "ARK archive" in listed
    assert "FIXED          2  INT/FIX 20" in listed
    file = tmp_path / "a.dsk"
    assert CliRunner().invoke(cli, ["disk", "convert", str(path), str(file)]).exit_code == 0
    assert contents(DiskImage.open(file)) == contents(disk())
    refused = CliRunner().invoke(cli, ["disk", "rm", str(path), "FIXED"])
    assert refused.exit_code == 2
    assert "an archive is not written" in refused.output


def test_codes_that_empty_the_table_again_and_again_are_refused() -> None:
    data = bytes((0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1, 0)) * 1000
    with pytest.raises(DiskError, match="the packed archive is damaged"):
        DiskImage.from_bytes(data)


@pytest.mark.parametrize("sector", range(2, 10))
def test_a_disk_with_the_mark_of_a_directory_in_a_sector_stays_a_disk(sector: int) -> None:
    data = bytearray(disk().to_bytes())
    data[256 * sector + 252 : 256 * sector + 256] = b"END!"
    assert DiskImage.from_bytes(bytes(data)).form == "sector image"
