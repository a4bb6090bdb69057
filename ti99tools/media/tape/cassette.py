"""A cassette in a recorder: its content, its position, and what is recorded.

Every console has recorders, so the modules that turn tapes into sound and back are imported on
first use.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.media.tape.biphase import BITS_PER_SECOND
from ti99tools.media.tape.recovery import BLOCK, SILENCE, unit

if TYPE_CHECKING:
    from ti99tools.media.tape.wav import Recording

MOST_SECONDS = 45 * 60
"""Side A of a C-90 cassette; a recording past its end is lost."""


class Cassette:
    """A tape of programs and records, from a WAV file or blank.

    A recording is added after what is on the tape, and after its sound; with `replace` it replaces
    both. Rewinding winds to `home`: the beginning or, once something was recorded, the place where
    the last recording began.
    """

    def __init__(self, sound: bytes | None = None, replace: bool = False) -> None:
        """`sound` is a WAV file. Raises TIError for anything else."""
        if not isinstance(sound, bytes | bytearray | None):
            remedy = 'write Cassette.open("tape.wav")'
            raise TIError(f"{sound!r:.40} is not the sound of a tape", remedy=remedy)
        self._sound = None if replace else sound
        self._recording = None if sound is None or replace else _heard(sound)
        self._old: list[bytes | None] | None = None
        self._new: list[bytes] = []
        self._taped: list[bytes] = []
        self._seconds = 0.0
        self._at = 0
        self._at_new: int | None = None
        self._home_new: int | None = None
        self._begins = False
        self.home = 0
        """Number, from 0, of the program or record to which the tape is rewound until something is
        recorded.
        """

    def __repr__(self) -> str:
        before = "blank" if self._recording is None else f"{self._recording.seconds:.0f} s of sound"
        return f"<Cassette, {before}, {self.recorded} recorded>"

    @classmethod
    def open(cls, path: str | os.PathLike[str], replace: bool = False) -> Cassette:
        """The cassette whose sound is in a WAV file; a blank one if there is no file yet.

        Raises TIError when the file cannot be read.
        """
        if not Path(path).exists():
            return cls()
        sound = read_bytes(path)
        try:
            return cls(sound, replace)
        except TIError as error:
            raise error.at(os.fspath(path)) from None

    @property
    def units(self) -> list[bytes | None]:
        """The data of its programs and records; None where both copies are damaged."""
        if self._old is None:
            self._old = [] if self._recording is None else _on(self._recording)
        return [*self._old, *self._new]

    @property
    def recorded(self) -> int:
        """The number of programs and records recorded on it."""
        return len(self._new)

    @property
    def seconds(self) -> float:
        """The length in seconds of the recordings made."""
        return self._seconds

    def rewind(self) -> None:
        """Wind back to `home`, from where `play` begins again."""
        self._at, self._at_new = self.home, self._home_new
        self._begins = True

    def play(self) -> tuple[bytes | None, bool]:
        """The next program or record, and True; (None, False) at the end of what is on it.

        The data is None where it cannot be read.
        """
        # Decoding sound takes seconds: only a program that plays the old part pays for it.
        recent = self._at_new is not None
        at = self._at if self._at_new is None else self._at_new
        there = self._new if recent else self.units
        if at >= len(there):
            return None, False
        if recent:
            self._at_new = at + 1
        else:
            self._at = at + 1
        return there[at], True

    def record(self, data: bytes) -> None:
        """Record a program or a record after everything that is on the tape.

        What does not fit before the end of the tape is lost. Raises ProgramError for no data, and
        for more than 255 blocks of 64 bytes.
        """
        taped = unit(data)
        seconds = 8 * len(taped) / BITS_PER_SECOND + SILENCE
        if self._begins:
            self._home_new = len(self._new)
            self._begins = False
        if self._seconds + seconds > MOST_SECONDS:
            # The tape has ended; the recorder does not tell the console.
            return
        self._seconds += seconds
        self._taped.append(taped)
        # Blocks are 64 bytes: the console reads the padding back as well.
        self._new.append(data + bytes(-len(data) % BLOCK))
        self._at_new = len(self._new)

    def sound(self) -> bytes:
        """The tape as a WAV file: the sound it had, and then the recordings."""
        from ti99tools.media.tape import wav

        if self._sound is None:
            return wav.sound(self._taped)
        return wav.appended(self._sound, self._taped) if self._taped else self._sound


def _heard(sound: bytes) -> Recording:
    from ti99tools.media.tape import wav

    return wav.read(sound)


def _on(recording: Recording) -> list[bytes | None]:
    """The data of the units of a recording, None where it is damaged."""
    from ti99tools.media.tape.hearing import heard
    from ti99tools.media.tape.recovery import State

    return [None if each.numbers(State.DAMAGED) else each.data for each in heard(recording)]


def cassette_at(place: str, path: Path, replace: bool) -> Cassette:
    """A cassette for the recorder `place`, CS1 or CS2, from the command line. Raises TIError."""
    if path.suffix.lower() not in (".wav", ".wave"):
        raise TIError(
            "a cassette is a WAV file",
            remedy=f"name it {place.lower()}.wav",
            place=Place(str(path)),
        )
    return Cassette.open(path, replace)
