"""The sound of a run as a WAV file, in memory that does not grow with its length.

The registers of the sound chip go frame by frame to a temporary file, and are synthesized piece by
piece when the WAV file is written.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.soundchip import Registers, Synthesizer

RATE = 22_050
"""Samples per second of the WAV file: 16 bits, one channel."""
LONGEST = (1 << 32) - 1 - 44
"""The most bytes of samples that the header of a WAV file can tell: 27 hours."""
_STATE = struct.Struct("<3HB4sI")
"""Three periods, the noise control, four attenuations; the number of frames."""
_IN_MEMORY = 1 << 20
_TOGETHER = 60
"""The most frames that are synthesized at a time."""


class SoundRecording:
    """The settings of the sound chip, each with its number of frames."""

    def __init__(self) -> None:
        self.frames = 0
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._last: bytes = b""
        self._count = 0

    def add(self, registers: Registers) -> None:
        """Add a frame; equal ones in a row are joined."""
        noise, attenuations = registers.noise, bytes(registers.attenuations)
        state = _STATE.pack(*registers.periods, noise, attenuations, 0)
        if state != self._last:
            self._keep()
            self._last = state
        self._count += 1
        self.frames += 1

    def _keep(self) -> None:
        if self._count:
            self._file.write(self._last[:-4] + self._count.to_bytes(4, "little"))
        self._count = 0

    def __iter__(self) -> Iterator[tuple[Registers, int]]:
        """The settings from the first on, each for `_TOGETHER` frames at most."""
        self._keep()
        self._last = b""
        self._file.seek(0)
        while state := self._file.read(_STATE.size):
            *periods, noise, attenuations, count = _STATE.unpack(state)
            registers = Registers(periods, noise, list(attenuations))
            for start in range(0, count, _TOGETHER):
                yield registers, min(_TOGETHER, count - start)
        # Reading has ended where the next state is to be written.


def listen(console: AnyConsole) -> SoundRecording:
    """Record the sound chip from now on, as the clock runs; returns what grows with it."""
    heard = SoundRecording()

    def listen() -> None:
        heard.add(console.machine.sound.registers)
        console.clock.schedule(console.clock.cycles + FRAME, listen)

    console.clock.schedule(0, listen)
    return heard


def _samples(frames: int) -> int:
    """The samples in so many frames from the beginning."""
    return frames * FRAME * RATE // CPU_HZ


def sound(heard: SoundRecording) -> Iterator[bytes]:
    """The WAV file of what was heard, in pieces. Raises TIError when it is too long for one."""
    size = 2 * _samples(heard.frames)
    if size > LONGEST:
        hours = LONGEST // (2 * RATE * 3600)
        problem = f"the sound is longer than the {hours} hours that a WAV file holds"
        raise TIError(problem, remedy="allow fewer seconds of machine time")
    yield struct.pack("<4sI4s4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16)
    yield struct.pack("<HHIIHH4sI", 1, 1, RATE, 2 * RATE, 2, 16, b"data", size)
    synthesizer = Synthesizer(RATE)
    frames = written = 0
    for registers, count in heard:
        frames += count
        samples = synthesizer.render(registers, _samples(frames) - written)
        written = _samples(frames)
        if sys.byteorder == "big":
            samples.byteswap()
        yield samples.tobytes()


def write(heard: SoundRecording, path: Path) -> None:
    """Write the sound recorded so far as WAV. Raises TIError."""
    write_atomically(path, sound(heard))
