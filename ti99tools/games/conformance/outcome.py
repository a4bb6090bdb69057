"""The outcome of each case, and the report: counts by area, failures, and a closing line."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from ti99tools.games.conformance.comparing import Difference


@dataclass(frozen=True)
class CaseOutcome:
    """A case compared with the console.

    `passed` and `failed` count values: a case is one, a line of vectors has several. `inexact`
    counts vector values that pass by their displayed digits but differ in bits. `off` is how much
    longer our time is than the recorded one, as a fraction of it; None where no time is compared.
    """

    id: str
    area: str
    passed: int
    failed: int
    differences: tuple[Difference, ...] = ()
    inexact: int = 0
    seconds: float = 0.0
    off: float | None = None
    refused: str = ""
    """Why the case cannot be compared; such a case has no values."""

    @property
    def ok(self) -> bool:
        """Tell whether no value of the case differs."""
        return self.failed == 0


@dataclass
class Summary:
    """Counts of many outcomes by area, and how they agree with the list of known failures."""

    known: dict[str, str]
    areas: dict[str, list[int]] = field(default_factory=dict)
    inexact: dict[str, int] = field(default_factory=dict)
    failures: list[CaseOutcome] = field(default_factory=list)
    risen: list[str] = field(default_factory=list)
    exceeded: list[str] = field(default_factory=list)
    """Kinds of differences on a host of which there are more than are known."""
    times: dict[str, list[float]] = field(default_factory=dict)
    """Area → how far the times of its cases are off."""
    refused: Counter[str] = field(default_factory=Counter)
    """Reason → cases that cannot be compared."""

    def add(self, outcome: CaseOutcome) -> None:
        """Add the values of a case to those of its area."""
        if outcome.refused:
            self.refused[outcome.refused] += 1
            return
        counts = self.areas.setdefault(outcome.area, [0, 0])
        counts[0] += outcome.passed
        counts[1] += outcome.failed
        if outcome.inexact:
            self.inexact[outcome.area] = self.inexact.get(outcome.area, 0) + outcome.inexact
        if outcome.off is not None:
            self.times.setdefault(outcome.area, []).append(outcome.off)
        if not outcome.ok:
            self.failures.append(outcome)
        elif outcome.id in self.known:
            self.risen.append(outcome.id)

    @property
    def passed(self) -> int:
        """How many values of all cases agree."""
        return sum(counts[0] for counts in self.areas.values())

    @property
    def failed(self) -> int:
        """Values that differ, listed or not."""
        return sum(counts[1] for counts in self.areas.values())

    @property
    def unexpected(self) -> list[CaseOutcome]:
        """Failures that are not on the list."""
        return [outcome for outcome in self.failures if outcome.id not in self.known]


MOST_LISTED = 200
"""The most failures that are named without their differences; further ones are only counted."""


def areas(summary: Summary) -> Iterator[str]:
    """A table of counts by area."""
    width = max([len(area) for area in summary.areas], default=4)
    for area, (passed, failed) in summary.areas.items():
        inexact = summary.inexact.get(area, 0)
        note = f"  {inexact} by displayed digits only" if inexact else ""
        if area in summary.times:
            note += f"  {spread(summary.times[area])}"
        yield f"{area:{width}}  {passed:6} passed  {failed:5} failed{note}".rstrip()


def spread(shares: Sequence[float]) -> str:
    """How far times are off: the median, the 90th percentile, and the worst."""
    off = sorted(map(abs, shares))
    nine = off[math.ceil(0.9 * len(off)) - 1]
    return f"off by {median(off):.1%} (median), {nine:.1%} (nine in ten), {off[-1]:.1%} (worst)"


def failures(summary: Summary, diff: bool) -> Iterator[str]:
    """The failures; with `diff` all of them and their differences; known ones with the reason."""
    listed = summary.failures if diff else summary.failures[:MOST_LISTED]
    for outcome in listed:
        yield from failure(outcome, summary.known.get(outcome.id), diff)
    if len(listed) < len(summary.failures):
        yield f"… and {len(summary.failures) - len(listed)} more, which are shown with differences"


def failure(outcome: CaseOutcome, known: str | None, diff: bool) -> Iterator[str]:
    """One failure: a line, or with `diff` a block."""
    places = ", ".join(difference.where for difference in outcome.differences)
    note = f" (known: {known})" if known else ""
    yield f"FAILED {outcome.id}: {places}{note}"
    if diff:
        for difference in outcome.differences:
            yield f"  {difference.where}:"
            yield from (f"    {line}" for line in difference.lines)
        yield ""


def verdict(summary: Summary) -> Iterator[str]:
    """The lines about known failures, and the closing line."""
    for name in summary.risen:
        yield f"PASSED {name}: listed as a known failure ({summary.known[name]}); take it off"
    yield from summary.exceeded
    known = len(summary.failures) - len(summary.unexpected)
    if known:
        yield f"{known} of the failures are listed as known"
    for reason, count in summary.refused.most_common():
        yield f"not compared: {count}, {reason}"
    yield f"{summary.passed} passed, {summary.failed} failed"


def data(summary: Summary) -> dict[str, object]:
    """The outcomes as JSON values."""
    return {
        "passed": summary.passed,
        "failed": summary.failed,
        "areas": summary.areas,
        "times_off": summary.times,
        "failures": [
            {
                "id": outcome.id,
                "area": outcome.area,
                "known": summary.known.get(outcome.id),
                "differences": {d.where: d.lines for d in outcome.differences},
            }
            for outcome in summary.failures
        ],
        "passed_though_listed": summary.risen,
        "not_compared": dict(summary.refused),
    }
