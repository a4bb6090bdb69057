"""All devices by name: disk drives, cassette recorders, and what is connected to the interface."""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.machine import ports
from ti99tools.machine.clock import Clock
from ti99tools.machine.drives import Drives
from ti99tools.machine.pab import DeviceFile, IOFailure, OpenRequest
from ti99tools.machine.ports import Port, PortFile
from ti99tools.machine.recorder import Recorder

ILLEGAL = 3
RECORDERS = ("CS1", "CS2")


class Peripherals:
    """The devices of a console; a port without anything connected to it is not there."""

    def __init__(
        self,
        drives: Drives,
        recorders: Mapping[str, Recorder],
        connected: Mapping[str, Port],
        clock: Clock,
    ) -> None:
        self._drives = drives
        self._recorders = recorders
        self._ports = connected
        self._clock = clock

    def recorder(self, name: str) -> Recorder | None:
        """The recorder that a device name means; None for another device."""
        return self._recorders.get(name.partition(".")[0])

    def open(self, name: str, request: OpenRequest) -> DeviceFile:
        """Open a file. A recorder's begins with a conversation. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            return recorder.open(request)
        port = self._port(name)
        if port is not None:
            return PortFile(name, port, self._clock, request)
        return self._drives.open(name, request)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            recorder.delete()
        elif self._port(name) is None:
            self._drives.delete(name)

    def load_program(self, name: str) -> bytes:
        """The bytes of a PROGRAM file of a disk. Raises IOFailure."""
        if self._port(name) is not None:
            raise IOFailure(ILLEGAL)
        return self._drives.load_program(name)

    def save_program(self, name: str, data: bytes) -> None:
        """Write a PROGRAM file; a recorder begins a conversation. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            recorder.save(data)
        elif self._port(name) is not None:
            raise IOFailure(ILLEGAL)
        else:
            self._drives.save_program(name, data)

    def _port(self, name: str) -> Port | None:
        device = ports.known(name)
        return None if device is None else self._ports.get(device)
