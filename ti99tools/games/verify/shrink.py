"""Making a failing scenario small: less of everything, the same kind of mismatch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ti99tools.games.verify.scenario import Scenario

Fails = Callable[[Scenario], bool]


class _Budget:
    """Counts trials, so that shrinking ends in time."""

    def __init__(self, fails: Fails, trials: int) -> None:
        self._fails = fails
        self._left = trials

    def still_fails(self, scenario: Scenario) -> bool:
        """Tell whether it still fails; a setup that the model refuses does not."""
        if self._left <= 0:
            return False
        self._left -= 1
        try:
            return self._fails(scenario)
        except ValueError:
            return False


def shrink(scenario: Scenario, fails: Fails, trials: int = 300) -> Scenario:
    """The smallest scenario found that still fails, within so many trials."""
    budget = _Budget(fails, trials)
    smaller = True
    while smaller:
        smaller = False
        for step in (_fewer_options, _fewer_players, _fewer_keys, _plainer_keys):
            found = step(scenario, budget)
            if found != scenario:
                scenario, smaller = found, True
    return scenario


def _fewer_options(scenario: Scenario, budget: _Budget) -> Scenario:
    for name in scenario.setup.options:
        less = {key: text for key, text in scenario.setup.options.items() if key != name}
        smaller = replace(scenario, setup=replace(scenario.setup, options=less))
        if budget.still_fails(smaller):
            scenario = smaller
    return scenario


def _fewer_players(scenario: Scenario, budget: _Budget) -> Scenario:
    players = scenario.setup.players
    for seat in reversed(range(len(players))):
        if len(players) == 1:
            break
        less = players[:seat] + players[seat + 1 :]
        smaller = replace(scenario, setup=replace(scenario.setup, players=less))
        if budget.still_fails(smaller):
            scenario, players = smaller, less
    return scenario


def _fewer_keys(scenario: Scenario, budget: _Budget) -> Scenario:
    """Cut the keys after the failure, then halves, quarters … down to single keys."""
    size = len(scenario.keys)
    while size:
        at = 0
        while at < len(scenario.keys):
            keys = scenario.keys[:at] + scenario.keys[at + size :]
            if budget.still_fails(scenario.with_keys(keys)):
                scenario = scenario.with_keys(keys)
            else:
                at += size
        size //= 2
    return scenario


def _plainer_keys(scenario: Scenario, budget: _Budget) -> Scenario:
    """Replace odd keys by a plain one."""
    for at, key in _odd(scenario):
        keys = (*scenario.keys[:at], ord("X"), *scenario.keys[at + 1 :])
        if key != ord("X") and budget.still_fails(scenario.with_keys(keys)):
            scenario = scenario.with_keys(keys)
    return scenario


def _odd(scenario: Scenario) -> Iterator[tuple[int, int]]:
    for at, key in enumerate(scenario.keys):
        if not chr(key).isalnum() and key != 13:
            yield at, key
