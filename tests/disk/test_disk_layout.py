"""Structures on the disk: parse, build and size together, and the real controller's descriptors."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from construct import Construct
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.errors import DiskError
from ti99tools.media.disk import descriptors, hostfiles, records, structs
from ti99tools.media.disk.geometry import GEOMETRIES, by_size, geometry, sectors_per_unit
from ti99tools.media.disk.tifile import DiskFile, FileType, StoredFile
from ti99tools.media.disk.volume import Volume

RECORDINGS = Path(__file__).parents[1] / "conformance"
SECTOR = st.binary(min_size=256, max_size=256)


def common(form: Construct, data: bytes) -> Any:
    """Parse, build and size of `form` belong together."""
    parsed = structs.parse(form, data)
    assert structs.build(form, parsed) == data
    assert form.sizeof() == len(data)
    return parsed


def test_a_volume_block_field_by_field() -> None:
    raw = (
        b"GAMES     \x02\xd0\x09DSKP\x28\x02\x01"
        + (b"SUB       \x00\x05" + bytes(24))
        + b"\x03"
        + bytes(199)
    )
    vib = common(structs.VIB, raw)
    assert (vib.name, vib.total_sectors, vib.sectors_per_track) == (b"GAMES     ", 720, 9)
    assert (vib.magic, vib.protection, vib.tracks, vib.sides, vib.density) == (
        b"DSK",
        b"P",
        40,
        2,
        1,
    )
    assert descriptors.parse_vib(raw).subdirectories[0] == descriptors.Subdirectory(
        b"SUB       ", 5
    )
    assert vib.bitmap[0] == 3


def test_a_descriptor_field_by_field() -> None:
    raw = bytes.fromhex("412020202020202020200000800300025e50020000000000000000002410")
    fdr = common(structs.FDR, raw.ljust(256, b"\0"))
    assert (fdr.name, fdr.flags, fdr.records_per_sector) == (b"A         ", 0x80, 3)
    assert (fdr.sectors, fdr.eof_offset, fdr.record_length, fdr.level3_records) == (2, 94, 80, 2)
    assert [*descriptors.read_chain(fdr.chain)] == [(0x24, 2)]


def test_container_headers_parse_build_and_size() -> None:
    hostfiles = b"\x07TIFILES\x00\x05\x80\x03\x19\x50\x05\x00NAME      ".ljust(128, b"\0")
    head = common(structs.TIFILES, hostfiles)
    assert (head.sectors, head.flags, head.level3_records) == (5, 0x80, 5)
    hfe = b"HXCPICFE\0\x28\x02\x02\xfa\0\0\0\x07\0\x01\0".ljust(512, b"\xff")
    head = common(structs.HFE, hfe)
    assert (head.tracks, head.sides, head.encoding, head.bit_rate) == (40, 2, 2, 250)
    assert common(structs.HFE_TRACK, b"\x02\0\xb0\x61").length == 0x61B0
    place = common(structs.ID_FIELD, b"\xfe\x05\x01\x08\x01")
    assert (place.cylinder, place.side, place.sector) == (5, 1, 8)


def test_a_volume_block_on_a_card_has_an_unused_byte_after_each() -> None:
    block = descriptors.build_vib(descriptors.blank_vib("CARD", 1600, (40, 2, 20, 2), 1))
    card = bytes(byte for pair in zip(block, bytes(256), strict=True) for byte in pair)
    assert descriptors.vib_of(common(structs.CF7_VIB, card)) == descriptors.parse_vib(block)


def test_a_structure_that_is_cut_off_or_does_not_fit_is_refused() -> None:
    with pytest.raises(DiskError, match="cut off"):
        structs.parse(structs.HFE_TRACK, bytes(3))
    with pytest.raises(DiskError, match="cannot hold its offset"):
        structs.build(structs.HFE_TRACK, {"offset": 0x10000, "length": 0})


def test_a_file_that_no_header_can_count_is_refused() -> None:
    file = StoredFile(name="BIG", flags=descriptors.PROGRAM, content=bytes(0x10000 * 256))
    for write in (hostfiles.build_tifiles, hostfiles.build_fiad):
        with pytest.raises(DiskError, match="cannot hold its sectors"):
            write(file)


def test_what_fills_a_sector_has_its_size() -> None:
    assert {form.sizeof() for form in (structs.VIB, structs.FDIR, structs.FDR)} == {256}


@given(SECTOR)
def test_editing_a_structure_keeps_every_other_byte(raw: bytes) -> None:
    assert descriptors.build_vib(descriptors.parse_vib(raw)) == raw
    assert descriptors.build_fdr(descriptors.parse_fdr(raw)) == raw


@given(st.lists(st.integers(1, 0xFFFF), max_size=127))
def test_an_index_comes_back(pointers: list[int]) -> None:
    assert descriptors.parse_fdir(descriptors.build_fdir(tuple(pointers))) == tuple(pointers)


@given(st.lists(st.tuples(st.integers(1, 0xFFF), st.integers(1, 50)), max_size=76))
def test_clusters_come_back(clusters: list[tuple[int, int]]) -> None:
    assert [*descriptors.read_chain(descriptors.encode_chain(clusters))] == clusters


def test_chains_that_no_descriptor_holds_are_refused() -> None:
    with pytest.raises(DiskError, match="76 pieces"):
        descriptors.encode_chain([(40, 1)] * 77)
    with pytest.raises(DiskError):
        descriptors.encode_chain([(0x1000, 1)])
    with pytest.raises(DiskError):
        descriptors.encode_chain([(40, 4097)])
    with pytest.raises(DiskError, match="cluster 2"):
        list(descriptors.read_chain(bytes.fromhex("221000 300000")))


@given(SECTOR)
def test_the_sound_part_of_a_chain_is_what_decodes(raw: bytes) -> None:
    volume = Volume(descriptors.build_vib(descriptors.blank_vib("X", 720, (40, 2, 9, 1), 1)))
    volume.data.extend(bytes(719 * 256))
    fdr = descriptors.parse_fdr(raw)
    sound = volume.sound_extents(fdr)
    assert all(0 < e.start < e.stop <= 720 for e in sound)
    try:
        whole = volume.extents(fdr)
    except DiskError:
        return
    assert whole[: len(sound)] == sound


RESERVES = re.compile(r"(?:RELATIVE|SEQUENTIAL) \d")


def recorded() -> list[tuple[str, str, dict[str, Any], bool]]:
    """Files whose descriptor was recorded: case, name, file, whether the case reserves records."""
    found = []
    for path in sorted(RECORDINGS.glob("files-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            for name, file in (case["expect"].get("files") or {}).items():
                if file.get("fdr"):
                    reserves = any(map(RESERVES.search, case["source"]))
                    found.append((case["id"], name, file, reserves))
    return found


def file_from_recording(name: str, file: dict[str, Any]) -> DiskFile:
    kind = FileType.from_label(file["type"])
    if kind is FileType.PROGRAM:
        return DiskFile.program(name, bytes.fromhex(file["data"]))
    parts = tuple(map(bytes.fromhex, file["records"]))
    return DiskFile(name, kind, file["recl"], parts)


@pytest.mark.parametrize("case", recorded(), ids=lambda case: f"{case[0]}-{case[1]}")
def test_descriptors_are_those_of_the_real_controller(
    case: tuple[str, str, dict[str, Any], bool],
) -> None:
    _, name, file, reserves = case
    fdr = descriptors.parse_fdr(bytes.fromhex(file["fdr"]).ljust(256, b"\0"))
    if not (fdr.flags or fdr.record_length or fdr.sectors):
        assert StoredFile.of(fdr, b"").type is FileType.DIS_FIX  # left open: nothing but a name
        return
    stored = records.store(file_from_recording(name, file))
    ours = stored.descriptor(name, fdr.chain)
    protected = fdr.flags & descriptors.PROTECTED
    fields = ("records_per_sector", "eof_offset", "record_length", "level3_records", "created")
    assert [getattr(ours, f) for f in fields] == [getattr(fdr, f) for f in fields]
    assert ours.flags | protected == fdr.flags
    assert ours.name == fdr.name
    # OPEN with RELATIVE n or SEQUENTIAL n takes sectors for n records; else only what is written.
    assert ours.sectors == fdr.sectors or (reserves and ours.sectors < fdr.sectors)
    assert sum(count for _, count in descriptors.read_chain(fdr.chain)) == fdr.sectors


def test_geometries_have_the_sizes_of_the_format() -> None:
    sizes = {name: shape.sectors for name, shape in GEOMETRIES.items()}
    assert sizes == {
        "SSSD": 360,
        "DSSD": 720,
        "SSDD": 720,
        "DSDD": 1440,
        "SSDD16": 640,
        "DSDD16": 1280,
        "SSSD80": 720,
        "DSSD80": 1440,
        "SSDD80": 1440,
        "DSDD80": 2880,
        "DSHD": 5760,
        "CF": 1600,
    }
    assert by_size(720) == GEOMETRIES["DSSD"]
    assert by_size(719) is None
    assert geometry("dsed") == GEOMETRIES["DSHD"]
    assert geometry("dssd80t") == GEOMETRIES["DSSD80"]
    assert geometry("2S1D80T") == GEOMETRIES["DSSD80"]
    assert geometry("1s/2d") == GEOMETRIES["SSDD"]
    assert geometry("40T1S1D") == GEOMETRIES["SSSD"]
    with pytest.raises(DiskError, match="DSSD80"):
        geometry("TSSD")
    assert [sectors_per_unit(n) for n in (360, 1600, 1601, 2880, 5760)] == [1, 1, 2, 2, 4]


@pytest.mark.parametrize("shape", GEOMETRIES.values(), ids=GEOMETRIES)
def test_every_sector_has_a_place_of_its_own(shape: Any) -> None:
    places = {shape.place(n) for n in range(shape.sectors)}
    assert len(places) == shape.sectors
    assert {p[0] for p in places} == set(range(shape.tracks))
    assert {p[1] for p in places} == set(range(shape.sides))


def test_side_1_runs_backwards() -> None:
    shape = GEOMETRIES["DSSD"]
    assert [shape.place(n) for n in (0, 359, 360, 719)] == [
        (0, 0, 0),
        (39, 0, 8),
        (39, 1, 0),
        (0, 1, 8),
    ]


def test_a_fiad_header_is_half_a_descriptor() -> None:
    header = b"NAME      \0\0\x01\0\0\x02\x10".ljust(128, b"\0")
    file = hostfiles.contained(header + b"*" * 512)
    assert file is not None
    assert (file.name, file.flags, file.eof_offset, file.content) == ("NAME", 1, 16, b"*" * 512)
    assert hostfiles.build_fiad(file) == header + b"*" * 512
