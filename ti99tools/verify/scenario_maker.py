"""Scenarios made up: a setup and policies by a seed, the keys by playing the model."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ti99tools.base.errors import BuildError
from ti99tools.models.model import Match, Setup
from ti99tools.trace.playlog import PlayLog
from ti99tools.verify.adapter import Adapter
from ti99tools.verify.blame import blaming
from ti99tools.verify.branches import MODELS
from ti99tools.verify.policies import POLICIES, greedy
from ti99tools.verify.scenario import Scenario

MANY_KEYS = 400
MANY_EVENTS = 2500
"""After so many keys or events everybody plays greedily, so that a log fits on a disk."""
TOO_MANY_KEYS = 20_000


def make(adapter: Adapter, seed: int) -> tuple[Scenario, PlayLog]:
    """A scenario and the log that the model writes for it; the same for the same seed."""
    with MODELS, blaming(adapter):
        return _make(adapter, seed)


def _make(adapter: Adapter, seed: int) -> tuple[Scenario, PlayLog]:
    random = Random(f"{adapter.name} {seed}")
    setup = adapter.setup(random)
    own = adapter.players
    policies = tuple(
        random.choice([*POLICIES, *own]) if player.kind == "H" else "computer"
        for player in setup.players
    )
    match = Match(adapter.model(setup))
    keys: list[int] = []
    while match.ask is not None:
        name = policies[match.ask.player]
        if len(keys) >= TOO_MANY_KEYS:
            problem = f"{adapter.name}: the match with seed {seed} does not end"
            remedy = f"let the rules of its model come to an end within {TOO_MANY_KEYS} keys"
            raise BuildError(problem, remedy=remedy)
        if len(keys) >= MANY_KEYS or len(match.log) >= MANY_EVENTS:
            keys.append(greedy(match.ask, random))
        elif name in own:
            keys.append(own[name](match.model, match.ask, random))
        else:
            keys.append(POLICIES[name](match.ask, random))
        match.press(keys[-1])
    return Scenario(adapter.name, setup, tuple(keys), policies), log_of(adapter, setup, match)


def log_of(adapter: Adapter, setup: Setup, match: Match) -> PlayLog:
    """The log of a match; complete when the match is over."""
    model = adapter.model
    return PlayLog(model.game, model.version, setup.seed, tuple(match.log), match.ask is None)


@dataclass(frozen=True)
class Run:
    """A scenario played on the model.

    `points`: keys pressed and events told whenever the match waits for a further key.
    """

    log: PlayLog
    points: tuple[tuple[int, int], ...]
    used: int

    def looks(self, number: int) -> list[tuple[int, int]]:
        """So many of the points, spread over the match; fewer if there are fewer."""
        step = max(1, len(self.points) // max(1, number))
        return list(self.points[step // 2 :: step][:number])


def run_model(adapter: Adapter, scenario: Scenario) -> Run:
    """Play a scenario on the model."""
    with MODELS:
        return _run(adapter, scenario)


def _run(adapter: Adapter, scenario: Scenario) -> Run:
    match = Match(adapter.model(scenario.setup))
    points = []
    used = 0
    for key in scenario.keys:
        if match.ask is None:
            break
        match.press(key)
        used += 1
        if match.ask is not None:
            points.append((used, len(match.log)))
    return Run(log_of(adapter, scenario.setup, match), tuple(points), used)


def expected(adapter: Adapter, scenario: Scenario) -> tuple[PlayLog, int]:
    """The log that the model writes for a scenario, and how many of its keys it takes."""
    run = run_model(adapter, scenario)
    return run.log, run.used
