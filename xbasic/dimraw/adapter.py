"""Dimraw for verification: setups, the keys of a session, the board and numbers on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from string import ascii_uppercase, digits

from ti99tools.computer.console.keyscript import Joystick, Press, Step, Type, Until, Wait
from ti99tools.games.hosts.host import Files
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import AGAIN, BLANK_SEED, TROUBLE, TROUBLES, WARM_UP, Adapter

from .drawing import render
from .model import CAPTURES, DEFAULTS, EASY, FULL, HARD, HUMAN, KINDS, LETTER, MEN, PLACES, POINTS
from .players import PLAYERS

DETOUR = "detour"
"""Option of a setup: what is visited on the way from the title."""
BY_THE_TITLE = "by the title"
"""A detour between two matches: title, last matches, play."""
STICK = "joystick"
"""A detour at the first question: the cursor goes right and back by joystick 1; then a key that
does nothing there, as the first key after the stick must be held until it is seen."""
DETOURS = ("instructions", "last matches", "log off and on", "wrong keys", BY_THE_TITLE, STICK)
RESULTS, RESULTS_FILE = "results", "DIMRAWRES"
"""Option of a setup: the lines of the file of last matches that is on the disk; the file."""
SOME_RESULTS = ("ANNA BEAT HARD,7,31\nHARD DREW ANNA,6,100", "HELLO", "ANNA BEAT HARD,7")
LAST_MATCHES: tuple[Step, ...] = (Type("3"), Until("ANY KEY"), Type(" "), Until(Adapter.title))
TILT = 60
"""Frames that the joystick is held, and that pass before the next time."""
PAGE, PAGES = 60, 7
"""Frames to read a page of the instructions; no fewer pages than there are."""
SEEDS = (0, 1, 9, 10, 6075, 99999999)

FIRST_KINDS = (HUMAN, EASY)
"""What the seats are when the program starts."""
NAMES = ({HUMAN: "WHITE", EASY: "EASY", HARD: "HARD"}, {HUMAN: "RED", EASY: "EASY", HARD: "HARD"})
LONGEST_NAME = 7

MAN, EMPTY = {112: 1, 116: 1, 120: 2, 124: 2}, "abc"
"""Upper left character of a man → side; the characters of an empty point, its letter follows."""
PANEL = slice(23, 30)
SEAT_ROWS = (0, 9)
SAY, ASK = 21, 22
QUESTIONS = {
    "place": "PLACE A MAN",
    "man": "MOVE WHICH MAN?",
    "to": "WHERE TO?",
    "take": "TAKE A MAN OFF",
    "resign": "RESIGN? Y OR N",
}


WON = {"MEN": "TWO MEN LEFT", "RESIGNED": "RESIGNED"}
DRAWN = {"FULL": "NOBODY CAN MOVE", "QUIET": "100 QUIET MOVES"}
"""What the screen says after the winner's name, by the log's word."""


class DimrawAdapter(Adapter):
    """See `Adapter`."""

    pace = 1200
    looks = 6
    keeps_quit = True
    players = PLAYERS

    def setup(self, random: Random) -> Setup:
        """Two seats, human or computer, all options; now and then a match before, or a detour."""
        players = []
        for seat in range(2):
            kind = random.choice((HUMAN, HUMAN, HUMAN, EASY, HARD))
            name = NAMES[seat][kind]
            if random.random() < 0.3:
                length = random.randint(1, LONGEST_NAME)
                name = "".join(random.choices(ascii_uppercase + digits, k=length))
            players.append(Player(kind, name))
        options = {
            "men": random.choice((*MEN, "12/16")),
            "capture": random.choice(("4", "4", *CAPTURES)),
            "full": random.choice(("OPEN", *FULL)),
        }
        seed = random.choice(SEEDS) if random.random() < 0.05 else random.randrange(10**8)
        if random.random() < 0.08:
            options[WARM_UP] = str(random.randrange(10**8))
        if random.random() < 0.2:
            options[DETOUR] = random.choice(DETOURS)
        if options.get(DETOUR) == BY_THE_TITLE:
            options.setdefault(WARM_UP, str(random.randrange(10**8)))
        if all(player.kind != HUMAN for player in players) and random.random() < 0.5:
            options[BLANK_SEED] = "yes"
        elif random.random() < 0.06:
            options[TROUBLE] = random.choice(TROUBLES)
        elif random.random() < 0.1:
            options[RESULTS] = random.choice(SOME_RESULTS)
        return Setup(seed, tuple(players), options)

    def files(self, setup: Setup) -> Files:
        """The last matches, if the setup has any."""
        lines = setup.options.get(RESULTS, "").splitlines()
        return {RESULTS_FILE: lines} if lines else {}

    def opening(self, setup: Setup) -> Sequence[Step]:
        """Title: play log on under its default name, play; who plays and how; the seed."""
        detour = setup.options.get(DETOUR)
        steps: list[Step] = [Until(self.title)]
        if detour == "wrong keys":
            steps.append(Type("X7 "))
        if detour == "instructions":
            pages = [step for _ in range(PAGES) for step in (Type(" "), Wait(PAGE))]
            steps += [Type("2"), Wait(PAGE), *pages, Until(self.title)]
        if detour == "last matches":
            steps += LAST_MATCHES
        if detour == "log off and on":
            steps += [Type("4\n"), Until("4 PLAY LOG: ON"), Type("4"), Until("4 PLAY LOG: OFF")]
        steps += [*self.log_on(setup), Type("1"), Until("ENTER BEGINS")]
        if detour == "wrong keys":
            steps.append(Type("X8 "))
        steps += [Type(chosen(setup)), *self.seed(setup)]
        if detour == STICK and setup.players[0].kind == HUMAN:
            steps.append(Until(QUESTIONS["place"]))
            for x in (4, -4):
                steps += [Joystick(1, x=x), Wait(TILT), Joystick(1), Wait(TILT)]
            steps.append(Press("LEFT", hold=TILT))
        return steps

    def again(self, setup: Setup) -> Sequence[Step]:
        """Yes, play again; another seed. Or no, and the long way round."""
        if setup.options.get(DETOUR) != BY_THE_TITLE:
            return super().again(setup)
        back = [Until(AGAIN), Type("N"), Until(self.title), *LAST_MATCHES, Type("1")]
        return [*back, Until("ENTER BEGINS"), Type("\n"), *self.seed(setup)]

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """The men on the board, hands, men taken, scores, the move, the question."""
        numbers: dict[str, object] = {"board": "".join(block(rows, point) for point in POINTS)}
        for seat, top in enumerate(SEAT_ROWS, 1):
            panel = [row[PANEL].strip() for row in rows[top : top + 7]]
            numbers[f"name of player {seat}"] = panel[2]
            numbers[f"hand of player {seat}"] = panel[1].split()[-1]
            numbers[f"men taken by player {seat}"] = panel[3].removeprefix("TOOK").strip()
            numbers[f"small men of player {seat}"] = len(panel[4] + panel[5])
            numbers[f"score of player {seat}"] = panel[6].removeprefix("PTS").strip()
        numbers["move"] = rows[19][PANEL].removeprefix("MOVE").strip()
        numbers["question"] = rows[ASK].strip()
        numbers["end"] = rows[SAY].strip()
        return numbers

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show after these events."""
        return Told(events, setup).numbers()

    def board(self, events: Sequence[Event], setup: Setup) -> str:
        """The points as the model renders them, 1 and 2 the men."""
        return render(list(map(int, Told(events, setup).men)))


def chosen(setup: Setup) -> str:
    """The keys of the page of a new match: each seat's kind and name, the options, ENTER."""
    keys = ""
    for seat, player in enumerate(setup.players):
        times = (KINDS.index(player.kind) - KINDS.index(FIRST_KINDS[seat])) % len(KINDS)
        keys += str(2 * seat + 1) * times
        if player.name != NAMES[seat][player.kind]:
            keys += f"{2 * seat + 2}{player.name}\n"
    options = {**DEFAULTS, **setup.options}
    keys += "5" * list(MEN).index(options["men"])
    keys += "6" * CAPTURES.index(options["capture"])
    return keys + "7" * FULL.index(options["full"]) + "\n"


def block(rows: Sequence[str], point: int) -> str:
    """What stands on a point of the picture: 0 empty, 1 and 2 a man, ? neither."""
    x, y = PLACES[point]
    row, column = 18 - 3 * y, 2 + 3 * x
    found = rows[row][column : column + 2] + rows[row + 1][column : column + 2]
    if found == EMPTY + chr(LETTER + point):
        return "0"
    first = ord(found[0])
    whole = first in MAN and found == "".join(chr(first + n) for n in (0, 2, 1, 3))
    return str(MAN[first]) if whole else "?"


class Told:
    """A match as its events tell it."""

    def __init__(self, events: Sequence[Event], setup: Setup) -> None:
        self.names = [player.name for player in setup.players]
        options = {**DEFAULTS, **setup.options}
        self.hands = list(MEN[options["men"]])
        self.opens = options["full"] == "OPEN"
        self.men = ["0"] * len(POINTS)
        self.taken, self.score = [0, 0], [0, 0]
        self.moves = self.side = 0
        self.question = self.before = self.end = ""
        for event in events:
            self.tell(event.kind, event.args)

    def tell(self, kind: str, args: tuple[str, ...]) -> None:
        """One event."""
        side = self.side
        match kind:
            case "TURN":
                self.side = int(args[0]) - 1
                self.moves += self.side == 0
                full = self.opens and "0" not in self.men
                self.question = "take" if full else self.next_action()
            case "PLACE":
                self.men[int(args[0])] = str(side + 1)
                self.hands[side] -= 1
            case "FROM":
                self.question = "man" if args == ("-",) else "to"
            case "MOVE":
                self.men[int(args[0])] = "0"
                self.men[int(args[1])] = str(side + 1)
            case "MILL":
                self.question = "take"
                self.score[side] += int(args[2])
            case "TAKE" | "OPEN":
                self.men[int(args[0])] = "0"
                self.taken[side] += 1
                if kind == "OPEN":
                    self.side = 1 - side
                    full = self.men.count("0") == 1
                    self.question = "take" if full else self.next_action()
            case "BACK":
                self.before, self.question = self.question, "resign"
            case "STAY":
                self.question = self.before
            case "WIN":
                self.question, self.end = "", f"{self.names[int(args[0]) - 1]} WINS! {WON[args[1]]}"
            case "DRAW":
                self.question, self.end = "", f"A DRAW! {DRAWN[args[0]]}"

    def next_action(self) -> str:
        """What a player is asked who may place or move."""
        return "place" if self.hands[self.side] else "man"

    def numbers(self) -> dict[str, object]:
        """What the screen must show."""
        numbers: dict[str, object] = {"board": "".join(self.men), "move": str(self.moves)}
        for seat in (1, 2):
            numbers[f"name of player {seat}"] = self.names[seat - 1]
            numbers[f"hand of player {seat}"] = str(self.hands[seat - 1])
            numbers[f"men taken by player {seat}"] = str(self.taken[seat - 1])
            numbers[f"small men of player {seat}"] = self.taken[seat - 1]
            numbers[f"score of player {seat}"] = str(self.score[seat - 1])
        if self.end:
            numbers["end"] = self.end
        else:
            numbers["question"] = f"{self.names[self.side]}: {QUESTIONS[self.question]}"
        return numbers
