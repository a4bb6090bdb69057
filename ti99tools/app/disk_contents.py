"""The contents of files on disks: programs, values in INTERNAL records; and host files as TI files.

A value in a record is a length byte and that many bytes: eight for a number, or a string's
characters. Nothing but the length tells a number from a string of eight characters; here the value
is a string if all eight are printable.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.basic import AUTOSTART, SOURCES
from ti99tools.base.errors import DiskError, Place, Remedy, TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.language.program.hostfile import FileKind, HostFile
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.extract import from_host
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType, StoredFile

if TYPE_CHECKING:
    from ti99tools.computer.numbers.radix import Number
    from ti99tools.language.findings import Finding
    from ti99tools.language.program.program import Program


def program_in(file: DiskFile) -> Program | None:
    """The BASIC program in `file`; None when it is not one."""
    from ti99tools.language.program.program import Program

    try:
        return Program.from_file(file)
    except TIError:
        return None


def program_on(image: DiskImage, name: str) -> Program:
    """The BASIC program in the file `name` on a disk. Raises TIError that says why it is none."""
    from ti99tools.language.program.memory_image import NoProgramFile
    from ti99tools.language.program.program import Program

    try:
        file = image.read(name)
        return Program.from_file(file)
    except NoProgramFile as error:
        remedy = error.remedy
        rows = HostFile(b"\n".join(file.records))
        if file.type is FileType.DIS_VAR and rows.kind is FileKind.LISTING:
            remedy = "it is a listing: put it on the disk from a file that ends in .bas or .xb"
        raise TIError(f"{name} is {error.problem}", remedy=remedy) from error
    except TIError as error:
        problem = f"{name} is no program of Extended BASIC: {error.problem}"
        raise TIError(problem, remedy=error.remedy) from error


def programs_on(image: DiskImage) -> dict[str, Program]:
    """The BASIC programs on a disk, by name."""
    found: dict[str, Program] = {}
    for name in image.names():
        with contextlib.suppress(TIError):
            found[name] = program_on(image, name)
    return found


def file_from_source(text: str, path: str, name: str, findings: list[Finding] | None) -> DiskFile:
    """The file that SAVE makes of a source, numbered or structured.

    Notes on a listing, such as duplicate lines, are added to `findings`.
    """
    from ti99tools.language.program.program import Program
    from ti99tools.language.program.sourcefile import source_of

    source = source_of(text, path)
    saved = Program.of(source).saved()
    if findings is not None:
        findings += [*source.notes(), *source.duplicates()]
    if isinstance(saved.content, bytes):
        return DiskFile.program(name, saved.content)
    return DiskFile(name, FileType.from_label(saved.type), saved.recl, saved.content)


def boot_file(path: Path, findings: list[Finding] | None = None) -> StoredFile:
    """The program in a host file, a source or a program file, as the TI file LOAD.

    `findings` is as in `file_from_source`. Raises TIError, with the path, for a file without an
    Extended BASIC program.
    """
    no_program = TIError(
        f"{path}: no program of Extended BASIC", remedy="give a source or a program file"
    )
    try:
        stored = host_file(path, AUTOSTART, None, None, findings)
    except DiskError as error:
        raise (no_program if error.meaning is Remedy.TYPE else error) from error
    if program_in(records.load(stored)) is None:
        raise no_program
    return stored


def host_file(
    path: Path,
    name: str | None,
    kind: FileType | None,
    recl: int | None,
    findings: list[Finding] | None = None,
    form: str | None = None,
) -> StoredFile:
    """The host file `path` as a TI file; `findings` is as in `file_from_source`.

    `kind` and `recl` (bytes) are the type and record length of a file without a container, `form`
    is `text` or `raw` as for `hostfiles.read_as`. Without `kind`, TIFILES and V9T9 containers,
    sources, texts and BASIC PROGRAM files are recognised. Raises `TIError`, with the path, for
    anything else.
    """
    if path.is_dir():
        raise _folder(path)
    try:
        return _typed(HostFile.open(path), name, kind, recl, findings, form)
    except TIError as error:
        raise error.at(str(path)) from None


def _typed(
    file: HostFile,
    name: str | None,
    kind: FileType | None,
    recl: int | None,
    findings: list[Finding] | None,
    form: str | None,
) -> StoredFile:
    """As `host_file`, without the path in errors."""
    if form == "text" and kind is None:
        kind = FileType.DIS_VAR
    elif form == "raw" and kind is None:
        raise DiskError("bare bytes do not tell their type", remedy=Remedy.TYPE)
    if kind is None:
        return stored_by_kind(file, name, findings)
    wanted = name or from_host(file.name)
    return records.store(hostfiles.read_as(file.data, wanted, kind, recl, form))


def _folder(path: Path) -> DiskError:
    """The error for a folder where a file is required."""
    is_game = (path / MANIFEST).is_file()
    files = f"name the files in it, such as {path / '*.xb'}"
    remedy = Remedy.BUILD_DISK.of(folder=path) if is_game else files
    return DiskError("a folder, not a file", remedy=remedy, place=Place(str(path)))


def stored_by_kind(
    file: HostFile, name: str | None = None, findings: list[Finding] | None = None
) -> StoredFile:
    """A file of the host as the TI file that it tells to be; see `host_file`. Raises TIError."""
    kind = file.kind
    if kind is FileKind.CONTAINER:
        stored = file.stored if name else file.ti_file
        assert stored is not None
        return hostfiles.rename_stored(stored, name) if name else stored
    wanted = name or from_host(file.name)
    if file.suffix in SOURCES:
        if file.text is None:
            raise DiskError("not text, so not a source", remedy="name it without the extension")
        return records.store(file_from_source(file.text, file.name, wanted, findings))
    if kind.is_text:
        if findings is not None and kind is FileKind.LISTING:
            findings.append(_stored_as_text(Path(file.name)))
        # CALL LOAD takes object code in records of one length.
        of_code = kind is FileKind.OBJECT
        records_of = FileType.DIS_FIX if of_code else FileType.DIS_VAR
        return records.store(hostfiles.read_as(file.data, wanted, records_of, None, "text"))
    if kind is FileKind.CARTRIDGE:
        remedy = Remedy.RUN_CARTRIDGE.of(path=Path(file.name))
        raise DiskError("a cartridge, which no disk can hold", remedy=remedy)
    if kind is not FileKind.PROGRAM:
        problem = "cannot tell what kind of TI file this is"
        raise DiskError(problem, remedy=Remedy.TYPE)
    return records.store(file.bare_file(wanted))


def _stored_as_text(path: Path) -> Finding:
    from ti99tools.language.findings import Finding, Severity

    message = "a listing, stored as text (DIS/VAR 80)"
    remedy = "name it .bas or .xb to store the program"
    return Finding(Severity.INFO, "stored-as-text", Place(str(path)), message, remedy)


def values(records: Sequence[bytes]) -> list[list[str | Number]] | None:
    """The values in each record, without the zero bytes that pad it.

    None when some bytes are neither numbers nor strings.
    """
    rows = []
    for record in records:
        items = _items(record)
        if items is None:
            return None
        rows.append(items)
    return rows


def value_text(value: str | Number) -> str:
    """A value as a program writes it: a string in quotes, a number as STR$ gives it."""
    from ti99tools.computer.numbers.forms import to_str

    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else to_str(value)


def plain(value: str | Number) -> str | int | float:
    """A value for JSON."""
    from ti99tools.computer.numbers.forms import to_str

    return value if isinstance(value, str | int) else float(to_str(value))


def _items(record: bytes) -> list[str | Number] | None:
    items: list[str | Number] = []
    at = 0
    while record[at:].strip(b"\0"):
        end = at + 1 + record[at]
        item = _value(record[at + 1 : end])
        if end > len(record) or item is None:
            return None
        items.append(item)
        at = end
    return items


def _value(data: bytes) -> str | Number | None:
    if all(32 <= code < 127 for code in data):
        return data.decode("ascii")
    from ti99tools.computer.numbers.forms import LENGTH, from_bytes, to_bytes

    if len(data) != LENGTH:
        return None
    number = from_bytes(data)
    # Zero is recognised by its first two bytes; any other number has only one form.
    return number if not number or to_bytes(number) == data else None
