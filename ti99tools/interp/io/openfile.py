"""One open file of a program: Extended BASIC's side of a PAB."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.machine.pab import DeviceFile, IOFailure, OpenRequest

OPEN, CLOSE, READ, WRITE, REWIND, SAVE, DELETE, STATUS = 0, 1, 2, 3, 4, 6, 7, 9
"""PAB operations: the first digit of the I/O code that the screen shows."""


NOT_OPEN = 7
"""A device's refusal that comes before all else."""


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

    @property
    def record_length(self) -> int:
        """Bytes of a record, at most."""
        return self.device.record_length

    @property
    def internal(self) -> bool:
        """Tell whether records hold items in the machine's own form."""
        return self.request.internal

    def failed(self, operation: int, failure: IOFailure) -> XBError:
        """The Extended BASIC error for a device's refusal."""
        return XBError(xb.IO_ERROR, io_code=operation * 10 + failure.code, file=self.number)

    def read_record(self) -> bytes:
        """The next record from the device, after what is pending on output.

        FIXED files step their record number, past the end, too.
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
        """Hand one record to the device, FIXED ones filled up with blanks or zeros."""
        if self.device.fixed:
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
        """Count a record of a FIXED file, as the controller does as soon as it finds it open."""
        if self.device.fixed and (failure is None or failure.code != NOT_OPEN):
            self.record += 1

    def flush(self) -> None:
        """Write what a trailing separator left pending."""
        if self.output:
            data, self.output = self.output, b""
            self.write_record(data)
