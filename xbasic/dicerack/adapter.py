"""Dice Rack for verification: its session's keys, and the numbers and dice on its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from string import ascii_uppercase

from ti99tools.computer.console.keyscript import Rest, Step, Type, Until, Wait
from ti99tools.games.hosts.host import Files
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import AGAIN, TROUBLE, TROUBLES, WARM_UP, Adapter

from .builder import PLAYERS
from .model import GATES, LADDER, SIZE, Rack

DETOUR = "detour"
"""Option of a setup: what is visited on the way from the title."""
BY_THE_TITLE = "by the title"
"""A detour between two games: title, high scores, play."""
DETOURS = ("instructions", "high scores", "log off and on", "wrong keys", BY_THE_TITLE)
SCORES, SCORES_FILE = "high scores", "RACKHI"
"""Option of a setup: the names of high scores that are on the disk, each of less points; the file.
"""
TITLE = "5 END"
"""The title's first line after the look at a key that is down already and answers nothing."""
HIGH_SCORES: tuple[Step, ...] = (Type("3"), Until("ANY KEY"), Type(" "), Until(TITLE))
PAGE, PAGES = 60, 6
"""Frames to read a page of the instructions; no fewer pages than there are."""
SEEDS = (0, 1, 9, 10, 99, 100, 12345, 99999999)
TALLY = 1200
"""Frames that the tally takes at most, and the way to the question after it."""
SETTLED = 300
"""Frames without a change on the screen after which nothing but a question can follow."""
SETTLE: tuple[Step, ...] = (Rest(SETTLED), Type("\n"))
"""ENTER leaves the name of a high score as it is; where none is asked it is refused."""

WHITE_DIE = 92
"""A white die of value v has the characters from this + 4·v on, the upper left one first."""
RED_DIE = 119
"""A red die of value v is the character this + v."""
PANEL = slice(21, 30)
"""Columns at the right of the screen, each row with a word and a number."""
PANEL_ROWS = {"columns": 0, "rows": 1, "goal now": 5, "result": 3}
GATE_ROWS = (4, 7, 10, 13)
GATES_SHOWN = {"~": "-", ">": "+"}
"""How a gate shows, at the right of its letter."""
RED_ROW = 17
NEXT = (0, 28)
"""Row and column (from 0) of the next die."""
FALLEN = ((7, slice(25, 30)), (8, slice(21, 30)), (17, slice(20, 30)))
"""Rows and columns (from 0) where dice that fell out are, one after the other."""
STATUS = {"round": slice(2, 10), "last": slice(11, 20), "total": slice(20, 30)}
"""Columns of the last row: each with a word and a number."""


class DiceRackAdapter(Adapter):
    """See `Adapter`."""

    title = TITLE
    log_file = "RACKLOG"
    pace = TALLY
    looks = 4
    keeps_quit = True
    pauses = True
    players = PLAYERS

    def setup(self, random: Random) -> Setup:
        """One player; any seed; now and then a game before, or a detour."""
        seed = random.choice(SEEDS) if random.random() < 0.05 else random.randrange(10**8)
        options = {}
        if random.random() < 0.3:
            options[LADDER] = "yes"
        if random.random() < 0.1:
            options[WARM_UP] = str(random.randrange(10**8))
        if random.random() < 0.2:
            options[DETOUR] = random.choice(DETOURS)
        if options.get(DETOUR) == BY_THE_TITLE:
            options.setdefault(WARM_UP, str(random.randrange(10**8)))
        if random.random() < 0.08:
            options[TROUBLE] = random.choice(TROUBLES)
        elif random.random() < 0.1:
            options[SCORES] = random.choice(("ANNA BOB CLARA DAVE EVE", "ANNA - - - -", "X"))
        return Setup(seed, (Player("H", "PLAYER"),), options)

    def files(self, setup: Setup) -> Files:
        """The high scores, if the setup has any; one name alone makes a damaged file."""
        names = setup.options.get(SCORES, "").split()
        rows = [high_score(name.strip("-"), 600 - 100 * n) for n, name in enumerate(names)]
        return {SCORES_FILE: rows} if names else {}

    def opening(self, setup: Setup) -> Sequence[Step]:
        """Title: play log on under its default name, play; the seed."""
        detour = setup.options.get(DETOUR)
        steps: list[Step] = [Until(self.title)]
        if detour == "wrong keys":
            steps.append(Type("X8 "))
        if detour == "instructions":
            steps += [Type("2"), Wait(PAGE)]
            for _ in range(PAGES):
                steps += [Type(" "), Wait(PAGE)]
            steps.append(Until(self.title))
        if detour == "high scores":
            steps += HIGH_SCORES
        if detour == "log off and on":
            steps += [Type("4\n"), Until("4 PLAY LOG: ON"), Type("4"), Until("4 PLAY LOG: OFF")]
        return [*steps, *self.log_on(setup), Type(_play(setup)), *self.seed(setup)]

    def again(self, setup: Setup) -> Sequence[Step]:
        """Yes, play again; another seed. Or no, and the long way round."""
        if setup.options.get(DETOUR) == BY_THE_TITLE:
            back = [*SETTLE, Until(AGAIN), Type("N"), Until(self.title), *HIGH_SCORES]
            return [*back, Type(_play(setup)), *self.seed(setup)]
        return [*SETTLE, *super().again(setup)]

    def closing(self) -> Sequence[Step]:
        """No further game; end the program, so that the log is closed."""
        return [*SETTLE, *super().closing()]

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """All dice and gates, the points of all lines, the goal's additions, the scoreboard."""
        numbers: dict[str, object] = {}
        for name, row in PANEL_ROWS.items():
            numbers[name] = rows[row][PANEL].strip().lstrip(ascii_uppercase + " ")
        for row in range(1, SIZE + 1):
            cells = (white_die(rows, 3 * row - 1, 3 * column) for column in range(1, SIZE + 1))
            numbers[f"row {row} of the rack"] = "".join(cells)
            numbers[f"points of row {row}"] = rows[3 * row][18:21].strip()
        for column in range(1, SIZE + 1):
            above = slice(3 * column - 1, 3 * column + 2)
            numbers[f"points of column {column}"] = (rows[0][above] + rows[1][above]).strip()
        gates = [rows[row][at : at + 2] for row in GATE_ROWS for at in range(3, 18, 3)]
        numbers["gates"] = "".join(gate[0] + GATES_SHOWN.get(gate[1], "?") for gate in gates)
        numbers["next die"] = white_die(rows, *NEXT)
        numbers["Red Row"] = "".join(red_die(rows[RED_ROW][3 * n]) for n in range(1, SIZE + 1))
        fallen = (red_die(cell) for row, columns in FALLEN for cell in rows[row][columns])
        numbers["fallen out"] = "".join(fallen).rstrip("0")
        for name, columns in STATUS.items():
            numbers[name] = rows[23][columns].strip().lstrip(ascii_uppercase + " ")
        return numbers

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show: the round as it stands, the last score and the sum."""
        start = max((n for n, event in enumerate(events) if event.kind == "ROUND"), default=0)
        numbers = _round(events[start:])
        number = last = result = ""
        total = "0"
        for event in events:
            if event.kind == "ROUND":
                number = event.args[0]
            elif event.kind == "RESULT":
                result = event.args[0]
            elif event.kind == "SCORE":
                last, total = result, event.args[0]
        numbers["total"] = total
        over = events[-1] == Event("ANOTHER", ("0",)) or any(e.kind == "MISSED" for e in events)
        if not over:
            numbers["round"], numbers["last"] = number, last
        return numbers


def _play(setup: Setup) -> str:
    """The title's key: an ordinary match, or the ladder."""
    return "6" if LADDER in setup.options else "1"


def _round(events: Sequence[Event]) -> dict[str, object]:
    """The numbers, dice and gates of a round up to here."""
    numbers: dict[str, object] = {}
    sums = {"COLUMN": 0, "ROW": 0}
    red, fallen = ["0"] * SIZE, ""
    rack = Rack()
    for event in events:
        kind, args = event.kind, event.args
        if kind == "ROUND":
            numbers["goal now"] = args[2]
        elif kind == "DIE":
            numbers["next die"] = args[2]
        elif kind == "GATE":
            rack.toggle(GATES[ord(args[0])])
        elif kind == "RACK":
            for row, cells in enumerate(args, 1):
                rack.cells.update({(row, n): int(die) for n, die in enumerate(cells, 1)})
        elif kind == "RED":
            red[int(args[0]) - 1] = args[1]
            numbers["goal now"] = args[2]
        elif kind == "OUT":
            fallen += args[0]
            numbers["goal now"] = args[1]
        elif kind in ("COLUMN", "ROW"):
            sums[kind] += int(args[1])
            numbers[f"points of {kind.lower()} {args[0]}"] = args[1]
        elif kind == "RESULT":
            numbers["result"], numbers["goal now"] = args
            numbers["columns"], numbers["rows"] = str(sums["COLUMN"]), str(sums["ROW"])
            numbers.pop("next die")
    for row in range(1, SIZE + 1):
        numbers[f"row {row} of the rack"] = "".join(map(str, rack.row(row)))
    numbers["gates"] = "".join(chr(key) + "-+"[rack.open[gate]] for key, gate in GATES.items())
    numbers["Red Row"], numbers["fallen out"] = "".join(red), fallen
    return numbers


def high_score(name: str, points: int) -> bytes:
    """A record of the high scores: the name and the points (a multiple of 100; 0 for nobody).

    INTERNAL: each item with its length before it; 300 is 3 · 100 to the first: 41 03 00 … 00.
    """
    number = bytes((0x41, points // 100)) if name else b""
    return bytes((len(name),)) + name.encode() + b"\x08" + number.ljust(8, b"\0")


def white_die(rows: Sequence[str], row: int, column: int) -> str:
    """The value of the white die whose upper left character stands there, 0 for none."""
    return str(max(0, (ord(rows[row][column]) - WHITE_DIE) // 4))


def red_die(cell: str) -> str:
    """The value of the red die that this character is, 0 for none."""
    value = ord(cell) - RED_DIE
    return str(value if 1 <= value <= 6 else 0)
