"""Dimraw's board as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from .model import LETTER, NEIGHBOURS, PLACES


def render(men: Sequence[int]) -> str:
    """The board as plain text: 1 and 2 the men, letters the empty points.

    >>> print(render([1, 2] + [0] * 18).splitlines()[-1])
    1-----------2-----------C
    """
    ink: dict[tuple[int, int], str] = {}
    for point, (x, y) in enumerate(PLACES):
        for other in NEIGHBOURS[point]:
            across, up = PLACES[other][0] - x, PLACES[other][1] - y
            line = "-" if not up else "|" if not across else "/" if across * up > 0 else "\\"
            steps = 2 * abs(up) if up else 4 * abs(across)
            for step in range(1, steps):
                ink[12 - 2 * y - 2 * up * step // steps, 4 * x + 4 * across * step // steps] = line
    for point, (x, y) in enumerate(PLACES):
        ink[12 - 2 * y, 4 * x] = str(men[point] or chr(LETTER + point))
    rows = ("".join(ink.get((row, column), " ") for column in range(25)) for row in range(13))
    return "\n".join(row.rstrip() for row in rows)
