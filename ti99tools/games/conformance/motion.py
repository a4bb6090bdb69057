"""Places of sprites in motion, which depend on the very frame: compared within two dots.

Cases of some areas show rows and columns of sprites that moved until then (CALL POSITION). The
recordings themselves, started some frames later, differ by as much. Their screens are compared
word by word, since a number of fewer digits moves what follows it: whole numbers from 1 to 256,
which may be places, within two dots, all other words exactly. Spaces between words do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.hardware.machine.screen import EDGE_TEXT

AREAS = frozenset(("random-sprmove", "random4-interrupts"))
"""The areas whose cases show such places."""
WITHIN = 2
DOTS = 256
"""Rows and columns go from 1 to this, and on from there to 1."""


def same_places(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    """Tell whether two screens show the same words, and the same places within `WITHIN`."""
    ours_words, theirs_words = _words(ours), _words(theirs)
    return len(ours_words) == len(theirs_words) and all(map(_same, ours_words, theirs_words))


def _words(rows: Sequence[str]) -> list[str]:
    return " ".join(rows).replace(EDGE_TEXT, " ").split()


def _same(a: str, b: str) -> bool:
    return a == b or (_is_place(a) and _is_place(b) and _apart(int(a), int(b)) <= WITHIN)


def _is_place(word: str) -> bool:
    return word.isascii() and word.isdigit() and 1 <= int(word) <= DOTS


def _apart(a: int, b: int) -> int:
    return min((a - b) % DOTS, (b - a) % DOTS)
