"""Open files of a program: OPEN, CLOSE, RESTORE #, DELETE, EOF and REC.

A file number leads to an `OpenFile`. Whole records go to and from the device (hardware/machine).
Methods that open, close or rewind a file return whether the device asks for something: then
`answer` must be called until it returns, before anything else. Source: the recorded files-* cases.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_FILE, LOWEST_INTEGER
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.openfile import (
    DisplayPrinter,
    FileReader,
    InternalPrinter,
    OpenBuilder,
    OpenFile,
)
from ti99tools.computer.interp.io.printer import Printer
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.pab import (
    CLOSE,
    DELETE,
    OPEN,
    READ,
    REWIND,
    STATUS,
    WRITE,
    Conversations,
    Devices,
    IOFailure,
    Mode,
    OpenRequest,
)
from ti99tools.language.prescan.symbols import FILE_BUFFER


class Files:
    """The file numbers of a running program."""

    def __init__(
        self, devices: Devices, conversations: Conversations, screen: Callable[[], Printer]
    ) -> None:
        """`screen` gives the printer of PRINT #0."""
        self._devices = devices
        self.overheard: Callable[[bytes], None] | None = None
        """Called with each record that is written to a file opened from now on."""
        self._conversations = conversations
        self._asked_by = 0
        self._screen = screen
        self._open: dict[int, OpenFile] = {}
        self._refused: set[int] = set()
        """Numbers of files whose OPEN has failed."""
        self.used: tuple[int, int] | None = None
        """Number of the file used last, and the operation; None once that has been read."""
        self.spared = 0
        """Bytes of video memory that the controller has released since NEW, negative if it has
        taken more; see CALL FILES.
        """

    def _file(self, number: Number, lowest: int = 0) -> OpenFile:
        """The open file of a number. Raises BAD VALUE outside `lowest`–255, FILE ERROR."""
        number = to_integer(number)
        if not lowest <= number <= HIGHEST_FILE:
            raise XBError(xb.BAD_VALUE)
        try:
            return self._open[number]
        except KeyError:
            why = ": its OPEN has failed" if number in self._refused else ""
            raise _file_error(f"no file #{number} is open{why}") from None

    def memory(self) -> int:
        """Bytes of video memory that the open files take, less what is `spared`."""
        files = self._open.values()
        buffers = sum(FILE_BUFFER + len(file.name) + file.record_length for file in files)
        return buffers - self.spared

    @property
    def count(self) -> int:
        """How many files are open."""
        return len(self._open)

    @property
    def asking(self) -> bool:
        """Tell whether a device asks for something."""
        return bool(self._conversations)

    def answer(self) -> None:
        """Let the devices' questions be answered.

        Raises Pause while a key is waited for, and I/O ERROR where the device then refuses; a file
        that was to be opened is not open.
        """
        try:
            self._conversations.go_on()
        except IOFailure as failure:
            number, self._asked_by = self._asked_by, 0
            if failure.operation == OPEN:
                self._open.pop(number, None)
            code = failure.operation * 10 + failure.code
            raise XBError(xb.IO_ERROR, io_code=code, file=number) from None
        self._asked_by = 0

    def look_up(self, number: Number) -> None:
        """Do what comes before REC is evaluated: FILE ERROR unless open, SYNTAX ERROR for #0."""
        if self.is_console(number):
            raise XBError(xb.SYNTAX_ERROR)
        self._file(number)

    def request(self) -> OpenBuilder:
        """A builder that collects OPEN's attributes."""
        return OpenBuilder()

    def open(self, number: Number, name: str, request: OpenRequest) -> bool:
        """OPEN #number:name. Returns whether the device asks.

        Raises FILE ERROR, BAD VALUE or I/O ERROR 0n.
        """
        number = self.unused(number)
        self.used = number, OPEN
        if request.relative and request.variable:
            raise _file_error("the records of a RELATIVE file are FIXED")
        try:
            device = self._devices.open(name, request)
        except IOFailure as failure:
            self._refused.add(number)
            raise XBError(xb.IO_ERROR, io_code=failure.code, file=number) from None
        self._refused.discard(number)
        self._open[number] = OpenFile(number, name, request, device, overheard=self.overheard)
        self._asked_by = number
        return self.asking

    def unused(self, number: Number) -> int:
        """`number` rounded, if it may be opened.

        Raises BAD VALUE over 255 or below -32768, FILE ERROR below 1 or in use.
        """
        number = to_integer(number)
        if not LOWEST_INTEGER <= number <= HIGHEST_FILE:
            raise XBError(xb.BAD_VALUE)
        if number < 1:
            raise _file_error("the number of a file is 1 to 255")
        if number in self._open:
            raise _file_error(f"#{number} is open already: CLOSE it first")
        return number

    def close(self, number: Number, delete: bool = False) -> bool:
        """CLOSE #number[:DELETE]. Returns whether the device asks.

        The number is free afterwards, whatever the device says.
        """
        file = self.to_close(number)
        last = file.number == next(reversed(self._open))
        self.used = file.number, CLOSE
        del self._open[file.number]
        if delete:
            try:
                self._devices.delete(file.name)
            except IOFailure as failure:
                raise _closing(file, last, DELETE, failure) from None
            return self.asking
        try:
            file.flush()
            file.device.close()
        except IOFailure as failure:
            raise _closing(file, last, CLOSE, failure) from None
        return self.asking

    def to_close(self, number: Number) -> OpenFile:
        """The file that CLOSE names; FILE ERROR if no file of that number is open."""
        return self._file(number, LOWEST_INTEGER)

    def close_all(self) -> list[XBError]:
        """Flush and close every file, as the end of a program does.

        Returns the refusals of pending records, of which the machine warns (recorded:
        random4-minimal-stop-write); those of the closing itself are ignored.
        """
        refused = []
        for number in list(self._open):
            try:
                self.close(number)
            except XBError as error:
                if (error.io_code or 0) // 10 == WRITE:
                    refused.append(error)
        return refused

    def lose(self) -> None:
        """Forget every file without closing it, as QUIT does: what is pending is not written."""
        self._open.clear()

    def restore(self, number: Number, record: Number | None) -> bool:
        """RESTORE #number[,REC record]; no effect for #0. Returns whether the device asks.

        REC is for RELATIVE files only (FILE ERROR). The record number stays set if the device
        refuses.
        """
        if self.is_console(number):
            return False
        file = self._file(number)
        self.used = file.number, REWIND
        file.flush()
        file.record = 0
        if record is not None:
            self._seek(file, record)
        try:
            file.device.rewind()
        except IOFailure as failure:
            raise file.failed(REWIND, failure) from None
        return self.asking

    def delete(self, name: str) -> bool:
        """DELETE name; a missing file is no error. Returns whether the device asks."""
        try:
            self._devices.delete(name)
        except IOFailure as failure:
            raise XBError(xb.IO_ERROR, io_code=DELETE * 10 + failure.code, file=0) from None
        return self.asking

    def is_console(self, number: Number) -> bool:
        """Tell whether a file number means screen and keyboard: 0."""
        return to_integer(number) == 0

    def printer(self, number: Number, record: Number | None = None) -> Printer:
        """PRINT #number[,REC record]: where the items go, the screen for file 0.

        Raises FILE ERROR for a file that is not open, opened for INPUT, or REC on a SEQUENTIAL
        one.
        """
        if self.is_console(number):
            return self._screen()
        file = self._file(number)
        if file.request.mode is Mode.INPUT:
            raise _file_error(f"#{file.number} is open for INPUT alone")
        if record is not None:
            self._seek(file, record)
        file.input_at = None
        self.used = file.number, WRITE
        return InternalPrinter(file) if file.internal else DisplayPrinter(file)

    def reader(
        self, number: Number, record: Number | None = None, line: bool = False
    ) -> FileReader:
        """INPUT # or LINPUT # (`line`): where the items come from.

        Raises FILE ERROR for a file that is not open, opened for OUTPUT or APPEND, REC on a
        SEQUENTIAL one, or LINPUT of an INTERNAL one; LINPUT #0 is a SYNTAX ERROR.
        """
        if line and self.is_console(number):
            raise XBError(xb.SYNTAX_ERROR)
        file = self._file(number)
        if file.request.mode in (Mode.OUTPUT, Mode.APPEND):
            raise _file_error(f"#{file.number} is open for {file.request.mode.name} alone")
        if line and file.internal:
            raise _file_error("LINPUT reads DISPLAY files: use INPUT")
        if record is not None:
            self._seek(file, record)
            file.input_at = None
        self.used = file.number, READ
        return FileReader(file)

    def _seek(self, file: OpenFile, record: Number) -> None:
        if not file.request.relative:
            raise _file_error(f"#{file.number} is not RELATIVE: leave out REC")
        record = to_integer(record)
        if not 0 <= record <= 32767:
            raise XBError(xb.BAD_VALUE)
        file.flush()
        file.record = record

    def eof(self, number: Number) -> int:
        """EOF(number): 0 more to read, 1 at the end, -1 at the end of a full disk."""
        file = self._file(number, 1)
        if file.input_at is not None and file.input_at < len(file.input):
            return 0
        try:
            return file.device.status(file.record)
        except IOFailure as failure:
            raise file.failed(STATUS, failure) from None

    def rec(self, number: Number) -> int:
        """REC(number): the record number; 0 where nothing is open. BAD VALUE outside 1–255."""
        index = to_integer(number)
        if not 1 <= index <= HIGHEST_FILE:
            raise XBError(xb.BAD_VALUE)
        file = self._open.get(index)
        return file.record if file else 0


def _closing(file: OpenFile, last: bool, operation: int, failure: IOFailure) -> XBError:
    """The error of a refused CLOSE. Its PAB is gone by then, so the machine reads a byte of the
    name as the file number.

    CALL ERR gives the code of the fifth character from the end of the name (recorded: "DSK1.OUT"
    49, "DSK1.IN" 75). If it was not the `last` file opened, another PAB has moved there: 0
    (recorded for one that nothing was written to).
    """
    number = ord(file.name[-5]) if last and len(file.name) >= 5 else 0
    code, detail = operation * 10 + failure.code, file.reason(failure)
    return XBError(xb.IO_ERROR, io_code=code, file=number, detail=detail)


def _file_error(detail: str) -> XBError:
    """FILE ERROR, and which of its many reasons it has."""
    return XBError(xb.FILE_ERROR, detail=detail)
