"""Packed things: ZIP archives (cartridges, ROM dumps, projects), read and made, and .xz files.

A few bytes can unpack to any amount, and a damaged archive makes its decoder raise almost anything.
So all that is packed is read here, piece by piece, within `Bounds`; whatever is wrong with it is a
`PackedError`. Archives that are made depend on nothing but their files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Protocol

from ti99tools.base.errors import TIError
from ti99tools.base.record import Record

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo


class PackedError(TIError):
    """An archive that is damaged, exceeds its bounds, or has names that an archive must not have.

    The place is unknown here: callers add the file with `at`.
    """


class Bounds(Record):
    """How much may come out of an archive."""

    total: int = 64 << 20
    """Bytes of everything together."""
    entries: int = 2000
    """Files and folders of an archive; streams of an .xz file."""
    ratio: int = 200
    """Bytes for each packed byte, once `free` of them have come out."""
    free: int = 1 << 20
    """Bytes for which the ratio does not matter: small files may be almost empty."""
    name: int = 255
    """Characters of an entry's name."""
    largest: int = 1 << 64
    """Bytes of a file of an archive; larger ones are left out, by default none."""


ALL = Bounds()
"""The bounds of everything packed; a reader may narrow them, none widens them."""
PIECE = 64 * 1024
"""Bytes that are unpacked at a time."""
_MEMORY = 128 << 20
"""Bytes that an .xz file may ask for its dictionary; that of `xz -9` is 64 MB."""
_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The date of all files of an archive: the earliest that there is."""
_UNIX, _MODE = 3, 0o100644 << 16
"""The system that made an archive, and the rights of its files: for all to read."""
_ENTRY = b"PK\1\2"
"""How an entry begins in the directory of an archive."""
_ENCRYPTED = 0x1


class _Room:
    """Counts what may still come out of an archive."""

    def __init__(self, bounds: Bounds, packed: int) -> None:
        self.whole = self.left = min(bounds.total, bounds.free + bounds.ratio * packed)

    def read(self, file: _Readable) -> Iterator[bytes]:
        """The content of a file in pieces. Raises PackedError when the room is used up."""
        while piece := file.read(min(PIECE, max(self.left, 0) + 1)):
            self.left = max(self.left - len(piece), -1)
            if self.left < 0:
                raise self.used_up()
            yield piece

    def used_up(self) -> PackedError:
        """The error of an archive that unpacks to too much."""
        return PackedError(
            f"more than {self.whole:,} bytes come out of the archive",
            remedy="this is not a file for the TI-99/4A: do not unpack it",
        )


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def unzipped(
    data: bytes, bounds: Bounds = ALL, damaged: list[str] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in a ZIP archive, one at a time, in its order.

    With `damaged`, an entry that cannot be read is skipped and its name appended there. Raises
    PackedError for anything else that is wrong.
    """
    room = _Room(bounds, len(data))
    with _opened(data, bounds) as archive:
        files = _files(archive, bounds)
        if damaged is None and sum(info.file_size for info in files) > room.whole:
            raise room.used_up()
        for info in files:
            try:
                content = _content(archive, info, room)
            except PackedError:
                if damaged is None:
                    raise
                damaged.append(info.filename)
            else:
                yield info.filename, content


def zipped(files: Mapping[str, bytes], stored: tuple[str, ...] = ()) -> bytes:
    """A ZIP archive of files by path, in their order; the same files give the same bytes.

    `stored`: extensions of files that deflate does not make smaller.
    """
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

    data = BytesIO()
    with ZipFile(data, "w") as archive:
        for path, content in files.items():
            info = ZipInfo(path, _BEGINNING)
            info.create_system, info.external_attr = _UNIX, _MODE
            info.compress_type = ZIP_STORED if path.endswith(stored) else ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=9)
    return data.getvalue()


def _opened(data: bytes, bounds: Bounds) -> ZipFile:
    """The archive with its directory read."""
    from zipfile import ZipFile

    # Each entry that is read takes memory, whatever the archive says about their number.
    if data.count(_ENTRY) > 4 * bounds.entries:
        raise _too_many(bounds)
    try:
        return ZipFile(BytesIO(data))
    except Exception as error:  # a damaged directory makes it raise many kinds
        raise _damaged(error) from error


def _files(archive: ZipFile, bounds: Bounds) -> list[ZipInfo]:
    """The files of an archive that are read, after a look at all names."""
    infos = archive.infolist()
    if len(infos) > bounds.entries:
        raise _too_many(bounds)
    for info in infos:
        _check_name(info, bounds)
    return [info for info in infos if not info.is_dir() and info.file_size <= bounds.largest]


def _check_name(info: ZipInfo, bounds: Bounds) -> None:
    """Raise PackedError for a name that no file of an archive may have."""
    name = info.filename.replace("\\", "/")
    bad = not 0 < len(name) <= bounds.name or not name.isprintable() or name.startswith("/")
    if bad or name[1:2] == ":" or ".." in name.split("/"):
        raise PackedError(
            f"the archive has a file named {name[:60]!r}",
            remedy="make it again, with paths inside one folder",
        )


def _content(archive: ZipFile, info: ZipInfo, room: _Room) -> bytes:
    """The content of a file of an archive."""
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    # The other methods unpack whole blocks, however little is asked for.
    if info.flag_bits & _ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise PackedError(
            f"{info.filename} has a password, or is packed by another method than deflate",
            remedy="make the archive again without",
        )
    try:
        with archive.open(info) as file:
            return b"".join(room.read(file))
    except PackedError:
        raise
    except Exception as error:  # as above, for damaged contents
        raise _damaged(error) from error


def unxz(data: bytes, bounds: Bounds = ALL) -> bytes:
    """The content of an .xz file. Raises PackedError."""
    room = _Room(bounds, len(data))
    parts: list[bytes] = []
    try:
        for count, stream in enumerate(_streams(data)):
            if count >= bounds.entries:
                raise _too_many(bounds)
            parts += room.read(stream)
    except PackedError:
        raise
    except Exception as error:  # LZMAError, EOFError, MemoryError and whatever else
        raise _damaged(error) from error
    return b"".join(parts)


class _Stream:
    """One stream of an .xz file, which begins at `start`; `end` is known when it was read."""

    def __init__(self, data: bytes, start: int) -> None:
        from lzma import LZMADecompressor

        self._decompressor = LZMADecompressor(memlimit=_MEMORY)
        self._data = data
        self._at = start

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end. Raises EOFError for a stream that breaks off."""
        while not self._decompressor.eof:
            given = b""
            if self._decompressor.needs_input:
                given = self._data[self._at : self._at + PIECE]
                self._at += len(given)
                if not given:
                    raise EOFError("it breaks off")
            piece = self._decompressor.decompress(given, size)
            if piece:
                return piece
        return b""

    @property
    def end(self) -> int:
        """Where the stream ends and its padding begins."""
        return self._at - len(self._decompressor.unused_data)


_PADDING = re.compile(rb"\0*")


def _streams(data: bytes) -> Iterator[_Stream]:
    """The streams of an .xz file, each to be read to its end before the next."""
    at = 0
    while not at or at < len(data):
        stream = _Stream(data, at)
        yield stream
        padding = _PADDING.match(data, stream.end)
        assert padding is not None
        at = padding.end()


def _too_many(bounds: Bounds) -> PackedError:
    return PackedError(
        f"the archive has more than {bounds.entries:,} files", remedy="pack fewer of them"
    )


def _damaged(error: Exception) -> PackedError:
    reason = str(error).strip() or type(error).__name__
    return PackedError(f"the archive is damaged ({reason[:80]})", remedy="copy or make it again")
