"""Many matches of a game, in worker processes, kept in a journal, counted into a verdict.

A worker makes scenario number n from the campaign's seed, plays it and sends back the result; so
any `concurrent.futures` executor will do, on one computer or many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, as_completed
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path

from ti99tools.base.counts import Hits, total
from ti99tools.base.errors import TIError
from ti99tools.base.workers import workers
from ti99tools.games.hosts.host import HOSTS, OURS, Host, host_named
from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS, all_branches
from ti99tools.games.verify.journal import Journal
from ti99tools.games.verify.loading import blaming, model_modules
from ti99tools.games.verify.matches import course_of, play, steps_of
from ti99tools.games.verify.result import (
    INTERRUPTED,
    Counted,
    Failure,
    MatchResult,
    Mismatch,
    Verdict,
    why_cut_off,
)
from ti99tools.games.verify.scenario import Scenario, led_out, make, run_model, to_script
from ti99tools.games.verify.shrinking import Patience, Shrinking
from ti99tools.games.verify.subject import Subject, subject_of

MOST_SHRUNK = 3
"""The most failures that are shrunk; others are only counted."""
TRACED_FIRST, TRACED = 16, 4
"""The model's branches are noted in the first 16 matches, then in every fourth, since that takes
time.
"""
SEEDS_APART = 1_000_000
"""Scenario n of the campaign with seed s has the seed s · `SEEDS_APART` + n."""

Results = list[tuple[int, MatchResult]]
"""Pairs of a scenario's seed and the result of its match."""


def reference_for(host: str) -> Host | None:
    """Our own console, which plays each match before another host does; None if `host` is ours."""
    return None if host == OURS else host_named(OURS)


def play_some(
    subject: Subject, host: str | Host, seeds: list[int], count: bool = False
) -> list[tuple[int, MatchResult]]:
    """The work of a worker: make and play the scenarios of these seeds; for `count` see `play`.

    `host` is the name of one in `HOSTS`, or a host that does at least what our console does.
    """
    place = host_named(host) if isinstance(host, str) else host
    reference = reference_for(place.name)
    with MODELS:
        game = subject.adapter()
    results = []
    for seed in seeds:
        scenario, _ = make(game, seed)
        # The number within the campaign, so that the same matches are traced in every run.
        number = seed % SEEDS_APART
        trace = number < TRACED_FIRST or number % TRACED == 0
        with blaming(game):
            result = play(
                game,
                place,
                subject.disk,
                scenario,
                trace,
                reference,
                count,
                compiled=subject.compiled,
            )
        results.append((seed, result))
    return results


class CampaignObserver:
    """Is told what happens in a campaign; these methods do nothing."""

    def differs(self, result: MatchResult, number: int) -> None:
        """A match, the `number`th, differs from the rules."""

    def shrinking(self, number: int, count: int, keys: int) -> None:
        """Now the failure `number` of `count` is being shrunk; its match has so many keys."""


@dataclass(frozen=True)
class Campaign:
    """How much is played, and where.

    With a `budget` in seconds of machine time, only the shortest of the `matches` are played, as
    many as fit (at least one). `journal` is the file of a run that can be resumed. `count`: count
    how often each statement of the source runs.
    """

    subject: Subject
    host: str = OURS
    matches: int = 100
    seed: int = 0
    jobs: int = 1
    budget: float | None = None
    journal: Path | None = None
    count: bool = False

    def run(
        self,
        executor: Executor | None = None,
        tick: Callable[[int], object] = id,
        seconds: Callable[[float], object] = id,
        onlooker: CampaignObserver | None = None,
        patience: Patience | None = None,
    ) -> Verdict:
        """Play all matches, and shrink the shortest failures as far as `patience` goes.

        `tick` gets the number played since its last call, `seconds` the machine time of matches on
        an emulator; `onlooker` is told what happens. A run that is interrupted, or breaks off,
        gives the verdict on the matches so far. Raises TIError for a journal that cannot be used.
        """
        verdict = self.verdict()
        if verdict.not_run:
            return verdict
        onlooker = onlooker or CampaignObserver()
        start = time.perf_counter()
        gathered = _Gathered(verdict)
        with (
            cut_off(verdict, KeyboardInterrupt, TIError),
            closing(self._all_results(executor)) as rounds,
        ):
            for results in rounds:
                for _, result in results:
                    gathered.add(result)
                    if result.mismatch is not None:
                        onlooker.differs(result, verdict.failed)
                if self.host != OURS:
                    seconds(sum(result.seconds for _, result in results))
                tick(len(results))
        gathered.conclude(self)
        self._shrink(gathered, onlooker, patience or Patience())
        verdict.wall_seconds = time.perf_counter() - start
        return verdict

    def _shrink(self, gathered: _Gathered, onlooker: CampaignObserver, patience: Patience) -> None:
        """Shrink the failures that are the easiest to shrink and to read: the shortest."""
        smallest = sorted(gathered.bad, key=lambda result: len(result.scenario.keys))[:MOST_SHRUNK]
        for number, result in enumerate(smallest, 1):
            if gathered.verdict.cut_off:
                patience.end()
            patience.share(len(smallest) - number + 1)
            if patience.allows(0):
                onlooker.shrinking(number, len(smallest), len(result.scenario.keys))
            failing = Found(self, result, patience)
            with cut_off(gathered.verdict, KeyboardInterrupt):
                failing.shrink()
            gathered.verdict.failures.append(failing.failure())

    def verdict(self) -> Verdict:
        """An empty verdict; its `not_run` is set when the host cannot run."""
        return Verdict(
            game=self.subject.game,
            version=self.subject.adapter().model.version,
            host=self.host,
            form=self.subject.form,
            disk=self.subject.digest,
            seed=self.seed,
            not_run=host_named(self.host).missing(),
        )

    def _all_results(self, executor: Executor | None) -> Generator[Results, None, None]:
        """Results by seed, those of the journal first."""
        seeds = self._seeds()
        if self.journal is None:
            yield from self._results(executor, seeds)
            return
        with Journal(self.journal, self.subject.identity, self.host) as journal:
            # Earlier results without counts are useless when counts are required.
            earlier = {
                s: r for s, r in journal.known.items() if r.hits is not None or not self.count
            }
            yield [(seed, earlier[seed]) for seed in seeds if seed in earlier]
            for results in self._results(executor, [s for s in seeds if s not in earlier]):
                journal.add(results)
                yield results

    def _seeds(self) -> list[int]:
        """The scenarios to play, the shortest within the budget if there is one."""
        seeds = [self.seed * SEEDS_APART + n for n in range(self.matches)]
        if self.budget is None:
            return seeds
        # Our console is quick: it plays all matches once to find out how long each takes.
        timed = play_some(self.subject, OURS, seeds)
        timed.sort(key=lambda pair: pair[1].seconds)
        totals = accumulate(result.seconds for _, result in timed)
        fitting = sum(total <= self.budget for total in totals)
        return [seed for seed, _ in timed[: max(1, fitting)]]

    def _results(self, executor: Executor | None, seeds: list[int]) -> Iterator[Results]:
        if executor is None and self.jobs == 1:
            for seed in seeds:
                yield play_some(self.subject, self.host, [seed], self.count)
        elif executor is None:
            with workers(self.jobs) as pool:
                yield from self._gather(pool, seeds, [])
        else:
            waiting: list[Future[Results]] = []
            try:
                yield from self._gather(executor, seeds, waiting)
            finally:
                # Our own workers end when this ends early; others would play on.
                for each in waiting:
                    each.cancel()

    def _gather(
        self, executor: Executor, seeds: list[int], waiting: list[Future[Results]]
    ) -> Iterator[Results]:
        """The results as they come; `waiting` gets what was asked for."""
        # The plan is large, and workers do not need it.
        sent = replace(self.subject, plan=None)
        # One match at a time: a difference is known as soon as its match has ended.
        for seed in seeds:
            waiting.append(executor.submit(play_some, sent, self.host, [seed], self.count))
        for done in as_completed(waiting):
            yield done.result()

    def failure(self, result: MatchResult, patience: Patience | None = None) -> Failure:
        """Shrink a failing match as far as `patience` goes; the script replays it."""
        failing = Found(self, result, patience or Patience())
        failing.shrink()
        return failing.failure()

    def replay(
        self, scenario: Scenario, host: str | None = None, max_seconds: float | None = None
    ) -> MatchResult:
        """Replay one scenario on a host; without a name, on the campaign's.

        On another host than ours a match that ends in the middle is led to its end.
        """
        game = self.subject.adapter()
        name = host or self.host
        reference = reference_for(name)
        if name != OURS:
            scenario = led_out(game, scenario)
        with blaming(game):
            place = host_named(name)
            return play(
                game,
                place,
                self.subject.disk,
                scenario,
                reference=reference,
                count=self.count,
                max_seconds=max_seconds,
                compiled=self.subject.compiled,
            )

    def script(self, scenario: Scenario, mismatch: Mismatch) -> str:
        """The text of a script that replays a scenario, with its mismatch as remarks."""
        game = self.subject.adapter()
        return to_script(scenario, steps_of(game, course_of(game, scenario)), mismatch.lines())


@contextmanager
def cut_off(verdict: Verdict, *by: type[BaseException]) -> Iterator[None]:
    """Note in the verdict what has cut off the body; without a match it is raised."""
    try:
        yield
    except by as cut:
        # Then there is no verdict: what went wrong is all there is to tell.
        if not verdict.matches:
            raise
        verdict.cut_off = why_cut_off(cut)


@dataclass
class _Gathered:
    """The results of a campaign so far, counted into its verdict; `bad` are those that differ."""

    verdict: Verdict
    lines: set[int] = field(default_factory=set)
    branches: set[str] = field(default_factory=set)
    bad: list[MatchResult] = field(default_factory=list)
    hits: Hits = field(default_factory=dict)

    def add(self, result: MatchResult) -> None:
        """Add a match to the verdict, and its lines and branches to those reached."""
        self.verdict.add(result)
        self.lines |= result.lines
        self.branches |= result.branches
        self.hits = total((self.hits, result.hits)) if result.hits else self.hits
        if result.mismatch is not None:
            self.bad.append(result)

    def conclude(self, campaign: Campaign) -> None:
        """Complete the verdict with what all matches together have reached."""
        subject, known = campaign.subject, campaign.subject.lines
        reached = frozenset(known[line] for line in self.lines if line in known)
        self.verdict.program = Counted(reached, frozenset(known.values()))
        ways = all_branches(model_modules(subject.adapter()))
        self.verdict.model = Counted(frozenset(self.branches), ways)
        if campaign.count and subject.plan is not None:
            self.verdict.coverage = subject.plan.coverage(self.hits)


LONGER, SPARE = 1.5, 60.0
"""A trial of shrinking may take this multiple of its match's machine time, and seconds more."""


class Found:
    """A match that differs: `scenario` is the smallest so far, `mismatch` what differs in it."""

    def __init__(self, campaign: Campaign, result: MatchResult, patience: Patience) -> None:
        assert result.mismatch is not None
        # Which statements ran does not matter here, and counting takes time.
        self._campaign, self._patience = replace(campaign, count=False), patience
        self._result = result
        self._host = OURS if campaign.host in (OURS, *HOSTS) else campaign.host
        self._shrinking = Shrinking(result.scenario, self._fails, self._admits)
        self.mismatch = result.mismatch

    @property
    def scenario(self) -> Scenario:
        """The smallest scenario so far."""
        return self._shrinking.smallest

    def shrink(self) -> None:
        """Look for a smaller scenario; it may be interrupted at any time.

        A failure on another host is first replayed on our console. If it fails there in the same
        way, it is shrunk there. Otherwise it stays as it is, with what our console has done.
        """
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[None]:
        """As `shrink`, with at most one trial at each step."""
        campaign, mismatch = self._campaign, self.mismatch
        if not self._patience.allows(0):
            return
        if self._host != campaign.host:
            note = self._unlike_ours()
            if note:
                self.mismatch = replace(mismatch, context=(*mismatch.context, note))
                return
        self._patience.expect(self._result.wall)
        game = campaign.subject.adapter()
        self._shrinking.decided = _decided(game, self.scenario, mismatch)
        yield from self._shrinking.steps(self._patience)
        # On a host a log is kept only once its file is closed: the match must come to its end.
        with suppress(TIError):
            self._shrinking.lengthen(led_out(game, self.scenario), self._patience)

    def _unlike_ours(self) -> str:
        """What our console does with the scenario, if it does not fail there in the same way."""
        try:
            again = self._campaign.replay(self.scenario, self._host).mismatch
        except TIError as error:
            return f"our console could not replay it: {error}"
        if again is None:
            return f"only on {self._campaign.host}: our console agrees with the rules here"
        if again.kind != self.mismatch.kind:
            return f"our console differs from the rules, too, in another way: {again.got}"
        return ""

    def failure(self) -> Failure:
        """The failure, with the script that replays it."""
        script = self._campaign.script(self.scenario, self.mismatch)
        keys, trials = len(self._result.scenario.keys), self._shrinking.used
        return Failure(self.mismatch, self.scenario, script, keys=keys, trials=trials)

    def _fails(self, tried: Scenario) -> bool:
        most = self._result.seconds * LONGER + SPARE
        try:
            mismatch = self._campaign.replay(tried, self._host, most).mismatch
        except TIError:
            # A model may break on keys that no player would press. That is no reason to lose
            # the verdict: the trial just does not fail in the same way.
            return False
        if mismatch is None or mismatch.kind != self.mismatch.kind:
            return False
        self.mismatch = mismatch
        return True

    def _admits(self, tried: Scenario) -> bool:
        return _admitted(self._campaign.subject.adapter(), tried)


def _decided(game: Adapter, scenario: Scenario, mismatch: Mismatch) -> int | None:
    """The number of keys after which the rules log the line that differs; None if unknown."""
    if mismatch.where != "log" or mismatch.index < 0:
        return None
    try:
        with blaming(game):
            points = run_model(game, scenario).points
    except TIError:
        return None
    return next((keys for keys, events in points if events > mismatch.index), None)


def _admitted(game: Adapter, scenario: Scenario) -> bool:
    """Tell whether the model accepts a setup; a game may need all of its players."""
    try:
        with blaming(game):
            game.model(scenario.setup)
    except (ValueError, TIError):
        return False
    return True


def verify_game(game: str | Path, matches: int = 100, seed: int = 0) -> Verdict:
    """Play `matches` matches of a game, given by name or folder, on our console, and compare.

    Raises TIError when the game is unknown, has no model, or part of it is broken, and
    KeyboardInterrupt.
    """
    verdict = Campaign(subject_of(find_game(game)), matches=matches, seed=seed).run()
    if verdict.cut_off == INTERRUPTED:
        raise KeyboardInterrupt
    return verdict
