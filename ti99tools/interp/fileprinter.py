"""PRINT # to a file: items laid out in records.

DISPLAY records are laid out as rows of the screen are, with the record length for the width;
INTERNAL records take each item as a length byte and its bytes (numbers in radix 100). What a
statement has printed becomes the file's pending record only when the statement ends, so that an
error in the middle leaves what was pending before. Source: the recorded files-* cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.numbers.codec import to_bytes
from ti99tools.numbers.convert import to_integer
from ti99tools.numbers.format import print_form

if TYPE_CHECKING:
    from ti99tools.interp.files import OpenFile
    from ti99tools.numbers.radix import Number

ZONE = 14
"""Columns of a comma's print zone."""


class FilePrinter:
    """One PRINT # statement: calls in the order of its items, then `end`."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._text = bytearray(file.output)
        self._width = file.record_length
        self._internal = file.internal
        self._separator = False

    def number(self, value: Number) -> None:
        """A numeric item; it fits a record if it fits without its trailing blank."""
        if self._internal:
            self._item(to_bytes(value))
            return
        digits = print_form(value).encode("latin-1")
        if len(self._text) + len(digits) > self._width:
            self._new_record()
        self._put(digits)
        if len(self._text) < self._width:
            self._text += b" "
        self._separator = False

    def string(self, value: str) -> None:
        """A string item; one that does not fit starts a new record, an over-long one is split."""
        data = value.encode("latin-1")
        if self._internal:
            self._item(data)
            return
        if self._text and len(self._text) + len(data) > self._width:
            self._new_record()
        self._put(data)
        self._separator = False

    def _put(self, data: bytes) -> None:
        self._text += data
        while len(self._text) > self._width:
            head, tail = self._text[: self._width], self._text[self._width :]
            self._text = head
            self._new_record()
            self._text = tail

    def _item(self, data: bytes) -> None:
        if len(self._text) + 1 + len(data) > self._width:
            raise XBError(xb.FILE_ERROR)
        self._text.append(len(data))
        self._text += data
        self._separator = False

    def semicolon(self) -> None:
        """`;` adds nothing."""
        self._separator = True

    def comma(self) -> None:
        """`,` goes on to the next zone of 14 columns, or to a new record where none is left."""
        self._separator = True
        if self._internal:
            return
        column = (len(self._text) // ZONE + 1) * ZONE
        if column >= self._width:
            self._new_record()
        else:
            self._text += b" " * (column - len(self._text))

    def colon(self) -> None:
        """`:` ends the record; INTERNAL files take no notice."""
        self._separator = True
        if not self._internal:
            self._new_record()

    def tab(self, value: Number) -> None:
        """TAB(n), n taken modulo the record length; FILE ERROR in INTERNAL files."""
        if self._internal:
            raise XBError(xb.FILE_ERROR)
        column = to_integer(value)
        if column > 32767:
            raise XBError(xb.BAD_VALUE)
        column = (max(column, 1) - 1) % self._width
        if len(self._text) > column:
            self._new_record()
        self._text += b" " * (column - len(self._text))
        self._separator = False

    def end(self) -> None:
        """The end of the list: a trailing separator keeps the record pending."""
        if not self._separator:
            self._new_record()
            self._file.output_pending = False
            self._file.output.clear()
            return
        self._file.output[:] = self._text
        self._file.output_pending = bool(self._text)

    def _new_record(self) -> None:
        data = bytes(self._text)
        self._text = bytearray()
        self._file.output_pending = False
        self._file.output.clear()
        self._file.write_record(data)
