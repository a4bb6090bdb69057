"""A failing scenario made smaller, trial by trial, within bounds of trials and of time.

`smaller` proposes scenarios, each smaller than the last one that failed; whoever tries them decides
when it has had enough, and keeps the last that failed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ti99tools.games.verify.scenario import Scenario

TRIALS = 60
"""Trials for each failure, unless told otherwise."""
SECONDS = 15.0
"""The most seconds that all shrinking of a run may take."""

Fails = Callable[[Scenario], bool]

Search = Generator[Scenario, bool, Scenario]
"""Yields scenarios to try, takes whether each still fails, and returns the last that did."""


def smaller(scenario: Scenario, decided: int | None = None) -> Search:
    """The search for a smaller scenario; after `decided` keys the failure had happened."""
    if decided is not None and decided < len(scenario.keys):
        shorter = scenario.with_keys(scenario.keys[:decided])
        if (yield shorter):
            scenario = shorter
    before = None
    while scenario != before:
        before = scenario
        for step in (_fewer_options, _fewer_players, _fewer_keys, _plainer_keys):
            scenario = yield from step(scenario)
    return scenario


def _fewer_options(scenario: Scenario) -> Search:
    for name in scenario.setup.options:
        less = {key: text for key, text in scenario.setup.options.items() if key != name}
        fewer = replace(scenario, setup=replace(scenario.setup, options=less))
        if (yield fewer):
            scenario = fewer
    return scenario


def _fewer_players(scenario: Scenario) -> Search:
    players = scenario.setup.players
    for seat in reversed(range(len(players))):
        if len(players) == 1:
            break
        less = players[:seat] + players[seat + 1 :]
        fewer = replace(scenario, setup=replace(scenario.setup, players=less))
        if (yield fewer):
            scenario, players = fewer, less
    return scenario


def _fewer_keys(scenario: Scenario) -> Search:
    """Leave out all keys, then halves, quarters … down to single keys."""
    size = len(scenario.keys)
    while size:
        at = 0
        while at < len(scenario.keys):
            fewer = scenario.with_keys(scenario.keys[:at] + scenario.keys[at + size :])
            if (yield fewer):
                scenario = fewer
            else:
                at += size
        size //= 2
    return scenario


def _plainer_keys(scenario: Scenario) -> Search:
    """Replace odd keys by a plain one."""
    for at, key in _odd(scenario):
        keys = (*scenario.keys[:at], ord("X"), *scenario.keys[at + 1 :])
        plainer = scenario.with_keys(keys)
        if key != ord("X") and (yield plainer):
            scenario = plainer
    return scenario


def _odd(scenario: Scenario) -> Iterator[tuple[int, int]]:
    for at, key in enumerate(scenario.keys):
        if not chr(key).isalnum() and key != 13:
            yield at, key


@dataclass
class Patience:
    """How long a run shrinks its failures: `trials` for each, and `seconds` for all of them.

    A trial cannot be stopped in the middle. So none begins when one as long as the longest so far
    would end too late.
    """

    trials: int = TRIALS
    seconds: float = SECONDS
    now: Callable[[], float] = time.monotonic
    spent: float = field(default=0.0, init=False)
    longest: float = field(default=0.0, init=False)
    _until: float | None = field(default=None, init=False)

    def share(self, count: int) -> None:
        """Leave the next of `count` failures an equal share of the time that is left."""
        self._until = self.spent + (self.seconds - self.spent) / count

    def allows(self, used: int) -> bool:
        """Tell whether one more trial may begin after `used` trials of the same failure."""
        until = self.seconds if self._until is None else self._until
        return used < self.trials and self.spent + self.longest < until

    def expect(self, seconds: float) -> None:
        """Expect trials of this length."""
        self.longest = max(self.longest, seconds)

    def end(self) -> None:
        """Allow no more trials."""
        self.trials = 0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time that the body takes, a trial."""
        start = self.now()
        try:
            yield
        finally:
            took = self.now() - start
            self.spent += took
            self.longest = max(self.longest, took)


@dataclass
class Shrinking:
    """One failing scenario being made smaller: `smallest` so far, after `used` trials.

    `fails` plays a scenario and tells whether it fails in the same way. One that `admits` refuses
    is not played, and is no trial.
    """

    smallest: Scenario
    fails: Fails
    admits: Fails = lambda _scenario: True
    decided: int | None = None
    used: int = 0

    def run(self, patience: Patience) -> None:
        """Try until nothing smaller is found or patience ends.

        It may be interrupted at any time: `smallest` stays what it was found to be.
        """
        for _ in self.steps(patience):
            pass

    def steps(self, patience: Patience) -> Iterator[None]:
        """As `run`, one trial at each step."""
        search = smaller(self.smallest, self.decided)
        try:
            tried = next(search)
            while patience.allows(self.used):
                failed = self._still_fails(tried, patience)
                yield
                tried = search.send(failed)
        except StopIteration:
            return

    def lengthen(self, scenario: Scenario, patience: Patience) -> None:
        """Try one longer scenario, if there is time left."""
        if scenario != self.smallest and patience.allows(0):
            self._still_fails(scenario, patience)

    def _still_fails(self, tried: Scenario, patience: Patience) -> bool:
        if not self.admits(tried):
            return False
        self.used += 1
        with patience.timed():
            failed = self.fails(tried)
        if failed:
            self.smallest = tried
        return failed
