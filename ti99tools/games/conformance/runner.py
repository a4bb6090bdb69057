"""Many cases run, one by one or in worker processes; a case that breaks does not stop the rest.

A traceback in a case, or a case that does not end, is a failure of that case, with the last lines
of the traceback among its differences.
"""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import FrameType

from ti99tools.base.errors import TIError
from ti99tools.base.workers import workers
from ti99tools.games.conformance.cases import Case, CaseKind
from ti99tools.games.conformance.comparing import Difference
from ti99tools.games.conformance.outcome import CaseOutcome

WALL_LIMIT = 60.0
"""Seconds of real time after which a case counts as hanging."""
CHUNK = {CaseKind.VECTOR: 500, CaseKind.INSTRUCTION: 500, CaseKind.TIMING: 1}
"""Cases handed to a worker at a time (default 4): more of the quick kinds."""


Judge = Callable[[Case], list[CaseOutcome]]


class CaseTimeout(Exception):
    """A case that did not end within the limit of real time."""


def run(
    cases: Sequence[Case],
    jobs: int,
    limit: float = WALL_LIMIT,
    host: str = "",
    cartridge: bool = False,
) -> Iterator[list[CaseOutcome]]:
    """Yield a list of outcomes for each case, in the order of `cases` within a kind.

    `host` names a host that plays the cases instead of our console. `cartridge`: their programs are
    compiled and played as cartridges.
    """
    chunks: list[list[Case]] = []
    for kind in CaseKind:
        same = [case for case in cases if case.kind is kind]
        size = CHUNK.get(kind, 4)
        chunks.extend(same[at : at + size] for at in range(0, len(same), size))
    if jobs == 1 or len(chunks) <= 1:
        for chunk in chunks:
            yield from _checked(chunk, limit, host, cartridge)
        return
    with workers(jobs) as pool:
        check_all = partial(_check_all, limit=limit, host=host, cartridge=cartridge)
        for results in pool.map(check_all, chunks):
            yield from results


def _check_all(
    cases: list[Case], limit: float, host: str, cartridge: bool
) -> list[list[CaseOutcome]]:
    return list(_checked(cases, limit, host, cartridge))


def _checked(
    cases: list[Case], limit: float, host: str, cartridge: bool
) -> Iterator[list[CaseOutcome]]:
    if cartridge:
        from ti99tools.games.conformance import as_cartridge

        yield from (check(case, limit, partial(as_cartridge.outcomes, host=host)) for case in cases)
        return
    if not host:
        yield from (check(case, limit) for case in cases)
        return
    from ti99tools.games.conformance import on_hosts
    from ti99tools.games.hosts.host import host_named

    yield from on_hosts.check(host_named(host), cases)


def check(case: Case, limit: float = WALL_LIMIT, judge: Judge | None = None) -> list[CaseOutcome]:
    """Compare one case with ours, or as `judge` does; any exception becomes part of the outcome."""
    start = time.perf_counter()
    try:
        with _limited(limit):
            outcomes = (judge or _judge)(case)
    except TIError as error:
        # Ours refuses what the original has taken: a difference, and no bug of this tool.
        refused = (Difference("cannot be played", (str(error),)),)
        outcomes = [CaseOutcome(case.id, case.area, 0, 1, refused)]
    except Exception as error:
        last = traceback.format_exc().splitlines()[-12:]
        wrong = (Difference(f"broken: {type(error).__name__}", tuple(last)),)
        values = max(1, len(case.data) - 2) if case.kind is CaseKind.VECTOR else 1
        outcomes = [CaseOutcome(case.id, case.area, 0, values, wrong)]
    seconds = (time.perf_counter() - start) / len(outcomes)
    return [replace(outcome, seconds=seconds) for outcome in outcomes]


def _judge(case: Case) -> list[CaseOutcome]:
    """Check a case by its kind. Modules are imported here, so that other kinds do not load them."""
    if case.kind is CaseKind.VECTOR:
        from ti99tools.games.conformance.vectors import check as check_vectors

        return check_vectors(case.area, case.id, case.data)
    off: float | None = None
    if case.kind is CaseKind.CONSOLE:
        from ti99tools.games.conformance.comparing import differences
        from ti99tools.games.conformance.playback import play

        differing = differences(case.data, play(case.data))
    elif case.kind is CaseKind.INSTRUCTION:
        from ti99tools.games.conformance.vectors import differences as of_instruction

        differing = of_instruction(case.data)
    elif case.kind is CaseKind.TIMING:
        from ti99tools.games.conformance import playback

        off = playback.off(case.data)
        differing = playback.timing_differences(case.data, off)
    elif case.kind is CaseKind.CASSETTE:
        from ti99tools.games.conformance.playback import cassette_differences as of_conversation

        differing = of_conversation(case.data)
    else:
        from ti99tools.games.conformance import vectors

        judge = vectors.typed_case if case.kind is CaseKind.EDITOR else vectors.size
        differing = judge(case.data)
    return [
        CaseOutcome(
            case.id, case.area, int(not differing), int(bool(differing)), tuple(differing), off=off
        )
    ]


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `CaseTimeout` in the body after `seconds`, on systems that have SIGALRM."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise CaseTimeout(f"no end after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
