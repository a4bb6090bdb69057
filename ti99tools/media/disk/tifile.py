"""TI files as values: what a file is, apart from where it is stored.

`DiskFile` is the file as programs see it (records or program bytes); `StoredFile` is what a disk
or container holds of it (its descriptor and whole sectors). `records.py` turns one into the
other.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Descriptor, Fdr
from ti99tools.media.disk.geometry import NAME_BYTES, SECTOR

LONGEST_NAME = 10
"""Characters of a name on a disk."""
NAME_FORM = "1 to 10 characters without blank, dot or control codes"
NAME_RULE = f"use {NAME_FORM}"
LONGEST_VARIABLE = 254
"""Bytes of the longest VARIABLE record: its length byte and an FF share the sector."""


def longest(variable: bool) -> int:
    """Bytes of the longest record of a VARIABLE or a FIXED file."""
    return LONGEST_VARIABLE if variable else 255


class FileType(enum.Enum):
    """The five kinds of TI files; the value is the flag byte's bits 01, 02 and 80."""

    PROGRAM = 0x01
    DIS_FIX = 0x00
    DIS_VAR = 0x80
    INT_FIX = 0x02
    INT_VAR = 0x82

    @property
    def label(self) -> str:
        """The name in catalogues: `PROGRAM`, `DIS/VAR`, …."""
        return self.name.replace("_", "/")

    @property
    def variable(self) -> bool:
        """Tell whether each record has its own length."""
        return bool(self.value & descriptors.VARIABLE)

    @property
    def internal(self) -> bool:
        """Tell whether data are in INTERNAL form."""
        return bool(self.value & descriptors.INTERNAL)

    @classmethod
    def from_flags(cls, flags: int) -> FileType:
        """The type in a descriptor's flag byte; PROGRAM wins over the other bits."""
        if flags & descriptors.PROGRAM:
            return cls.PROGRAM
        return cls(flags & (descriptors.VARIABLE | descriptors.INTERNAL))

    @classmethod
    def from_label(cls, label: str) -> FileType:
        """The type a catalogue calls `label` (any case). Raises `DiskError` for another word."""
        return cls.parse(label)[0]

    @classmethod
    def parse(cls, label: str) -> tuple[FileType, int | None]:
        """The type and record length in `DIS/VAR 80`, `DV80`, `DIS/VAR`, `PROGRAM` (any case).

        Raises `DiskError` for anything else.
        """
        match = re.fullmatch("([A-Z/]+) ?([0-9]{1,3})?", label.strip().upper())
        for kind in cls:
            # `PGM`, `DV`, `IF`: the first letter of each half.
            short = "PGM" if kind is cls.PROGRAM else kind.label[0] + kind.label[4]
            if match and match[1] in (kind.label, short, kind.label.replace("/", "")):
                length = int(match[2]) if match[2] else None
                if length is None or (kind is not cls.PROGRAM and 1 <= length <= 255):
                    return kind, length
        names = ", ".join(kind.label for kind in cls)
        raise DiskError(f"no file type {label!r}", remedy=f"use one of {names}; DV80 is DIS/VAR 80")


def is_legal_name(name: str) -> bool:
    """Tell whether `name` may be a file's or disk's name: 1–10 characters, no space, no dot."""
    return 1 <= len(name) <= LONGEST_NAME and all(
        " " < c <= "\xff" and c not in ".\x7f" for c in name
    )


def check_name(name: str, what: str = "file name") -> str:
    """`name` if it is legal on a TI disk. Raises `DiskError` with the rule for names."""
    if not is_legal_name(name):
        raise DiskError(f"{what} {name!r} is invalid", remedy=NAME_RULE)
    return name


class DiskFile(Record):
    """A TI file: its records, or for PROGRAM its `data`.

    `recl` is the record length, 1–255 (0 for PROGRAM). `created` and `updated` are the raw
    32-bit stamps (time word, date word; see `catalog`), 0 = none: no clock is read here.
    """

    name: str
    type: FileType
    recl: int = 0
    records: tuple[bytes, ...] = ()
    data: bytes = b""
    protected: bool = False
    created: int = 0
    updated: int = 0

    @classmethod
    def program(cls, name: str, data: bytes) -> DiskFile:
        """A PROGRAM file (memory image)."""
        return cls(name, FileType.PROGRAM, data=bytes(data))

    @classmethod
    def display_var(cls, name: str, records: Iterable[bytes], recl: int = 80) -> DiskFile:
        """A DIS/VAR file: text."""
        return cls(name, FileType.DIS_VAR, recl, tuple(records))

    @classmethod
    def display_fix(cls, name: str, records: Iterable[bytes], recl: int = 80) -> DiskFile:
        """A DIS/FIX file; records shorter than `recl` bytes are filled with spaces."""
        return cls(name, FileType.DIS_FIX, recl, tuple(records))

    @classmethod
    def internal_var(
        cls, name: str, records: Iterable[bytes], recl: int = LONGEST_VARIABLE
    ) -> DiskFile:
        """An INT/VAR file; with the longest records the long form of a program."""
        return cls(name, FileType.INT_VAR, recl, tuple(records))

    @classmethod
    def internal_fix(cls, name: str, records: Iterable[bytes], recl: int = 192) -> DiskFile:
        """An INT/FIX file; records shorter than `recl` bytes are filled with bytes 00."""
        return cls(name, FileType.INT_FIX, recl, tuple(records))


class StoredFile(Descriptor, kw_only=True):
    """What a disk holds of a file: the facts of its descriptor, and its sectors of 256 bytes.

    Copying a `StoredFile` keeps every byte, including those after the end of the data. `name` may
    have a directory before a dot.
    """

    name: str
    content: bytes = b""

    @classmethod
    def of(cls, fdr: Fdr, content: bytes) -> StoredFile:
        """The file of descriptor `fdr` with its sectors."""
        name = descriptors.clean_name(fdr.name)
        return cls(name=name, content=content, **descriptors.fields(fdr, Descriptor))

    def descriptor(self, name: str, chain: bytes = bytes(descriptors.CHAIN_BYTES)) -> Fdr:
        """The descriptor of the file under `name`, cut to ten characters."""
        raw = descriptors.pad_name(name)[:NAME_BYTES]
        fields = descriptors.fields(self, Descriptor)
        return Fdr(name=raw, sectors=self.sectors, chain=chain, **fields)

    @property
    def type(self) -> FileType:
        """What kind of file its flags say it is."""
        return FileType.from_flags(self.flags)

    @property
    def sectors(self) -> int:
        """How many sectors of 256 bytes its content takes, without its descriptor."""
        return len(self.content) // SECTOR

    @property
    def protected(self) -> bool:
        """Tell whether programs must not change or delete the file."""
        return bool(self.flags & descriptors.PROTECTED)


class FileInfo(Record):
    """A catalogue entry. `size` counts sectors with the descriptor, as catalogues do."""

    name: str
    type: FileType
    recl: int
    size: int
    protected: bool
    bytes: int
    created: int
    updated: int
    directory: str
    pieces: int = 1
