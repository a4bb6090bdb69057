"""One open file: the attributes of OPEN, and items laid out in records and taken from them.

The words of OPEN become the request that a device understands. They come in any order, at most one
of each kind: mode (INPUT, OUTPUT, UPDATE, APPEND), type (DISPLAY, INTERNAL), organisation
(SEQUENTIAL [n], RELATIVE [n]), record kind (VARIABLE [n], FIXED [n]) and PERMANENT. Without them:
UPDATE, DISPLAY, SEQUENTIAL, VARIABLE; RELATIVE makes FIXED the default. Source: the recorded
files-* cases; for SEQUENTIAL n the User's Reference Guide.

DISPLAY records are laid out like rows of the screen, with the record length as the width; INTERNAL
records take each item as a length byte and its bytes (numbers in radix 100). What a statement has
printed becomes the file's pending record only when the statement ends, so that an error in the
middle leaves the earlier pending text.

INPUT # splits DISPLAY records at commas. A record that runs out is followed by the next. A trailing
comma in the statement keeps the rest of the record for the next one. Source: the recorded files-*
cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import LONGEST_RECORD
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.printer import LinePrinter
from ti99tools.computer.numbers.forms import from_bytes, parse_number, to_bytes
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.pab import (
    FILE_ERROR,
    READ,
    WRITE,
    DeviceFile,
    IOFailure,
    Mode,
    OpenRequest,
)


@dataclass(slots=True)
class OpenFile:
    """One open file: device file, attributes, record number and what is pending.

    `output` is the text that a trailing `;` or `,` left pending, `input` and `input_at` the rest
    of a record that a trailing comma left.
    """

    number: int
    name: str
    request: OpenRequest
    device: DeviceFile
    record: int = 0
    output: bytes = b""
    input: bytes = b""
    input_at: int | None = None
    overheard: Callable[[bytes], None] | None = None
    """Called with each record that is written."""
    padded: int = 0
    """Characters that have padded FIXED records."""
    refused: int | None = None
    """The code of its first I/O ERROR: the controller has closed the file then."""

    @property
    def record_length(self) -> int:
        """Most bytes of a record."""
        return self.device.record_length

    @property
    def internal(self) -> bool:
        """Tell whether records hold items in the machine's own form."""
        return self.request.internal

    def failed(self, operation: int, failure: IOFailure) -> XBError:
        """The Extended BASIC error for a device's refusal."""
        code = operation * 10 + failure.code
        detail = self.reason(failure)
        if self.refused is None:
            self.refused = code
        return XBError(xb.IO_ERROR, io_code=code, file=self.number, detail=detail)

    def reason(self, failure: IOFailure) -> str:
        """Why the device refuses a file that an error before has closed; else empty."""
        if self.refused is None or failure.code != FILE_ERROR:
            return ""
        return f"I/O ERROR {self.refused:02d} before has closed the file"

    def read_record(self) -> bytes:
        """The next record from the device, after pending output is written.

        FIXED files advance their record number, even past the end.
        """
        self.flush()
        try:
            data = self.device.read(self.record)
        except IOFailure as failure:
            self._step(failure)
            raise self.failed(READ, failure) from None
        self._step()
        return data

    def write_record(self, data: bytes) -> None:
        """Hand one record to the device; FIXED ones are padded with blanks or zeros."""
        if self.device.fixed:
            self.padded += max(0, self.record_length - len(data))
            data = data.ljust(self.record_length, b"\0" if self.internal else b" ")
        try:
            self.device.write(data, self.record)
        except IOFailure as failure:
            self._step(failure)
            raise self.failed(WRITE, failure) from None
        if self.overheard is not None:
            self.overheard(data)
        self._step()

    def _step(self, failure: IOFailure | None = None) -> None:
        """Advance the record number of a FIXED file, as the controller does for any open file."""
        if self.device.fixed and (failure is None or failure.code != FILE_ERROR):
            self.record += 1

    def flush(self) -> None:
        """Write what a trailing separator left pending."""
        if self.output:
            data, self.output = self.output, b""
            self.write_record(data)


MODES = {
    t.INPUT: Mode.INPUT,
    t.OUTPUT: Mode.OUTPUT,
    t.UPDATE: Mode.UPDATE,
    t.APPEND: Mode.APPEND,
}
KINDS = {
    **dict.fromkeys(MODES, "mode"),
    t.DISPLAY: "type",
    t.INTERNAL: "type",
    t.SEQUENTIAL: "organisation",
    t.RELATIVE: "organisation",
    t.VARIABLE: "records",
    t.FIXED: "records",
    t.PERMANENT: "life",
}


class OpenBuilder:
    """Collects OPEN's words in their order; `request` is the result."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[int, int]] = {}

    def word(self, token: int, number: Number | None = None) -> None:
        """Add an attribute and the number after it.

        Raises SYNTAX ERROR for a second word of a kind and for a record length outside 1–255,
        BAD VALUE for a number of records outside 0–32767, or where either is no integer of 16
        bits.
        """
        kind = KINDS[token]
        if kind in self._words:
            raise XBError(xb.SYNTAX_ERROR)
        value = 0 if number is None else to_integer(number)
        if number is not None:
            if not -32768 <= value <= 32767:
                raise XBError(xb.BAD_VALUE)
            if kind == "records" and not 1 <= value <= LONGEST_RECORD:
                raise XBError(xb.SYNTAX_ERROR)
            if kind == "organisation" and not 0 <= value <= 32767:
                raise XBError(xb.BAD_VALUE)
        self._words[kind] = (token, value)

    def request(self) -> OpenRequest:
        """What the words ask for."""
        mode, _ = self._words.get("mode", (t.UPDATE, 0))
        form, _ = self._words.get("type", (t.DISPLAY, 0))
        organisation, initial = self._words.get("organisation", (t.SEQUENTIAL, 0))
        relative = organisation == t.RELATIVE
        records, length = self._words.get("records", (t.FIXED if relative else t.VARIABLE, 0))
        return OpenRequest(
            mode=MODES[mode],
            internal=form == t.INTERNAL,
            variable=records == t.VARIABLE,
            relative=relative,
            record_length=length,
            initial=initial,
        )


class DisplayPrinter(LinePrinter):
    """One PRINT # to a DISPLAY file: a line is a record."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file.record_length, len(file.output))
        self._file = file
        self._padded = file.padded
        self._record = bytearray(file.output)

    @property
    def padded(self) -> int:
        """The number of characters that padded records."""
        return self._file.padded - self._padded

    def end(self) -> None:
        """The end of the list: a trailing separator keeps the record pending."""
        super().end()
        self._file.output = bytes(self._record)

    def _put(self, text: str) -> None:
        self._record += text.encode("latin-1")
        self._column = len(self._record)

    def _end_line(self) -> None:
        data = bytes(self._record)
        self._record.clear()
        self._column = 0
        self._file.output = b""
        self._file.write_record(data)


class InternalPrinter:
    """One PRINT # to an INTERNAL file: separators only keep items apart.

    `5;"AB"` is the record 08 40 05 00 00 00 00 00 00, 02 41 42.
    """

    as_text = False

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._record = bytearray(file.output)
        self._padded = file.padded
        self._separator = False

    @property
    def padded(self) -> int:
        """The number of characters that padded records."""
        return self._file.padded - self._padded

    def number(self, value: Number) -> None:
        """A numeric item: nine bytes. Raises FILE ERROR if it does not fit the record."""
        self._item(to_bytes(value))

    def string(self, value: str) -> None:
        """A string item. Raises FILE ERROR if it does not fit the record."""
        self._item(value.encode("latin-1"))

    def text(self, value: str) -> None:
        """What USING made is a string item."""
        self.string(value)

    def semicolon(self) -> None:
        """`;` parts two values, which is all it does in a record."""
        self._separator = True

    def comma(self) -> int:
        """`,` parts two values as `;` does: a record has no zones. Takes no time."""
        self._separator = True
        return 0

    def colon(self) -> None:
        """`:` does not end the record."""
        self._separator = True

    def tab(self, _value: Number) -> None:
        """TAB(n) is a FILE ERROR."""
        raise XBError(xb.FILE_ERROR, detail="TAB is for DISPLAY files")

    def end(self) -> None:
        """The end of the list: a trailing separator keeps the record pending."""
        if self._separator:
            self._file.output = bytes(self._record)
        else:
            self._file.output = b""
            self._file.write_record(bytes(self._record))

    def _item(self, data: bytes) -> None:
        self._separator = False
        room = self._file.record_length - len(self._record) - 1
        if len(data) > room:
            detail = f"the item has the length {len(data)}, the record room for {max(room, 0)}"
            raise XBError(xb.FILE_ERROR, detail=detail)
        self._record.append(len(data))
        self._record += data


NUMBER_LENGTH = 8
"""Bytes of a number in a record of an INTERNAL file, after the byte with this length."""


class FileReader:
    """One INPUT # or LINPUT # statement: `look` for INPUT #, one call per item, then `end`."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._at = file.input_at
        self.as_text = not file.internal
        self._items: list[Number | str] = []
        self.looked_through = 0
        """Characters of the records read for DISPLAY items."""
        file.input_at = None

    def look(self, strings: Sequence[bool], check: Callable[[Number], Number]) -> None:
        """Take the statement's items out of a DISPLAY file's records before any is assigned.

        `check` is called with each number, as the assignment will do again: so an overflow warns
        twice (recorded). Raises INPUT ERROR for text that is not a number, I/O ERROR 25 past the
        end.
        """
        if not self._file.internal:
            if self._at is not None:
                self.looked_through = max(0, len(self._file.input) - self._at)
            self._items = [self._field_string() if s else self._checked(check) for s in strings]

    def _checked(self, check: Callable[[Number], Number]) -> Number:
        number = parse_number_field(self._field())
        check(number)
        return number

    def number(self) -> Number:
        """The next item as a number.

        From an INTERNAL file: FILE ERROR for an item that is not eight bytes long, I/O ERROR 25
        past the end.
        """
        if self._file.internal:
            data = self._internal_item()
            if len(data) != NUMBER_LENGTH:
                detail = f"the length of the item read is {len(data)}, that of a number 8"
                raise XBError(xb.FILE_ERROR, detail=detail)
            return from_bytes(data)
        item = self._items.pop(0) if self._items else parse_number_field(self._field())
        assert not isinstance(item, str)
        return item

    def string(self) -> str:
        """The next item as a string; quotes around it are removed."""
        if self._file.internal:
            return self._internal_item().decode("latin-1")
        item = self._items.pop(0) if self._items else self._field_string()
        assert isinstance(item, str)
        return item

    def linput(self) -> str:
        """The whole record, or what a trailing comma left of it."""
        data, at = self._record()
        self._at = None
        return data[at:].decode("latin-1")

    def end(self, keep: bool = False) -> None:
        """The end of the list; `keep` (a trailing comma) leaves the rest pending."""
        self._file.input_at = self._at if keep else None

    def _record(self) -> tuple[bytes, int]:
        """The record being read and the position in it; a new one if none is begun or left."""
        if self._at is None or self._at > len(self._file.input):
            self._file.input = self._file.read_record()
            self.looked_through += len(self._file.input)
            self._at = 0
        return self._file.input, self._at

    def _internal_item(self) -> bytes:
        if self._at is not None and self._at >= len(self._file.input):
            self._at = None
        data, at = self._record()
        length = data[at] if at < len(data) else 0
        self._at = at + 1 + length
        return data[at + 1 : at + 1 + length].ljust(length, b"\0")

    def _field_string(self) -> str:
        text, quoted = self._split()
        return text if quoted else text.strip(" ")

    def _field(self) -> str:
        text, quoted = self._split()
        if quoted:
            raise self._input_error()
        return text.strip(" ")

    def _split(self) -> tuple[str, bool]:
        """The text of the next field and whether it stood in quotes; the place moves after it."""
        data, at = self._record()
        start = at
        while start < len(data) and data[start] == 0x20:
            start += 1
        # >22 is the quote, >2C the comma.
        if start < len(data) and data[start] == 0x22:
            return self._quoted(data, start + 1), True
        comma = data.find(b",", at)
        stop = len(data) if comma < 0 else comma
        self._at = stop + 1
        return data[at:stop].decode("latin-1"), False

    def _quoted(self, data: bytes, at: int) -> str:
        text = bytearray()
        while at < len(data):
            if data[at] != 0x22:
                text.append(data[at])
            elif data[at + 1 : at + 2] == b'"':
                text.append(data[at])
                at += 1
            else:
                break
            at += 1
        else:
            raise self._input_error()
        at += 1
        while at < len(data) and data[at] == 0x20:
            at += 1
        if at < len(data) and data[at] != 0x2C:
            raise self._input_error()
        self._at = at + 1
        return text.decode("latin-1")

    def _input_error(self) -> XBError:
        self._at = None
        return XBError(xb.INPUT_ERROR)


def parse_number_field(text: str) -> Number:
    """A DISPLAY field as a number; raises INPUT ERROR. An overflow comes back flagged."""
    try:
        return parse_number(text)
    except ValueError:
        raise XBError(xb.INPUT_ERROR) from None
