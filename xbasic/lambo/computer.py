"""Lambo's computer players, EASY and HARD; the same seed always gives the same tiles.

Both close a group of their own if the tiles left in the turn are enough. Otherwise EASY plays any
tile that does not close a group of the other player, and HARD the best tile at the cell that
matters most to the groups nearest to being closed. They have their own random numbers: RND is not
used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .board import DARK, LIGHT, Board, Cell, Group

EASY, HARD = "E", "C"
MODULUS, FACTOR, STEP = 6075, 106, 1283
DRAWS = 20
"""EASY takes its last draw after this many."""
BRIDGE = 400
"""The value of a bridge in a group."""
OPEN = {1: 3600, 2: 3600, 3: 1800, 4: 720}
"""Liberties of a group → its value; `FAR` / liberties if there are more."""
FAR = 1800
THREAT = 60_000
"""The value of the other player's group with one or two liberties."""
WON, LOST = 1_000_000, 4_000_000
"""The value of a closed group to its owner, and to the other player as a loss."""
BAD = -500_000
"""A tile worth no more than this is played only if there is no better one."""
WHIM = 3000
"""HARD adds this to the worth of a tile with the favoured orientation."""


@dataclass(frozen=True)
class Place:
    """A decision: the board, whose turn it is, tiles left in the turn, and ADJACENT's demands.

    `beside`: the first tile of the pair, which this one must adjoin. `room`: this tile must leave
    an empty cell beside it for the second.
    """

    board: Board
    colour: str
    left: int
    beside: Cell | None = None
    room: bool = False

    def cells(self) -> list[Cell]:
        """The empty cells for a tile: the whole frontier, or those beside the pair's first tile."""
        frontier = self.board.frontier()
        if self.beside:
            return [cell for cell in self.beside.neighbours() if cell in frontier]
        return frontier

    def drawn(self) -> list[Cell]:
        """The cells that EASY draws from, including some that are not allowed."""
        return self.beside.neighbours() if self.beside else self.board.known()

    def liberties(self, group: Group) -> list[Cell]:
        """A group's liberties, in the order in which they first adjoined a tile."""
        return [cell for cell in self.board.known() if cell in group.liberties]

    def allowed(self, cell: Cell) -> bool:
        """Tell whether a tile that does not end the match may be placed there."""
        return cell in self.cells() and not (self.room and self.board.is_hole(cell))

    def groups(self, colour: str) -> list[Group]:
        """The groups of a colour that matter, older ones first."""
        if self.beside:
            return self.board.groups_at(self.beside, colour)
        return self.board.groups(colour)

    def worth(self, cell: Cell, orientation: int) -> int:
        """The gain of a tile: the value of the groups that it touches, after minus before."""
        after = self.board.with_tile(cell, orientation)
        total = 0
        for colour in (DARK, LIGHT):
            own = colour == self.colour
            gain = sum(value(group, own) for group in after.groups_at(cell, colour))
            gain -= sum(value(group, own) for group in self.board.groups_at(cell, colour))
            total += gain if own else -gain
        return total

    def best(self, cell: Cell, orientations: Sequence[int] = (1, 2, 3)) -> tuple[int, int]:
        """The highest worth of a tile at a cell, and its orientation; the first one if equal."""
        found = [(self.worth(cell, orientation), orientation) for orientation in orientations]
        return max(found, key=lambda entry: entry[0])


def value(group: Group, own: bool) -> int:
    """The value of a group to its owner (`own`), or as a danger to the other player."""
    if not group.bridges:
        return 0
    liberties = len(group.liberties)
    if not liberties:
        worth = WON if own else LOST
    elif liberties <= 2 and not own:
        worth = THREAT
    else:
        worth = OPEN.get(liberties, FAR // liberties)
    return worth + BRIDGE * group.bridges


class Computer:
    """The computer players; `seed` starts the random numbers, which they share."""

    def __init__(self, seed: int) -> None:
        self.state = seed % MODULUS

    def below(self, n: int) -> int:
        """The next random number, 0 to n − 1."""
        self.state = (self.state * FACTOR + STEP) % MODULUS
        return self.state * n // MODULUS

    def tile(self, place: Place, level: str = HARD) -> tuple[Cell, int]:
        """The cell and orientation of the next tile of a player of this level."""
        finish = finishing(place)
        if finish is not None:
            return finish
        return self.easy(place) if level == EASY else self.hard(place)

    def easy(self, place: Place) -> tuple[Cell, int]:
        """The first of `DRAWS` random tiles that is worth more than `BAD`, or else the last."""
        cells = place.drawn()
        draws = 0
        while True:
            cell = cells[self.below(len(cells))]
            orientation = self.below(3) + 1
            if not place.allowed(cell):
                continue
            draws += 1
            if draws == DRAWS or place.worth(cell, orientation) > BAD:
                return cell, orientation

    def hard(self, place: Place) -> tuple[Cell, int]:
        """The best tile at the cell that matters most; if all are bad there, as EASY.

        A random orientation is favoured, so that matches differ. The first one if equal.
        """
        cell = next(mattering(place))
        favoured = self.below(3) + 1
        worths = [place.worth(cell, n) + WHIM * (n == favoured) for n in (1, 2, 3)]
        highest = max(worths)
        if highest > BAD:
            return cell, worths.index(highest) + 1
        return self.easy(place)


def finishing(place: Place) -> tuple[Cell, int] | None:
    """The tile that closes an own group, or leaves one liberty for the turn's second tile.

    Of several groups it takes the one with the fewest liberties, then the most bridges, then the
    oldest. Where the tile touches the group at one point, its tip goes there; at two points, its
    bridge; at three, it takes the best orientation.
    """
    own = [group for group in place.board.groups(place.colour) if in_reach(place, group)]
    if not own:
        return None
    group = min(own, key=urgency)
    cell = place.liberties(group)[0]
    touched = [point in group.points for point in cell.points(place.colour)]
    odd_one = {1: True, 2: False}.get(sum(touched))
    orientations = (1, 2, 3) if odd_one is None else (touched.index(odd_one) + 1,)
    worth, orientation = place.best(cell, orientations)
    return (cell, orientation) if worth > BAD else None


def in_reach(place: Place, group: Group) -> bool:
    """Tell whether the tiles left in the turn can close a group."""
    liberties = place.liberties(group)
    if not group.bridges or len(liberties) > place.left:
        return False
    if not all(cell.inside for cell in liberties):
        return False
    if place.beside:
        return liberties[0] in place.beside.neighbours()
    return not place.room or len(liberties) == 1 or liberties[1] in liberties[0].neighbours()


def urgency(group: Group) -> tuple[int, int]:
    """The sort key of groups: few liberties first, then many bridges."""
    return len(group.liberties), -group.bridges


def mattering(place: Place) -> Iterator[Cell]:
    """The allowed liberties of all groups with a bridge: few liberties first.

    Then come the other player's groups before own ones, many bridges, and older groups. For the
    second tile of an adjoining pair only the groups that the first one touches count.
    """
    other = DARK if place.colour == LIGHT else LIGHT
    groups = [
        (len(group.liberties), colour == place.colour, -group.bridges, group)
        for colour in (other, place.colour)
        for group in place.groups(colour)
        if group.bridges
    ]
    for *_, group in sorted(groups, key=lambda entry: entry[:3]):
        yield from filter(place.allowed, place.liberties(group))
