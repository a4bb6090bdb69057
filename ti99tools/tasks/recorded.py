"""Recorded cases held against the console."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.remedy import Remedy
from ti99tools.conformance import known, runner
from ti99tools.conformance.cases import Case, load
from ti99tools.conformance.outcome import Summary


def chosen_cases(paths: Iterable[Path], area: str | None, name: str | None) -> list[Case]:
    """The cases in files and folders, of an area and of a name. Raises TIError when there is none.

    Area and name may be the beginning of one, or have a `*`.
    """
    chosen = [case for case in load(paths) if case.chosen(area, name)]
    if not chosen:
        raise TIError("no case is chosen", remedy=Remedy.CHOOSE_CASES)
    return chosen


def known_failures(paths: Iterable[Path], file: Path | None) -> dict[str, str]:
    """The known failures with their reasons: in `file`, or else in the list beside the cases."""
    path = file or known.beside(paths)
    return known.read(path) if path else {}


def hold(
    cases: list[Case], listed: dict[str, str], jobs: int, tick: Callable[[int], object] = id
) -> Summary:
    """Run the cases in so many processes; `tick` is told how many were run since."""
    summary = Summary(listed)
    for outcomes in runner.run(cases, jobs):
        for outcome in outcomes:
            summary.add(outcome)
        tick(1)
    return summary
