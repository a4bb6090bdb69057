"""What a file of the host is, by its bytes and its name: the one place where that is decided.

A text is one whatever it is called; sources end in an extension of `TEXTS`, and other texts are
read as sources where one is asked for. Everything else is known by its content alone. Each reader
reads the bytes once, when its content is asked for.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.basic import SOURCES
from ti99tools.base.decoding import PLAY_LOG, is_cartridge, spoilt, text_in
from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import read_bytes, read_start

if TYPE_CHECKING:
    from ti99tools.language.program.memory_image import Memory
    from ti99tools.media.disk.image import DiskImage
    from ti99tools.media.disk.tifile import DiskFile, StoredFile

TEXTS = (*SOURCES, ".txt")
"""Extensions of sources and listings, and of texts."""
ARCHIVE, LAYOUT = b"PK\3\4", "layout.xml"
"""How a ZIP archive begins; the file in it that makes it a cartridge for MAME."""
_OBJECT = re.compile(r"0[0-9A-F]{4}.{8}(?s:.*)^:", re.MULTILINE)
"""Tagged object code as text: it begins with a length and a name, and ends with a colon."""


_LOG = re.compile(rf"{PLAY_LOG} \d")
_ELSEWHERE = re.compile(f"{_OBJECT.pattern}|{_LOG.pattern}", re.MULTILINE)
_ROW = re.compile(r"^\s*[0-9]", re.MULTILINE)
"""A row of a listing, if one is there."""
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class FileKind(Enum):
    """A kind of file."""

    EMPTY = "an empty file"
    LISTING = "a numbered listing"
    TEXT = "a text, or a source in the dialect"
    OBJECT = "object code of an assembler"
    LOG = "a play log"
    PROGRAM = "a program file without a header"
    CONTAINER = "a TI file in a container"
    DISK = "a disk image"
    CARTRIDGE = "a cartridge"
    TAPE = "sound, as a cassette is"
    OTHER = "something else"

    @property
    def is_text(self) -> bool:
        """Tell whether it is read as lines."""
        return self in _READ_AS_LINES


_READ_AS_LINES = (
    FileKind.EMPTY,
    FileKind.LISTING,
    FileKind.TEXT,
    FileKind.OBJECT,
    FileKind.LOG,
)


_NO_SOURCE = {
    FileKind.DISK: ("a disk image, no program", Remedy.SHOW_DISK),
    FileKind.CARTRIDGE: ("a cartridge, which has no listing", Remedy.RUN_CARTRIDGE),
    FileKind.OBJECT: ("object code, no program of Extended BASIC", Remedy.LOAD_CODE),
    FileKind.LOG: ("a play log, no program", Remedy.CHECK_LOG),
}
"""Kinds of files that are taken for programs: what they are, and what to do with them."""


class HostFile:
    """The bytes of a file, and what they are."""

    def __init__(self, data: bytes, name: str = "", path: Path | None = None) -> None:
        """`path` is where the bytes were read, if anywhere."""
        self.data = data
        self.name = name
        self.path = path

    @classmethod
    def open(cls, path: Path) -> HostFile:
        """A file of the host. Raises TIError when it cannot be read."""
        return cls(read_bytes(path), str(path), path)

    @property
    def suffix(self) -> str:
        """The extension in small letters, with its dot."""
        return Path(self.name).suffix.lower()

    @property
    def is_misnamed(self) -> bool:
        """Tell whether it is a text named like a disk image, hardly meant as a source."""
        if self.suffix in ("", *TEXTS):  # most sources: the formats of disks are not loaded
            return False
        from ti99tools.media.disk.containers import FORMS

        endings = {".img", *(f".{ending}" for form in FORMS for ending in form.extensions)}
        return self.suffix in endings and self.text is not None

    @cached_property
    def kind(self) -> FileKind:
        """What it is, damaged or not."""
        if self.text is not None:
            return self._kind_of_text(self.text)
        if self._banks is not None:
            return FileKind.CARTRIDGE
        if self.data.startswith(b"RIFF"):
            return FileKind.TAPE
        # Nobody calls an image like a source.
        if self.suffix not in TEXTS and self.disk is not None:
            return FileKind.DISK
        if self._stored is not None:
            return FileKind.CONTAINER
        return FileKind.OTHER if isinstance(self._bare, TIError) else FileKind.PROGRAM

    def _kind_of_text(self, text: str) -> FileKind:
        if not text.strip():
            return FileKind.EMPTY
        if _LOG.match(text):
            return FileKind.LOG
        if _OBJECT.match(text):
            return FileKind.OBJECT
        # Most texts leave here, without loading what reads listings.
        if _ROW.search(text):
            from ti99tools.language.listing.numbered import is_numbered

            if is_numbered(text):
                return FileKind.LISTING
        # Any bytes without control codes can be Latin-1: then only the name tells.
        return FileKind.TEXT if self.suffix in TEXTS or self._is_unicode else FileKind.OTHER

    @property
    def _is_unicode(self) -> bool:
        """Tell whether the bytes of a text are UTF-8, or UTF-16 with its mark."""
        try:
            self.data.decode("utf-16" if self.data[:2] in UTF_16 else "utf-8")
        except UnicodeDecodeError:
            return False
        return True

    # -- readers --------------------------------------------------------------------------

    @cached_property
    def text(self) -> str | None:
        """The text; None where it cannot be one."""
        return text_in(self.data)

    @property
    def banks(self) -> bytes | None:
        """The banks of a cartridge, bare or in a ZIP; None for another file.

        Raises TIError for an archive that is damaged or too large.
        """
        if isinstance(self._banks, TIError):
            raise self._banks
        return self._banks

    @cached_property
    def _banks(self) -> bytes | TIError | None:
        if not self.data.startswith(ARCHIVE):
            return self.data if is_cartridge(self.data) else None
        from ti99tools.base.packed import unzipped

        try:
            inside = dict(unzipped(self.data))
        except TIError as error:
            return error.at(self.name)
        if LAYOUT not in inside:
            return None
        banks = next((content for content in inside.values() if is_cartridge(content)), None)
        return banks or TIError(
            "a cartridge without a program in ROM: GROM is not emulated",
            remedy="run it in an emulator with the console's ROMs",
        ).at(self.name)

    @cached_property
    def _stored(self) -> StoredFile | TIError | None:
        from ti99tools.media.disk.hostfiles import contained

        try:
            return contained(self.data)
        except TIError as error:
            return error

    @property
    def stored(self) -> StoredFile | None:
        """The file in a TIFILES or FIAD container, its name empty where the header has none.

        None for another file. Raises DiskError for a damaged container.
        """
        if isinstance(self._stored, TIError):
            raise self._stored
        return self._stored

    @property
    def ti_file(self) -> StoredFile | None:
        """As `stored`; where the header has no name, the host's name counts. Raises DiskError."""
        from ti99tools.media.disk.extract import from_host

        stored = self.stored
        if stored is None or stored.name:
            return stored
        return replace(stored, name=from_host(self.name))

    @property
    def container(self) -> str:
        """`tifiles` or `fiad`; empty for a file without a container. Raises as `stored`."""
        from ti99tools.media.disk.hostfiles import is_tifiles

        if self.stored is None:
            return ""
        return "tifiles" if is_tifiles(self.data) else "fiad"

    @cached_property
    def _disk(self) -> DiskImage | TIError:
        from ti99tools.media.disk.image import DiskImage

        try:
            if self.path is None:
                return DiskImage.from_bytes(self.data)
            return DiskImage.open(self.path, data=self.data)
        except TIError as error:
            return error

    @property
    def disk(self) -> DiskImage | None:
        """The disk of an image in any container; None for another file."""
        return None if isinstance(self._disk, TIError) else self._disk

    @property
    def no_disk(self) -> TIError:
        """Why it is no disk; a text can have the mark of one: `100 OPEN #1:"DSK1.F"`."""
        if isinstance(self._disk, TIError):
            return self._disk
        return _misnamed().at(str(self.path or self.name))

    @cached_property
    def _bare(self) -> Memory | tuple[bytes, ...] | TIError:
        from ti99tools.language.program.memory_image import bare_content

        try:
            return bare_content(self.data)
        except TIError as error:
            return error

    @property
    def content(self) -> str | Memory:
        """The text of a source, or the program of a file of any form, in a container or not.

        Raises TIError that says what it is instead, or what is wrong with it.
        """
        if self.text is not None:
            self.refuse()
            return self.text
        try:
            return self._program
        except TIError:
            self.refuse()
            if (problem := self._spoilt) is not None:
                raise problem from None
            raise

    @property
    def source(self) -> str:
        """The text of a source, also of one that LIST wrote, in a container.

        Raises TIError as `content`, and for a program file.
        """
        try:
            content = self.content
        except TIError:
            if self.kind is FileKind.OTHER and self._spoilt is None:
                raise TIError("no text", remedy=Remedy.SHOW_PROGRAM) from None
            raise
        if not isinstance(content, str):
            raise TIError("no text", remedy=Remedy.SHOW_PROGRAM)
        return content

    @property
    def _spoilt(self) -> TIError | None:
        """What is wrong with a source that is nearly a text; None for another file."""
        return spoilt(self.data) if self.suffix in TEXTS else None

    @property
    def _program(self) -> str | Memory:
        from ti99tools.language.program.memory_image import from_records, in_container
        from ti99tools.media.disk.hostfiles import as_programs_see

        if self.stored is not None:
            return in_container(as_programs_see(self.stored))
        content = self._bare
        if isinstance(content, TIError):
            raise content
        return from_records(content) if isinstance(content[0], bytes) else content

    def refuse(self) -> None:
        """Raise TIError for a file of a kind that is neither source nor program."""
        if self.is_misnamed:
            raise _misnamed()
        if self.text is not None and not _ELSEWHERE.match(self.text):
            return
        if self.kind in _NO_SOURCE and not isinstance(self._banks, TIError):
            problem, remedy = _NO_SOURCE[self.kind]
            words = remedy.of(path=self.name) if remedy is Remedy.RUN_CARTRIDGE else remedy
            raise TIError(problem, remedy=words)

    def bare_file(self, name: str) -> DiskFile:
        """The TI file of a program without a container. Raises TIError for other bytes."""
        from ti99tools.language.program.memory_image import file_of_records
        from ti99tools.media.disk.tifile import DiskFile

        content = self._bare
        if isinstance(content, TIError):
            raise content
        if isinstance(content[0], bytes):
            return file_of_records(name, content)
        return DiskFile.program(name, self.data)


def _misnamed() -> TIError:
    problem = "not a disk image in any known format"
    return TIError(problem, remedy="name a source .xb, .bas or .txt")


def is_cartridge_at(path: Path) -> bool:
    """Tell whether a path is that of a cartridge; of most files only the start is read.

    Raises TIError for a ZIP archive that is damaged or too large.
    """
    from ti99tools.base.decoding import HEADER

    start = read_start(path, HEADER)
    if start.startswith(ARCHIVE):
        return HostFile.open(path).banks is not None
    return is_cartridge(start)
