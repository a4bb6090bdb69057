"""Many matches of a game, each in a situation of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from random import Random

from ti99tools.base.errors import TIError
from ti99tools.base.workers import workers
from ti99tools.games.hosts.disklog import filled
from ti99tools.games.hosts.names import OURS, host_named
from ti99tools.games.hosts.seat import Sits
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.campaign import SEEDS_APART
from ti99tools.games.verify.loading import adapter, blaming
from ti99tools.games.verify.shipped.clean import Outing, play_clean
from ti99tools.games.verify.shipped.judging import Counts
from ti99tools.games.verify.shipped.person import LOAD, Arrival
from ti99tools.games.verify.shipped.route import Route, leaving, route_of, scenario_of
from ti99tools.games.verify.shipped.situation import Medium, Situation, Start, Trouble, situation_of
from ti99tools.games.verify.shipped.verdict import StageMatch, StageVerdict
from ti99tools.games.verify.shipped.visit import visit

CHUNK = 2
"""Matches handed to a worker at a time."""
MOST_FAILURES = 3
"""Failures that are simplified; more are only counted."""


@dataclass(frozen=True)
class Delivery:
    """A game as it is handed out: its disks, and its key in the menu of the disk of all games.

    `program` is its file on them. `folder` is where its adapter is found when the name alone is not
    enough.
    """

    game: str
    disks: Mapping[Medium, bytes]
    program: str = LOAD
    menu_key: str = ""
    folder: str = ""

    def adapter(self) -> Adapter:
        """The game's adapter, loaded in this process."""
        return adapter(self.folder or self.game)

    def key_on(self, medium: Medium) -> str:
        """The key that chooses the game in the menu of a disk, if that has a menu."""
        return self.menu_key if medium is Medium.MENU else ""


def seat_at(host: str) -> Sits:
    """The host of a name. Raises TIError when it cannot be played key by key."""
    found = host_named(host)
    if not isinstance(found, Sits):
        raise TIError(
            f"{host} cannot be played key by key, as people play",
            remedy=f"use the host {OURS}, or name none",
        )
    return found


@dataclass(frozen=True)
class Series:
    """How much is played, and where. `others` may be run before the game: itself, if no other is.

    Match n of the series s has the seed s · `SEEDS_APART` + n.
    """

    game: Delivery
    others: tuple[Delivery, ...] = ()
    host: str = OURS
    matches: int = 200
    seed: int = 0
    jobs: int = 1

    def run(self, tick: Callable[[int], object] = id) -> StageVerdict:
        """Play all matches; `tick` gets the number of those played since its last call."""
        verdict = self.verdict()
        if verdict.not_run:
            return verdict
        start = time.perf_counter()
        bad: list[StageMatch] = []
        for played in self._all():
            for match in played:
                verdict.add(match)
                if match.flaws:
                    bad.append(match)
            tick(len(played))
        bad.sort(key=lambda match: match.seed)
        verdict.failures = [self.simplest(match) for match in bad[:MOST_FAILURES]]
        verdict.wall_seconds = time.perf_counter() - start
        return verdict

    def verdict(self) -> StageVerdict:
        """A verdict with nothing counted yet; `not_run` says what the host lacks."""
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
        """Play the match of a seed, in its own situation or another one."""
        host = seat_at(self.host)
        wanted = self.situation(seed) if situation is None else situation
        found = self.game.adapter()
        with blaming(found):
            scenario = scenario_of(found, seed, wanted)
            route = route_of(found, scenario, self.game.key_on(wanted.medium))
            arrival, outing = self._arrival(wanted), _outing(route, seed, wanted)
            clean = play_clean(host, found, route, arrival, outing)
            if clean.flaw is not None:
                told = (clean.flaw,)
                return StageMatch(seed, wanted, scenario, Counts(), told, (), clean.seconds)
            name = f"{self.game.game} {seed}"
            done = visit(host, found, clean, arrival, wanted, outing, name)
        flaws, steps = tuple(done.flaws), tuple(done.steps)
        seconds = clean.seconds + done.seconds
        return StageMatch(seed, wanted, scenario, done.counts, flaws, steps, seconds)

    def simplest(self, match: StageMatch) -> StageMatch:
        """The same match without the parts of its situation that its flaw does not need."""
        for simpler in match.situation.simpler():
            tried = self.play(match.seed, simpler)
            if tried.flaws and tried.flaws[0].kind is match.flaws[0].kind:
                return self.simplest(tried)
        return match

    def _arrival(self, wanted: Situation) -> Arrival:
        disk = self.game.disks[wanted.medium]
        if wanted.trouble is Trouble.FULL:
            disk = filled(disk, wanted.room)
        protected = wanted.trouble is Trouble.PROTECTED
        key = self.game.key_on(wanted.medium)
        alone = not key and not self.game.adapter().needs_load
        program = self.game.program if alone else LOAD
        plain = Arrival(disk, protected, program, key, wanted.start)
        if wanted.start is not Start.AFTER:
            return plain
        named = {delivery.game: delivery for delivery in (self.game, *self.others)}
        other = named[wanted.after]
        medium = wanted.medium if wanted.medium in other.disks else Medium.PLAIN
        return replace(
            plain,
            other=other.game,
            other_disk=other.disks[medium],
            other_key=other.key_on(medium),
            leaving=leaving(other.adapter()),
        )


def play_seeds(series: Series, seeds: list[int]) -> list[StageMatch]:
    """The work of a worker."""
    return [series.play(seed) for seed in seeds]


def _outing(route: Route, seed: int, wanted: Situation) -> Outing | None:
    """When the disk goes out: in the first two thirds of the match, and for a quarter of it."""
    inside = [number for number, key in enumerate(route.keys) if key.match is not None]
    if wanted.trouble is not Trouble.OUT or len(inside) < 3:
        return None
    first = Random(f"{seed} outing").randrange(max(1, len(inside) * 2 // 3))
    return Outing(inside[first], inside[min(len(inside) - 1, first + 1 + len(inside) // 4)])
