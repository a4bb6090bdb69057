"""Many matches of a game as people play it, each in a situation of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import NoReturn

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import HostError, TIError
from ti99tools.base.workers import workers
from ti99tools.computer.console.asking import WaitKind
from ti99tools.computer.console.keyscript import Step
from ti99tools.games.hosts.disklog import filled, records_on
from ti99tools.games.hosts.host import OURS, SessionHost, Unable, host_named, named
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.campaign import SEEDS_APART
from ti99tools.games.verify.loading import blaming
from ti99tools.games.verify.result import why_cut_off
from ti99tools.games.verify.shipped.clean import (
    CLEAR_NAME,
    EDGE,
    FROM_CLEAN,
    QUICK,
    QUIT_NAME,
    Clean,
    DiskChanges,
    DiskRemoval,
    EarlyKey,
    early_key,
    play_clean,
)
from ti99tools.games.verify.shipped.flaws import (
    Counts,
    Flaw,
    FlawKind,
    StageMatch,
    StageVerdict,
    differences,
    first_difference,
)
from ti99tools.games.verify.shipped.person import (
    CLEAR_GAP,
    CLEAR_HOLD,
    FRAMES,
    MOVES,
    GameStart,
    NotEnded,
    Person,
    arrive,
)
from ti99tools.games.verify.shipped.situation import (
    ENDING,
    DistributedGame,
    Medium,
    Route,
    Situation,
    Start,
    Trouble,
    is_ending,
    leaving,
    middle_of,
    route_of,
    scenario_of,
    situation_of,
)

SHORT, USUAL, LASTING = (4, 5), (6, 7), (9, 36)
"""Frames that keys are down: 67 to 83 ms, which a program may miss; 100 to 117 ms, which it may
not; and, now and then, a resting finger.
"""
SHORTS, LASTINGS = 0.2, 0.15
"""Probabilities that a tap is short, and that it is long."""
APART = 6
"""Frames between two taps: 100 ms."""
THOUGHT = 45
"""The most frames that a player thinks before a key."""
TRIES = 4
"""Taps of a key before the match is given up."""
CLEARED = 0.5
"""The probability that FCTN-4 is pressed while a line is typed."""
REFUSED = {f"REFUSED {key}".encode() for key in ENDING}
"""Lines by which a log may record FCTN-4 and FCTN-= pressed in a pause."""


@dataclass
class Visited:
    """The result of a visit; `steps` is its key script, without disk changes."""

    counts: Counts
    flaws: list[Flaw] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    seconds: float = 0.0


class _Astray(Exception):
    """Raised when the match cannot go on, after the flaw was noted."""


def visit(
    host: SessionHost,
    adapter: Adapter,
    clean: Clean,
    arrival: GameStart,
    situation: Situation,
    removal: DiskRemoval | None,
    name: str,
) -> Visited:
    """Play the route of a clean match as people do. `name` is the seed of everything random."""
    person = arrive(host, adapter, arrival)
    try:
        played = _Visit(person, adapter, clean, situation, removal, name)
        with suppress(_Astray):
            played.play(arrival)
    finally:
        person.session.leave()
    return Visited(played.counts, played.flaws, person.steps, person.time)


class _Visit:
    """The match in progress: `_number` is the key that is due, `_now` the sight before it."""

    def __init__(
        self,
        person: Person,
        adapter: Adapter,
        clean: Clean,
        situation: Situation,
        removal: DiskRemoval | None,
        name: str,
    ) -> None:
        self.counts = Counts()
        self.flaws: list[Flaw] = []
        self._person = person
        self._adapter = adapter
        self._clean = clean
        self._keys = clean.route.keys
        self._situation = situation
        self._disk = DiskChanges(person.session, removal)
        self._fingers = Random(f"{name} fingers")
        self._whim = Random(f"{name} whim")
        self._ending = (CLEAR_NAME, QUIT_NAME) if adapter.keeps_quit else (CLEAR_NAME,)
        self._menu = False
        self._early_at = 0.0
        self._number = 0
        self._now = person.look()

    def play(self, arrival: GameStart) -> None:
        """Play the match to its end. Raises _Astray when it cannot go on."""
        self._menu = bool(arrival.menu_key)
        while self._number < len(self._keys):
            self._move()
            self._check()
            self._disk.before(self._number)
            if self._menu and self._number == 0:
                self._choose_without_disk(arrival.protected)
            if self._situation.clear and self._now.seen.waits is WaitKind.LINE:
                self._clear_line()
            self._answer()
        self._check()
        self._compare_logs()

    # -- what is seen ---------------------------------------------------------------------

    def _check(self) -> None:
        """Compare the present moment with that of the clean match."""
        clean, now = self._clean.moments[self._number], self._now
        if now.seen.waits is WaitKind.NOTHING:
            self._astray(FlawKind.BUSY)
        if now.seen.waits is WaitKind.PROMPT and clean.seen.waits is not WaitKind.PROMPT:
            self._astray(FlawKind.ENDED, now.seen.message)
        self.counts.screens += 1
        changes = [*differences(clean.sight, now.sight)]
        if now.seen.waits is not clean.seen.waits:
            changes.append(f"it waits for {now.seen.waits.value}, not for {clean.seen.waits.value}")
        if changes:
            self._astray(FlawKind.TWICE if self._is_twice() else FlawKind.SCREEN, *changes)

    def _is_twice(self) -> bool:
        """Tell whether the previous key has also answered this question."""
        at = self._number
        if not 0 < at < len(self._keys) or self._keys[at].key != self._keys[at - 1].key:
            return False
        return self._clean.moments[at + 1].sight == self._now.sight

    def _compare_logs(self) -> None:
        seen = records_on(self._person.session.take_out(), self._adapter.log_file)
        difference = first_difference(self._lines(self._clean.records), self._lines(seen))
        if difference:
            self._astray(FlawKind.LOG, *difference)

    def _lines(self, records: tuple[bytes, ...] | None) -> tuple[bytes, ...]:
        """A log without FCTN-4 and FCTN-=, which it may record when pressed in a pause."""
        dropped = REFUSED if self._situation.clear else ()
        return tuple(record for record in records or () if record not in dropped)

    def _astray(self, kind: FlawKind, *details: str) -> NoReturn:
        self._note(kind, *details)
        raise _Astray

    def _note(self, kind: FlawKind, *details: str) -> None:
        at = self._number
        key = named(self._keys[at].key) if at < len(self._keys) else ""
        clean = self._clean.moments[at]
        self.flaws.append(Flaw(kind, at, key, tuple(filter(None, details)), clean, self._now))

    # -- what is done ---------------------------------------------------------------------

    def _move(self) -> None:
        """Move the joystick if that is due; no other step is needed before a key."""
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
                self._count_loss(short)
                continue
            self._number += 1
            if early is not None and early.answers and self._is_ahead():
                self.counts.ahead += 1
                self._number += 1
            return
        self._astray(FlawKind.LOST, f"{TRIES} times")

    def _hold(self, key: str) -> int:
        """Frames that a key is to be down."""
        if is_ending(key):
            return CLEAR_HOLD
        chance = self._fingers.random()
        if chance < SHORTS:
            return self._fingers.randint(*SHORT)
        return self._fingers.randint(*(LASTING if chance > 1 - LASTINGS else USUAL))

    def _count_loss(self, short: bool) -> None:
        """Count a tap that has had no effect."""
        if short:
            self.counts.short_lost += 1
            return
        self.counts.lost += 1
        self._note(FlawKind.LOST)

    def _press_early(self, hold: int) -> EarlyKey | None:
        """Perhaps press a key while the game is busy with the last one, held for `hold` frames."""
        if not self._situation.busy or self._troubled():
            return None
        loading = self._menu and self._number == 0
        ending = self._ending if self._situation.clear and not loading else ()
        early = early_key(self._clean, self._number, hold + APART, ending, self._whim)
        if early is None or (loading and early.hold > QUICK):
            return None  # a game's first question accepts a key that is already down
        self._person.pause(early.wait)
        self._early_at = self._person.time
        self._person.tap(early.key, early.hold, 0)
        self.counts.early += 1
        self.counts.clears += not early.answers
        return early

    def _troubled(self) -> bool:
        """Tell whether a key that answers ahead could change when the disk stops the log."""
        full = self._situation.trouble in (Trouble.FULL, Trouble.FILLED) and self._adapter.pauses
        return full or self._disk.concern(self._number + 1)

    def _is_ahead(self) -> bool:
        """Tell whether an early key has answered the question that came after it.

        It may, if it came while the question was being drawn, or in a pause of a game that allows
        it (`Adapter.pauses`). Otherwise that is a flaw, which ends the match.
        """
        due, after = self._clean.moments[self._number : self._number + 2]
        if self._now.sight == due.sight or self._now.sight != after.sight:
            return False
        seen = self._now.seen
        asked_at = seen.asked_at(due.seen.place)
        if self._adapter.pauses:
            asked_at = min((asked_at, *seen.looks.values()))
        if self._early_at < asked_at - EDGE / FRAMES:
            self._astray(FlawKind.SURPRISE)
        return True

    def _clear_line(self) -> None:
        """Perhaps press FCTN-4 while a line is typed; it must do nothing."""
        if self._whim.random() < CLEARED:
            self.counts.clears += 1
            self._person.tap(CLEAR_NAME, CLEAR_HOLD, CLEAR_GAP)
            self._now = self._person.look()
            self._check()

    def _choose_without_disk(self, protected: bool) -> None:
        """Choose a game while the disk is out: the menu must say so, and remain usable."""
        disk = self._person.session.take_out()
        self._person.tap(self._keys[0].key, USUAL[0], APART)
        self._now = self._person.look()
        self._person.session.put_in(disk, protected)
        if self._now.seen.waits is not WaitKind.KEY:
            self._astray(FlawKind.MENU, self._now.seen.message)


CHUNK = 2
"""Matches handed to a worker at a time."""
MOST_FAILURES = 3
"""The most failures that are simplified; others are only counted."""


def seat_at(host: str) -> SessionHost:
    """The host of a name. Raises TIError when it cannot be played key by key."""
    found = host_named(host)
    if not isinstance(found, SessionHost):
        raise TIError(
            f"{host} cannot be played key by key, as people play",
            remedy=f"use the host {OURS}, or name none",
        )
    return found


@dataclass(frozen=True)
class Series:
    """How much is played, and where. `others` may run before the game; without any, it itself.

    Match n of the series with seed s has the seed s · `SEEDS_APART` + n.
    """

    game: DistributedGame
    others: tuple[DistributedGame, ...]
    host: str
    matches: int = 200
    seed: int = 0
    jobs: int = 1

    def run(self, tick: Callable[[int], object] = id) -> StageVerdict:
        """Play all matches; `tick` gets the number played since its last call.

        A run that is interrupted, or breaks off, gives the verdict on the matches so far.
        """
        verdict = self.verdict()
        if verdict.not_run:
            return verdict
        start = time.perf_counter()
        bad: list[StageMatch] = []
        try:
            for played in self._all():
                for match in played:
                    verdict.add(match)
                    if match.flaws:
                        bad.append(match)
                tick(len(played))
        except (KeyboardInterrupt, TIError) as cut:
            verdict.cut_off = why_cut_off(cut)
        bad.sort(key=lambda match: match.seed)
        bad = bad[:MOST_FAILURES]
        verdict.failures = bad if verdict.cut_off else [self.simplest(match) for match in bad]
        verdict.wall_seconds = time.perf_counter() - start
        return verdict

    def verdict(self) -> StageVerdict:
        """An empty verdict; its `not_run` says what the host lacks."""
        seat_at(self.host)
        missing = host_named(self.host).missing()
        version = self.game.adapter().model.version
        return StageVerdict(self.game.game, version, self.host, self.seed, missing)

    def situation(self, seed: int) -> Situation:
        """The situation of the match of a seed."""
        random = Random(f"{self.game.game} {seed} situation")
        others = [other.game for other in self.others] or [self.game.game]
        return situation_of(seed % SEEDS_APART, random, tuple(self.game.disks), others)

    def _all(self) -> Iterator[list[StageMatch]]:
        seeds = [self.seed * SEEDS_APART + n for n in range(self.matches)]
        chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
        if self.jobs == 1:
            yield from (play_seeds(self, chunk) for chunk in chunks)
            return
        with workers(self.jobs) as pool:
            waiting = [pool.submit(play_seeds, self, chunk) for chunk in chunks]
            for done in as_completed(waiting):
                yield done.result()

    def play(self, seed: int, situation: Situation | None = None) -> StageMatch:
        """Play the match of a seed, in its own situation or a given one.

        A host that fails during it, and a game before it that does not end, are flaws. A match is
        left out when the host says that it cannot do what the situation requires.
        """
        wanted = self.situation(seed) if situation is None else situation
        adapter = self.game.adapter()
        with blaming(adapter):
            scenario = scenario_of(adapter, seed, wanted)
            unplayed = StageMatch(seed, wanted, scenario, Counts(), (), (), 0.0)
            try:
                return self._played(unplayed, adapter)
            except Unable as error:
                return replace(unplayed, left_out=str(error))
            except HostError as error:
                return replace(unplayed, flaws=(Flaw(FlawKind.HOST, 0, "", (str(error),)),))
            except NotEnded as error:
                return replace(unplayed, flaws=(Flaw(FlawKind.BEFORE, 0, "", (str(error),)),))

    def _played(self, match: StageMatch, adapter: Adapter) -> StageMatch:
        """A match that has been played. Raises HostError when the host fails."""
        host, seed, wanted = seat_at(self.host), match.seed, match.situation
        route = route_of(adapter, match.scenario, self.game.key_on(wanted.medium))
        arrival, removal = self._arrival(wanted, route), _outing(route, seed, wanted)
        clean = play_clean(host, adapter, route, arrival, removal)
        flaw = clean.flaw or self._unlike_usual(adapter, match, clean)
        if flaw is not None:
            return replace(match, flaws=(flaw,), seconds=clean.seconds)
        name = f"{self.game.game} {seed}"
        done = visit(host, adapter, clean, arrival, wanted, removal, name)
        flaws, steps = tuple(done.flaws), tuple(done.steps)
        seconds = clean.seconds + done.seconds
        return replace(match, counts=done.counts, flaws=flaws, steps=steps, seconds=seconds)

    def _unlike_usual(self, adapter: Adapter, match: StageMatch, clean: Clean) -> Flaw | None:
        """The first moment of a match with a troubled disk at which the picture is in another mode
        than in the same match without the trouble.

        That one is played only where the mode changes at all.
        """
        modes = {moment.sight.mode for moment in clean.moments}
        if match.situation.trouble is Trouble.NONE or len(modes) == 1:
            return None
        usual = replace(match.situation, trouble=Trouble.NONE, room=0)
        scenario = scenario_of(adapter, match.seed, usual)
        route = route_of(adapter, scenario, self.game.key_on(usual.medium))
        played = play_clean(seat_at(self.host), adapter, route, self._arrival(usual, route), None)
        for number, (a, b) in enumerate(zip(played.moments, clean.moments, strict=False)):
            if a.sight.mode != b.sight.mode:
                key = named(route.keys[number].key) if number < len(route.keys) else ""
                details = (FROM_CLEAN, *differences(a.sight, b.sight))
                return Flaw(FlawKind.SCREEN, number, key, details, clean=a, seen=b)
        return None

    def simplest(self, match: StageMatch) -> StageMatch:
        """The same match without the parts of its situation that its flaw does not need."""
        if match.flaws[0].kind is FlawKind.HOST:
            return match
        for simpler in match.situation.simpler():
            tried = self.play(match.seed, simpler)
            if tried.flaws and tried.flaws[0].kind is match.flaws[0].kind:
                return self.simplest(tried)
        return match

    def _arrival(self, wanted: Situation, route: Route) -> GameStart:
        disk = self.game.disks[wanted.medium]
        if wanted.trouble is Trouble.FULL:
            disk = filled(disk, wanted.room)
        elif wanted.trouble is Trouble.FILLED:
            disk = filled(disk, middle_of(route.course.log))
        protected = wanted.trouble is Trouble.PROTECTED
        key = self.game.key_on(wanted.medium)
        alone = not key and not self.game.adapter().needs_load
        program = self.game.program if alone else AUTOSTART
        plain = GameStart(disk, protected, program, key, wanted.start)
        if wanted.start is not Start.AFTER:
            return plain
        deliveries = {each.game: each for each in (self.game, *self.others)}
        other = deliveries[wanted.after]
        medium = wanted.medium if wanted.medium in other.disks else Medium.PLAIN
        return replace(
            plain,
            other=other.game,
            other_disk=other.disks[medium],
            other_key=other.key_on(medium),
            leaving=leaving(other.adapter()),
        )


def play_seeds(series: Series, seeds: list[int]) -> list[StageMatch]:
    """The work of a worker: play the matches of these seeds."""
    return [series.play(seed) for seed in seeds]


def _outing(route: Route, seed: int, wanted: Situation) -> DiskRemoval | None:
    """The removal of the disk: from the first two thirds of the match on, for a quarter of it."""
    inside = [number for number, key in enumerate(route.keys) if key.match is not None]
    if wanted.trouble is not Trouble.OUT or len(inside) < 3:
        return None
    first = Random(f"{seed} removal").randrange(max(1, len(inside) * 2 // 3))
    return DiskRemoval(inside[first], inside[min(len(inside) - 1, first + 1 + len(inside) // 4)])
