"""Programs on devices, read and written by OLD, SAVE, MERGE and LIST "DSK1.X".

The I/O code of a refusal is the operation (0 open, 1 close, 2 read, 3 write, 5 load, 6 save)
followed by the device's error. Source: the recorded files-cmd and tokens-size cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import console as cc
from ti99tools.base.errors import ProgramError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.run.signals import Overwritten
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.machine import Peripherals
from ti99tools.hardware.machine.pab import (
    BAD_ATTRIBUTE,
    BAD_DEVICE,
    CLOSE,
    FILE_ERROR,
    LOAD,
    OPEN,
    PAST_END,
    READ,
    SAVE,
    WRITE,
    DeviceFile,
    IOFailure,
    Mode,
    OpenRequest,
)
from ti99tools.language.listing.listing import Line, list_lines, wrap
from ti99tools.language.program.memory_image import (
    LONG_HEAD,
    LONG_RECORD,
    MAX_BODY,
    MERGE_RECORD,
    ProgramImage,
    is_long,
    parse_merge,
    parse_program,
    read_head,
)
from ti99tools.language.program.program import Program
from ti99tools.media.disk.geometry import SECTOR


class Loading:
    """A program being loaded from a cassette: call `program` once the prompts are answered."""

    def __init__(self, data: bytearray) -> None:
        self._data = data

    def program(self) -> Program:
        """The program. Raises Overwritten for data that is not one."""
        image, protected = _parsed(bytes(self._data))
        # The last block is padded with whatever was in memory after the program's end.
        return Program(replace(image, tail=b""), protected=protected)


class DevicePrograms:
    """The programs on disks and cassettes."""

    def __init__(self, devices: Peripherals, clock: Clock, expanded: Callable[[], bool]) -> None:
        """`expanded` tells whether there is high memory: the long form is loaded nowhere else."""
        self._devices = devices
        self._expanded = expanded
        self._clock = clock
        self.loading_cycles = 0
        """Cycles that loading from disks took, for all programs together."""

    def load(self, name: str) -> Program | Loading:
        """OLD: a PROGRAM file, else the long form. From a cassette, a `Loading`.

        Raises XBError(IO_ERROR); Overwritten for data that is not a program.
        """
        recorder = self._devices.recorder(name)
        if recorder is not None:
            try:
                return Loading(recorder.load())
            except IOFailure as failure:
                # OLD tries the long form next, and shows the error of opening that.
                raise io_error(OPEN, failure.code) from None
        before = self._clock.cycles
        program = self._load(name)
        self._clock.advance(cc.LOADED + cc.LOADED_LINE * len(program.lines))
        self.loading_cycles += self._clock.cycles - before
        return program

    def _load(self, name: str) -> Program:
        try:
            data = self._devices.load_program(name)
        except IOFailure as failure:
            if not self._expanded():
                # The card's refusal of LOAD where there is no such PROGRAM file.
                code = FILE_ERROR if failure.code == BAD_ATTRIBUTE else failure.code
                raise io_error(LOAD, code) from None
            # Not a PROGRAM file: OLD then tries the long form, as the machine does.
            return self._load_long(name)
        image, protected = _parsed(data)
        sectors, rest = divmod(len(data), SECTOR)
        read = cc.LOADED_SECTOR * (sectors + bool(rest)) + cc.LOADED_REST * rest
        self._clock.advance(cc.LOADED_BYTE * len(data) + read)
        return Program(image, protected=protected)

    def save(self, name: str, program: Program) -> None:
        """SAVE, as a PROGRAM file or in the long form; PROTECTED if the program is."""
        saved = program.saved()
        if isinstance(saved.content, bytes):
            try:
                self._devices.save_program(name, saved.content)
            except IOFailure as failure:
                raise io_error(SAVE, failure.code) from None
        else:
            self._write(name, saved.content, LONG_RECORD, internal=True)

    def save_merge(self, name: str, program: Program) -> None:
        """SAVE …,MERGE. LINE TOO LONG for a line that does not fit a record of the form."""
        try:
            records = program.to_merge_records()
        except ProgramError:
            raise XBError(xb.LINE_TOO_LONG) from None
        self._write(name, records, MERGE_RECORD)

    def merge(self, name: str) -> tuple[Line, ...]:
        """MERGE: the lines of a file, in its order. Raises XBError(IO_ERROR)."""
        records = self._read(name, MERGE_RECORD)
        try:
            return parse_merge(records)
        except ProgramError:
            raise io_error(READ, PAST_END) from None

    def open_listing(self, name: str) -> DeviceFile:
        """The file that LIST writes. Raises XBError(IO_ERROR)."""
        return self._open(name, OpenRequest(Mode.OUTPUT))

    def write_listing(self, file: DeviceFile, lines: Iterable[Line]) -> None:
        """LIST to a device: wrapped at its record length (80), after an empty record."""
        width = file.record_length
        rows = [row for line in list_lines(lines) for row in wrap(line, width)]
        self._clock.advance(cc.LISTED_CHARACTER * sum(map(len, rows)))
        self._write_all(file, [b"", *(row.encode("latin-1") for row in rows)])

    def _load_long(self, name: str) -> Program:
        records = self._read(name, LONG_RECORD, internal=True, each_byte=cc.LOADED_BYTE)
        if is_long(records):
            head = read_head(LONG_HEAD, records[0])
            if head.top + 1 - head.start > MAX_BODY:
                raise io_error(READ, BAD_DEVICE)
        try:
            return Program.from_records(records)
        except ProgramError:
            raise io_error(READ, PAST_END) from None

    def _open(self, name: str, request: OpenRequest) -> DeviceFile:
        try:
            return self._devices.open(name, request)
        except IOFailure as failure:
            raise io_error(OPEN, failure.code) from None

    def _read(
        self, name: str, length: int, *, internal: bool = False, each_byte: int = 0
    ) -> list[bytes]:
        """The records of a file; each byte takes `each_byte` cycles."""
        request = OpenRequest(Mode.INPUT, internal=internal, record_length=length)
        file = self._open(name, request)
        records = []
        try:
            while True:
                records.append(file.read(0))
                self._clock.advance(each_byte * len(records[-1]))
        except IOFailure as failure:
            if failure.code != PAST_END:
                raise io_error(READ, failure.code) from None
        return records

    def _write(
        self, name: str, records: Sequence[bytes], length: int, *, internal: bool = False
    ) -> None:
        request = OpenRequest(Mode.OUTPUT, internal=internal, record_length=length)
        self._write_all(self._open(name, request), records)

    def _write_all(self, file: DeviceFile, records: Sequence[bytes]) -> None:
        operation = WRITE
        try:
            for record in records:
                file.write(record, 0)
            operation = CLOSE
            file.close()
        except IOFailure as failure:
            raise io_error(operation, failure.code) from None


def _parsed(data: bytes) -> tuple[ProgramImage, bool]:
    try:
        return parse_program(data)
    except ProgramError:
        raise Overwritten(xb.IO_ERROR, io_code=LOAD * 10, file=0) from None


def io_error(operation: int, code: int) -> XBError:
    """The I/O ERROR that a command shows."""
    return XBError(xb.IO_ERROR, io_code=operation * 10 + code, file=0)
