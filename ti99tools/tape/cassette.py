"""A cassette in a recorder: what is on it, where it stands, and what is recorded."""

from __future__ import annotations

import os
from pathlib import Path

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.tape import biphase, wav
from ti99tools.tape.recovery import State, Unit, units
from ti99tools.tape.units import unit

MOST_SECONDS = 45 * 60
"""Side A of a C-90 cassette: what is recorded after so many seconds is lost."""


class Cassette:
    """A tape of programs and records, from a WAV file or blank.

    What is recorded follows what is on it, in the sound of the file too; with `replace` it takes
    its place. Rewinding winds to `home`: the beginning, or since something was recorded the place
    where the last recording began.
    """

    def __init__(self, sound: bytes | None = None, replace: bool = False) -> None:
        """`sound` is a WAV file. Raises TIError for anything else."""
        self._sound = None if replace else sound
        self._recording = None if sound is None or replace else wav.read(sound)
        self._units: list[bytes | None] | None = None
        self._new: list[bytes] = []
        self._seconds = 0.0
        self._at = 0
        self._begins = False
        self.home = 0
        """The number, from 0, of the program or record to which the tape is rewound."""

    @classmethod
    def open(cls, path: str | os.PathLike[str], replace: bool = False) -> Cassette:
        """The cassette whose sound is in a WAV file; a blank one where there is no file yet.

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
        """The data of the programs and records on it, None where both copies are damaged."""
        if self._units is None:
            self._units = []
            if self._recording is not None:
                bits = biphase.stretches(self._recording.changes(), self._recording.bit)
                self._units = [_data(each) for each in units(bits)]
        return self._units

    @property
    def recorded(self) -> int:
        """How many programs and records have been recorded on it."""
        return len(self._new)

    @property
    def seconds(self) -> float:
        """How long the recordings take that were made."""
        return self._seconds

    def rewind(self) -> None:
        """Wind to `home`."""
        self._at = self.home
        self._begins = True

    def play(self) -> tuple[bytes | None, bool]:
        """The next program or record, and True; (None, False) at the end of what is on it.

        The data is None where it cannot be read.
        """
        if self._at >= len(self.units):
            return None, False
        self._at += 1
        return self.units[self._at - 1], True

    def record(self, data: bytes) -> None:
        """Record a program or a record after everything that is on the tape.

        Nothing is kept after the end of the tape. Raises ProgramError for no data, and for more
        than 255 blocks of 64 bytes.
        """
        taped = unit(data)
        seconds = 8 * len(taped) / biphase.BITS_PER_SECOND + wav.SILENCE
        if self._begins:
            self.home = len(self.units)
            self._begins = False
        if self._seconds + seconds > MOST_SECONDS:
            return
        self._seconds += seconds
        self._new.append(taped)
        filled = -len(data) % 64
        self.units.append(data + bytes(filled))
        self._at = len(self.units)

    def sound(self) -> bytes:
        """The tape as a WAV file: the sound it had, and then the recordings."""
        if self._sound is None:
            return wav.sound(self._new)
        return wav.appended(self._sound, self._new) if self._new else self._sound


def _data(found: Unit) -> bytes | None:
    return None if found.numbers(State.DAMAGED) else found.data


def cassette_at(place: str, path: Path, replace: bool) -> Cassette:
    """A cassette for a recorder on the host's command line. Raises TIError naming the file."""
    if path.suffix.lower() not in (".wav", ".wave"):
        problem = f"{path.name}: a cassette is a WAV file"
        raise TIError(problem, remedy=f"name it {place.lower()}.wav", place=Place(str(path)))
    return Cassette.open(path, replace)
