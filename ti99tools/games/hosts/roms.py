"""The user's emulators and ROM dumps: found, recognised and laid out for MAME.

The environment takes precedence over the config file:

    TI99_ROMS, TI99_MAME, TI99_TI99SIM    folder of ROM dumps, MAME, ti99sim's driver
    ~/.config/ti99tools/config.toml       roms = "DIR", mame = "PROGRAM", ti99sim = "PROGRAM";
                                          [options] has defaults for commands
    ~/.cache/ti99tools                    files made on this computer, for it alone

We ship, fetch and keep no ROMs. A user's folder may have the raw dumps (console ROM and GROMs,
Extended BASIC, disk controller) or MAME's own pieces, bare or in .zip files, under any names: the
pieces are recognised by CRC-32. Source of names and sums: MAME 0.251, driver ti99_4a, and its list
of cartridges.

Extended BASIC's ROM is dumped as two files of 8 KB, each the common 4 KB and the upper half of one
bank, or as one file of 16 KB with both; MAME requires the common 4 KB and the two upper halves. A
dump with other bytes (a patched ROM, another GROM version) is recognised by its size and shape,
with a warning.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from ti99tools.base.errors import HostError, TIError
from ti99tools.base.hostio import read_text, write_together
from ti99tools.base.inputs import read_regular
from ti99tools.base.packed import Bounds, unzipped
from ti99tools.base.tables import config_file, toml_table


def cache_folder() -> Path:
    """The folder for what can be made again, whether it exists or not."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "ti99tools"


def setting(name: str) -> str | None:
    """A setting, `roms`, `mame` or `ti99sim`; None when it is not set.

    Raises HostError for a damaged file.
    """
    value = os.environ.get(f"TI99_{name.upper()}")
    if value:
        return value
    path = config_file()
    if not path.is_file():
        return None
    try:
        given = toml_table(read_text(path, LARGEST)).get(name)
    except TIError as error:
        raise HostError(error.problem, remedy=error.remedy, place=error.place) from error
    except ValueError as error:
        raise HostError(f"{path}: {error}", remedy=f'write {name} = "…"') from error
    return str(Path(given).expanduser()) if isinstance(given, str) else None


LARGEST = 1 << 20
"""Files larger than this are not ROM dumps."""
_BOUNDS = Bounds(total=16 * LARGEST, largest=LARGEST)
"""What is read of an archive of ROM dumps."""
_KNOWN_BANKS = 16
"""The most banks with the same common half that are tried as a pair; a console has two."""
GROM, GROM_SPACE = 6144, 8192
"""The bytes of a GROM, and the space that it takes in dumps."""
CONSOLE_GROMS = (3 * GROM_SPACE, 4 * GROM_SPACE, 8 * GROM_SPACE)
"""Sizes of dumps of the console's three GROMs."""
COMMON, BANK = 4096, 8192
"""Bytes of Extended BASIC's ROM that both banks share, and of a bank with them."""
RESET_VECTOR = bytes((0x83, 0xE0, 0x00, 0x24))
"""How a console ROM begins: workspace and address of the level 0 interrupt."""
XB_NAMES = ("tiext", "exbasic", "extbas", "3026")
"""Parts of names by which dumps of Extended BASIC are recognised."""
XB_C, XB_D = "ti99_cart/exbasic/phm3026c.bin", "ti99_cart/exbasic/phm3026d.bin"


@dataclass(frozen=True)
class Piece:
    """A file of MAME's ROM set."""

    path: str
    crc: int
    what: str


PIECES = (
    Piece("ti99_4a/994a_rom_hb.u610", 0xEE859C5F, "console ROM"),
    Piece("ti99_4a/994a_rom_lb.u611", 0x37859301, "console ROM"),
    Piece("ti99_4a/994a_grom0.u500", 0x2445A5E8, "console GROM 0"),
    Piece("ti99_4a/994a_grom1.u501", 0xB8F367AB, "console GROM 1"),
    Piece("ti99_4a/994a_grom2.u502", 0xE0BB5341, "console GROM 2"),
    Piece("ti99_fdc/fdc_dsr.u26", 0x693C6B6E, "disk controller ROM"),
    Piece("ti99_fdc/fdc_dsr.u27", 0x2C921087, "disk controller ROM"),
    Piece(XB_C, 0xAC56064F, "Extended BASIC ROM, lower half"),
    Piece(XB_D, 0x95ED1F1A, "Extended BASIC ROM, upper half"),
    Piece("ti99_cart/exbasic/phm3026g3.bin", 0xCE50E197, "Extended BASIC GROM 3"),
    Piece("ti99_cart/exbasic/phm3026g4.bin", 0x71F702C4, "Extended BASIC GROM 4"),
    Piece("ti99_cart/exbasic/phm3026g5.bin", 0x5510D76E, "Extended BASIC GROM 5"),
    Piece("ti99_cart/exbasic/phm3026g6.bin", 0x8621E071, "Extended BASIC GROM 6"),
)


@dataclass(frozen=True)
class RomSet:
    """Pieces found (MAME path → bytes), and those among them with unusual contents."""

    pieces: Mapping[str, bytes]
    unusual: tuple[str, ...] = ()
    """Pieces recognised by their shape: the machine may behave differently from the original."""
    damaged: tuple[str, ...] = ()
    """Files that cannot be read, and archives with unreadable members."""

    @property
    def missing(self) -> list[str]:
        """Names of the pieces that MAME needs and the folder lacks, each once."""
        absent = [piece.what for piece in PIECES if piece.path not in self.pieces]
        return list(dict.fromkeys(absent))

    @property
    def shortage(self) -> str:
        """What is missing and what is damaged, in one line; empty when nothing is missing."""
        if not self.missing:
            return ""
        damaged = f" ({', '.join(self.damaged)} cannot be read)" if self.damaged else ""
        return f"{', '.join(self.missing)}{damaged}"

    def lay_out(self, folder: Path) -> None:
        """Write the pieces below `folder` where MAME looks for them."""
        files: dict[Path, bytes | str] = {folder / path: each for path, each in self.pieces.items()}
        write_together(files, dict.fromkeys(path.parent for path in files))


def search(folder: Path) -> RomSet:
    """Search a folder, its subfolders and the .zip files in them for ROM dumps."""
    sums = {piece.crc for piece in PIECES}
    by_crc: dict[int, bytes] = {}
    shaped: dict[str, bytes] = {}
    banks: dict[bytes, list[bytes]] = {}
    named: dict[bytes, list[bytes]] = {}
    damaged: list[str] = []
    for name, data in _blobs(folder, damaged):
        for part in _parts(data):
            crc = zlib.crc32(part)
            if crc in sums:
                by_crc.setdefault(crc, part)
        shaped.update(_by_shape(name, data))
        for bank in _banks(data):
            if zlib.crc32(bank[:COMMON]) in sums:
                banks.setdefault(bank[:COMMON], []).append(bank[COMMON:])
            if any(word in name for word in XB_NAMES):
                named.setdefault(bank[:COMMON], []).append(bank[COMMON:])
    for pair in _pairs(banks):
        by_crc.setdefault(zlib.crc32(pair[XB_D]), pair[XB_D])
    for pair in _pairs(named):
        for path, data in pair.items():
            shaped.setdefault(path, data)
    known = {piece.path: by_crc[piece.crc] for piece in PIECES if piece.crc in by_crc}
    unusual = [p.what for p in PIECES if p.path in shaped and p.path not in known]
    return RomSet({**shaped, **known}, tuple(dict.fromkeys(unusual)), tuple(damaged))


def _banks(data: bytes) -> Iterator[bytes]:
    """Possible banks of Extended BASIC's ROM, each preceded by the common half."""
    if len(data) in (BANK, 2 * BANK):
        for at in range(0, len(data), BANK):
            yield data[at : at + BANK]


def _pairs(banks: Mapping[bytes, list[bytes]]) -> Iterator[dict[str, bytes]]:
    """MAME's two files from every two banks: common half → the upper halves found after it."""
    for common, uppers in banks.items():
        for pair in permutations([*dict.fromkeys(uppers)][:_KNOWN_BANKS], 2):
            yield {XB_C: common, XB_D: b"".join(pair)}


def _blobs(folder: Path, damaged: list[str]) -> Iterator[tuple[str, bytes]]:
    """Names and contents of files, including those in archives; unreadable ones go to `damaged`."""
    for path in sorted(folder.rglob("*")):
        try:
            if not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = read_regular(path, LARGEST)
        except OSError:
            damaged.append(str(path))
            continue
        yield path.name.lower(), data
        if data.startswith(b"PK"):
            yield from _zipped(path, data, damaged)


def _zipped(path: Path, data: bytes, damaged: list[str]) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in an archive; if one is unreadable, it goes to `damaged`."""
    unreadable: list[str] = []
    try:
        for name, content in unzipped(data, _BOUNDS, unreadable):
            yield Path(name).name.lower(), content
    except TIError:
        unreadable.append(str(path))
    if unreadable:
        damaged.append(str(path))


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


def _by_shape(name: str, data: bytes) -> dict[str, bytes]:
    """Pieces recognised by the file's name, size and first bytes, whatever the other bytes."""
    if len(data) == 8192 and data.startswith(RESET_VECTOR):
        high, low = (f"ti99_4a/994a_rom_{part}" for part in ("hb.u610", "lb.u611"))
        return {high: data[0::2], low: data[1::2]}
    return _console_groms(name, data) or _extended_groms(name, data)


def _console_groms(name: str, data: bytes) -> dict[str, bytes]:
    """The console's three GROMs, in one dump of 24, 32 or 64 KB named `…994agrom…` or the like."""
    if "grom" not in name or "994a" not in name or len(data) not in CONSOLE_GROMS:
        return {}
    starts = {f"ti99_4a/994a_grom{n}.u50{n}": n * GROM_SPACE for n in range(3)}
    return {path: data[at : at + GROM] for path, at in starts.items()}


def _extended_groms(name: str, data: bytes) -> dict[str, bytes]:
    """Extended BASIC's four GROMs, recognised by name: `phm3026g3.bin` … or one dump `…extg…`."""
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
