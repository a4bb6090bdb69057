"""PRINT # to a file: items laid out in records.

DISPLAY records are laid out as rows of the screen are, with the record length for the width;
INTERNAL records take each item as a length byte and its bytes (numbers in radix 100). What a
statement has printed becomes the file's pending record only when the statement ends, so that an
error in the middle leaves what was pending before. Source: the recorded files-* cases.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.io.openfile import OpenFile
from ti99tools.interp.io.printer import LinePrinter
from ti99tools.numbers.codec import to_bytes
from ti99tools.numbers.radix import Number


class DisplayPrinter(LinePrinter):
    """One PRINT # to a DISPLAY file: a line is a record."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file.record_length, len(file.output))
        self._file = file
        self._record = bytearray(file.output)

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

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._record = bytearray(file.output)
        self._separator = False

    def number(self, value: Number) -> None:
        """A numeric item: nine bytes. Raises FILE ERROR where it does not fit the record."""
        self._item(to_bytes(value))

    def string(self, value: str) -> None:
        """A string item. Raises FILE ERROR where it does not fit the record."""
        self._item(value.encode("latin-1"))

    def text(self, value: str) -> None:
        """What USING made is a string item."""
        self.string(value)

    def semicolon(self) -> None:
        """`;` adds nothing."""
        self._separator = True

    def comma(self) -> None:
        """`,` adds nothing."""
        self._separator = True

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
