"""The user's ROM dumps, recognised and laid out for MAME.

We ship, fetch and keep no ROMs. A user's folder may hold the raw dumps (console ROM and GROMs,
Extended BASIC, disk controller) or MAME's own pieces, bare or in .zip files, under any names: the
pieces are known by CRC-32. Source of names and sums: MAME 0.251, driver ti99_4a.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

LARGEST = 1 << 20
"""Larger files are no ROM dumps."""
GROM, GROM_SPACE = 6144, 8192
"""Bytes that a GROM has, and the room that dumps give it."""


@dataclass(frozen=True)
class Piece:
    """A file of MAME's ROM set; `crc` None: known by the shape of Extended BASIC's GROM dump."""

    path: str
    crc: int | None
    what: str


PIECES = (
    Piece("ti99_4a/994a_rom_hb.u610", 0xEE859C5F, "console ROM"),
    Piece("ti99_4a/994a_rom_lb.u611", 0x37859301, "console ROM"),
    Piece("ti99_4a/994a_grom0.u500", 0x2445A5E8, "console GROM 0"),
    Piece("ti99_4a/994a_grom1.u501", 0xB8F367AB, "console GROM 1"),
    Piece("ti99_4a/994a_grom2.u502", 0xE0BB5341, "console GROM 2"),
    Piece("ti99_fdc/fdc_dsr.u26", 0x693C6B6E, "disk controller ROM"),
    Piece("ti99_fdc/fdc_dsr.u27", 0x2C921087, "disk controller ROM"),
    Piece("ti99_cart/exbasic/phm3026c.bin", 0xAC56064F, "Extended BASIC ROM, lower half"),
    Piece("ti99_cart/exbasic/phm3026d.bin", 0x95ED1F1A, "Extended BASIC ROM, upper half"),
    *(
        Piece(f"ti99_cart/exbasic/phm3026g{n}.bin", None, f"Extended BASIC GROM {n}")
        for n in range(3, 7)
    ),
)


@dataclass(frozen=True)
class RomSet:
    """Pieces found (MAME path → bytes), and what is missing."""

    found: Mapping[str, bytes]

    @property
    def missing(self) -> list[str]:
        """What MAME needs and the folder has not, each named once."""
        absent = [piece.what for piece in PIECES if piece.path not in self.found]
        return list(dict.fromkeys(absent))

    def lay_out(self, folder: Path) -> None:
        """Write the pieces as MAME wants them below `folder`."""
        for path, data in self.found.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def search(folder: Path) -> RomSet:
    """Look through a folder, its subfolders and the .zip files in it."""
    by_crc: dict[int, bytes] = {}
    extended: dict[str, bytes] = {}
    for name, data in _blobs(folder):
        for part in _parts(data):
            by_crc.setdefault(zlib.crc32(part), part)
        extended.update(_extended_groms(name, data))
    found = {
        piece.path: by_crc[piece.crc]
        for piece in PIECES
        if piece.crc is not None and piece.crc in by_crc
    }
    return RomSet({**found, **extended})


def _blobs(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        data = path.read_bytes()
        yield path.name.lower(), data
        if data.startswith(b"PK"):
            yield from _zipped(data)


def _zipped(data: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if info.file_size <= LARGEST and not info.is_dir():
                    yield Path(info.filename).name.lower(), archive.read(info)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return


def _parts(data: bytes) -> Iterator[bytes]:
    """A dump itself, its even and odd bytes, its halves and quarters, and its GROMs."""
    yield data
    yield data[0::2]
    yield data[1::2]
    half = len(data) // 2
    yield data[:half]
    yield data[half:]
    for space in (GROM, GROM_SPACE):
        if len(data) % space == 0:
            for at in range(0, len(data), space):
                yield data[at : at + GROM]


def _extended_groms(name: str, data: bytes) -> dict[str, bytes]:
    """Extended BASIC's four GROMs, known by name: `phm3026g3.bin` … or one dump `…extg…`."""
    folder = "ti99_cart/exbasic"
    for n in range(3, 7):
        if name == f"phm3026g{n}.bin" and len(data) in (GROM, GROM_SPACE):
            return {f"{folder}/{name}": data[:GROM]}
    if "extg" in name or name.startswith("phm3026g."):
        for space in (GROM, GROM_SPACE):
            if len(data) == 4 * space:
                return {
                    f"{folder}/phm3026g{n + 3}.bin": data[n * space : n * space + GROM]
                    for n in range(4)
                }
    return {}
