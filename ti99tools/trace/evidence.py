"""What was seen where a game and its rules, or two hosts, differ first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shot:
    """A picture of the screen (PNG, 256 × 192 dots without border) and its 24 rows of codes."""

    title: str
    png: bytes
    rows: tuple[str, ...]


Cells = tuple[int, int, int]
"""Row and column of a cell, from 0, and how many cells from there to the right."""


@dataclass(frozen=True)
class Evidence:
    """Two screens, or the only one that there was, and where they differ.

    `calls` leads to the place in the program: line number and token offset of the statement, then
    of the GOSUBs and CALLs that led there. `told` says what happened at that place.
    """

    shots: tuple[Shot, ...]
    marked: tuple[Cells, ...] = ()
    calls: tuple[tuple[int, int], ...] = ()
    told: str = ""
