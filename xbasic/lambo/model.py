"""Lambo: hexagonal tiles with a dark and a light bridge; the first closed group wins.

Tiles and rules by Cameron Browne, © Cyberite Ltd 2008; published as Palago. Board and groups are in
`board`, computer players in `computer`. Where the rules leave a question open, the answer here is
as follows.

Turns
- A tile lies at M13, orientation A, from the start and counts as one of the SIZE tiles (12–48).
- Light places one tile, then Dark two, Light two, … If only one tile is left, one is placed.
- A tile must adjoin a tile on the board; the second of a turn need not adjoin the first.
  With option ADJACENT it must, and a first tile that would leave no empty cell beside it is refused
  unless it ends the match.
- Tiles lie within columns A–Y and rows 1–25.
- The first tile of a pair may be taken back before the second is placed.

The end, checked after each tile
- A closed group with at least one bridge wins for its colour, whoever closed it. If one tile closes
  such groups of both colours, the player who placed it loses. Groups without a bridge do not count.
- If no tile is left, the colour with the most bridges in one group, open or closed, wins; equal
  numbers are a draw.
- A player may resign.

RND is not used: the computer players have their own random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ti99tools.games.models.model import ENTER, Ask, Flow, Model, Player, Setup
from ti99tools.games.models.playlog import Event

from .board import DARK, FIELD, LIGHT, ORIENTATIONS, Board, Cell
from .computer import Computer, Place

COLOURS = (LIGHT, DARK)
"""The colours of seats 1 and 2."""
HUMAN = "H"
KINDS = "HEC"
"""Kinds of players: human, EASY, HARD."""
START = Cell.of("M13")
FIRST_CURSOR = Cell.of("M12")
MOST = 48
SIZES = range(12, MOST + 1)
SIZE, ADJACENT = "size", "adjacent"
"""Options of a setup: the number of tiles; `1` for ADJACENT."""

UP_KEYS, DOWN_KEYS = (ord("E"), 11), (ord("X"), 10)
LEFT_KEYS, RIGHT_KEYS = (ord("S"), 8), (ord("D"), 9)
STEPS = {
    **dict.fromkeys(UP_KEYS, (0, -1)),
    **dict.fromkeys(DOWN_KEYS, (0, 1)),
    **dict.fromkeys(LEFT_KEYS, (-1, 0)),
    **dict.fromkeys(RIGHT_KEYS, (1, 0)),
}
"""Key of the cursor → steps in columns and rows."""
TURNS = {ord("1"): 1, ord("2"): 2, ord("3"): 3}
NEXT = ord(" ")
TYPE, UNDO, BACK, HELP = ord("T"), ord("U"), 15, ord("0")
YES, NO = ord("Y"), ord("N")
ODD_LETTERS = "0123456789ADYZ"
"""Characters to try in a typed tile that may be refused."""


def text_of(cell: Cell, orientation: int) -> str:
    """A tile as in the log and as typed: M12B."""
    return cell.name + ORIENTATIONS[orientation - 1]


def next_typed(typed: str) -> str:
    """The characters that may follow in a tile's text."""
    columns, rows = "ABCDEFGHIJKLMNOPQRSTUVWXY", ("0123456789", "123456789", "012345")
    if len(typed) == 2:
        return {"0": rows[1], "1": rows[0], "2": rows[2]}[typed[1]]
    return {0: columns, 1: "012", 3: ORIENTATIONS}[len(typed)]


class Lambo(Model):
    """A match of Lambo."""

    game: ClassVar[str] = "LAMBO"
    version: ClassVar[str] = "1.0"
    letter: ClassVar[str] = "L"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        if len(setup.players) != 2:
            raise ValueError("Lambo is for two players")
        self.size = int(setup.options.get(SIZE, MOST))
        self.adjacent = setup.options.get(ADJACENT) == "1"
        self.board = Board({START: 1})
        self.computer = Computer(setup.seed)
        self.seat = 0
        self.placed: list[tuple[Cell, int]] = []
        self.pair = False
        self.cursor = FIRST_CURSOR
        self.orientation = 1
        self.typed: str | None = None
        self.resigning = False
        self.winner = 0
        """The seat that has won, 1 or 2; 0 during the match, and after a draw."""
        self.over = False

    def winner_seat(self) -> int | None:
        """The player who has won; None after a draw."""
        return self.winner - 1 if self.winner else None

    def final_score(self) -> int:
        """For the certificate: 100 times the seat that has won, plus the tiles on the board."""
        return 100 * self.winner + len(self.board.tiles)

    @property
    def bag(self) -> int:
        """The number of tiles left."""
        return self.size - len(self.board.tiles)

    @property
    def first(self) -> Cell | None:
        """The first tile of the pair, while the second is to be placed."""
        return self.placed[0][0] if self.pair and self.placed else None

    def play(self) -> Flow:
        """The match from its first event to its last."""
        kinds = [KINDS.index(player.kind) for player in self.setup.players]
        self.choose(self.size + 100 * kinds[0] + 300 * kinds[1] + 1000 * self.adjacent)
        self.say("SIZE", self.size)
        self.say("ADJACENT", int(self.adjacent))
        for seat, player in enumerate(self.setup.players, 1):
            self.say("PLAYER", seat, player.kind, player.name)
        tiles = 1
        while not self.over:
            self.say("TURN", self.seat + 1, self.bag)
            yield from self.turn(min(tiles, self.bag))
            tiles = 2
            self.seat = 1 - self.seat

    def turn(self, tiles: int) -> Flow:
        """One player's tiles, until all are placed or the match is over."""
        self.pair = tiles == 2
        self.placed = []
        kind = self.setup.players[self.seat].kind
        while len(self.placed) < tiles and not self.over:
            if kind == HUMAN:
                yield from self.key()
            else:
                self.place(*self.computer.tile(self.question(), kind))
        if not self.bag and not self.over:
            self.count()

    def question(self) -> Place:
        """The position and the rules that a computer player needs to place the next tile."""
        left = 2 if self.pair and not self.placed else 1
        beside = self.first if self.adjacent else None
        return Place(self.board, COLOURS[self.seat], left, beside, self.adjacent and left == 2)

    def place(self, cell: Cell, orientation: int) -> None:
        """Place a tile and log what it closes; that may end the match."""
        self.placed.append((cell, orientation))
        closed = self.board.place(cell, orientation)
        self.say("TILE", text_of(cell, orientation))
        for group in closed:
            self.say("CLOSED", group.colour, group.bridges)
        winners = {group.colour for group in closed if group.bridges}
        if len(winners) == 2:
            self.win(1 - self.seat, "BOTH")
        elif winners:
            self.win(COLOURS.index(winners.pop()), "CLOSED")

    def win(self, seat: int, how: str) -> None:
        """End the match: this player has won."""
        self.winner = seat + 1
        self.say("WIN", seat + 1, how)
        self.over = True

    def count(self) -> None:
        """No tile is left: the group with the most bridges wins."""
        dark, light = self.board.largest(DARK), self.board.largest(LIGHT)
        self.say("LARGEST", dark, light)
        if dark == light:
            self.say("DRAW")
            self.over = True
        else:
            self.win(COLOURS.index(DARK if dark > light else LIGHT), "OUT")

    def allowed(self, cell: Cell, orientation: int) -> bool:
        """Tell whether a tile may be placed there."""
        place = self.question()
        if place.allowed(cell) or cell not in place.cells():
            return place.allowed(cell)
        after = Board(self.board.tiles)
        return any(group.bridges for group in after.place(cell, orientation))

    def key(self) -> Flow:
        """Take one key of a human player."""
        key = yield self.ask()
        if self.resigning:
            self.resign(key)
        elif self.typed is not None:
            self.type(key)
        elif key in STEPS:
            self.move(key)
        elif key in TURNS:
            self.orientation = TURNS[key]
        elif key == NEXT:
            self.orientation = self.orientation % 3 + 1
        elif key == ENTER:
            self.try_tile(self.cursor, self.orientation, key)
        elif key == TYPE:
            self.typed = ""
        elif key == UNDO and self.placed:
            self.undo()
        elif key == BACK:
            self.resigning = True
        elif key != HELP:
            self.say("REFUSED", key)

    def resign(self, key: int) -> None:
        """Take the answer to RESIGN?"""
        if key == YES:
            self.choose(1)
            self.win(1 - self.seat, "RESIGNED")
        elif key != NO:
            self.say("REFUSED", key)
            return
        self.resigning = False

    def type(self, key: int) -> None:
        """Take a character of a typed tile; an invalid one cancels the tile."""
        assert self.typed is not None
        if chr(key) not in next_typed(self.typed):
            self.typed = None
            self.say("REFUSED", key)
            return
        self.typed += chr(key)
        if len(self.typed) == 4:
            cell, orientation = Cell.of(self.typed[:3]), ORIENTATIONS.index(self.typed[3]) + 1
            self.typed = None
            self.try_tile(cell, orientation, key)

    def move(self, key: int) -> None:
        """Move the cursor by one cell, unless that is outside the field."""
        columns, rows = STEPS[key]
        cell = Cell(self.cursor.column + columns, self.cursor.row + rows)
        if cell.inside:
            self.cursor = cell
        else:
            self.say("REFUSED", key)

    def try_tile(self, cell: Cell, orientation: int, key: int) -> None:
        """Place a human's tile, with the cursor on it, or refuse the key."""
        if self.allowed(cell, orientation):
            self.cursor, self.orientation = cell, orientation
            self.choose(1000 * orientation + 32 * cell.column + cell.row)
            self.place(cell, orientation)
        else:
            self.say("REFUSED", key)

    def undo(self) -> None:
        """Take back the first tile of a pair."""
        cell, _ = self.placed.pop()
        del self.board.tiles[cell]
        self.choose(0)
        self.say("UNDO")

    def ask(self) -> Ask:
        """The question for the next key."""
        safe, keys = self.safe_key(), self.keys()
        tempting = {ENTER, UNDO, *STEPS} if self.typed is None else set(map(ord, ODD_LETTERS))
        bold = ENTER if ENTER in keys else safe
        return Ask(self.seat, keys, safe, bold, tuple(sorted(tempting - set(keys))))

    def keys(self) -> tuple[int, ...]:
        """The keys that are not refused."""
        if self.resigning:
            return (YES, NO)
        if self.typed is not None:
            return tuple(map(ord, self.fitting(self.typed) or ORIENTATIONS))
        keys = [*TURNS, NEXT, TYPE, BACK, HELP]
        for key, (columns, rows) in STEPS.items():
            if self.cursor.column + columns in FIELD and self.cursor.row + rows in FIELD:
                keys.append(key)
        if self.allowed(self.cursor, self.orientation):
            keys.append(ENTER)
        if self.placed:
            keys.append(UNDO)
        return tuple(keys)

    def fitting(self, typed: str) -> str:
        """The characters that may follow in a tile's text; the last one must be allowed, too."""
        if len(typed) < 3:
            return next_typed(typed)
        cell = Cell.of(typed)
        return "".join(letter for n, letter in enumerate(ORIENTATIONS, 1) if self.allowed(cell, n))

    def safe_key(self) -> int:
        """The next key for typing the first tile that is allowed."""
        if self.resigning:
            return NO
        if self.typed is None:
            return TYPE
        cell = next(cell for cell in self.board.frontier() if self.allowed(cell, 1))
        return ord(text_of(cell, 1)[len(self.typed)])

    @classmethod
    def setup_of(cls, seed: int, events: Sequence[Event]) -> Setup:
        """The setup that a log records. Raises ValueError when it records none."""
        kinds = [event.kind for event in events[:4]]
        if kinds != ["SIZE", "ADJACENT", "PLAYER", "PLAYER"]:
            raise ValueError("the log does not tell the size, ADJACENT and both players")
        size, adjacent = ("".join(event.args) for event in events[:2])
        if not size.isdecimal() or int(size) not in SIZES or adjacent not in ("0", "1"):
            raise ValueError(f"the log tells no size from {SIZES[0]} to {MOST}, or not if ADJACENT")
        players = [event.args for event in events[2:4]]
        if any(len(args) != 3 or args[1] not in KINDS for args in players):
            raise ValueError("the log does not tell who plays")
        options = {SIZE: size, ADJACENT: adjacent}
        return Setup(seed, tuple(Player(kind, name) for _, kind, name in players), options)

    def keys_of(self, event: Event) -> Sequence[int]:
        """The keys of an event, see `Model`; tiles are typed.

        A refused key is typed as the first digit of a tile's row, where all keys but 0, 1 and 2 are
        refused; these three are typed as its column.
        """
        match event.kind, event.args:
            case ("TILE", (text,)):
                return [TYPE, *map(ord, text)]
            case ("UNDO", ()):
                return [UNDO]
            case ("WIN", (_, "RESIGNED")):
                return [BACK, YES]
            case ("REFUSED", (code,)) if code.isdecimal():
                letter = [] if code in ("48", "49", "50") else [ord("A")]
                return [TYPE, *letter, int(code)]
        return []
