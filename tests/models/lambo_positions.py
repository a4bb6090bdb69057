"""Positions of Lambo for tests, in the rules' doubled coordinates."""

from __future__ import annotations

import re

from xbasic.lambo.board import Board, Cell

EXAMPLE = (
    "(0,0):2 (-1,1):3 (1,1):3 (-2,2):1 (0,2):2 (2,2):1 (-1,3):2 (1,3):1 (3,3):2 (-2,4):1 (0,4):3 "
    "(2,4):1 (-1,5):3 (1,5):2"
)
"""The game of the published picture."""
BOTH = "(-1,1):2 (-1,-1):2 (-2,-2):3 (-2,0):2 (1,1):2 (1,-1):2 (2,0):2 (2,2):3 (0,2):1"
"""(0,0):1 closes a group of each colour."""


def at(columns: int, halves: int) -> Cell:
    """The cell so many columns and half rows from M13."""
    column = 13 + columns
    return Cell(column, (27 + halves - column % 2) // 2)


def position(text: str) -> Board:
    """A board of `(columns,half rows):orientation`, relative to M13."""
    found = re.findall(r"\((-?\d),(-?\d)\):(\d)", text)
    return Board({at(int(c), int(h)): int(orientation) for c, h, orientation in found})
