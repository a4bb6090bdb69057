"""A person at a machine: waits until asked, taps keys, changes disks, and records all of it.

RUN of a program keeps what an earlier one has drawn, defined, set in motion and poked (recorded:
`console.forgetting`). The program here changes all of that, waits for a key, and runs DSK1.LOAD
from whatever disk is then in the drive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import TIError
from ti99tools.computer.console.asking import WaitKind
from ti99tools.computer.console.keyscript import (
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Step,
    Tap,
    Type,
    Wait,
)
from ti99tools.games.hosts.host import HostSession, Seen, SessionHost
from ti99tools.games.hosts.sight import Sight, sight_of
from ti99tools.games.making.artefacts import program_file
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.shipped.situation import Start
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

READY = "PRESS A KEY"
"""The text on the screen when it is time to change the disk."""

LISTING = f"""\
100 OPTION BASE 1::DIM A(40)::CALL INIT::CALL CLEAR
110 FOR I=9460 TO 10450 STEP 10::CALL LOAD(I,170,85,2,0,170,85,1,3,255,96)::NEXT I
120 CALL LOAD(16376,82,85,68,69,32,32,36,244)::CALL LOAD(8194,41,0,63,248)
130 FOR I=-24000 TO -17000 STEP 500::CALL LOAD(I,255,0,165,90)::NEXT I
140 FOR I=32 TO 140 STEP 4::CALL CHAR(I,"{"AA55FF00C3A51881" * 4}")::NEXT I
150 FOR I=0 TO 14::CALL COLOR(I,I+2,16-I)::NEXT I
160 CALL HCHAR(1,1,42,768)::CALL MAGNIFY(4)::CALL SCREEN(14)
170 FOR I=1 TO 28::CALL SPRITE(#I,28+4*I,1+I/2,6*I,8*I,I-14,15-I)::NEXT I
180 ON WARNING NEXT::ON ERROR 210::ON BREAK NEXT::RANDOMIZE 7
190 DISPLAY AT(24,1):"{READY}"::CALL SOUND(-4250,220,28)
200 CALL KEY(5,K,S)::IF S<1 THEN 200 ELSE RUN "DSK1.LOAD"
210 PRINT "NO DSK1.LOAD"::STOP
"""
"""The program that leaves a mess. The memory after INIT's routines, and the name table, are filled
as after loading a routine."""


@cache
def empty_disk() -> bytes:
    """A disk without files, as a sector image."""
    return DiskImage.new("SSSD", "EMPTY").to_bytes()


@cache
def dirty_disk() -> bytes:
    """A disk with that program as LOAD, as a sector image."""
    image = DiskImage.new("SSSD", "DIRT")
    image.add(program_file(Program.from_listing(LISTING, AUTOSTART), AUTOSTART))
    return image.to_bytes()


MOST_SECONDS = 20_000.0
"""The most seconds of machine time for one match."""
PATIENCE = 3_000.0
"""The most seconds that a game may be busy: its computer players think."""
FRAMES = 59.92
"""Frames per second."""
CLEAR_HOLD, CLEAR_GAP = 8, 8
"""Frames that FCTN-4 is down, and then up."""
MOVES = Joystick | Hold | Release
"""Steps of a player other than taps of keys."""


@dataclass(frozen=True)
class Moment:
    """The machine as seen when it waits."""

    seen: Seen
    sight: Sight

    def differs(self, before: Moment) -> bool:
        """Tell whether anything could be seen or heard to happen since the moment `before`."""
        return self.seen.sounds > before.seen.sounds or self.sight != before.sight


@dataclass(frozen=True)
class GameStart:
    """How a person gets to a game.

    The game's disk and its key in the menu of that disk; and what ran before: another game, a disk
    with it, its key, and the steps that end it. `program` is the file that `arrive_clean` runs.
    """

    disk: bytes
    protected: bool
    program: str = AUTOSTART
    menu_key: str = ""
    start: Start = Start.POWER
    other: str = ""
    other_disk: bytes = b""
    other_key: str = ""
    leaving: Sequence[Step] = ()


class NotEnded(TIError):
    """The game that runs before another one does not end as its adapter says."""


class Person:
    """A person at a machine. `steps` records what was done as a key script, except disk changes."""

    def __init__(
        self, host: SessionHost, adapter: Adapter, disk: bytes, protected: bool = False
    ) -> None:
        self.session: HostSession = host.open_session(disk, MOST_SECONDS, protected)
        self.steps: list[Step] = []
        self.problem = ""
        """Why a step could not be done."""
        self.time = 0.0
        """Seconds since power-on, after the last tap, pause or look."""
        self._blinking = adapter.blinking
        self._last: Moment | None = None

    def look(self) -> Moment:
        """Wait until the machine waits; returns at once if nothing was done since it last did."""
        if self._last is not None:
            return self._last
        seen = self.session.look(self._blinking, PATIENCE)
        frames = round((seen.at - self.time) * FRAMES)
        if frames > 0:
            self.steps.append(Wait(frames))
        self.time = seen.at
        self._last = Moment(seen, sight_of(seen.video.ram, seen.video.registers, self._blinking))
        return self._last

    def do(self, step: Step) -> bool:
        """Do a step; returns whether it, and all before, could be done."""
        self.steps.append(step)
        self._last = None
        self.problem = self.problem or self.session.do(step)
        return not self.problem

    def tap(self, key: str, hold: int, gap: int) -> None:
        """Press a key for `hold` frames, then wait `gap` frames, whether it was seen or not."""
        self.do(Tap(key, hold, gap))
        self.time = self.session.clock()

    def pause(self, frames: int) -> None:
        """Do nothing for so many frames; 0 or less is no pause."""
        if frames > 0:
            self.do(Wait(frames))
            self.time = self.session.clock()

    def follow(self, steps: Sequence[Step]) -> bool:
        """Do the steps between two keys; returns whether they could be done.

        A joystick is moved only when the game waits for it. Steps that wait for a question or for a
        screen at rest are left out: a person does not need them.
        """
        for step in steps:
            if isinstance(step, MOVES):
                self.look()
            if not isinstance(step, Asked | Rest) and not self.do(step):
                return False
        return True


def arrive_clean(host: SessionHost, adapter: Adapter, arrival: GameStart) -> Person:
    """Switch the machine on and run the game itself, without `LOAD`.

    So whatever `LOAD` leaves behind for the game is part of what is tested.
    """
    if arrival.program == AUTOSTART:
        return Person(host, adapter, arrival.disk, arrival.protected)
    with _arriving(host, adapter, empty_disk()) as person:
        person.look()
        _change_disks(person, arrival)
        person.do(_run(arrival.program))
    return person


def arrive(host: SessionHost, adapter: Adapter, arrival: GameStart) -> Person:
    """Use the machine for something else, then start the game.

    Raises NotEnded when the earlier game does not end as its adapter says.
    """
    if arrival.start is Start.POWER:
        return Person(host, adapter, arrival.disk, arrival.protected)
    if arrival.start is Start.DIRTY:
        with _arriving(host, adapter, dirty_disk()) as person:
            person.look()
            _change_disks(person, arrival)
            person.tap(" ", 6, 0)
        return person
    with _arriving(host, adapter, arrival.other_disk) as person:
        if arrival.other_key:
            person.look()
            person.do(Press(arrival.other_key))
        for step in arrival.leaving:
            if isinstance(step, Type | Press):
                person.look()
            person.do(step)
        if person.look().seen.waits is not WaitKind.PROMPT:
            raise NotEnded(
                f"{arrival.other} does not end: {person.problem or 'it waits for a key'}",
                remedy="after_leaving() of its adapter leads from the title to the end",
            )
        _change_disks(person, arrival)
        person.do(_run(AUTOSTART))
    return person


@contextmanager
def _arriving(host: SessionHost, adapter: Adapter, disk: bytes) -> Iterator[Person]:
    """A person at a machine, which is switched off if something goes wrong."""
    person = Person(host, adapter, disk)
    try:
        yield person
    except TIError:
        person.session.leave()
        raise


def _run(name: str) -> Type:
    return Type(f'RUN "DSK1.{name}"\n')


def _change_disks(person: Person, arrival: GameStart) -> None:
    person.session.take_out()
    person.session.put_in(arrival.disk, arrival.protected)
