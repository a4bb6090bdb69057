"""PRINT # and INPUT #: items laid out in records, and taken from them.

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

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.openfile import OpenFile
from ti99tools.computer.interp.io.printer import LinePrinter
from ti99tools.computer.numbers.forms import from_bytes, parse_number, to_bytes
from ti99tools.computer.numbers.radix import Number


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
        """`;` adds nothing."""
        self._separator = True

    def comma(self) -> int:
        """`,` adds nothing."""
        self._separator = True
        return 0

    def colon(self) -> None:
        """`:` does not end the record."""
        self._separator = True

    def tab(self, value: Number) -> None:
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
            told = f"the item has the length {len(data)}, the record room for {max(room, 0)}"
            raise XBError(xb.FILE_ERROR, detail=told)
        self._record.append(len(data))
        self._record += data


NUMBER_LENGTH = 8


class FileReader:
    """One INPUT # or LINPUT # statement: `look` for INPUT #, a call an item, then `end`."""

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
                told = f"the length of the item read is {len(data)}, that of a number 8"
                raise XBError(xb.FILE_ERROR, detail=told)
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
        # 22h is the quote, 2Ch below the comma.
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
