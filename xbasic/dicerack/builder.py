"""A player of Dice Rack who looks for good columns, so that goals are met and rounds follow.

Knows the rules: tries every shift and every gate for the die that waits, and takes what leaves the
most promising rack.
"""

from __future__ import annotations

from functools import cache
from random import Random

from ti99tools.games.models.model import ENTER, Ask, Model
from ti99tools.games.verify.scenario import REFUSABLE

from .model import FIRST_COLUMN, GATES, LEFT_KEYS, RIGHT_KEYS, SIZE, SPACE, DiceRack, Rack, hand

Gate = tuple[int, int]

PROMISE = (0.0, 1.5, 5.0, 14.0, 26.0, 50.0)
"""What so many dice of a value in a column are worth, as a multiple of the value."""
ROOM = 3.0
"""An empty column is worth this."""
STRANGER, TOP = 2.0, 6.0
"""A die of another value costs this, and a column whose top cell is taken."""
YES = ord("Y")
LETTERS = {gate: key for key, gate in GATES.items()}


def builder(model: Model, ask: Ask, _random: Random) -> int:
    """The best key found for the die that waits; always another round."""
    assert isinstance(model, DiceRack)
    if YES in ask.keys:
        return YES
    die, column, shifted = waiting(model)
    if shifted:
        gate = best(model.rack, die, (column,))[1]
        return LETTERS[gate] if gate else SPACE
    left, right = (column - 2) % SIZE + 1, column % SIZE + 1
    wanted = best(model.rack, die, (column, left, right))[0]
    return {column: ENTER, left: LEFT_KEYS[0], right: RIGHT_KEYS[0]}[wanted]


def fumbler(model: Model, ask: Ask, random: Random) -> int:
    """A builder whose finger slips on every tenth key, and often when a goal is met."""
    slips = random.random() < (0.5 if YES in ask.keys else 0.1)
    return random.choice(REFUSABLE) if slips else builder(model, ask, random)


PLAYERS = {"builder": builder, "fumbler": fumbler}


def waiting(model: DiceRack) -> tuple[int, int, bool]:
    """Value and column of the die that waits, and whether the first question is answered."""
    shifted = False
    column = die = 0
    for event in reversed(model.log):
        if event.kind == "DIE":
            die = int(event.args[1])
        elif event.kind in ("SHIFT", "STAY") and not die:
            shifted = True
            column = int(event.args[1]) if event.kind == "SHIFT" else 0
        elif event.kind == "DROP":
            return die, column or int(event.args[0]), shifted
        elif event.kind == "ROUND":
            break
    return die, column or FIRST_COLUMN, shifted


def best(rack: Rack, die: int, columns: tuple[int, ...]) -> tuple[int, Gate | None]:
    """Column and gate (None: leave them) that leave the most promising rack."""
    moves = [(column, gate) for column in columns for gate in (None, *rack.open)]
    return max(moves, key=lambda move: outcome(rack, die, *move))


def outcome(rack: Rack, die: int, column: int, gate: Gate | None) -> float:
    """How promising the rack is after a move, less what the move adds to the goal."""
    after = Rack()
    after.cells, after.open = dict(rack.cells), dict(rack.open)
    after.settled = set(rack.settled)
    if gate:
        after.toggle(gate)
    lost = 0 if after.drop(die, column) else 3 * die
    lost += 2 * after.settle(column)
    lines = range(1, SIZE + 1)
    columns = sum(promise(tuple(after.column(n))) - TOP * bool(after.cells[1, n]) for n in lines)
    return columns - sum(points(tuple(after.row(n))) for n in lines) - lost


@cache
def points(line: tuple[int, ...]) -> int:
    """See `hand`; the same lines come again and again."""
    return hand(line)


@cache
def promise(column: tuple[int, ...]) -> float:
    """What a column is worth or may become."""
    dice = [value for value in column if value]
    if not dice:
        return ROOM
    many, value = max((PROMISE[dice.count(v)] * v, v) for v in set(dice))
    return max(points(column), many - STRANGER * (len(dice) - dice.count(value)))
