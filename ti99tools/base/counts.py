"""How often the statements of a program ran: counted by a run, read by coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

Spot = tuple[int, int, str]
"""Line number, offset of a statement in the line's tokens, and the event counted (see below)."""

Hits = dict[Spot, int]
"""Spot → count."""

RAN = "ran"
"""The statement began."""
THEN = "then"
"""An IF branched to the line number after its THEN; a statement after THEN has its own count."""
USED = "used"
"""The function of a DEF was evaluated."""
FAILED = "failed"
"""The statement ended in an error."""


def total(some: Iterable[Mapping[Spot, int]]) -> Hits:
    """Sum several sets of counts."""
    sums = Counter[Spot]()
    for hits in some:
        sums.update(hits)
    return dict(sums)
