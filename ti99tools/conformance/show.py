"""Outcomes as lines of text, and as data: counts by area, failures, differences, a last line."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.conformance.outcome import Outcome, Summary

MOST_LISTED = 200
"""Failures that are named without their differences; more are counted only."""


def areas(summary: Summary) -> Iterator[str]:
    """A table of counts by area."""
    width = max([len(area) for area in summary.areas], default=4)
    for area, (passed, failed) in summary.areas.items():
        inexact = summary.inexact.get(area, 0)
        note = f"  {inexact} by displayed digits only" if inexact else ""
        yield f"{area:{width}}  {passed:6} passed  {failed:5} failed{note}".rstrip()


def failures(summary: Summary, diff: bool) -> Iterator[str]:
    """The failures, with `diff` all and with their differences; known ones with their reason."""
    listed = summary.failures if diff else summary.failures[:MOST_LISTED]
    for outcome in listed:
        yield from failure(outcome, summary.known.get(outcome.id), diff)
    if len(listed) < len(summary.failures):
        yield f"… and {len(summary.failures) - len(listed)} more, which are shown with differences"


def failure(outcome: Outcome, known: str | None, diff: bool) -> Iterator[str]:
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
    """What the list of known failures says, and the closing line."""
    for name in summary.risen:
        yield f"PASSED {name}: listed as a known failure ({summary.known[name]}); take it off"
    known = len(summary.failures) - len(summary.unexpected)
    if known:
        yield f"{known} of the failures are listed as known"
    yield f"{summary.passed} passed, {summary.failed} failed"


def data(summary: Summary) -> dict[str, object]:
    """The outcomes as JSON values."""
    return {
        "passed": summary.passed,
        "failed": summary.failed,
        "areas": summary.areas,
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
    }
