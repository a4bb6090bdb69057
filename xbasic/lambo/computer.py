"""Lambo's computer players: EASY and HARD, the same tile every time for the same seed.

Both finish a group of their own when the tiles left in the turn will do. Else EASY plays anything
that does not close a group of the other's, and HARD weighs the cells that matter to the groups that
are nearest to being closed. Their random numbers are their own: RND is never drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .board import DARK, LIGHT, Board, Cell, Group

EASY, HARD = "E", "C"
MODULUS, FACTOR, STEP = 6075, 106, 1283
DRAWS = 20
"""So often EASY draws, then it takes what it has."""
CANDIDATES = 2
"""So many cells HARD weighs, each in three orientations."""
BRIDGE = 400
"""What a bridge is worth."""
OPEN = {1: 3600, 2: 3600, 3: 1800, 4: 720}
"""What a group is worth by its liberties; `FAR` / liberties when there are more."""
FAR = 1800
THREAT = 60_000
"""What a group of the other's with one or two liberties is worth."""
END = 1_000_000
"""What closing a group is worth: won, or with a group of the other's lost."""
WHIM = 800
"""A tile that is weighed seems to gain up to so much more than it does."""
BAD = -500_000
"""Nothing below this is played while there is anything else."""


@dataclass(frozen=True)
class Place:
    """What there is to decide: whose turn, tiles left in it, and what ADJACENT asks.

    `beside`: the first tile of the pair, which the second must adjoin. `room`: beside this tile an
    empty cell must be left for the second.
    """

    board: Board
    colour: str
    left: int
    beside: Cell | None = None
    room: bool = False

    def allowed(self, cell: Cell) -> bool:
        """Whether an empty cell beside a tile may be played on, if that does not end the game."""
        if not cell.inside or (self.beside and cell not in self.beside.neighbours()):
            return False
        return not (self.room and self.board.is_hole(cell))

    def worth(self, cell: Cell, orientation: int) -> int:
        """What a tile gains: what the groups that it touches are worth after it, less before."""
        after = self.board.with_tile(cell, orientation)
        total = 0
        won = lost = False
        for colour in (DARK, LIGHT):
            own = colour == self.colour
            groups = after.groups_at(cell, colour)
            gain = sum(value(group, own) for group in groups)
            gain -= sum(value(group, own) for group in self.board.groups_at(cell, colour))
            total += gain if own else -gain
            closed = any(group.closed and group.bridges for group in groups)
            won, lost = won or (closed and own), lost or (closed and not own)
        if lost:
            return total - END
        return total + END if won else total

    def best(self, cell: Cell, orientations: Sequence[int] = (1, 2, 3)) -> tuple[int, int]:
        """The highest worth of a tile at a cell, and its orientation, the first of equals."""
        found = [(self.worth(cell, orientation), orientation) for orientation in orientations]
        return max(found, key=lambda entry: entry[0])


def value(group: Group, own: bool) -> int:
    """What a group is worth to its colour (`own`), or as a danger to the other."""
    liberties = len(group.liberties)
    if not group.bridges:
        return 0
    if not liberties:
        return BRIDGE * group.bridges
    if liberties <= 2 and not own:
        return THREAT + BRIDGE * group.bridges
    return OPEN.get(liberties, FAR // liberties) + BRIDGE * group.bridges


class Computer:
    """A player; `seed` starts its random numbers."""

    def __init__(self, level: str, seed: int) -> None:
        self.level = level
        self.state = seed % MODULUS

    def below(self, n: int) -> int:
        """The next random number, 0 to n − 1."""
        self.state = (self.state * FACTOR + STEP) % MODULUS
        return self.state * n // MODULUS

    def tile(self, place: Place) -> tuple[Cell, int]:
        """The cell and orientation of its next tile."""
        finish = finishing(place)
        if finish is not None:
            return finish
        return self.easy(place) if self.level == EASY else self.hard(place)

    def easy(self, place: Place) -> tuple[Cell, int]:
        """The first of some draws that does not close a group of the other's, else the last."""
        frontier = place.board.frontier()
        draws = 0
        while True:
            cell = frontier[self.below(len(frontier))]
            orientation = self.below(3) + 1
            if not place.allowed(cell):
                continue
            draws += 1
            if draws == DRAWS or place.worth(cell, orientation) > BAD:
                return cell, orientation

    def hard(self, place: Place) -> tuple[Cell, int]:
        """The best tile at the first cells that matter, of more cells while all tiles are bad.

        A whim, drawn for each tile that is weighed, makes matches differ; of equals the first.
        """
        chosen, highest = None, 0
        for number, cell in enumerate(mattering(place), 1):
            for orientation in (1, 2, 3):
                worth = place.worth(cell, orientation) + self.below(WHIM)
                if chosen is None or worth > highest:
                    chosen, highest = (cell, orientation), worth
            if number >= CANDIDATES and highest > BAD:
                break
        assert chosen is not None, "every empty cell beside a tile matters to a group with a bridge"
        return chosen


def finishing(place: Place) -> tuple[Cell, int] | None:
    """The tile that closes a group of one's own, or leaves one liberty for the turn's second tile.

    Of several groups the one with the fewest liberties, then the lowest. At a liberty that touches
    the group at one point the tip goes there, at two points the bridge, at three all is one.
    """
    own = [group for group in place.board.groups(place.colour) if in_reach(place, group)]
    if not own:
        return None
    group = min(own, key=lambda group: (len(group.liberties), group.lowest))
    cell = min(group.liberties)
    touched = [point in group.points for point in cell.points(place.colour)]
    odd_one = {1: True, 2: False}.get(sum(touched))
    orientations = (1, 2, 3) if odd_one is None else (touched.index(odd_one) + 1,)
    worth, orientation = place.best(cell, orientations)
    return (cell, orientation) if worth > BAD else None


def in_reach(place: Place, group: Group) -> bool:
    """Whether the tiles left in the turn close a group."""
    liberties = sorted(group.liberties)
    if not group.bridges or len(liberties) > place.left:
        return False
    if not all(cell.inside for cell in liberties):
        return False
    if place.beside:
        return liberties[0] in place.beside.neighbours()
    return not place.room or len(liberties) == 1 or liberties[1] in liberties[0].neighbours()


def mattering(place: Place) -> Iterator[Cell]:
    """The liberties of all groups with a bridge: those of groups with few first, of the other's,
    of those with many bridges, of the lowest."""
    other = DARK if place.colour == LIGHT else LIGHT
    groups = [
        (len(group.liberties), colour == place.colour, -group.bridges, group.lowest, group)
        for colour in (other, place.colour)
        for group in place.board.groups(colour)
        if group.bridges
    ]
    seen = set()
    for *_, group in sorted(groups, key=lambda entry: entry[:4]):
        for cell in sorted(group.liberties):
            if cell not in seen and place.allowed(cell):
                seen.add(cell)
                yield cell
