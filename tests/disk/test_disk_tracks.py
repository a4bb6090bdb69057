"""Track images: HFE and PC99 against a second, slow reader that follows the cells one by one."""

import random
from collections.abc import Callable, Iterator

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.containers import hfe, pc99, unpack
from ti99tools.media.disk.containers import tracks as cells
from ti99tools.media.disk.containers.tracks import HFE_FM, HFE_MFM, order
from ti99tools.media.disk.geometry import GEOMETRIES
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

FLOPPIES = [name for name in GEOMETRIES if name != "CF"]
PC99 = [name for name, shape in GEOMETRIES.items() if shape.sectors_per_track in (9, 18)]


def filled(geometry: str, name: str = "TEST") -> DiskImage:
    """A disk whose every sector differs."""
    disk = DiskImage.new(geometry, name)
    rng = random.Random(geometry)
    disk.add(DiskFile.program("NOISE", rng.randbytes(disk.free_sectors // 2 * 256)))
    return disk


def bitwise_crc(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            feedback = (crc >> 15) ^ (byte >> bit & 1)
            crc = (crc << 1 & 0xFFFF) ^ (0x1021 if feedback else 0)
    return crc


def cell_stream(file: bytes, cylinder: int, side: int, every: int) -> Iterator[int]:
    """Cells of a side of a track, straight from the file; `every` 2 skips FM's empty ones."""
    entry = 512 + 4 * cylinder
    start = 512 * int.from_bytes(file[entry : entry + 2], "little")
    length = int.from_bytes(file[entry + 2 : entry + 4], "little") // 2
    for n in range(length * 8):
        byte, bit = divmod(n, 8)
        block, rest = divmod(byte, 256)
        if n % every == every - 1 or every == 1:
            yield file[start + block * 512 + side * 256 + rest] >> bit & 1


def slow_read(file: bytes, cylinder: int, side: int, mfm: bool) -> list[tuple[bytes, bytes]]:
    """(ID field, data field) of each sector, marks and CRC included, with a shift register."""
    stream = list(cell_stream(file, cylinder, side, 1 if mfm else 2))
    register, found, head, at = 0, [], b"", 0

    def take(count: int) -> bytes:
        bits = stream[at + 1 - 16 : at + 1 + 16 * (count - 1)][1::2]
        return bytes(int("".join(map(str, bits[i : i + 8])), 2) for i in range(0, len(bits), 8))

    while at < len(stream):
        register = (register << 1 | stream[at]) & 0xFFFF
        mark = {0xF57E: 0xFE, 0xF56F: 0xFB}.get(register, 0)
        if mfm:
            mark = {0x5554: 0xFE, 0x5545: 0xFB}.get(register, 0)
            if "".join(map(str, stream[at - 31 : at - 15])) != f"{0x4489:016b}":
                mark = 0
        if mark == 0xFE:
            head = take(7)
        elif mark == 0xFB:
            found.append((head, take(259)))
            at += 258 * 16
        at += 1
    return found


@pytest.mark.parametrize("geometry", ["SSSD", "DSSD80", "DSDD", "DSDD16"])
def test_a_slow_reader_finds_every_sector_with_its_crc(geometry: str) -> None:
    disk, shape = filled(geometry), GEOMETRIES[geometry]
    file = hfe.create_hfe(disk.to_bytes(), shape)
    mfm = shape.sectors_per_track != 9
    for cylinder in (0, shape.tracks - 1):
        for side in range(shape.sides):
            sectors = slow_read(file, cylinder, side, mfm)
            assert len(sectors) == shape.sectors_per_track
            for head, field in sectors:
                sync = b"\xa1\xa1\xa1" if mfm else b""
                assert bitwise_crc(sync + head) == bitwise_crc(sync + field) == 0
                assert head[:3] + head[4:5] == bytes((0xFE, cylinder, side, 1))
                track = cylinder if side == 0 else 2 * shape.tracks - 1 - cylinder
                logical = track * shape.sectors_per_track + head[3]
                assert field[1:257] == disk.sector(logical)


def test_the_bytes_of_hfe_tracks() -> None:
    fm = hfe.create_hfe(DiskImage.new("SSSD").to_bytes(), GEOMETRIES["SSSD"])
    assert fm[:22] == b"HXCPICFE\0\x28\x01\x02\xfa\0\0\0\x07\0\x01\0\xff\xff"
    assert fm[512:520] == b"\x02\0\xb0\x61\x33\0\xb0\x61"
    assert len(fm) == 1024 + 40 * 49 * 512
    # Index mark FC, FF, then zeros and the ID mark FE.
    assert fm[1024:1036] == b"\xaa\xa8\xa8\x22" + b"\xaa" * 8
    assert fm[1024 + 17 * 4 :][:28] == b"\x22" * 24 + b"\xaa\x88\xa8\x2a"
    mfm = hfe.create_hfe(DiskImage.new("DSDD").to_bytes(), GEOMETRIES["DSDD"])
    assert mfm[11] == 0
    assert mfm[512:516] == b"\x02\0\xc0\x61"
    assert mfm[1024:1088] == b"\x49\x2a" * 32
    assert mfm[1088:1120] == b"\x55" * 24 + b"\x22\x91\x22\x91\x22\x91\xaa\x2a"


def test_interleave_and_skew() -> None:
    assert order(HFE_FM, 40, 0, 0) == [0, 7, 5, 3, 1, 8, 6, 4, 2]
    assert order(HFE_FM, 40, 1, 0) == order(HFE_FM, 40, 1, 1) == [6, 4, 2, 0, 7, 5, 3, 1, 8]
    assert order(HFE_FM, 40, 2, 0)[0] == 3
    assert order(HFE_FM, 80, 0, 1) == [4, 2, 0, 7, 5, 3, 1, 8, 6]
    assert order(HFE_FM, 80, 37, 1)[0] == 0
    assert order(HFE_MFM, 40, 5, 0)[:4] == [0, 11, 4, 15]


def test_crc_and_cells_of_known_bytes() -> None:
    assert cells.crc16(b"\xfe\0\0\0\1", False) == bitwise_crc(b"\xfe\0\0\0\1").to_bytes(2, "big")
    assert cells.crc16(b"\xfb" + b"\xe5" * 256, False) == b"\xa4\x0c"
    assert cells.crc16(b"\xfb" + b"\xe5" * 256, True) == b"\x78\x27"
    assert cells.from_samples(cells.mfm(b"\x4e")) == b"\x49\x2a"
    for byte in range(256):
        pair = bytes((byte, 255 - byte))
        assert cells.decode(cells.fm(pair)) == cells.decode(cells.mfm(pair)) == pair
        assert cells.from_samples(cells.samples(pair)) == pair
        assert "11" not in cells.mfm(pair)
        assert "0000" not in cells.mfm(pair)


MAKERS: list[tuple[str, Callable[..., bytes]]] = [
    *((name, hfe.create_hfe) for name in FLOPPIES),
    *((name, pc99.create_pc99) for name in PC99),
]


@pytest.mark.parametrize(("geometry", "make"), MAKERS, ids=lambda v: getattr(v, "__name__", v))
def test_there_and_back(geometry: str, make: Callable[..., bytes]) -> None:
    disk = filled(geometry)
    file = make(disk.to_bytes(), disk.geometry)
    again = DiskImage.from_bytes(file)
    assert bytes(again.volume.data) == disk.to_bytes()
    assert not again.volume.defects
    assert again.to_bytes() == file


def test_pc99_dumps_have_their_sizes() -> None:
    sizes = {
        name: len(pc99.create_pc99(DiskImage.new(name).to_bytes(), GEOMETRIES[name]))
        for name in ("DSSD", "DSDD")
    }
    assert sizes == {"DSSD": 260240, "DSDD": 549760}
    dump = pc99.create_pc99(DiskImage.new("DSSD").to_bytes(), GEOMETRIES["DSSD"])
    assert dump[:23] == bytes(22) + b"\xfe"
    assert dump[27:29] == dump[46 + 257 : 46 + 259] == b"\xf7\xf7"
    assert dump[46:60] == b"\xfb" + b"DISK      \x02\xd0\x09"


@pytest.mark.parametrize("make", [hfe.create_hfe, pc99.create_pc99])
@pytest.mark.parametrize("geometry", ["DSSD", "DSDD"])
def test_a_change_touches_only_its_sectors(geometry: str, make: Callable[..., bytes]) -> None:
    disk = filled(geometry)
    file = make(disk.to_bytes(), disk.geometry)
    image = DiskImage.from_bytes(file)
    image.write_sector(100, b"\xa5" * 256)
    changed = image.to_bytes()
    assert len(changed) == len(file)
    assert sum(a != b for a, b in zip(file, changed, strict=True)) < 259 * 8
    again = DiskImage.from_bytes(changed)
    assert not again.volume.defects
    assert again.sector(100) == b"\xa5" * 256
    image.write_sector(100, disk.sector(100))
    assert image.to_bytes() == file
    # The next sector's cells are untouched: the patched field joins it without a false clock.
    assert bytes(again.volume.data[101 * 256 :]) == disk.to_bytes()[101 * 256 :]


def rotated(file: bytes, shift: int) -> bytes:
    """The HFE file with every track begun `shift` bytes later, so that a field passes its end."""
    data = bytearray(file)
    for cylinder in range(data[9]):
        entry = 512 + 4 * cylinder
        start = 512 * int.from_bytes(data[entry : entry + 2], "little")
        length = int.from_bytes(data[entry + 2 : entry + 4], "little")
        for side in (0, 1):
            content = hfe.read_side(data, start, length, side)
            hfe.write_side(data, start, side, content[shift:] + content[:shift])
    return bytes(data)


@pytest.mark.parametrize("geometry", ["SSSD", "SSDD"])
@pytest.mark.parametrize("shift", [97, 300, 700])
def test_tracks_are_circles(geometry: str, shift: int) -> None:
    disk = filled(geometry)
    image = DiskImage.from_bytes(rotated(hfe.create_hfe(disk.to_bytes(), disk.geometry), shift))
    assert bytes(image.volume.data) == disk.to_bytes()
    assert not image.volume.defects
    for sector in range(0, 360, 5):
        image.write_sector(sector, bytes(255 - b for b in disk.sector(sector)))
    again = unpack(image.to_bytes())
    assert again.sectors == bytes(image.volume.data)
    assert not again.defects


def shifted(file: bytes) -> bytes:
    """The HFE file with all cells one place later."""
    data = bytearray(file)
    for cylinder in range(data[9]):
        start = 512 * int.from_bytes(data[512 + 4 * cylinder :][:2], "little")
        for side in (0, 1):
            bits = cells.samples(hfe.read_side(data, start, 25000, side))
            hfe.write_side(data, start, side, cells.from_samples(bits[-1] + bits[:-1]))
    return bytes(data)


def test_cells_need_not_start_at_byte_boundaries() -> None:
    disk = filled("SSSD")
    image = DiskImage.from_bytes(shifted(hfe.create_hfe(disk.to_bytes(), disk.geometry)))
    assert bytes(image.volume.data) == disk.to_bytes()
    image.write_sector(50, bytes(256))
    assert unpack(image.to_bytes()).sectors == bytes(image.volume.data)


def spoiled(geometry: str = "SSSD", sector: int = 40) -> tuple[DiskImage, bytes]:
    """A disk and its HFE file with a flaw in the data of `sector`."""
    disk = filled(geometry)
    file = bytearray(hfe.create_hfe(disk.to_bytes(), disk.geometry))
    image = DiskImage.from_bytes(bytes(file)).container
    assert isinstance(image, hfe.HfeImage)
    cylinder, side, found = image.volume.places[sector]
    offset, length = image.tracks[cylinder]
    bits = list(cells.samples(hfe.read_side(file, offset, length, side)))
    at = found.at + 100 * 16 * found.step + found.step  # a data cell in the middle
    bits[at] = "0" if bits[at] == "1" else "1"
    hfe.write_side(file, offset, side, cells.from_samples("".join(bits)))
    return disk, bytes(file)


def test_a_bad_crc_is_an_error_until_the_sector_is_written() -> None:
    disk, file = spoiled()
    image = DiskImage.from_bytes(file)
    assert list(image.volume.defects.values()) == ["bad CRC: cylinder 4, side 0, sector 4"]
    with pytest.raises(DiskError, match="sector 40 cannot be read"):
        image.read("NOISE")
    assert image.to_bytes() == file
    image.write_sector(40, disk.sector(40))
    again = DiskImage.from_bytes(image.to_bytes())
    assert not again.volume.defects
    assert again.read("NOISE") == disk.read("NOISE")


def test_a_missing_sector_is_an_error() -> None:
    disk = filled("SSSD")
    file = bytearray(hfe.create_hfe(disk.to_bytes(), disk.geometry))
    entry = 512 + 4 * 10
    start = 512 * int.from_bytes(file[entry : entry + 2], "little")
    file[start : start + 4000] = bytes(4000)
    image = DiskImage.from_bytes(bytes(file))
    assert image.volume.defects
    assert all("cylinder 10" in reason for reason in image.volume.defects.values())
    gone = next(n for n, why in image.volume.defects.items() if why.startswith("missing"))
    image.write_sector(gone, bytes(256))
    with pytest.raises(DiskError, match="cannot be written"):
        image.to_bytes()


def test_a_pc99_dump_may_have_true_crcs() -> None:
    disk = filled("DSSD")
    dump = pc99.create_pc99(disk.to_bytes(), disk.geometry)
    image = DiskImage.from_bytes(dump).container
    assert isinstance(image, pc99.Pc99Image)
    found = image.volume.places[77][2]
    data = bytearray(dump)
    crc = cells.crc16(b"\xfb" + disk.sector(77), False)
    data[found.at + 256 : found.at + 258] = crc
    again = DiskImage.from_bytes(bytes(data))
    assert not again.volume.defects
    again.write_sector(77, bytes(256))
    assert again.to_bytes()[found.at + 256 :][:2] == cells.crc16(b"\xfb" + bytes(256), False)
    data[found.at] ^= 1
    assert 77 in DiskImage.from_bytes(bytes(data)).volume.defects


def test_an_hfe_of_both_sides_with_a_single_sided_volume() -> None:
    """Formatted on both sides, used on one, as single-sided disks often are."""
    disk = filled("SSSD")
    both = disk.to_bytes() + bytes(360 * 256)
    image = DiskImage.from_bytes(hfe.create_hfe(both, GEOMETRIES["DSSD"]))
    assert image.geometry == GEOMETRIES["SSSD"]
    assert bytes(image.volume.data) == disk.to_bytes()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda d: d[:600], "cut off"),
        (lambda d: d[:8] + b"\x01" + d[9:], "revision 1"),
        (lambda d: d[:9] + b"\xff" + d[10:], "255 tracks"),
        (lambda d: d[:300_000], "outside the HFE file"),
        (lambda d: d[:1024] + bytes(len(d) - 1024), "no TI sectors"),
        (lambda d: b"HXCHFEV3" + d[8:], "version 3"),
    ],
)
def test_damaged_hfe_files_are_clear_errors(spoil: Callable[[bytes], bytes], problem: str) -> None:
    file = hfe.create_hfe(DiskImage.new("SSSD").to_bytes(), GEOMETRIES["SSSD"])
    with pytest.raises(DiskError, match=problem):
        DiskImage.from_bytes(spoil(file))


def test_geometries_without_tracks_are_refused() -> None:
    with pytest.raises(DiskError, match="no floppy"):
        hfe.create_hfe(DiskImage.new("CF").to_bytes(), GEOMETRIES["CF"])
    with pytest.raises(DiskError, match="PC99"):
        pc99.create_pc99(DiskImage.new("DSHD").to_bytes(), GEOMETRIES["DSHD"])


def doubled(file: bytes) -> bytes:
    """A 40-track HFE file as an 80-track drive reads the disk: every other track is empty."""
    data = bytearray(file)
    empty = bytes(49 * 512)
    tracks = [data[1024 + n * len(empty) :][: len(empty)] for n in range(40)]
    length = data[514:516]
    table = b"".join((2 + 49 * n).to_bytes(2, "little") + length for n in range(80))
    data[9] = 80
    return bytes(data[:512]) + table.ljust(512, b"\xff") + b"".join(t + empty for t in tracks)


def test_a_40_track_disk_read_in_an_80_track_drive() -> None:
    disk = filled("DSSD")
    image = DiskImage.from_bytes(doubled(hfe.create_hfe(disk.to_bytes(), disk.geometry)))
    assert bytes(image.volume.data) == disk.to_bytes()
    assert image.geometry == GEOMETRIES["DSSD"]
    image.write_sector(300, bytes(256))
    assert unpack(image.to_bytes()).sectors == bytes(image.volume.data)


def test_a_sector_number_that_is_there_twice_is_an_error() -> None:
    disk = filled("DSSD")
    data = bytearray(pc99.create_pc99(disk.to_bytes(), disk.geometry))
    first = 3253 * 5 + 16 + 6 + 3  # sector number of track 5's first sector
    data[first] = data[first + 334]
    image = DiskImage.from_bytes(bytes(data))
    assert sorted(why.split(":")[0] for why in image.volume.defects.values()) == [
        "missing",
        "there twice",
    ]


def test_a_pc99_track_of_another_cylinder_is_not_mistaken() -> None:
    disk = filled("DSSD")
    data = bytearray(pc99.create_pc99(disk.to_bytes(), disk.geometry))
    data[3253 * 5 : 3253 * 6] = data[3253 * 4 : 3253 * 5]
    image = DiskImage.from_bytes(bytes(data))
    assert set(image.volume.defects) == set(range(45, 54))


def half_a_cell_later(file: bytes, every: int) -> bytes:
    """The FM file with every so many data field moved by one place, half a cell.

    So does a controller that writes sectors through a floppy emulator: the field begins in the
    gap, at a moment of its own.
    """
    data = bytearray(file)
    container = DiskImage.from_bytes(file).container
    assert isinstance(container, hfe.HfeImage)
    for sector, (cylinder, side, found) in container.volume.places.items():
        if sector % every:
            continue
        offset, length = container.tracks[cylinder]
        bits = cells.samples(hfe.read_side(data, offset, length, side))
        start, end = found.at - 32 * 6, found.at + 32 * 260  # sync to CRC and one byte of gap
        bits = bits[:start] + "0" + bits[start : end - 1] + bits[end:]
        hfe.write_side(data, offset, side, cells.from_samples(bits))
    return bytes(data)


def test_sectors_written_by_a_controller_may_lie_half_a_cell_off() -> None:
    disk = filled("DSSD")
    file = half_a_cell_later(hfe.create_hfe(disk.to_bytes(), disk.geometry), 3)
    image = DiskImage.from_bytes(file)
    assert not image.volume.defects
    assert bytes(image.volume.data) == disk.to_bytes()
    for sector in (3, 4, 360, 361):
        image.write_sector(sector, bytes(range(256)))
    again = unpack(image.to_bytes())
    assert again.sectors == bytes(image.volume.data)
    assert not again.defects


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0x12, 1),  # sides
        (0x11, 35),  # tracks
        (0x0C, 18),  # sectors a track
    ],
)
def test_a_volume_block_that_contradicts_itself_hides_no_tracks(at: int, value: int) -> None:
    disk = filled("DSSD")
    block = bytearray(disk.sector(0))
    block[at] = value
    disk.write_sector(0, bytes(block))
    image = DiskImage.from_bytes(hfe.create_hfe(disk.to_bytes(), GEOMETRIES["DSSD"]))
    assert bytes(image.volume.data) == disk.to_bytes()


@pytest.mark.parametrize("make", [hfe.create_hfe, pc99.create_pc99])
def test_an_unreadable_last_cylinder_does_not_move_side_1(make: Callable[..., bytes]) -> None:
    disk = filled("DSSD")
    data = bytearray(make(disk.to_bytes(), disk.geometry))
    if make is hfe.create_hfe:
        data[1024 + 39 * 49 * 512 :] = bytes(49 * 512)
    else:
        for track in (39, 79):
            data[3253 * track : 3253 * (track + 1)] = bytes(3253)
    image = DiskImage.from_bytes(bytes(data))
    assert set(image.volume.defects) == set(range(351, 369))
    assert image.sector(400) == disk.sector(400)


def test_a_stray_sector_number_is_left_alone() -> None:
    disk = filled("SSSD")
    file = bytearray(hfe.create_hfe(disk.to_bytes(), disk.geometry))
    form = HFE_FM
    writer = hfe.TrackWriter(False)
    writer.plain(b"\xff" * form.length)
    bits = writer.bits
    writer = hfe.TrackWriter(False)
    writer.field(6, b"\xfe\x05\x00\xc8\x01")
    writer.plain(b"\xff" * 11)
    writer.field(6, b"\xfb" + bytes(256))
    bits = writer.bits + bits[len(writer.bits) :]
    hfe.write_side(file, 1024 + 5 * 49 * 512, 0, cells.from_samples(bits))
    image = DiskImage.from_bytes(bytes(file))
    assert image.geometry == GEOMETRIES["SSSD"]
    assert set(image.volume.defects) == set(range(45, 54))


@pytest.mark.parametrize("code", [1, 3, 4, 0xFF])
@pytest.mark.parametrize("geometry", ["SSSD", "DSDD"])
def test_the_tracks_tell_the_encoding_whatever_the_header_says(geometry: str, code: int) -> None:
    disk = filled(geometry)
    file = bytearray(hfe.create_hfe(disk.to_bytes(), disk.geometry))
    file[11] = code
    assert bytes(DiskImage.from_bytes(bytes(file)).volume.data) == disk.to_bytes()


@pytest.mark.parametrize("geometry", ["SSDD", "DSDD", "DSDD16", "DSHD"])
def test_the_gap_of_double_density_fills_the_last_block(geometry: str) -> None:
    shape = GEOMETRIES[geometry]
    file = hfe.create_hfe(filled(geometry).to_bytes(), shape)
    for cylinder in range(shape.tracks):
        entry = 512 + 4 * cylinder
        start = 512 * int.from_bytes(file[entry : entry + 2], "little")
        length = int.from_bytes(file[entry + 2 : entry + 4], "little") // 2
        whole = hfe.read_side(file, start, 2 * (-(-length // 256) * 256), 0)
        assert len(whole) - length in (32, 64)
        assert whole[length - 2 :] == b"\x49\x2a" * (1 + (len(whole) - length) // 2)
