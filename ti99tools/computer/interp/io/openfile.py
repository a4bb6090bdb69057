"""One open file of a program (Extended BASIC's side of a PAB), and the attributes of OPEN.

The words of OPEN become the request that a device understands. They come in any order, at most one
of each kind: mode (INPUT, OUTPUT, UPDATE, APPEND), type (DISPLAY, INTERNAL), organisation
(SEQUENTIAL [n], RELATIVE [n]), record kind (VARIABLE [n], FIXED [n]) and PERMANENT. Without them:
UPDATE, DISPLAY, SEQUENTIAL, VARIABLE; RELATIVE makes FIXED the default. Source: the recorded
files-* cases; for SEQUENTIAL n the User's Reference Guide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.pab import DeviceFile, IOFailure, Mode, OpenRequest

OPEN, CLOSE, READ, WRITE, REWIND, SAVE, DELETE, STATUS = 0, 1, 2, 3, 4, 6, 7, 9
"""PAB operations: the first digit of the I/O code that the screen shows."""


NOT_OPEN = 7
"""A device's refusal that comes before all others."""


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
        return XBError(xb.IO_ERROR, io_code=operation * 10 + failure.code, file=self.number)

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
        """Count a record of a FIXED file, as the controller does once it finds the file open."""
        if self.device.fixed and (failure is None or failure.code != NOT_OPEN):
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
MAX_RECORD_LENGTH = 255


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
            if kind == "records" and not 1 <= value <= MAX_RECORD_LENGTH:
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
