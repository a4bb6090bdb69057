"""TI files on the host: recognise TIFILES, FIAD and bare files, read and write them.

TIFILES is a header of 128 bytes and then the file's sectors: `07 "TIFILES"`, sectors, flags,
records a sector, EOF offset, record length, level-3 count (little-endian), name, FFFF when dated,
two stamps (some tools put the FFFF after them). It is a descriptor in another order. Old terminal
programs wrote no name, but 00 or whatever fills the header (CA 53 CA 53 …); then the name of the
host's file counts. Their last sector may be cut short.

V9T9 "files in a directory" (FIAD) is the first 128 bytes of the file descriptor, as a rule with the
clusters zero, and then the sectors. It has no magic number: a file counts as FIAD only if its whole
header is plausible.

Forms to write: `tifiles` and `fiad` keep everything (type, lengths, protection, every byte); `text`
is one line a record; `raw` is the bare content: a PROGRAM's bytes, FIXED records one after the
other, VARIABLE ones each after a byte with its length. From `raw` and its type a file can be made
again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ti99tools.base.decoding import decode
from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import descriptors, records
from ti99tools.media.disk import records as text
from ti99tools.media.disk.descriptors import Descriptor
from ti99tools.media.disk.geometry import NAME_BYTES, SECTOR
from ti99tools.media.disk.tifile import (
    LONGEST_VARIABLE,
    DiskFile,
    FileType,
    StoredFile,
    is_legal_name,
)

HEADER = 128
"""Bytes of either header."""
DATED = 0xFFFF
_MAGICS = (b"\x07TIFILES", b"\x08TIFILES")


def is_tifiles(data: bytes) -> bool:
    """Tell whether `data` starts as a TIFILES container."""
    return data[:8] in _MAGICS


def _name_in(field: bytes) -> str:
    """The name in a header's field; empty when a disk could not have it."""
    name = descriptors.clean_name(field)
    # CA 53 CA 53 …: bytes of a terminal program's buffer that could pass as a legal name.
    filler = field == 5 * field[:2] and not field.isascii()
    return name if is_legal_name(name) and not filler else ""


def build_tifiles(file: StoredFile) -> bytes:
    """`file` as a TIFILES container with its name.

    Raises DiskError for records over 255 bytes.
    """
    if file.extended_record_length:
        raise DiskError(
            f"{file.name}: TIFILES has no place for records over 255 bytes",
            remedy=Remedy.FORM.of(form="fiad"),
        )
    from ti99tools.media.disk import structs

    descriptor = file.descriptor(file.name)
    header = {
        **descriptors.fields(descriptor, descriptors.Fdr),
        "magic": _MAGICS[0],
        "dated": DATED if file.created or file.updated else 0,
    }
    return structs.build(structs.TIFILES, header) + file.content


def whole_sectors(data: bytes, sectors: int) -> bytes:
    """`sectors` sectors of `data`; the last may be cut short and is padded with zeros.

    Raises DiskError when more is missing.
    """
    if len(data) <= (sectors - 1) * SECTOR:
        raise DiskError(
            f"the header promises {sectors} sectors, {len(data) // SECTOR} are there",
            remedy="the file is cut off: get a whole copy",
        )
    return data[: sectors * SECTOR].ljust(sectors * SECTOR, b"\0")


def build_fiad(file: StoredFile) -> bytes:
    """`file` as a FIAD container."""
    return descriptors.build_fdr(file.descriptor(file.name))[:HEADER] + file.content


FORMS = ("tifiles", "fiad", "text", "raw")


def write_form(file: StoredFile, form: str) -> bytes:
    """`file` in `form`. Raises `DiskError` when that form cannot hold it."""
    if form == "tifiles":
        return build_tifiles(file)
    if form == "fiad":
        return build_fiad(file)
    loaded = records.load(file)
    if form == "text":
        if loaded.type not in (FileType.DIS_VAR, FileType.DIS_FIX):
            remedy = Remedy.FORM.of(form="tifiles")
            if loaded.type is FileType.PROGRAM:
                remedy = Remedy.LIST_OR_TIFILES.of()
            raise DiskError(f"{file.name} is {loaded.type.label}, no text", remedy=remedy)
        return text.to_text(loaded.records).encode("utf-8")
    if form == "raw":
        if loaded.type.variable:
            return records.with_lengths(loaded.records)
        return loaded.data or b"".join(loaded.records)
    raise DiskError(f"no form {form!r}", remedy=f"use one of {', '.join(FORMS)}")


def contained(data: bytes) -> StoredFile | None:
    """The file in a TIFILES or FIAD container; None when `data` is neither.

    Its name is empty when the header has none. Bytes after the last sector of a TIFILES file
    (padding of a transfer) are dropped. Raises DiskError when a sector or more is missing.
    """
    head = _header(data)
    if head is None:
        return None
    content = whole_sectors(data[HEADER:], head["sectors"])
    facts = {field: head[field] for field in Descriptor.__record_fields__ if field in head}
    return StoredFile(name=head["name"], content=content, **facts)


def as_programs_see(stored: StoredFile) -> DiskFile:
    """The file of a container with its records.

    Where the header counts no records (some tools fill in only the type), they are read from the
    sectors.
    """
    if stored.type.variable and not (stored.level3_records or stored.eof_offset):
        content = records.bare(stored.content)
        return DiskFile(stored.name, stored.type, stored.record_length, content)
    return records.load(stored)


def _header(data: bytes) -> dict[str, Any] | None:
    """The fields of either header, the name as text; None when `data` begins with neither."""
    tifiles = is_tifiles(data)
    if not tifiles:
        name = descriptors.clean_name(data[:NAME_BYTES])
        # Almost all files leave here, texts among them, without loading construct.
        if not is_legal_name(name) or b"\0\0" not in data[:HEADER]:
            return None
    if len(data) < HEADER:
        if tifiles:
            raise DiskError("no TIFILES header", remedy=Remedy.TYPE)
        return None
    from ti99tools.media.disk import structs

    if tifiles:
        head = structs.parse(structs.TIFILES, data)
        # Without the mark the stamps are filler of an old terminal program.
        if DATED not in (head["dated"], head["dated_after"]):
            head["created"] = head["updated"] = 0
        return {**head, "name": _name_in(head["name"])}
    head = structs.parse(structs.FIAD, data)
    return {**head, "name": name} if _is_plausible(head, len(data) - HEADER) else None


def _is_plausible(head: dict[str, Any], body: int) -> bool:
    """Tell whether the fields of a FIAD header fit each other and `body` bytes of sectors."""
    if head["flags"] & ~descriptors.KNOWN_FLAGS:
        return False
    size: int = head["sectors"] * SECTOR
    if any(head["chain"]):
        known = head["name"].isascii() and not head["extended_record_length"]
        return body == size and bool(known)
    return size - SECTOR < body <= size


def read_as(
    data: bytes, name: str, kind: FileType, recl: int | None = None, form: str | None = None
) -> DiskFile:
    """Host bytes as a TI file of a given type.

    PROGRAM: the bytes. `form` says what else they are: `raw`, as `write_form` writes it, or `text`,
    one line a record, for DISPLAY files. Without it, text with line ends is text, and bytes that
    are a whole number of records are records. Raises DiskError for bytes that the type cannot hold,
    and for those that can be both, with different records.
    """
    if kind is FileType.PROGRAM:
        if form == "text":
            raise DiskError("a PROGRAM file is no text", remedy=Remedy.NOT_TEXT)
        return DiskFile.program(name, data)
    # 80 is the length that OPEN uses when none is given.
    length = recl or {FileType.INT_FIX: 128, FileType.INT_VAR: LONGEST_VARIABLE}.get(kind, 80)
    if kind.internal and form == "text":
        raise DiskError(f"{kind.label} records are no text", remedy=Remedy.NOT_TEXT)
    if kind.internal or form == "raw":
        return DiskFile(name, kind, length, _raw_records(data, kind, length))
    if form == "text":
        return DiskFile(name, kind, length, _text_records(data, kind, length))
    return DiskFile(name, kind, length, _either(data, kind, length))


def _either(data: bytes, kind: FileType, length: int) -> tuple[bytes, ...]:
    """The records of a DISPLAY file from bytes that are text, or bare records."""
    by_form: dict[str, tuple[bytes, ...]] = {}
    problems: dict[str, DiskError] = {}
    for form, reader in (("text", _text_records), ("raw", _raw_records)):
        try:
            by_form[form] = reader(data, kind, length)
        except DiskError as error:
            problems[form] = error
    if not _is_plain(data):
        by_form.pop("text", None)
        problems.setdefault("text", DiskError("control codes"))
    if len(set(by_form.values())) > 1:
        raise DiskError(
            f"this can be text of {len(by_form['text'])} lines, and {len(by_form['raw'])} records "
            f"of {kind.label} {length} as bare bytes",
            remedy=Remedy.TEXT_OR_RAW,
        )
    if by_form:
        return next(iter(by_form.values()))
    if _is_plain(data):
        raise problems["text"]
    raise DiskError(
        f"this is neither text (it has control codes) nor records: {problems['raw'].problem}",
        remedy=Remedy.TAKE_AS_TEXT if kind.variable else Remedy.RECORD_LENGTH,
    )


def _raw_records(data: bytes, kind: FileType, length: int) -> tuple[bytes, ...]:
    if not kind.variable:
        if len(data) % length:
            raise DiskError(
                f"{len(data)} bytes are not a whole number of records of {length}",
                remedy=Remedy.RECORD_LENGTH,
            )
        return tuple(data[at : at + length] for at in range(0, len(data), length))
    try:
        from_lengths = records.after_lengths(data)
    except DiskError as error:
        if kind.internal:
            raise
        raise DiskError(error.problem, remedy=Remedy.TAKE_AS_TEXT) from None
    longest = max(map(len, from_lengths), default=0)
    if longest > length:
        raise DiskError(f"a record has {longest} bytes, not {length}", remedy=Remedy.RECORD_LENGTH)
    return from_lengths


def _text_records(data: bytes, kind: FileType, length: int) -> tuple[bytes, ...]:
    lines = text.to_records(decode(data), length)
    return lines if kind.variable else tuple(line.ljust(length) for line in lines)


def _is_plain(data: bytes) -> bool:
    """Tell whether bytes have no control codes but those of texts: line ends, tabs, an end mark."""
    content = decode(data.rstrip(b"\x1a"))
    return all(c >= " " or c in "\n\r\t\f" for c in content)


def rename_stored(file: StoredFile, name: str) -> StoredFile:
    """`file` under another name, which may have a directory before a dot.

    Raises DiskError for a name that is not allowed.
    """
    plain = name.rpartition(".")[2]
    if not is_legal_name(plain):
        raise DiskError(f"file name {name!r} is invalid", remedy="use 1 to 10 characters")
    return replace(file, name=name)
