"""Cassettes in the recorders, and files of the host at PIO and RS232, for a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import check_output, read_bytes, write_atomically
from ti99tools.machine.ports import Port
from ti99tools.tape.cassette import Cassette, cassette_at
from ti99tools.tasks.sources import spare


@dataclass(frozen=True)
class Wires:
    """What is to be connected: WAV files, files for output, and one of what comes in at RS232.

    With `replace` what is recorded takes the place of what is on a cassette.
    """

    cs1: Path | None = None
    cs2: Path | None = None
    pio: Path | None = None
    rs232: Path | None = None
    rs232_in: Path | None = None
    replace: bool = False

    @property
    def any(self) -> bool:
        """Tell whether anything is to be connected."""
        return self != Wires()

    def connect(self, target: Path | None = None) -> Connections:
        """Open what is connected. Raises TIError, also for files that are the target itself."""
        connections = Connections()
        for name, tape in (("CS1", self.cs1), ("CS2", self.cs2)):
            if tape is not None:
                _check(tape, target)
                connections[name] = cassette_at(name, tape, self.replace)
                connections.files[name] = tape
        if self.replace and not connections:
            raise TIError("no cassette whose sound could be replaced", remedy="name one for CS1")
        if self.cs1 is not None and self.cs1 == self.cs2:
            raise TIError(f"{self.cs1} cannot be in both recorders", remedy="use two files")
        for name, file in (("PIO", self.pio), ("RS232", self.rs232)):
            if file is not None:
                _check(file, target)
                connections[name] = Port()
                connections.files[name] = file
        if self.rs232_in is not None:
            incoming = read_bytes(self.rs232_in)
            connections["RS232"] = Port(incoming)
        return connections


def _check(file: Path, target: Path | None) -> None:
    check_output(file)
    if target is not None:
        spare(target, file)


class Connections(dict[str, "Cassette | Port"]):
    """Devices and what is at them; `files` are those of the host that `write` writes."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, Path] = {}

    def write(self) -> None:
        """Write the files: a cassette if something was recorded, what a port got in any case."""
        for name, file in self.files.items():
            thing = self[name]
            if isinstance(thing, Port):
                write_atomically(file, bytes(thing.output))
            elif thing.recorded:
                write_atomically(file, thing.sound())
