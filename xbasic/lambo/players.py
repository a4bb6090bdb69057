"""Players of Lambo for verification: what general policies seldom reach.

A player has a tile in mind that the position and the number of events so far decide, so that it
stays the same from key to key; it types it or goes there with the cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import cast

from ti99tools.games.models.model import ENTER, Ask, Model
from ti99tools.games.verify.adapter import OwnPlayer

from .board import DARK, FIELD, LIGHT, Cell, Group
from .computer import Computer
from .model import BACK, COLOURS, HELP, NEXT, NO, TYPE, UNDO, Lambo, text_of

Tile = tuple[Cell, int]
Mind = Callable[[Lambo, Random], Tile]
"""The tile that a player has in mind, from the position and a random generator of its own."""

NEVER = ord("Z")
"""A key that is refused in every part of a typed tile, and elsewhere."""


def any_tile(model: Lambo, random: Random) -> Tile:
    """Any tile that is allowed."""
    cells = [cell for cell in model.board.frontier() if model.allowed(cell, 1)]
    return random.choice(cells), random.randint(1, 3)


def near_tile(model: Lambo, random: Random) -> Tile:
    """A tile that is allowed, near the cursor."""
    cells = [cell for cell in model.board.frontier() if model.allowed(cell, 1)]
    near = sorted(cells, key=lambda cell: distance(cell, model.cursor))
    return random.choice(near[:4]), random.randint(1, 3)


def distance(one: Cell, other: Cell) -> int:
    """Cursor keys from one cell to the other."""
    return abs(one.column - other.column) + abs(one.row - other.row)


def closing(colour: Callable[[Lambo], str]) -> Mind:
    """Closes groups of a colour, one liberty after the other."""

    def mind(model: Lambo, random: Random) -> Tile:
        groups = [g for g in model.board.groups(colour(model)) if g.bridges]
        for group in sorted(groups, key=lambda group: len(group.liberties)):
            for cell in sorted(group.liberties):
                if model.allowed(cell, 1):
                    return cell, closing_turn(group, cell)
        return any_tile(model, random)

    return mind


def closing_turn(group: Group, cell: Cell) -> int:
    """The orientation at a liberty of a group that adds none."""
    touched = [point in group.points for point in cell.points(group.colour)]
    odd_one = sum(touched) == 1
    return touched.index(odd_one) + 1 if odd_one in touched else 1


def own(model: Lambo) -> str:
    """The colour of the player whose turn it is."""
    return COLOURS[model.seat]


def others(model: Lambo) -> str:
    """The other's colour."""
    return COLOURS[1 - model.seat]


def double(model: Lambo, random: Random) -> Tile:
    """Towards a tile that closes groups of both colours: one liberty left, the same for both."""
    dark, light = ([g for g in model.board.groups(colour) if g.bridges] for colour in (DARK, LIGHT))
    pairs = [(one.liberties | other.liberties, one, other) for one in dark for other in light]
    shared = [pair for pair in pairs if pair[1].liberties & pair[2].liberties]
    for cells, one, other in sorted(shared, key=lambda pair: (len(pair[0]), sorted(pair[0]))):
        last = min(one.liberties & other.liberties)
        rest = sorted(cells - {last}) or [last]
        for cell in rest:
            turns = [closing_turn(group, cell) for group in (one, other) if cell in group.liberties]
            for turn in (*turns, 1, 2, 3):
                if model.allowed(cell, turn) and spares(model, cell, turn, alone=cell != last):
                    return cell, turn
    return any_tile(model, random)


def spares(model: Lambo, cell: Cell, turn: int, *, alone: bool) -> bool:
    """Tell whether a tile closes no group with a bridge; unless it is meant to (not `alone`)."""
    after = model.board.with_tile(cell, turn)
    ended = [c for c in (DARK, LIGHT) for g in after.groups_at(cell, c) if g.closed and g.bridges]
    return not ended if alone else len(set(ended)) == 2


def hole(model: Lambo, random: Random) -> Tile:
    """Encloses an empty cell, closing nothing, and tries to fill it even if that is refused."""
    frontier = model.board.frontier()
    rooms = {cell: [b for b in cell.neighbours() if b in frontier] for cell in frontier}
    holes = [cell for cell, room in rooms.items() if not room]
    if holes and model.log[-1].kind != "REFUSED" and random.random() < 0.7:
        return random.choice(holes), random.randint(1, 3)
    for cell in sorted(frontier, key=lambda cell: (len(rooms[cell]), cell)):
        for beside in rooms[cell]:
            turns = [turn for turn in (1, 2, 3) if spares(model, beside, turn, alone=True)]
            if turns and model.allowed(beside, turns[0]):
                return beside, random.choice(turns)
    return any_tile(model, random)


def edge(model: Lambo, random: Random) -> Tile:
    """Goes for an edge of the field, and over it."""
    ways = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1))
    columns, rows = ways[model.setup.seed % len(ways)]
    cells = [cell for cell in model.board.frontier() if model.allowed(cell, 1)]
    cell = max(cells, key=lambda cell: (columns * cell.column + rows * cell.row, cell))
    turns = [turn for turn in (1, 2, 3) if spares(model, cell, turn, alone=True)]
    return cell, random.choice(turns or [1])


def long_game(model: Lambo, random: Random) -> Tile:
    """Closes nothing as long as it can: the tiles run out."""
    for _ in range(20):
        cell, turn = any_tile(model, random)
        if spares(model, cell, turn, alone=True):
            break
    return cell, turn


def clever(model: Lambo, _random: Random) -> Tile:
    """As the computer would at its best, but for its whims."""
    return Computer(len(model.log)).tile(model.question())


def player(mind: Mind, *, typed: float = 0.5, undo: float = 0.0, odd: float = 0.05) -> OwnPlayer:
    """A player with a mind.

    `typed`: how often it types a tile; `undo`: how often it takes a first tile back; `odd`: how
    often it presses a key that has nothing to do with its tile.
    """

    def key(model: Model, ask: Ask, random: Random) -> int:
        lambo = cast(Lambo, model)
        if lambo.resigning:
            return NO
        own_random = Random(f"{model.setup.seed} {len(model.log)}")
        if random.random() < odd:
            return random.choice((NEXT, HELP, BACK, NEVER, *ask.tempting, *ask.keys))
        if lambo.typed is None and UNDO in ask.keys and own_random.random() < undo:
            return UNDO
        types = own_random.random() < typed
        return towards(lambo, mind(lambo, own_random), types)

    return key


def towards(model: Lambo, tile: Tile, types: bool) -> int:
    """The next key that leads to a tile."""
    cell, orientation = tile
    text = text_of(cell, orientation)
    if model.typed is not None:
        return ord(text[len(model.typed)]) if text.startswith(model.typed) else NEVER
    if types:
        return TYPE
    if model.orientation != orientation:
        return ord(str(orientation))
    if cell.column != model.cursor.column:
        return ord("D") if cell.column > model.cursor.column else ord("S")
    if cell.row != model.cursor.row:
        return ord("X") if cell.row > model.cursor.row else ord("E")
    return ENTER


def wanderer(model: Model, ask: Ask, random: Random) -> int:
    """Walks to the edges of the field and over them before it plays."""
    lambo = cast(Lambo, model)
    if lambo.typed is None and not lambo.resigning and len(model.log) < 40:
        way = (11, 10, 8, 9, *map(ord, "EXSD"))[(len(model.log) + model.setup.seed) % 8]
        if random.random() < 0.97 and lambo.cursor.column in FIELD:
            return way
    return player(any_tile)(model, ask, random)


PLAYERS: Mapping[str, OwnPlayer] = {
    "typist": player(any_tile, typed=1),
    "walker": player(near_tile, typed=0),
    "closer": player(closing(own)),
    "giver": player(closing(others)),
    "double": player(double),
    "hole": player(hole),
    "edge": player(edge, typed=0.8),
    "long game": player(long_game, typed=0.8),
    "clever": player(clever),
    "undo": player(near_tile, undo=0.6),
    "odd keys": player(any_tile, odd=0.4),
    "wanderer": wanderer,
}
"""The players that know Lambo."""
