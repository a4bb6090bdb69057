"""A match as people play it: with taps, despite trouble, on a machine that was used before."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import NoReturn

from ti99tools.computer.console.keyscript import Step
from ti99tools.games.hosts.disklog import records_on
from ti99tools.games.hosts.seat import Sits, Waits
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.shipped.clean import Clean, DiskChanges, Outing
from ti99tools.games.verify.shipped.early import (
    CLEAR_NAME,
    EDGE,
    QUICK,
    QUIT_NAME,
    Early,
    early_key,
)
from ti99tools.games.verify.shipped.judging import (
    Counts,
    Flaw,
    FlawKind,
    differences,
    first_difference,
)
from ti99tools.games.verify.shipped.person import (
    CLEAR_GAP,
    CLEAR_HOLD,
    FRAMES,
    MOVES,
    Arrival,
    Person,
    arrive,
)
from ti99tools.games.verify.shipped.route import ENDING, is_ending, named
from ti99tools.games.verify.shipped.situation import Situation, Trouble

SHORT, USUAL, LASTING = (4, 5), (6, 7), (9, 36)
"""Frames for which keys are down: 67 to 83 ms, which a program may miss; 100 to 117 ms, which it
may not; and, now and then, a resting finger.
"""
SHORTS, LASTINGS = 0.2, 0.15
"""How many taps are short, and how many are long."""
APART = 6
"""Frames between two taps: 100 ms."""
THOUGHT = 45
"""Frames that a player thinks before a key, at most."""
TRIES = 4
"""Taps of a key until we give up."""
CLEARED = 0.5
"""How often FCTN-4 is pressed while a line is typed."""
REFUSED = {f"REFUSED {key}".encode() for key in ENDING}
"""What a log may record of FCTN-4 and FCTN-= that were pressed in a pause."""


@dataclass
class Visited:
    """The result of a visit; `steps` is its key script, except for the disks."""

    counts: Counts
    flaws: list[Flaw] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    seconds: float = 0.0


class _Astray(Exception):
    """The match cannot go on; the flaw is noted."""


def visit(
    host: Sits,
    adapter: Adapter,
    clean: Clean,
    arrival: Arrival,
    situation: Situation,
    outing: Outing | None,
    name: str,
) -> Visited:
    """Play the route of a clean match as people do. `name` seeds what is left to chance."""
    person = arrive(host, adapter, arrival)
    played = _Visit(person, adapter, clean, situation, outing, name)
    try:
        played.play(arrival)
    except _Astray:
        pass
    finally:
        person.seat.leave()
    return Visited(played.counts, played.flaws, person.steps, person.time)


class _Visit:
    """The match in progress: `_number` is the key that is due, `_now` the sight before it."""

    def __init__(
        self,
        person: Person,
        adapter: Adapter,
        clean: Clean,
        situation: Situation,
        outing: Outing | None,
        name: str,
    ) -> None:
        self.counts = Counts()
        self.flaws: list[Flaw] = []
        self._person = person
        self._adapter = adapter
        self._clean = clean
        self._keys = clean.route.keys
        self._situation = situation
        self._disk = DiskChanges(person.seat, outing)
        self._fingers = Random(f"{name} fingers")
        self._whim = Random(f"{name} whim")
        self._ending = (CLEAR_NAME, QUIT_NAME) if adapter.keeps_quit else (CLEAR_NAME,)
        self._menu = False
        self._early_at = 0.0
        self._number = 0
        self._now = person.look()

    def play(self, arrival: Arrival) -> None:
        """Play it to its end. Raises _Astray where it cannot go on."""
        self._menu = bool(arrival.menu_key)
        while self._number < len(self._keys):
            self._move()
            self._check()
            self._disk.before(self._number)
            if self._menu and self._number == 0:
                self._choose_without_disk(arrival.protected)
            if self._situation.clear and self._now.seen.waits is Waits.LINE:
                self._clear_line()
            self._answer()
        self._check()
        self._compare_logs()

    # -- what is seen ---------------------------------------------------------------------

    def _check(self) -> None:
        """Compare what is seen with the clean match."""
        clean, now = self._clean.moments[self._number], self._now
        if now.seen.waits is Waits.NOTHING:
            self._astray(FlawKind.BUSY)
        if now.seen.waits is Waits.PROMPT and clean.seen.waits is not Waits.PROMPT:
            self._astray(FlawKind.ENDED, now.seen.said)
        self.counts.screens += 1
        told = [*differences(clean.sight, now.sight)]
        if now.seen.waits is not clean.seen.waits:
            told.append(f"it waits for {now.seen.waits.value}, not for {clean.seen.waits.value}")
        if told:
            self._astray(FlawKind.TWICE if self._is_twice() else FlawKind.SCREEN, *told)

    def _is_twice(self) -> bool:
        """Tell whether the key before has answered this question, too."""
        at = self._number
        if not 0 < at < len(self._keys) or self._keys[at].key != self._keys[at - 1].key:
            return False
        return self._clean.moments[at + 1].sight == self._now.sight

    def _compare_logs(self) -> None:
        seen = records_on(self._person.seat.take_out(), self._adapter.log_file)
        told = first_difference(self._lines(self._clean.records), self._lines(seen))
        if told:
            self._astray(FlawKind.LOG, *told)

    def _lines(self, records: tuple[bytes, ...] | None) -> tuple[bytes, ...]:
        """A log without FCTN-4 and FCTN-=, which a pause may have taken."""
        dropped = REFUSED if self._situation.clear else ()
        return tuple(record for record in records or () if record not in dropped)

    def _astray(self, kind: FlawKind, *told: str) -> NoReturn:
        self._note(kind, *told)
        raise _Astray

    def _note(self, kind: FlawKind, *told: str) -> None:
        at = self._number
        key = named(self._keys[at].key) if at < len(self._keys) else ""
        clean = self._clean.moments[at]
        self.flaws.append(Flaw(kind, at, key, tuple(filter(None, told)), clean, self._now))

    # -- what is done ---------------------------------------------------------------------

    def _move(self) -> None:
        """Move the joystick if that is due. (No other step is needed before a key.)"""
        before = self._keys[self._number].before
        if any(isinstance(step, MOVES) for step in before):
            self._person.follow(before)
            self._now = self._person.look()

    def _answer(self) -> None:
        """Tap the key that is due, until it has done something."""
        at, moments = self._number, self._clean.moments
        for _ in range(TRIES):
            before = self._now
            hold = self._hold(self._keys[at].key)
            short = hold < USUAL[0]
            self._person.pause(self._fingers.randrange(THOUGHT))
            self._person.tap(self._keys[at].key, hold, APART)
            early = None if short else self._press_early(hold)
            self._now = self._person.look()
            self.counts.tap(short)
            if moments[at + 1].differs(moments[at]) and not self._now.differs(before):
                self._lose(short)
                continue
            self._number += 1
            if early is not None and early.answers and self._is_ahead():
                self.counts.ahead += 1
                self._number += 1
            return
        self._astray(FlawKind.LOST, f"{TRIES} times")

    def _hold(self, key: str) -> int:
        """Frames for which a key is to be down."""
        if is_ending(key):
            return CLEAR_HOLD
        chance = self._fingers.random()
        if chance < SHORTS:
            return self._fingers.randint(*SHORT)
        return self._fingers.randint(*(LASTING if chance > 1 - LASTINGS else USUAL))

    def _lose(self, short: bool) -> None:
        """A tap has had no effect."""
        if short:
            self.counts.short_lost += 1
            return
        self.counts.lost += 1
        self._note(FlawKind.LOST)

    def _press_early(self, hold: int) -> Early | None:
        """Press a key while the game is busy with the one that was down for `hold` frames."""
        if not self._situation.busy or self._troubled():
            return None
        loading = self._menu and self._number == 0
        ending = self._ending if self._situation.clear and not loading else ()
        early = early_key(self._clean, self._number, hold + APART, ending, self._whim)
        if early is None or (loading and early.hold > QUICK):
            return None  # its first question accepts a key already down
        self._person.pause(early.wait)
        self._early_at = self._person.time
        self._person.tap(early.key, early.hold, 0)
        self.counts.early += 1
        self.counts.clears += not early.answers
        return early

    def _troubled(self) -> bool:
        """Tell whether a key that counts ahead would change the moment at which the log stops."""
        full = self._situation.trouble is Trouble.FULL and self._adapter.pauses
        return full or self._disk.concern(self._number + 1)

    def _is_ahead(self) -> bool:
        """Tell whether a key that came too early has answered the question that then came.

        It may do so where the question was as good as asked: for the question itself, or in a pause
        of a game that says so.
        """
        due, after = self._clean.moments[self._number : self._number + 2]
        if self._now.sight == due.sight or self._now.sight != after.sight:
            return False
        seen = self._now.seen
        asked = seen.asked(due.seen.place)
        if self._adapter.pauses:
            asked = min((asked, *seen.looks.values()))
        if self._early_at < asked - EDGE / FRAMES:
            self._astray(FlawKind.SURPRISE)
        return True

    def _clear_line(self) -> None:
        """FCTN-4 while a line is typed does nothing."""
        if self._whim.random() < CLEARED:
            self.counts.clears += 1
            self._person.tap(CLEAR_NAME, CLEAR_HOLD, CLEAR_GAP)
            self._now = self._person.look()
            self._check()

    def _choose_without_disk(self, protected: bool) -> None:
        """Choose a game while the disk is out: the menu says so, and can be used again."""
        disk = self._person.seat.take_out()
        self._person.tap(self._keys[0].key, USUAL[0], APART)
        self._now = self._person.look()
        self._person.seat.put_in(disk, protected)
        if self._now.seen.waits is not Waits.KEY:
            self._astray(FlawKind.MENU, self._now.seen.said)
