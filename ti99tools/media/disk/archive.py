"""ARK archives, as Barry Boone's Archiver makes them: several files in one, packed or not.

An archive begins with a directory: sectors of 14 entries of 18 bytes, and END! in the last four
bytes of the last of them. The files' sectors follow in the same order. It lies on disks as DIS/FIX
128, and packed, by LZW, as INT/FIX 128. Codes have 9 to 12 bits, most significant bit first: 256
empties the table, 257 ends. Sources: Ninerpedia, "Archiver", and archives of that program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.descriptors import MARK, clean_name
from ti99tools.media.disk.geometry import GEOMETRIES, SECTOR
from ti99tools.media.disk.hostfiles import contained
from ti99tools.media.disk.tifile import StoredFile

ENTRY, ENTRIES = 18, 14
"""Bytes of an entry, entries in a sector of the directory."""
END = b"END!"
_FLAGS = 0x8B
"""Bits of a file's flags: PROGRAM, INTERNAL, protected, VARIABLE."""
_RECORD = 128
_DIRECTORY = 10
"""The most sectors of a directory: a disk has 127 files."""
_LARGEST = max(geometry.sectors for geometry in GEOMETRIES.values()) * SECTOR
"""Bytes that come out of an archive at most: a whole disk of the largest kind."""
_CLEAR, _STOP, _FIRST = 256, 257, 258
_NARROW, _WIDE = 9, 12
"""Bits of a code."""


class ArchiveContainer:
    """The container of a disk that was read from an archive, which is never written."""

    form = "ARK archive"

    def pack(self, _sectors: bytes, _unreadable: Collection[int] = ()) -> bytes:
        """Raise DiskError: archives are only read."""
        raise DiskError(
            "an archive is not written",
            remedy="make a disk of it: ti99tools disk convert A.ark A.dsk",
        )


def archive_files(data: bytes) -> list[StoredFile] | None:
    """The files of an archive, bare or in a container; None if it is not one.

    Raises DiskError for one that is cut off or too large.
    """
    stored = contained(data)
    if stored is not None and (stored.type.variable or stored.record_length != _RECORD):
        return None
    content = data if stored is None else stored.content
    if _is_directory(content):
        return list(_files(content))
    # A packed archive begins with the code that empties the table: a 1 and eight zeros.
    if content[:1] != b"\x80" or not content[1:2] or content[1] >= 0x80:
        return None
    start = _unpacked(content, SECTOR * _DIRECTORY)
    return list(_files(_unpacked(content, _LARGEST))) if _is_directory(start) else None


def _is_directory(content: bytes) -> bool:
    """Tell whether the content begins with a directory, and not with a disk's volume block."""
    size = _directory_size(content)
    return bool(size) and content[13:16] != MARK and _is_plausible(content[:size])


def _directory_size(content: bytes) -> int:
    """The bytes of the directory; 0 if it has no end."""
    for size in range(SECTOR, SECTOR * _DIRECTORY + 1, SECTOR):
        if content[size - len(END) : size] == END:
            return size
    return 0


def _is_plausible(directory: bytes) -> bool:
    """Tell whether all entries may be files: names of printable characters, known flags."""
    entries = list(_entries(directory))
    return bool(entries) and all(
        entry[:10].isascii() and entry[:10].decode().isprintable() and not entry[10] & ~_FLAGS
        for entry in entries
    )


def _files(content: bytes) -> Iterator[StoredFile]:
    at = size = _directory_size(content)
    for entry in _entries(content[:size]):
        sectors = int.from_bytes(entry[12:14], "big")
        part = content[at : at + sectors * SECTOR]
        if len(part) < sectors * SECTOR:
            name = clean_name(entry[:10])
            raise DiskError(f"the archive is cut off in its file {name}", remedy="copy it again")
        yield _file(entry, part)
        at += sectors * SECTOR


def _entries(directory: bytes) -> Iterator[bytes]:
    for start in range(0, len(directory), SECTOR):
        for at in range(start, start + ENTRY * ENTRIES, ENTRY):
            if directory[at]:
                yield directory[at : at + ENTRY]


def _file(entry: bytes, content: bytes) -> StoredFile:
    """The file of an entry: name, flags, records a sector, sectors, end, record length, records."""
    return StoredFile(
        name=clean_name(entry[:10]),
        content=content,
        flags=entry[10],
        records_per_sector=entry[11],
        eof_offset=entry[14],
        record_length=entry[15],
        level3_records=int.from_bytes(entry[16:18], "little"),
    )


def _unpacked(packed: bytes, most: int) -> bytes:
    """What LZW has packed, up to about `most` bytes. Raises DiskError for more than a disk."""
    out = bytearray()
    table = [bytes((byte,)) for byte in range(256)] + [b""] * (_FIRST - 256)
    before, emptied = b"", False
    for code in _codes(packed, table):
        if code == _STOP:
            break
        if code == _CLEAR:
            # The table is emptied when it is full; emptied again and again, it would cost time and
            # give nothing.
            if emptied and not before:
                raise _damaged()
            del table[_FIRST:]
            emptied, before = True, b""
            continue
        if code > len(table) or (code == len(table) and not before):
            raise _damaged()
        # A code that is just being made: the string before and its own first byte.
        string = table[code] if code < len(table) else before + before[:1]
        if before and len(table) < 1 << _WIDE:
            table.append(before + string[:1])
        out += string
        before = string
        if len(out) >= most:
            break
    if len(out) > _LARGEST:
        raise DiskError("the archive holds more than a disk", remedy="it is damaged: copy it again")
    return bytes(out)


def _damaged() -> DiskError:
    return DiskError("the packed archive is damaged", remedy="copy it again")


def _codes(packed: bytes, table: list[bytes]) -> Iterator[int]:
    """The codes; a code has one bit more each time the table has filled the width."""
    held = bits = 0
    width = _NARROW
    for byte in packed:
        held, bits = held << 8 | byte, bits + 8
        if bits < width:
            continue
        bits -= width
        code, held = held >> bits, held & ((1 << bits) - 1)
        yield code
        width = _NARROW if code == _CLEAR else min(max(len(table).bit_length(), _NARROW), _WIDE)
