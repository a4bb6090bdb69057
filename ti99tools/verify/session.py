"""One match on a host: the session played, the log and the last screen compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from ti99tools.base.errors import TIError
from ti99tools.hosts.host import Host, Job, Played
from ti99tools.models.model import Match
from ti99tools.trace.keyscript import Step
from ti99tools.trace.playlog import PlayLog, read
from ti99tools.verify.branches import watching
from ti99tools.verify.compare import NOTHING, compare_logs, compare_numbers
from ti99tools.verify.games.adapter import Adapter, model_module
from ti99tools.verify.generate import log_of
from ti99tools.verify.result import MatchResult, Mismatch
from ti99tools.verify.scenario import Scenario, key_steps

END_SCREEN = "end"


def steps_of(adapter: Adapter, scenario: Scenario, whole: bool = True) -> tuple[Step, ...]:
    """The session: title, setup, the match's keys and, for a whole match, the way out."""
    closing = adapter.closing() if whole else ()
    return (*adapter.opening(scenario.setup), *key_steps(scenario.keys), *closing)


def play(
    adapter: Adapter, host: Host, disk: bytes, scenario: Scenario, trace: bool = False
) -> MatchResult:
    """Play a scenario on the model and on the host, and compare.

    With `trace` the result tells the program lines and the branches of the model that were taken.
    """
    with watching(model_module(adapter)) if trace else nullcontext() as taken:
        match = Match(adapter.model(scenario.setup))
        for key in scenario.keys:
            if match.ask is None:
                break
            match.press(key)
    expected = log_of(adapter, scenario.setup, match)
    steps = steps_of(adapter, scenario, whole=expected.complete)
    played = host.play(Job(disk, steps, adapter.log_file, pace=adapter.pace, trace=trace))
    mismatch, screens = compare(adapter, scenario, expected, played)
    return MatchResult(
        scenario=scenario,
        events=len(expected.events),
        screens=screens,
        keys=len(scenario.keys),
        seconds=played.seconds,
        mismatch=mismatch,
        lines=played.lines,
        branches=frozenset(taken.names if taken else ()),
    )


def compare(
    adapter: Adapter, scenario: Scenario, expected: PlayLog, played: Played
) -> tuple[Mismatch | None, int]:
    """The first difference between a played session and the model, and the screens compared."""
    wrong = _compare_log(expected, played.records)
    if wrong is not None:
        return wrong, 0
    if played.problem:
        return Mismatch("run", "the session goes to its end", played.problem), 0
    screens = 0
    if expected.complete and END_SCREEN in played.screens:
        screens = 1
        shown = adapter.shown(played.screens[END_SCREEN], scenario.setup)
        implied = adapter.implied(expected.events, scenario.setup)
        wrong = compare_numbers("the screen at the end of the match", implied, shown)
    return wrong, screens


def _compare_log(expected: PlayLog, records: Sequence[bytes] | None) -> Mismatch | None:
    if records is None:
        return None
    try:
        got = read(records)
    except TIError as error:
        return Mismatch("log", "a play log", str(error))
    wrong = compare_logs(expected, got)
    if wrong is None and expected.complete and not got.complete:
        missing = len(got.events)
        line = str(expected.events[missing]) if missing < len(expected.events) else "END"
        return Mismatch("log", line, NOTHING, missing)
    return wrong
