"""Programs and records written to cassette tapes as sound, and read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ti99tools.app.source import written
from ti99tools.base.errors import Place, ProgramError, Remedy, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.language.program.hostfile import HostFile
from ti99tools.language.program.memory_image import MAX_PROGRAM_BODY, parse_program
from ti99tools.language.program.program import Program
from ti99tools.language.program.remains import remains
from ti99tools.media.disk.extract import from_host
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.records import load, store
from ti99tools.media.disk.tifile import NAME_RULE, DiskFile, FileType
from ti99tools.media.tape import wav
from ti99tools.media.tape.hearing import heard
from ti99tools.media.tape.recovery import BLOCK, State, TapeUnit, unit

RECORD_LENGTHS = (64, 128, 192)
"""Record lengths in bytes that CS1 accepts."""


@dataclass(frozen=True)
class FoundUnit:
    """A unit of a tape: its number from 1, its data, and its program if it is one.

    `lines_lost`: the lines of the program that damaged blocks have taken.
    """

    number: int
    unit: TapeUnit
    program: Program | None
    lines_lost: int = 0

    @property
    def restored(self) -> int:
        """The number of blocks that could be read only with the second copy."""
        return len(self.unit.blocks) - len(self.unit.numbers(State.GOOD)) - len(self.damaged)

    @property
    def damaged(self) -> list[int]:
        """Numbers of the blocks that are damaged in both copies."""
        return self.unit.numbers(State.DAMAGED)

    @property
    def kind(self) -> str:
        """The kind of unit, for a list."""
        if self.program is not None:
            lost = f", {self.lines_lost} more lost" if self.lines_lost else ""
            return f"program, {_lines(self.program)}{lost}, {self.program.size} bytes"
        size = len(self.unit.data)
        return f"record of {size} bytes" if size in RECORD_LENGTHS else f"{size} bytes"


@dataclass(frozen=True)
class Put:
    """A file on its way to a tape: the data of its units, and a line about it."""

    source: str
    pieces: list[bytes]
    what: str


def _lines(program: Program) -> str:
    count = len(program.lines)
    return f"{count} line" + "s" * (count != 1)


def tape_of(names: Sequence[str]) -> tuple[bytes, list[Put], float]:
    """A WAV file of sources, games, programs and records, the result for each, and its length (s).

    Raises TIError for what cannot go on a tape.
    """
    put = [_pieces(name) for name in names]
    sound = wav.sound([unit(piece) for each in put for piece in each.pieces])
    return sound, put, len(sound) / wav.RATE


def _pieces(name: str) -> Put:
    source = written(name)
    if source.path.is_file():
        stored = HostFile.open(source.path).stored
        if stored is not None and stored.type in (FileType.DIS_FIX, FileType.INT_FIX):
            return _records(load(stored), name)
    program = source.program()
    if program.size > MAX_PROGRAM_BODY:
        raise ProgramError(
            f"the program has {program.size} bytes, CS1 takes {MAX_PROGRAM_BODY}",
            remedy="put it on a disk",
            place=Place(name),
        )
    return Put(name, [program.to_program_bytes()], f"program, {_lines(program)}")


def _records(file: DiskFile, name: str) -> Put:
    if file.recl not in RECORD_LENGTHS:
        raise TIError(
            f"records of {file.recl} bytes, CS1 takes 64, 128 or 192",
            remedy="give the file another record length",
            place=Place(name),
        )
    # CS1 takes records of one length only.
    fill = b"\0" if file.type.internal else b" "
    records = [record.ljust(file.recl, fill) for record in file.records]
    return Put(name, records, f"{len(records)} records of {file.recl} bytes")


def units_in(path: Path) -> list[FoundUnit]:
    """All units of a WAV file. Raises TIError when it is not a WAV file, or has no unit."""
    try:
        recording = wav.read(read_bytes(path))
    except TIError as error:
        raise error.at(str(path)) from None
    units = [_found(number, each) for number, each in enumerate(heard(recording), 1)]
    if not units:
        raise TIError(
            f"no recording of CS1 in {recording.seconds:.0f} seconds of sound",
            remedy="record it louder, without effects, starting before the steady tone",
            place=Place(str(path)),
        )
    return units


def _found(number: int, unit: TapeUnit) -> FoundUnit:
    try:
        image, protected = parse_program(unit.data)
    except ProgramError:
        damaged = {block - 1 for block in unit.numbers(State.DAMAGED)}
        places = {BLOCK * block + at for block in damaged for at in range(BLOCK)}
        left = remains(unit.data, places) if damaged else None
        if left is None:
            return FoundUnit(number, unit, None)
        return FoundUnit(number, unit, Program(left.image, protected=left.protected), left.lost)
    return FoundUnit(number, unit, Program(replace(image, tail=b""), protected=protected))


def chosen(units: Iterable[FoundUnit], path: Path, number: int | None, damaged: bool) -> FoundUnit:
    """The unit of that number, or the only program. Raises TIError when there is none.

    A damaged unit is an error too, unless `damaged` accepts it.
    """
    units_found = list(units)
    place = Place(str(path))
    if number is not None and number > len(units_found):
        raise TIError(f"no unit {number}", remedy=f"there are {len(units_found)}", place=place)
    if number is None:
        programs = [each for each in units_found if each.program is not None]
        if len(units_found) == 1:
            number = 1
        elif len(programs) == 1:
            number = programs[0].number
        else:
            problem = f"{len(units_found)} units, {len(programs)} of them programs"
            remedy = Remedy.UNIT if programs else Remedy.RECORDS
            raise TIError(problem, remedy=remedy, place=place)
    one = units_found[number - 1]
    if one.damaged and not damaged:
        blocks = ", ".join(map(str, one.damaged))
        raise TIError(
            f"both copies of block {blocks} (of {len(one.unit.blocks)}) are damaged",
            remedy=Remedy.DAMAGED_BLOCKS,
            place=place,
        )
    return one


def program_of(one: FoundUnit, path: Path) -> Program:
    """The program in a unit. Raises TIError if the unit is not a program."""
    if one.program is None:
        raise TIError(
            f"unit {one.number} is no program, but {one.kind}",
            remedy=Remedy.RECORDS,
            place=Place(str(path)),
        )
    return one.program


def records_of(
    units: Sequence[FoundUnit], path: Path, name: str, internal: bool
) -> tuple[bytes, int]:
    """A TIFILES file of all records of a tape, and their length in bytes. Raises TIError."""
    records = [each.unit.data for each in units if each.program is None]
    length = max(map(len, records), default=0)
    if length not in RECORD_LENGTHS or any(len(record) != length for record in records):
        sizes = ", ".join(map(str, sorted({len(record) for record in records}))) or "none"
        raise TIError(
            f"records of one length (64, 128 or 192 bytes) are required; found: {sizes}",
            remedy=Remedy.LIST_TAPE if records else Remedy.NO_RECORDS,
            place=Place(str(path)),
        )
    make = DiskFile.internal_fix if internal else DiskFile.display_fix
    return build_tifiles(store(make(name, records, length))), length


def file_name(output: Path) -> str:
    """The name in the TIFILES header of a file: that of the file, dots as /. Raises TIError."""
    try:
        return from_host(str(output), dotted=True)
    except TIError as error:
        raise TIError(error.problem, remedy=NAME_RULE) from None


def data_of(units: Iterable[FoundUnit]) -> list[dict[str, object]]:
    """The units of a tape as JSON values: the bytes of a program, or of the records."""
    return [
        {
            "unit": each.number,
            "kind": "program" if each.program is not None else "record",
            "bytes": len(each.unit.data) if each.program is None else each.program.size,
            "blocks": len(each.unit.data) // BLOCK,
            "restored": each.restored,
            "damaged": each.damaged,
        }
        for each in units
    ]
