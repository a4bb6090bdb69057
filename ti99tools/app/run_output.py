"""The output of a run, for people and as data: screen, variables, files, pictures, sound.

Pictures are an animation of the whole run, one at each snap, and the last one. Sound is a WAV file:
the registers of the sound chip go frame by frame to a temporary file, and are synthesized piece by
piece when the WAV file is written. docs/running.md describes the data.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import quote

from ti99tools.app.run import Headless, Outcome
from ti99tools.app.terminal_picture import printed
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.evaluating import (
    value_text as value_text,
)  # for the front ends, too
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.numbers.forms import to_str
from ti99tools.computer.numbers.radix import Radix
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, FRAMES_A_SECOND
from ti99tools.hardware.machine.soundchip import Registers, Synthesizer
from ti99tools.hardware.render.picture import Animation, save_png
from ti99tools.hardware.render.textpicture import text
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

Files = Mapping[str, Mapping[str, DiskFile | None]]
"""Drive → name → file; None for one that cannot be read."""


def drawn(console: AnyConsole) -> list[str]:
    """The 24 rows of the screen as they appear: redefined characters become similar ones."""
    return text(console.machine.picture().vdp()).split("\n")


def colored(console: AnyConsole) -> list[str]:
    """The 24 rows of the screen in the terminal's colours."""
    return printed(console.machine.picture())


def by_code(rows: Sequence[str]) -> list[str]:
    """Rows of characters by code, whatever their patterns; codes outside ASCII become spaces."""
    return ["".join(c if " " <= c <= "~" else " " for c in row) for row in rows]


def variable_lines(console: AnyConsole) -> Iterator[str]:
    """Each variable as `N=3` or `A$="X"`; of arrays only elements that are not 0 or empty."""
    base = 0 if console.execution is None else console.execution.compiler.scan.base
    for name, value in sorted(console.variables.everything().items()):
        if not isinstance(value, list):
            yield f"{name}={value_text(value)}"
            continue
        for subscripts, element in _elements(value, base):
            if element not in (0, ""):
                yield f"{name[:-2]}({','.join(map(str, subscripts))})={value_text(element)}"


def _elements(values: Sequence[Any], base: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    for subscript, value in enumerate(values, base):
        if isinstance(value, list):
            yield from (((subscript, *rest), one) for rest, one in _elements(value, base))
        else:
            yield (subscript,), value


def files_of(images: Mapping[str, DiskImage]) -> Files:
    """All files on the disks in the drives."""
    return {
        drive: {name: _read(image, name) for name in image.names()}
        for drive, image in images.items()
    }


def _read(image: DiskImage, name: str) -> DiskFile | None:
    try:
        return image.read(name)
    except TIError:
        return None


def run_data(headless: Headless, outcome: Outcome, message: str, before: Files) -> dict[str, Any]:
    """A run as JSON values; `before` are the files at its start."""
    console = headless.console
    place = outcome.place
    execution = console.execution
    return {
        "target": headless.target.name,
        "status": outcome.ending.name.lower(),
        "ok": outcome.ok,
        "message": message,
        "seconds": round(outcome.seconds, 3),
        "line": outcome.line,
        "place": place and {"file": place.file, "line": place.line, "column": place.column},
        "screen": drawn(console),
        "codes": by_code(console.screen.rows),
        "snaps": {name: by_code(rows) for name, rows in headless.player.screens.items()},
        "sub": execution.active.scope.name if execution is not None else "",
        "variables": _json(console.variables.everything()),
        "failed_with": _json(dict(outcome.variables)),
        "files": _files_data(before, files_of(headless.images)),
    }


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_json(one) for one in value]
    return _float(value) if isinstance(value, Radix) else value


def _float(number: Radix) -> float | str:
    """A number for JSON; as text if a float does not hold all its digits."""
    try:
        return float(f"{number.mantissa}e{-2 * number.places}")
    except (OverflowError, ValueError):
        return to_str(number)


def _files_data(before: Files, after: Files) -> dict[str, list[dict[str, Any]]]:
    """The files of each drive; those that the run wrote have their records."""
    by_drive: dict[str, list[dict[str, Any]]] = {}
    for drive, files in after.items():
        rows = by_drive[drive] = []
        for name, file in files.items():
            if file is None:
                continue
            changed = before.get(drive, {}).get(name) != file
            row: dict[str, Any] = {
                "name": name,
                "type": file.type.label,
                "record_length": file.recl,
                "records": len(file.records),
                "changed": changed,
            }
            if changed and file.type in (FileType.DIS_VAR, FileType.DIS_FIX):
                row["text"] = [record.decode("latin-1").rstrip(" ") for record in file.records]
            rows.append(row)
    return by_drive


GIF_RATE = 10
"""Default pictures per second of the animation (the machine has 60 frames)."""
PNG_SCALE = 2
"""Default width in pixels of a dot of a picture."""


def record(console: AnyConsole, rate: int = GIF_RATE, scale: int = 1) -> Animation:
    """Take `rate` pictures a second while the clock runs; the animation grows as time passes."""
    recording = Animation(scale)
    step = FRAMES_A_SECOND * FRAME // rate
    pictures = 0

    def look() -> None:
        nonlocal pictures
        pictures += 1
        # GIF counts hundredths of a second: time rounded off one picture goes to a later one.
        milliseconds = 10 * (
            100 * step * pictures // CPU_HZ - 100 * step * (pictures - 1) // CPU_HZ
        )
        recording.add(console.machine.picture(), milliseconds)
        console.clock.schedule(console.clock.cycles + step, look)

    console.clock.schedule(0, look)
    return recording


def write_animation(console: AnyConsole, recording: Animation, path: Path) -> None:
    """Write what was recorded as GIF."""
    if recording.empty:
        # A program that fails before its first statement takes no time, so nothing was recorded.
        recording.add(console.machine.picture(), 1000)
    write_atomically(path, recording.data())


def write_picture(console: AnyConsole, path: Path, scale: int = PNG_SCALE) -> None:
    """Write the present picture as PNG."""
    save_png(console.machine.picture().vdp(), path, scale)


def snaps_into(console: AnyConsole, folder: Path) -> Callable[[str], None]:
    """A function that writes the picture of a named snap into `folder`.

    Characters that a host may refuse in a file name become %XX.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str) -> None:
        write_picture(console, folder / f"{quote(name, safe=' ')}.png")

    return save


@dataclass
class Recording:
    """The files of pictures and sound that a run is to write."""

    png: Path | None
    gif: Path | None
    fps: int | None
    scale: int | None
    wav: Path | None
    snaps: Path | None
    _animation: Animation | None = None
    _heard: SoundRecording | None = None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """Its files; None for what is not wanted."""
        return (self.png, self.gif, self.wav)

    @property
    def more(self) -> bool:
        """Tell whether more than the last picture is to be written."""
        return bool(self.gif or self.wav or self.snaps)

    def begin(self, console: AnyConsole, player: ScriptPlayer) -> None:
        """Start to record what is to be written: frames, sound, snaps."""
        if self.gif:
            rate = self.fps or GIF_RATE
            self._animation = record(console, rate, self.scale or 1)
        if self.wav:
            self._heard = listen(console)
        if self.snaps is not None:
            player.when_snapped = snaps_into(console, self.snaps)

    def write(self, console: AnyConsole) -> None:
        """Write the picture, the animation and the sound that were asked for."""
        if self.png is not None:
            write_picture(console, self.png, self.scale or PNG_SCALE)
        if self.gif is not None and self._animation is not None:
            write_animation(console, self._animation, self.gif)
        if self.wav is not None and self._heard is not None:
            write(self._heard, self.wav)


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
