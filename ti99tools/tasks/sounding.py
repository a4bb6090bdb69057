"""The sound of a run as a WAV file: what the chip is set to, frame by frame, made into samples."""

from __future__ import annotations

import io
import sys
import wave
from pathlib import Path

from ti99tools.base.hostio import write_atomically
from ti99tools.console.session import Console
from ti99tools.machine.clock import CPU_HZ, FRAME
from ti99tools.machine.soundchip import Registers
from ti99tools.render.synth import Synthesizer

RATE = 22_050
"""Samples a second of what is written: 16 bits, one channel."""


class Heard:
    """What the chip was set to, and for how many frames."""

    def __init__(self) -> None:
        self.pieces: list[tuple[Registers, int]] = []

    def add(self, registers: Registers) -> None:
        """One more frame; equal ones are joined."""
        if self.pieces and self.pieces[-1][0] == registers:
            self.pieces[-1] = registers, self.pieces[-1][1] + 1
        else:
            self.pieces.append((registers, 1))


def record(console: Console) -> Heard:
    """Listen while the clock runs."""
    heard = Heard()

    def listen() -> None:
        chip = console.machine.sound.registers
        heard.add(Registers(list(chip.periods), chip.noise, list(chip.attenuations)))
        console.clock.schedule(console.clock.cycles + FRAME, listen)

    console.clock.schedule(0, listen)
    return heard


def sound(heard: Heard) -> bytes:
    """The WAV file of what was heard."""
    synthesizer = Synthesizer(RATE)
    frames = written = 0
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for registers, count in heard.pieces:
            frames += count
            end = frames * FRAME * RATE // CPU_HZ
            samples = synthesizer.render(registers, end - written)
            written = end
            if sys.byteorder == "big":
                samples.byteswap()
            file.writeframes(samples.tobytes())
    return made.getvalue()


def write(heard: Heard, path: Path) -> None:
    """Write what was heard up to now as WAV."""
    write_atomically(path, sound(heard))
