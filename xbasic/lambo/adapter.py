"""Lambo for verification: its setups, its session's keys, the tiles and numbers on its screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase

from ti99tools.computer.console.keyscript import Asked, Snap, Step, Type, Until, Wait
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import (
    BLANK_SEED,
    MOST_SEED,
    NO_DRIVE,
    TROUBLE,
    WARM_UP,
    Adapter,
    log_switch,
)

from .board import DARK, FIELD, LIGHT, ORIENTATIONS, Board, Cell, render
from .model import ADJACENT, HUMAN, MOST, SIZE, SIZES, START
from .players import PLAYERS

TITLE = "1 PLAY"
COMPUTERS = ("IDA", "ADA")
"""Names that ENTER alone gives to computers."""
LEVELS = {"E": "1", "C": "2"}
"""Key of a computer's level."""
NAME_WIDTH = 8
DETOUR = "detour"
"""Option of a setup: what is visited on the way from the title."""
BY_THE_TITLE = "by the title"
"""A detour between two matches: title, instructions, results, everything named anew."""
DETOURS = ("instructions", "log off and on", "wrong keys", BY_THE_TITLE)
TROUBLES = (NO_DRIVE, "0", "1", "2", "5")
SEEDS = (0, 1, 6074, 6075, 12345, 99999999)
PAGE, PAGES = 60, 4
"""Frames to read a page of the instructions; no fewer pages than there are."""
RESULTS = (Type("3"), Until("ANY KEY"), Type(" "), Until(TITLE))

FIELD_ROWS = 20
RULER, STATUS = 20, 21
"""Rows (from 0) of the columns' letters and of whose turn it is."""
LEFT = 2
"""Column of the screen (from 0) where the field begins."""
WIDE = 14
"""Columns that the view shows."""
TILES, MARKED_TILES = 96, 112
"""First characters of the tiles, and of those of the last turn or of the group that won."""
COLOUR_OF = {"1": LIGHT, "2": DARK}
"""The colours of the seats as logs number them."""


def default_name(seat: int, kind: str) -> str:
    """The name that ENTER alone gives."""
    return f"P{seat + 1}" if kind == HUMAN else COMPUTERS[seat]


class LamboAdapter(Adapter):
    """See `Adapter`."""

    log_file = "LAMBOLOG"
    pace = 300
    looks = 4
    keeps_quit = True
    players = PLAYERS

    def setup(self, random: Random) -> Setup:
        """Humans and computers of both levels, any size, ADJACENT or not."""
        players = []
        for seat in range(2):
            kind = random.choice("HHHHEEC")
            name = default_name(seat, kind)
            if random.random() < 0.3:
                length = random.randint(1, NAME_WIDTH)
                name = "".join(random.choices(ascii_uppercase + "0123456789", k=length))
            players.append(Player(kind, name))
        options = {}
        if random.random() < 0.5:
            options[SIZE] = str(random.choice((12, 13, 14, 15, 16, 20, 24, 30)))
        elif random.random() < 0.2:
            options[SIZE] = str(random.choice(SIZES))
        if random.random() < 0.4:
            options[ADJACENT] = "1"
        if random.random() < 0.1:
            options[WARM_UP] = str(random.randrange(MOST_SEED))
        if all(player.kind != HUMAN for player in players) and random.random() < 0.5:
            options[BLANK_SEED] = "yes"
        if random.random() < 0.15:
            options[DETOUR] = random.choice(DETOURS)
        if options.get(DETOUR) == BY_THE_TITLE:
            options.setdefault(WARM_UP, str(random.randrange(MOST_SEED)))
        if BLANK_SEED not in options and random.random() < 0.06:
            options[TROUBLE] = random.choice(TROUBLES)
        seed = random.choice(SEEDS) if random.random() < 0.05 else random.randrange(MOST_SEED)
        return Setup(seed, tuple(players), options)

    def opening(self, setup: Setup) -> Sequence[Step]:
        """Title: play log on under its default name, play; players, options, seed."""
        detour = setup.options.get(DETOUR)
        wrong = [Type("X7 ")] if detour == "wrong keys" else []
        steps: list[Step] = [Until(TITLE), *wrong]
        if detour == "instructions":
            steps += self._instructions()
        if detour == "log off and on":
            steps += [Type("4\n"), Until("4 PLAY LOG: ON"), Type("4"), Until("4 PLAY LOG: OFF")]
        steps += [*log_switch("4", setup), Until("4 PLAY LOG: ON")]
        return [*steps, *self._settings(setup, wrong)]

    def _instructions(self) -> Sequence[Step]:
        """All pages and back, the results and back."""
        pages = [step for _ in range(PAGES) for step in (Type(" "), Wait(PAGE))]
        return [Type("2"), Wait(PAGE), *pages, Until(TITLE), *RESULTS]

    def _settings(self, setup: Setup, wrong: Sequence[Step] = ()) -> Sequence[Step]:
        """From the title to the match's first key."""
        steps: list[Step] = [Type("1")]
        for seat, player in enumerate(setup.players):
            steps += [Until("H HUMAN"), *wrong]
            if player.kind == HUMAN:
                steps.append(Type("H"))
            else:
                steps += [Type("C"), Until("1 EASY"), Type(LEVELS[player.kind])]
            typed = "" if player.name == default_name(seat, player.kind) else player.name
            steps += [Until("NAME?"), Type(f"{typed}\n")]
        size = setup.options.get(SIZE, str(MOST))
        steps.append(Until("12 TO 48"))
        steps += [Type("5\n")] if wrong else []
        steps.append(Type("\n" if size == str(MOST) else f"{size}\n"))
        adjacent = "Y" if setup.options.get(ADJACENT) == "1" else "N"
        return [*steps, Until("Y OR N"), *wrong, Type(adjacent), *self._seed(setup)]

    def _seed(self, setup: Setup) -> Sequence[Step]:
        typed = "" if BLANK_SEED in setup.options else str(setup.seed)
        return [Until("SEED?"), Type(f"{typed}\n")]

    def again(self, setup: Setup) -> Sequence[Step]:
        """Yes, play again; another seed. Or no, and the long way round."""
        if setup.options.get(DETOUR) == BY_THE_TITLE:
            back = [Until("PLAY AGAIN"), Type("N"), Until(TITLE), *self._instructions()]
            return [*back, *self._settings(setup)]
        return [Until("PLAY AGAIN"), Type("Y"), *self._seed(setup)]

    def closing(self) -> Sequence[Step]:
        """No further match; end the program, so that the log is closed."""
        question: list[Step] = [Until("PLAY AGAIN"), Asked(), Snap("end")]
        return [*question, Type("N"), Until(TITLE), Type("5"), Until()]

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """Each cell that the view reaches, and whose turn it is."""
        numbers: dict[str, object] = {}
        for column in FIELD:
            for row in FIELD:
                numbers[Cell(column, row).name] = UNSEEN
                numbers[f"{Cell(column, row).name} marked"] = UNSEEN
        for cell, row, column in view(rows):
            numbers[cell.name], numbers[f"{cell.name} marked"] = tile(rows, row, column)
        status = re.match(r" *(LIGHT|DARK) +(\w+) +(\d) OF (\d) BAG (\d+)", rows[STATUS])
        numbers["whose turn"] = status.groups() if status else None
        return numbers

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show: all tiles, which are marked, whose turn it is."""
        tiles = {START: 1}
        marked: set[Cell] = set()
        turn = Turn(0, 0, 0)
        for event in events:
            match event.kind, event.args:
                case "TURN", (seat, bag):
                    turn = Turn(
                        int(seat), int(bag), min(2 if tiles.keys() - {START} else 1, int(bag))
                    )
                case "TILE", (text,):
                    cell = Cell.of(text[:3])
                    tiles[cell] = ORIENTATIONS.index(text[3]) + 1
                    marked = {*marked, cell} if turn.placed else {cell}
                    turn.placed += 1
                case "UNDO", ():
                    tiles.popitem()
                    marked = set()
                    turn.placed = 0
        over = bool(events) and events[-1].kind in ("WIN", "DRAW")
        numbers: dict[str, object] = {}
        winners = marks_at_the_end(Board(tiles), events[-1]) if over else marked
        for column in FIELD:
            for row in FIELD:
                cell = Cell(column, row)
                numbers[cell.name] = tiles.get(cell, 0)
                if winners is not None:
                    numbers[f"{cell.name} marked"] = cell in (winners or marked)
        if not over and turn.seat:
            numbers["whose turn"] = turn.shown(setup)
        return numbers

    def board(self, events: Sequence[Event], setup: Setup) -> str:
        """The tiles as the model renders them."""
        tiles = {START: 1}
        for event in events:
            if event.kind == "TILE":
                tiles[Cell.of(event.args[0][:3])] = ORIENTATIONS.index(event.args[0][3]) + 1
            elif event.kind == "UNDO":
                tiles.popitem()
        return render(Board(tiles))


@dataclass
class Turn:
    """Whose turn it is, the bag when it began, its tiles, and those placed."""

    seat: int
    bag: int
    tiles: int
    placed: int = 0

    def shown(self, setup: Setup) -> tuple[str, ...]:
        """Colour, name, number of the next tile, tiles of the turn, tiles in the bag."""
        name = setup.players[self.seat - 1].name
        numbers = self.placed + 1, self.tiles, self.bag - self.placed
        return (("LIGHT", "DARK")[self.seat - 1], name, *map(str, numbers))


def marks_at_the_end(board: Board, end: Event) -> set[Cell] | None:
    """The tiles of the group that won; none for a match that no group won, None for several."""
    if end.kind == "DRAW" or end.args[1] == "RESIGNED":
        return set()
    groups = board.groups(COLOUR_OF[end.args[0]])
    largest = max(group.bridges for group in groups)
    if end.args[1] == "OUT":
        found = [group for group in groups if group.bridges == largest]
    else:
        found = [group for group in groups if group.closed and group.bridges]
    if len(found) != 1:
        return None
    return {cell for point in found[0].points for cell in point} & board.tiles.keys()


class Unseen:
    """A cell that the view does not reach: whatever it has will do."""

    def __eq__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "not in view"


UNSEEN = Unseen()


def view(rows: Sequence[str]) -> Iterator[tuple[Cell, int, int]]:
    """The cells that the screen shows, and the row and column (from 0) of their upper left."""
    letters = rows[RULER][LEFT:]
    first = next(n for n, letter in enumerate(letters) if letter != " ")
    west = ord(letters[first]) - ord("A") + 1 - first // 2
    number = next(n for n in range(0, FIELD_ROWS, 2) if rows[n][:LEFT].strip())
    top = 2 * int(rows[number][:LEFT]) + 1 - number
    for column in range(west, west + WIDE):
        for row in FIELD:
            cell = Cell(column, row)
            at = cell.height - top
            if cell.inside and 0 <= at < FIELD_ROWS - 1:
                yield cell, at, LEFT + 2 * (column - west)


def tile(rows: Sequence[str], row: int, column: int) -> tuple[object, bool]:
    """The orientation of the tile in a cell (0 for none) by its characters, and if it is marked."""
    upper, lower = (rows[row + n][column : column + 2] for n in (0, 1))
    if upper + lower == "    ":
        return 0, False
    codes = tuple(map(ord, (upper[0], lower[0], upper[1], lower[1])))
    for orientation in (1, 2, 3):
        for base in (TILES, MARKED_TILES):
            first = base + 4 * (orientation - 1)
            if codes == tuple(range(first, first + 4)):
                return orientation, base == MARKED_TILES
    return f"characters {codes}", False
