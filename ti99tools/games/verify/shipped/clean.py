"""A match from a clean start by a patient player, and the keys that a hasty one presses early.

An early key is one that could answer the next question. A quick one is pressed and released while
the game is busy; a resting finger is still down when the question comes. Either may be lost. FCTN-4
and FCTN-= must do nothing at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ti99tools.computer.console.asking import WaitKind
from ti99tools.computer.console.keyscript import Press, Snap, Step, Tap
from ti99tools.games.hosts.disklog import records_on
from ti99tools.games.hosts.host import HostSession, Played, SessionHost, named
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.matches import compare
from ti99tools.games.verify.shipped.flaws import Flaw, FlawKind
from ti99tools.games.verify.shipped.person import (
    CLEAR_GAP,
    CLEAR_HOLD,
    FRAMES,
    GameStart,
    Moment,
    Person,
    arrive_clean,
)
from ti99tools.games.verify.shipped.situation import Route, is_ending

FROM_CLEAN = "from a clean start already"
_STUCK = {WaitKind.PROMPT: FlawKind.ENDED, WaitKind.NOTHING: FlawKind.BUSY}


@dataclass(frozen=True)
class DiskRemoval:
    """Before which keys of the route the disk is taken out, and put back."""

    out: int
    back: int


class DiskChanges:
    """Takes the disk out and puts it back as an removal says."""

    def __init__(self, session: HostSession, removal: DiskRemoval | None) -> None:
        self._seat = session
        self._outing = removal
        self._held = b""

    def concern(self, number: int) -> bool:
        """Tell whether the disk is out at a key, or goes out or in before it."""
        return self._outing is not None and self._outing.out <= number <= self._outing.back

    def before(self, number: int) -> None:
        """Take the disk out or put it back, if that is due before a key."""
        if self._outing is None:
            return
        if number == self._outing.out:
            self._held = self._seat.take_out()
        if self._held and number == self._outing.back:
            self._seat.put_in(self._held)
            self._held = b""


@dataclass(frozen=True)
class Clean:
    """A match as it should be: a moment before each key of its route, and one after the last.

    `flaw` is a fault in this match itself; such a match is not played in other situations.
    """

    route: Route
    moments: tuple[Moment, ...]
    records: tuple[bytes, ...] | None
    flaw: Flaw | None = None

    @property
    def seconds(self) -> float:
        """Seconds of machine time that the match took."""
        return self.moments[-1].seen.at

    def busy(self, number: int) -> float:
        """Seconds from a key of the route until the game looks for the next one."""
        after = self.moments[number + 1].seen
        return after.asked_at(after.place) - self.moments[number].seen.at


def play_clean(
    host: SessionHost,
    adapter: Adapter,
    route: Route,
    arrival: GameStart,
    removal: DiskRemoval | None,
) -> Clean:
    """Play a route from power-on, each key held until it is read, and compare it with the rules."""
    person = arrive_clean(host, adapter, arrival)
    try:
        return _Patient(person, adapter, route, removal).play()
    finally:
        person.session.leave()


class _Patient:
    """The match in progress."""

    def __init__(
        self, person: Person, adapter: Adapter, route: Route, removal: DiskRemoval | None
    ) -> None:
        self._person = person
        self._adapter = adapter
        self._route = route
        self._disk = DiskChanges(person.session, removal)
        self._moments: list[Moment] = []
        self._screens: dict[str, tuple[str, ...]] = {}
        self._looks = {look.keys: look.name for look in route.course.looks}

    def play(self) -> Clean:
        for number, due in enumerate(self._route.keys):
            if not (self._between(due.before) and self._look()):
                return self._stuck(number)
            if due.match in self._looks:
                self._screens[self._looks[due.match]] = self._moments[-1].sight.text
            self._disk.before(number)
            self._press(due.key)
        if not self._between(self._route.rest):
            return self._stuck(len(self._route.keys))
        self._look()
        return self._judged()

    def _look(self) -> bool:
        """Note the moment before a key; tell whether the machine waits for one."""
        moment = self._person.look()
        self._moments.append(moment)
        return moment.seen.waits in (WaitKind.KEY, WaitKind.LINE)

    def _between(self, steps: tuple[Step, ...]) -> bool:
        """Do the steps between two keys; tell whether all steps so far could be done."""
        for step in steps:
            if isinstance(step, Snap):
                self._screens[step.name] = self._person.look().sight.text
            elif not self._person.follow((step,)):
                break
        return not self._person.problem

    def _press(self, key: str) -> None:
        """Press a key until it is read. FCTN-4 is read between statements, so it is only tapped."""
        step = Tap(key, CLEAR_HOLD, CLEAR_GAP) if is_ending(key) else Press(key)
        self._person.do(step)

    def _stuck(self, number: int) -> Clean:
        """The match that cannot go on before key `number` of its route."""
        moment = self._person.look()
        kind = _STUCK.get(moment.seen.waits, FlawKind.LOST)
        return self._wrong(kind, number, moment, moment.seen.message or self._person.problem)

    def _judged(self) -> Clean:
        records = records_on(self._person.session.take_out(), self._adapter.log_file)
        played = Played(records, self._screens, self._person.time)
        wrong, _ = compare(self._adapter, self._route.course, played)
        if wrong is None:
            return Clean(self._route, tuple(self._moments), records)
        last, details = self._moments[-1], (line.strip() for line in wrong.lines())
        return self._wrong(FlawKind.RULES, len(self._route.keys), last, *details)

    def _wrong(self, kind: FlawKind, number: int, moment: Moment, *details: str) -> Clean:
        keys = self._route.keys[number : number + 1]
        key = named(keys[0].key) if keys else ""
        all_details = (FROM_CLEAN, *filter(None, details))
        flaw = Flaw(kind, number, key, all_details, seen=moment)
        return Clean(self._route, tuple(self._moments) or (moment,), None, flaw)


OFTEN, RESTING, CLEARING = 0.6, 0.25, 0.5
"""Probabilities: a busy game gets a key; such a key rests; it is FCTN-4 or FCTN-= instead."""
BUSY, BEGUN = 60, 12
"""Frames that a game must be busy to get an early key, and before which none is pressed."""
EDGE = 30
"""Frames before a question, while it is being drawn, in which a key may already be meant for it."""
QUICK, BEYOND = 7, 8
"""Frames that a quick key is down, and that a resting one stays down after the question."""
CLEAR_NAME, QUIT_NAME = "CLEAR", "QUIT"


@dataclass(frozen=True)
class EarlyKey:
    """A key pressed `wait` frames after the previous one went up, for `hold` frames."""

    key: str
    wait: int
    hold: int

    @property
    def answers(self) -> bool:
        """Tell whether it could answer the next question."""
        return not is_ending(self.key)


def early_key(
    clean: Clean, number: int, gone: int, ending: Sequence[str], whim: Random
) -> EarlyKey | None:
    """The early key after key `number` of the route, if any, or one of the `ending` keys instead.

    `gone` is the number of frames since the key of the route went down.
    """
    keys, moments = clean.route.keys, clean.moments
    if number + 1 >= len(keys):
        return None
    left = round(clean.busy(number) * FRAMES) - gone
    last = left - EDGE
    if left < BUSY or whim.random() > OFTEN:
        return None
    wait = whim.randint(BEGUN, max(BEGUN, last - QUICK))
    if ending and whim.random() < CLEARING:
        return EarlyKey(whim.choice(ending), wait, QUICK)
    key = keys[number + 1].key
    if is_ending(key) or moments[number + 2].sight == moments[number + 1].sight:
        return None
    if moments[number + 1].seen.waits is WaitKind.KEY and whim.random() < RESTING:
        wait = max(BEGUN, last - whim.randrange(EDGE))
        return EarlyKey(key, wait, left - wait + BEYOND)
    return EarlyKey(key, wait, QUICK)
