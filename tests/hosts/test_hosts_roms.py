"""ROM dumps recognised by content, whatever they are called and however they are packed.

The dumps here are made up: the table of checksums is replaced by that of the made-up pieces.
"""

import io
import zipfile
import zlib
from pathlib import Path
from random import Random

import pytest

from ti99tools.games.hosts import roms

RANDOM = Random(99)
CONSOLE = RANDOM.randbytes(8192)
GROMS = [RANDOM.randbytes(6144) for _ in range(3)]
DSR = RANDOM.randbytes(8192)
XB_C, XB_D = RANDOM.randbytes(4096), RANDOM.randbytes(8192)
XB_GROMS = [RANDOM.randbytes(6144) for _ in range(4)]
CONTENT = {
    "ti99_4a/994a_rom_hb.u610": CONSOLE[0::2],
    "ti99_4a/994a_rom_lb.u611": CONSOLE[1::2],
    **{f"ti99_4a/994a_grom{n}.u50{n}": GROMS[n] for n in range(3)},
    "ti99_fdc/fdc_dsr.u26": DSR[:4096],
    "ti99_fdc/fdc_dsr.u27": DSR[4096:],
    "ti99_cart/exbasic/phm3026c.bin": XB_C,
    "ti99_cart/exbasic/phm3026d.bin": XB_D,
    **{f"ti99_cart/exbasic/phm3026g{n}.bin": XB_GROMS[n - 3] for n in range(3, 7)},
}


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = tuple(
        roms.Piece(piece.path, zlib.crc32(CONTENT[piece.path]), piece.what) for piece in roms.PIECES
    )
    monkeypatch.setattr(roms, "PIECES", pieces)


def padded(groms: list[bytes]) -> bytes:
    return b"".join(grom + bytes(2048) for grom in groms)


RAW = {
    "994AROM.BIN": CONSOLE,
    "994aGROM.bin": padded(GROMS),
    "disk.bin": DSR,
    "TIEXTC.BIN": XB_C + XB_D[:4096],
    "TIEXTD.BIN": XB_C + XB_D[4096:],
    "TIEXTG.BIN": padded(XB_GROMS),
}


def test_raw_dumps(tmp_path: Path) -> None:
    for name, data in RAW.items():
        (tmp_path / name).write_bytes(data)
    dumps = roms.search(tmp_path)
    assert dumps.missing == []
    assert dumps.pieces == CONTENT
    dumps.lay_out(tmp_path / "out")
    assert (tmp_path / "out/ti99_4a/994a_grom1.u501").read_bytes() == GROMS[1]


def test_pieces_in_folders_and_archives(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in CONTENT.items():
            if "ti99_4a" in path:
                archive.writestr(path, data)
    (tmp_path / "ti99_4a.zip").write_bytes(packed.getvalue())
    for path, data in CONTENT.items():
        if "ti99_4a" not in path:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
    assert roms.search(tmp_path).pieces == CONTENT


def test_groms_without_gaps(tmp_path: Path) -> None:
    (tmp_path / "grom").write_bytes(b"".join(GROMS))
    (tmp_path / "tiextg").write_bytes(b"".join(XB_GROMS))
    assert len(roms.search(tmp_path).pieces) == 7


def test_extended_basic_in_one_file_of_both_banks(tmp_path: Path) -> None:
    whole = XB_C + XB_D[:4096] + XB_C + XB_D[4096:]
    (tmp_path / "both.bin").write_bytes(whole)
    (tmp_path / "c.bin").write_bytes(XB_C)
    dumps = roms.search(tmp_path)
    assert dumps.pieces["ti99_cart/exbasic/phm3026d.bin"] == XB_D
    assert not dumps.unusual


@pytest.mark.parametrize("size", [24576, 32768, 65536])
def test_console_groms_of_any_size(tmp_path: Path, size: int) -> None:
    (tmp_path / "groms").write_bytes(padded(GROMS).ljust(size, b"\0"))
    dumps = roms.search(tmp_path)
    assert len(dumps.pieces) == 3
    assert not dumps.unusual


def test_patched_dumps_are_taken_with_a_warning(tmp_path: Path) -> None:
    patched = roms.RESET_VECTOR + CONSOLE[4:]
    (tmp_path / "my console.bin").write_bytes(patched)
    (tmp_path / "994AGROM.BIN").write_bytes(padded([bytes(6144), *GROMS[1:]]).ljust(65536, b"\0"))
    (tmp_path / "tiextc.bin").write_bytes(XB_C + bytes(4096))
    (tmp_path / "tiextd.bin").write_bytes(XB_C + XB_D[4096:])
    dumps = roms.search(tmp_path)
    assert dumps.pieces["ti99_4a/994a_rom_hb.u610"] == patched[0::2]
    assert dumps.pieces["ti99_4a/994a_grom0.u500"] == bytes(6144)
    assert dumps.pieces["ti99_cart/exbasic/phm3026d.bin"] == bytes(4096) + XB_D[4096:]
    assert dumps.unusual == (
        "console ROM",
        "console GROM 0",
        "Extended BASIC ROM, upper half",
    )


def test_what_is_missing_is_named_once(tmp_path: Path) -> None:
    assert roms.search(tmp_path).missing[0] == "console ROM"
    for name in ("994AROM.BIN", "994aGROM.bin", "disk.bin"):
        (tmp_path / name).write_bytes(RAW[name])
    assert roms.search(tmp_path).missing == [
        "Extended BASIC ROM, lower half",
        "Extended BASIC ROM, upper half",
        *(f"Extended BASIC GROM {n}" for n in range(3, 7)),
    ]


def test_other_files_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 no archive")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "large").write_bytes(bytes(roms.LARGEST + 1))
    (tmp_path / "994AROM.BIN").write_bytes(CONSOLE[:-2])
    assert roms.search(tmp_path).pieces == {}


def zipped(content: dict[str, bytes]) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in content.items():
            archive.writestr(path, data)
    return bytearray(packed.getvalue())


def test_a_damaged_archive_is_named_and_its_sound_files_are_taken(tmp_path: Path) -> None:
    packed = zipped({"a": bytes(6144), "grom": GROMS[1], "b": CONSOLE})
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        place = archive.getinfo("b").header_offset + 31
    sound = bytes(packed)
    path = tmp_path / "ti99_4a.zip"
    for damage in range(0, len(sound), 97):
        data = bytearray(sound)
        data[damage : damage + 8] = b"\xff" * 8
        path.write_bytes(data)
        dumps = roms.search(tmp_path)
        assert set(dumps.pieces) <= set(CONTENT)
        assert dumps.missing
    packed[place : place + 40] = b"\xff" * 40
    path.write_bytes(packed)
    dumps = roms.search(tmp_path)
    assert list(dumps.pieces) == ["ti99_4a/994a_grom1.u501"]
    assert dumps.damaged == (str(path),)
    assert dumps.shortage.endswith(f"GROM 6 ({path} cannot be read)")
    path.write_bytes(sound[:-30])
    assert roms.search(tmp_path).damaged == (str(path),)
    path.write_bytes(sound)
    assert roms.search(tmp_path).damaged == ()


def test_the_real_table_names_every_piece_of_the_driver() -> None:
    folders = {piece.path.split("/")[0] for piece in roms.PIECES}
    assert folders == {"ti99_4a", "ti99_fdc", "ti99_cart"}
    assert len(roms.PIECES) == 13
