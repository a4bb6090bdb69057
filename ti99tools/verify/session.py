"""One match on a host: the session played, the log and the last screen compared."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from random import Random

from ti99tools.base.errors import HostError, TIError
from ti99tools.hosts.host import Host, Job, Played
from ti99tools.models.model import Match
from ti99tools.trace.keyscript import Rest, Snap, Step
from ti99tools.trace.playlog import PlayLog, read_all
from ti99tools.verify.branches import watching
from ti99tools.verify.compare import NOTHING, compare_logs, compare_numbers
from ti99tools.verify.games.adapter import (
    BLANK_SEED,
    WARM_UP,
    Adapter,
    files_of,
    looks_of,
    model_module,
)
from ti99tools.verify.generate import expected
from ti99tools.verify.policies import greedy
from ti99tools.verify.result import MatchResult, Mismatch
from ti99tools.verify.scenario import Scenario, key_steps

END_SCREEN = "end"
REST = 600
"""Frames for which a screen stays the same when the game waits for a key: longer than a pause."""


def warm_up(adapter: Adapter, scenario: Scenario) -> Scenario | None:
    """The match played before, by cautious players, when the setup wants one."""
    setup = scenario.setup
    if WARM_UP not in setup.options:
        return None
    dropped = (WARM_UP, BLANK_SEED)
    options = {name: text for name, text in setup.options.items() if name not in dropped}
    first = replace(setup, seed=int(setup.options[WARM_UP]), options=options)
    match = Match(adapter.model(first))
    random = Random(first.seed)
    keys: list[int] = []
    while match.ask is not None:
        keys.append(greedy(match.ask, random))
        match.press(keys[-1])
    return Scenario(scenario.game, first, tuple(keys))


def steps_of(adapter: Adapter, scenario: Scenario) -> tuple[Step, ...]:
    """The session: title, setup, the match's keys and, for a whole match, the way out."""
    log, _ = expected(adapter, scenario)
    closing = adapter.closing() if log.complete else ()
    first = warm_up(adapter, scenario)
    if first is None:
        opening: Sequence[Step] = adapter.opening(scenario.setup)
    else:
        opening = [
            *adapter.opening(first.setup),
            *key_steps(first.keys),
            *adapter.again(scenario.setup),
        ]
    return (*opening, *_match_steps(adapter, scenario), *closing)


def _match_steps(adapter: Adapter, scenario: Scenario) -> Iterator[Step]:
    """The match's keys, with looks at the screen in between."""
    done = 0
    for count, _ in looks(adapter, scenario):
        yield from key_steps(scenario.keys[done:count])
        yield from (Rest(REST), Snap(look_name(count)))
        done = count
    yield from key_steps(scenario.keys[done:])


def look_name(keys: int) -> str:
    """The name of a screen in the middle of a match."""
    return f"after key {keys}"


def looks(adapter: Adapter, scenario: Scenario) -> list[tuple[int, int]]:
    """Where to look at the screen: keys pressed and events told by then."""
    number = looks_of(adapter)
    match = Match(adapter.model(scenario.setup))
    points = []
    for count, key in enumerate(scenario.keys, 1):
        if match.ask is None:
            break
        match.press(key)
        if match.ask is not None:
            points.append((count, len(match.log)))
    step = max(1, len(points) // max(1, number))
    return points[step // 2 :: step][:number]


def play(
    adapter: Adapter, host: Host, disk: bytes, scenario: Scenario, trace: bool = False
) -> MatchResult:
    """Play a scenario on the model and on the host, and compare.

    With `trace` the result tells the program lines and the branches of the model that were taken.
    """
    with watching(model_module(adapter)) if trace else nullcontext() as taken:
        model_log, _ = expected(adapter, scenario)
    steps = steps_of(adapter, scenario)
    try:
        files = files_of(adapter, scenario.setup)
        played = host.play(
            Job(disk, steps, adapter.log_file, pace=adapter.pace, trace=trace, files=files)
        )
    except HostError:
        raise
    except Exception as error:
        last = "".join(traceback.format_exception(error)[-3:]).splitlines()
        played = Played(None, {}, 0.0)
        mismatch: Mismatch | None = Mismatch(
            "run", "no fault of the host", last[-1], 0, tuple(last)
        )
        screens = 0
    else:
        mismatch, screens = compare(adapter, scenario, played, model_log)
    return MatchResult(
        scenario=scenario,
        events=len(model_log.events),
        screens=screens,
        keys=len(scenario.keys),
        seconds=played.seconds,
        mismatch=mismatch,
        lines=played.lines,
        branches=frozenset(taken.names if taken else ()),
    )


def compare(
    adapter: Adapter, scenario: Scenario, played: Played, model_log: PlayLog
) -> tuple[Mismatch | None, int]:
    """The first difference between a played session and the model, and the screens compared.

    `model_log` is the log of the scenario's own match.
    """
    first = warm_up(adapter, scenario)
    wanted = [match for match in (first, scenario) if match is not None]
    if played.records is None:
        return Mismatch("run", "a play log", played.problem or "no log on the disk"), 0
    try:
        logs = read_all(played.records)
    except TIError as error:
        return Mismatch("log", "a play log", str(error)), 0
    screens = 0
    for number, match in enumerate(wanted):
        if number >= len(logs):
            return Mismatch("log", f"a log of match {number + 1}", played.problem or NOTHING), 0
        if match is not scenario or BLANK_SEED in match.setup.options:
            seeded = _with_seed(match, logs[number].seed)
            wanted_log, _ = expected(adapter, seeded)
        else:
            wanted_log = model_log
        wrong = _compare_log(wanted_log, logs[number])
        if wrong is not None:
            return wrong, 0
    if played.problem:
        return Mismatch("run", "the session goes to its end", played.problem), 0
    points = [(look_name(keys), events) for keys, events in looks(adapter, scenario)]
    for name, events in [*points, (END_SCREEN, len(wanted_log.events))]:
        if name in played.screens:
            screens += 1
            shown = adapter.shown(played.screens[name], scenario.setup)
            implied = adapter.implied(wanted_log.events[:events], scenario.setup)
            wrong = compare_numbers(f"the screen: {name}", implied, shown)
            if wrong is not None:
                return wrong, screens
    return None, screens


def _with_seed(scenario: Scenario, logged: int) -> Scenario:
    """The scenario with the seed that the game chose, where it was to choose."""
    if BLANK_SEED not in scenario.setup.options:
        return scenario
    return replace(scenario, setup=replace(scenario.setup, seed=logged))


def _compare_log(model: PlayLog, got: PlayLog) -> Mismatch | None:
    wrong = compare_logs(model, got)
    if wrong is None and model.complete and not got.complete:
        missing = len(got.events)
        line = str(model.events[missing]) if missing < len(model.events) else "END"
        return Mismatch("log", line, NOTHING, missing)
    return wrong
