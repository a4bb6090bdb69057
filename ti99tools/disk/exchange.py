"""TI files on the host: recognise and read them, write them in the form asked for.

Forms: `tifiles` and `fiad` keep everything (type, lengths, protection, every byte); `text` is
one line a record; `raw` is the bare content (a PROGRAM's bytes; for records, their data one
after the other, which only FIXED files can be rebuilt from).
"""

from __future__ import annotations

from dataclasses import replace

from ti99tools.base.errors import DiskError
from ti99tools.base.hosttext import decode
from ti99tools.base.remedy import Remedy
from ti99tools.disk import fiad, records, text, tifiles
from ti99tools.disk.hostnames import from_host
from ti99tools.disk.tifile import DiskFile, FileType, StoredFile, is_legal_name

FORMS = ("tifiles", "fiad", "text", "raw")


def write_form(file: StoredFile, form: str) -> bytes:
    """`file` in `form`. Raises `DiskError` when that form cannot hold it."""
    if form == "tifiles":
        return tifiles.build_tifiles(file)
    if form == "fiad":
        return fiad.build_fiad(file)
    loaded = records.load(file)
    if form == "text":
        if loaded.type not in (FileType.DIS_VAR, FileType.DIS_FIX):
            remedy = Remedy.FORM.of(form="tifiles")
            if loaded.type is FileType.PROGRAM:
                remedy = Remedy.LIST_OR_TIFILES.of()
            raise DiskError(f"{file.name} is {loaded.type.label}, no text", remedy=remedy)
        return text.to_text(loaded.records).encode("utf-8")
    if form == "raw":
        return loaded.data or b"".join(loaded.records)
    raise DiskError(f"no form {form!r}", remedy=f"use one of {', '.join(FORMS)}")


def read_container(data: bytes, path: str) -> StoredFile | None:
    """The file in a TIFILES or FIAD container, None when `data` is neither.

    The name in the header counts; the host's name does when the header has none.
    """
    stored = contained(data)
    if stored is not None and not stored.name:
        stored = replace(stored, name=from_host(path))
    return stored


def contained(data: bytes) -> StoredFile | None:
    """The file in a TIFILES or FIAD container, None when `data` is neither.

    Its name is empty when the header has none.
    """
    if tifiles.is_tifiles(data):
        return tifiles.parse_tifiles(data)
    if fiad.is_fiad(data):
        return fiad.parse_fiad(data)
    return None


def read_as(data: bytes, name: str, kind: FileType, recl: int | None = None) -> DiskFile:
    """Host bytes as a TI file of a given type.

    PROGRAM: the bytes. DIS/VAR and DIS/FIX: a text, one record a line. INT/FIX: records of `recl`
    bytes one after the other. INT/VAR cannot be made from bare bytes. Raises DiskError for bytes
    that the type cannot hold.
    """
    if kind is FileType.PROGRAM:
        return DiskFile.program(name, data)
    if kind is FileType.INT_VAR:
        raise DiskError(
            "bare bytes do not tell where INT/VAR records end", remedy="use a TIFILES container"
        )
    length = recl or (128 if kind is FileType.INT_FIX else 80)
    if kind is FileType.INT_FIX:
        if len(data) % length:
            raise DiskError(
                f"{len(data)} bytes are not a whole number of records of {length}",
                remedy=Remedy.RECORD_LENGTH,
            )
        parts = tuple(data[at : at + length] for at in range(0, len(data), length))
        return DiskFile(name, kind, length, parts)
    lines = text.to_records(decode(data), length)
    if kind is FileType.DIS_FIX:
        lines = tuple(line.ljust(length) for line in lines)
    return DiskFile(name, kind, length, lines)


def looks_like_text(data: bytes) -> bool:
    """True if host bytes are plainly a text: UTF-8 without control codes but line ends and tabs.

    The 1A that XMODEM and DOS put after a text do not count.
    """
    try:
        content = data.rstrip(b"\x1a").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(c >= " " or c in "\n\r\t" for c in content)


def rename_stored(file: StoredFile, name: str) -> StoredFile:
    """`file` under another name, which may have a directory before a dot.

    Raises DiskError for a name that is not allowed.
    """
    plain = name.rpartition(".")[2]
    if not is_legal_name(plain):
        raise DiskError(f"file name {name!r} is invalid", remedy="use 1 to 10 characters")
    return replace(file, name=name)
