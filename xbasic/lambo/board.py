"""Lambo's board: cells, tiles, groups found from scratch, and the board as plain text.

A hexagon with a flat top has the corners W, NE, SE (Dark) and E, NW, SW (Light). A corner is a
point that three cells share; here a point is those three cells. A tile of orientation A, B or C
(1, 2, 3) joins two of its Dark points by a bridge, and two of its Light ones; the third of each
colour is a tip. A group is points joined by bridges. It is closed when each of its points has a
tile in all three cells.

Columns are lettered A–Y from the west, rows numbered 1–25 from the north; odd columns (A, C, …) lie
half a cell lower. Nothing is played outside, so a group with a point at the edge is never closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

FIELD = range(1, 26)
"""Columns and rows that are played on."""
DARK, LIGHT = "D", "L"
ORIENTATIONS = "ABC"
NORTH, NORTHEAST, SOUTHEAST, SOUTH, SOUTHWEST, NORTHWEST = range(6)
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The way to each neighbour, clockwise from the north: columns and half rows."""
CORNERS = {
    DARK: ((SOUTHWEST, NORTHWEST), (NORTH, NORTHEAST), (SOUTHEAST, SOUTH)),
    LIGHT: ((NORTHEAST, SOUTHEAST), (SOUTH, SOUTHWEST), (NORTHWEST, NORTH)),
}
"""Colour → its corners, each by the two neighbours that share it: W, NE, SE; E, SW, NW.

Orientation n has the tip at the n-th corner, and the bridge between the other two.
"""


class Cell(NamedTuple):
    """A cell of the board; columns and rows from 1, sorted by column, then row."""

    column: int
    row: int

    @classmethod
    def of(cls, name: str) -> Cell:
        """The cell of a name like `M13`."""
        return cls(ord(name[0]) - ord("A") + 1, int(name[1:]))

    @property
    def name(self) -> str:
        """The name: a letter and two digits."""
        return f"{chr(ord('A') + self.column - 1)}{self.row:02}"

    @property
    def height(self) -> int:
        """The distance from the north in half rows."""
        return 2 * self.row + self.column % 2

    @property
    def inside(self) -> bool:
        """Tell whether the cell can be played on."""
        return self.column in FIELD and self.row in FIELD

    @cache  # noqa: B019
    def neighbour(self, way: int) -> Cell:
        """The next cell that way, `NORTH` … `NORTHWEST`."""
        columns, halves = STEPS[way]
        column = self.column + columns
        return Cell(column, (self.height + halves - column % 2) // 2)

    def neighbours(self) -> list[Cell]:
        """The six cells around it, clockwise from the north; some may be outside."""
        return [self.neighbour(way) for way in range(6)]

    @cache  # noqa: B019
    def points(self, colour: str) -> tuple[Point, ...]:
        """The cell's three points of a colour: W, NE, SE or E, SW, NW."""
        return tuple(
            Point((self, self.neighbour(one), self.neighbour(other)))
            for one, other in CORNERS[colour]
        )


Point = frozenset[Cell]
"""A corner, as the three cells that share it."""


def turned(points: tuple[Point, ...], orientation: int) -> tuple[Point, Point, Point]:
    """A cell's three points as the tip and the two ends of the bridge."""
    tip, one, other = points[orientation - 1 :] + points[: orientation - 1]
    return tip, one, other


@dataclass(frozen=True)
class Group:
    """A group: points joined by bridges, and `liberties`, the empty cells that keep it open."""

    colour: str
    points: frozenset[Point]
    bridges: int
    liberties: frozenset[Cell]

    @property
    def closed(self) -> bool:
        """Tell whether no empty cell keeps the group open."""
        return not self.liberties


class Board:
    """Tiles in the order in which they were placed: cell → orientation 1–3."""

    def __init__(self, tiles: dict[Cell, int] | None = None) -> None:
        self.tiles = dict(tiles or {})

    def with_tile(self, cell: Cell, orientation: int) -> Board:
        """A copy of the board with one more tile."""
        return Board({**self.tiles, cell: orientation})

    def place(self, cell: Cell, orientation: int) -> list[Group]:
        """Place a tile; returns the groups that it closes, Dark before Light, older ones first."""
        self.tiles[cell] = orientation
        touched = (group for colour in (DARK, LIGHT) for group in self.groups_at(cell, colour))
        return [group for group in touched if group.closed]

    def groups_at(self, cell: Cell, colour: str) -> list[Group]:
        """The groups that have a point at a cell's corners, older ones first."""
        corners = set(cell.points(colour))
        return [group for group in self.groups(colour) if corners & group.points]

    def groups(self, colour: str) -> list[Group]:
        """All groups of a colour, ordered by their oldest points.

        Points are as old as their tiles; a tile's bridge comes before its tip.
        """
        bridges: dict[Point, list[Point]] = {}
        for cell, orientation in self.tiles.items():
            tip, one, other = turned(cell.points(colour), orientation)
            bridges.setdefault(one, []).append(other)
            bridges.setdefault(other, []).append(one)
            bridges.setdefault(tip, [])
        found: list[Group] = []
        waiting = dict(bridges)
        while waiting:
            points = [next(iter(waiting))]
            for point in points:
                points += [joined for joined in waiting.pop(point, ()) if joined in waiting]
            ends = sum(len(bridges[point]) for point in set(points))
            open_cells = frozenset().union(*points) - self.tiles.keys()
            found.append(Group(colour, frozenset(points), ends // 2, frozenset(open_cells)))
        return found

    def largest(self, colour: str) -> int:
        """The most bridges in a group of a colour, open or closed."""
        return max(group.bridges for group in self.groups(colour))

    def known(self) -> list[Cell]:
        """The cells with a tile or beside one, in the order in which they became so.

        A tile's neighbours come clockwise from the north. Some may be outside.
        """
        return list(_known(tuple(self.tiles)))

    def frontier(self) -> list[Cell]:
        """The empty cells beside a tile, in the order in which they first adjoined one."""
        return list(_frontier(tuple(self.tiles)))

    def is_hole(self, cell: Cell) -> bool:
        """Tell whether no empty cell adjoins a cell."""
        return not any(beside.inside and beside not in self.tiles for beside in cell.neighbours())


@lru_cache(maxsize=64)
def _known(tiles: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """As `Board.known`; cached, since it is asked many times between two tiles."""
    found: dict[Cell, None] = {}
    for cell in tiles:
        found |= dict.fromkeys([cell, *cell.neighbours()])
    return tuple(found)


@lru_cache(maxsize=64)
def _frontier(tiles: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """As `Board.frontier`, cached."""
    return tuple(cell for cell in _known(tiles) if cell.inside and cell not in tiles)


INK = {
    1: (
        (0, 5, "oo"),
        (1, 1, "o"),
        (1, 5, "oo"),
        (2, 0, "ooo"),
        (2, 5, "oo"),
        (3, 1, "o"),
        (3, 5, "oo"),
        (4, 5, "oo"),
    ),
    2: ((0, 5, "oo"), (1, 6, "oo"), (2, 0, "oooo"), (3, 3, "ooo"), (4, 5, "oo")),
    3: ((0, 5, "oo"), (1, 3, "ooo"), (2, 0, "oooo"), (3, 6, "oo"), (4, 5, "oo")),
}
"""Orientation → Dark's ink on a tile as row, column, text; a tile has 5 rows and 9 columns."""
EDGES = (
    (NORTH, 0, 3, "--"),
    (SOUTH, 4, 3, "--"),
    (NORTHEAST, 1, 7, "\\"),
    (SOUTHEAST, 3, 7, "/"),
    (NORTHWEST, 1, 1, "/"),
    (SOUTHWEST, 3, 1, "\\"),
)
"""The outline of an edge without a neighbour: its way, row, column and text; ink covers it."""
LIGHT_CORNERS = ((2, 8), (4, 2), (0, 2))
"""Row and column of the Light corners E, SW and NW."""


def render(board: Board) -> str:
    r"""The board as plain text, Dark's ink and the outline, without spaces at the ends of rows.

    >>> print(render(Board({Cell.of("M13"): 1})))
      .--oo
     o   oo\
    ooo  oo )
     o   oo/
      `--oo
    """
    west = min(cell.column for cell in board.tiles)
    top = min(cell.height for cell in board.tiles)
    ink: dict[tuple[int, int], str] = {}
    for cell in board.tiles:
        for row, column, text in _drawn(board, cell):
            at = (row + 2 * (cell.height - top), column + 6 * (cell.column - west))
            for step, character in enumerate(text):
                ink[at[0], at[1] + step] = character
    rows = max(row for row, _ in ink) + 1
    columns = max(column for _, column in ink) + 1
    lines = ("".join(ink.get((row, c), " ") for c in range(columns)) for row in range(rows))
    return "\n".join(line.rstrip() for line in lines)


def _drawn(board: Board, cell: Cell) -> Iterator[tuple[int, int, str]]:
    """The outline and the ink of a tile as row, column, text; later parts cover earlier ones."""
    for way, row, column, text in EDGES:
        if cell.neighbour(way) not in board.tiles:
            yield row, column, text
    for point, (row, column) in zip(cell.points(LIGHT), LIGHT_CORNERS, strict=True):
        yield row, column, _light_corner(board, point)
    yield from INK[board.tiles[cell]]


LIGHT_CORNER = {
    (True, False, False): ")",
    (True, True, True): ".",
    (True, True, False): ".",
    (True, False, True): "`",
    (False, True, True): ")",
    (False, True, False): "`",
    (False, False, True): ".",
}
"""Whether there are tiles west, northeast and southeast of a Light corner → its character."""


def _light_corner(board: Board, point: Point) -> str:
    west, northeast, southeast = sorted(point, key=lambda cell: (cell.column, cell.height))
    there = (west in board.tiles, northeast in board.tiles, southeast in board.tiles)
    return LIGHT_CORNER[there]
