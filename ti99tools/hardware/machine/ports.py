"""The RS232 interface: device service routines of RS232 and PIO, and what is connected to them.

A name takes options: `RS232.BA=9600.DA=8.PA=N`, `PIO.CR`. A DISPLAY record is followed by carriage
return and line feed; `.LF` omits the line feed, `.CR` both; `.NU` adds six nulls; `.EC` does not
echo what is received; `.TW` has two stop bits. An INTERNAL record is sent with its length before
it. Source: the manual of the interface card; none of it is recorded.
"""

from __future__ import annotations

from ti99tools.base.cycles.console import PARALLEL_BYTE
from ti99tools.base.errors import TIError
from ti99tools.base.record import Record
from ti99tools.hardware.machine.clock import CPU_HZ, Clock
from ti99tools.hardware.machine.pab import (
    BAD_ATTRIBUTE,
    DEVICE_ERROR,
    ILLEGAL_OPERATION,
    IOFailure,
    Mode,
    OpenRequest,
)

BAUD = (110, 300, 600, 1200, 2400, 4800, 9600)
"""The speeds that the name of a device may ask for, in bits a second."""
RECORD_LENGTH = 80
MOST = 16 * 1024 * 1024
"""Bytes after which a printer's paper is used up."""
PORTS = ("PIO", "RS232", "RS232/2")
_SAME = {"PIO/1": "PIO", "RS232/1": "RS232"}
_CR, _LF = 13, 10
_NULLS = bytes(6)
"""What `.NU` sends after each line, so that a slow printer has time."""


class Port:
    """What is connected to PIO or RS232: it takes bytes, and supplies those of `incoming`."""

    def __init__(self, incoming: bytes = b"") -> None:
        """Raises TIError for what is not bytes."""
        if not isinstance(incoming, bytes | bytearray):
            raise TIError(f"{incoming!r:.40} is not bytes", remedy='write Port(b"…")')
        self.incoming = bytes(incoming)
        self.at = 0
        """The number of these already taken."""
        self.output = bytearray()
        """All bytes that were sent to it, as a printer would get them."""

    def __repr__(self) -> str:
        come = f", {self.at} of {len(self.incoming)} taken" if self.incoming else ""
        return f"<Port, {len(self.output)} bytes sent{come}>"


class PortOptions(Record):
    """The options after the name of a port."""

    # Defaults of the card's manual: 300 baud, seven bits, odd parity.
    baud: int = 300
    data: int = 7
    parity: str = "O"
    two_stops: bool = False
    nulls: bool = False
    echo: bool = True
    line_end: bytes = b"\r\n"

    @property
    def bits(self) -> int:
        """Bits of a byte on the line, with start, parity and stop bits."""
        return 1 + self.data + (self.parity != "N") + 1 + self.two_stops


def known(name: str) -> str | None:
    """The port that a device name means: `RS232/1.CR` is RS232; None for another device."""
    device = name.partition(".")[0]
    device = _SAME.get(device, device)
    return device if device in PORTS else None


def options(name: str) -> PortOptions:
    """The options of a device name. Raises IOFailure for an unknown one."""
    values: dict[str, str] = {}
    for option in name.split(".")[1:]:
        word, _, value = option.partition("=")
        values[word] = value
    allowed = {"BA", "DA", "PA", "TW", "CH", "NU", "EC", "CR", "LF"}
    choices = PortOptions(
        baud=_one_of(values.get("BA", "300"), [str(rate) for rate in BAUD]),
        data=_one_of(values.get("DA", "8" if name.startswith("PIO") else "7"), ["7", "8"]),
        parity=values.get("PA", "O"),
        two_stops="TW" in values,
        nulls="NU" in values,
        echo="EC" not in values,
        line_end=b"" if "CR" in values else b"\r" if "LF" in values else b"\r\n",
    )
    # BA, DA and PA take a value; the others do not.
    valued = all(bool(value) == (word in ("BA", "DA", "PA")) for word, value in values.items())
    if not (valued and values.keys() <= allowed and choices.parity in ("O", "E", "N")):
        raise IOFailure(BAD_ATTRIBUTE)
    return choices


def _one_of(value: str, choices: list[str]) -> int:
    if value not in choices:
        raise IOFailure(BAD_ATTRIBUTE)
    return int(value)


class PortFile:
    """An open file at a port: records out and in, in the time that the line takes."""

    def __init__(self, name: str, port: Port, clock: Clock, request: OpenRequest) -> None:
        """Raises IOFailure for unknown options, RELATIVE and APPEND."""
        if request.relative or request.mode is Mode.APPEND:
            raise IOFailure(BAD_ATTRIBUTE)
        self.fixed = not request.variable
        self.record_length = request.record_length or RECORD_LENGTH
        self._internal = request.internal
        self._options = options(name)
        self._port = port
        self._clock = clock
        serial = round(CPU_HZ * self._options.bits / self._options.baud)
        self._cycles = serial if name.startswith("RS232") else PARALLEL_BYTE

    def write(self, data: bytes, _record: int) -> None:
        """Send a record. Device error when the paper is used up."""
        ends = b"" if self._internal else self._options.line_end
        nulls = _NULLS if self._options.nulls and ends else b""
        head = bytes((len(data),)) if self._internal else b""
        self._send(head + data + ends + nulls)

    def _send(self, data: bytes) -> None:
        if len(self._port.output) + len(data) > MOST:
            raise IOFailure(DEVICE_ERROR)
        if self._options.data == 7:
            data = bytes(byte & 0x7F for byte in data)
        self._port.output += data
        self._clock.advance(self._cycles * len(data))

    def read(self, _record: int) -> bytes:
        """Receive a record: up to a carriage return or line feed, or for INTERNAL by its length.

        Device error when nothing more comes (where the machine would wait).
        """
        if self._port.at >= len(self._port.incoming):
            raise IOFailure(DEVICE_ERROR)
        data = self._counted() if self._internal else self._line()
        self._clock.advance(self._cycles * len(data))
        return data

    def _counted(self) -> bytes:
        port = self._port
        length = min(port.incoming[port.at], self.record_length)
        data = port.incoming[port.at + 1 : port.at + 1 + length]
        port.at += 1 + length
        return data

    def _line(self) -> bytes:
        port = self._port
        # One more than the record: its line end may follow a record of full length.
        piece = port.incoming[port.at : port.at + self.record_length + 1]
        ends = [at for at in (piece.find(_CR), piece.find(_LF)) if at >= 0]
        end = min(ends, default=self.record_length)
        data = piece[:end]
        port.at += len(data)
        if ends:
            # CR LF counts as one line end.
            both = port.incoming[port.at : port.at + 2] == b"\r\n"
            port.at += 1 + both
        if self._options.echo:
            self._send(data + self._options.line_end)
        return data

    def rewind(self) -> None:
        """Refuse: a line has no beginning."""
        raise IOFailure(ILLEGAL_OPERATION)

    def status(self, _record: int) -> int:
        """1 when nothing more comes, else 0."""
        return int(self._port.at >= len(self._port.incoming))

    def close(self) -> None:
        """Do nothing: what was sent has gone."""
