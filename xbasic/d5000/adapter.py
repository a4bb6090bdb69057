"""D5000 for verification: its setups, its session's keys, the numbers on its scorepad."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from string import ascii_uppercase

from ti99tools.computer.console.keyscript import Step, Type, Until, Wait
from ti99tools.games.hosts.host import Files
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import AGAIN, BLANK_SEED, TROUBLE, TROUBLES, WARM_UP, Adapter

NAME_WIDTH = (10, 10, 8, 6, 5, 4)
"""Longest name, and width of a column, with 1–6 players."""
FIRST_COLUMN = (12, 6, 4, 3, 2, 2)
"""Screen column (1–32) of the first player's column, with 1–6 players."""
COMPUTERS = {"T": "TEX", "A": "ADA", "G": "GUS", "I": "IDA"}
"""Kinds of computer players, and their names."""
DETOUR = "detour"
"""Option of a setup: what is visited on the way from the title."""
BY_THE_TITLE = "by the title"
"""A detour between two matches: title, instructions, high scores, the players named anew."""
PAGE, PAGES = 60, 12
"""Frames to read a page of the instructions; no fewer pages than there are."""
TITLE = "4 PLAY LOG:"
"""The line of the title that is shown last: a key that was down before answers nothing."""
HIGH_SCORES: tuple[Step, ...] = (Type("3"), Until("ANY KEY"), Type(" "), Until(TITLE))
SETTINGS, SETTINGS_FILE = "settings", "D5000INT"
"""Option of a setup: the lines of a settings file; and the file's name."""
KEYS = tuple(
    """
    WRITFORE WRITBACK GRIDFORE GRIDBACK DICEFORE DICEBACK MESSFORE MESSBACK MESSTIME SCORFORE
    SCORBACK CUTEFORE CUTEBACK NAMEFORE NAMEBACK ROLLDRAG ROLLDICE NONSENSE
    """.split()
)
TURN_ROWS = range(3, 9)
TOTAL_ROW, STATUS_ROW = 10, 12
POINTS = {"BANK": "", "BUST": "0", "FIVE": "WIN!"}
"""What a turn that ends with this event leaves in its row; empty: the event's points."""
RARE = ((188, 2), (690, 2), (788, 3), (1304, 3))
"""Seed and number of players like IDA in matches with five of a kind in the last round."""
SEEDS = (0, 1, 9, 10, 99, 100, 12345, 99999999)


def settings(random: Random) -> list[str]:
    """Lines of a settings file, good and bad ones; now and then none at all."""
    lines = []
    for _ in range(random.choice((0, 1, 3, 8, 24))):
        key = random.choice(KEYS)
        value = random.choice((*range(20), 50, 51, "", "x", "-1", "TRUE", "true", "1.5"))
        line = f"{key}{random.choice(('=', ' ', ' = ', '  ', ''))}{value}"
        line = random.choice(
            (line, line, line.lower(), f"  {line}  ", "! a remark", "", ":T", "HELLO")
        )
        lines.append(line[:80])
    return lines


NAME_DIGITS = str.maketrans('"`{|}~\x7f#$%', "0123456789")
"""The characters that stand for digits of names, in their colour."""


def default_names(kinds: str) -> list[str]:
    """The names that ENTER alone gives; a second of a kind has its seat's number."""
    names = []
    for seat, kind in enumerate(kinds, 1):
        name = COMPUTERS.get(kind, "P")
        names.append(name + str(seat) * (kind == "H" or kind in kinds[: seat - 1]))
    return names


class D5000Adapter(Adapter):
    """See `Adapter`."""

    title = TITLE
    looks = 4
    keeps_quit = True
    pauses = True

    def setup(self, random: Random) -> Setup:
        """1–6 players, any of them human or computer, with default or other names."""
        if random.random() < 0.03:
            seed, count = random.choice(RARE)
            names = default_names("I" * count)
            return Setup(seed, tuple(Player("I", name) for name in names))
        count = random.choice((1, 2, 2, 2, 3, 3, 4, 5, 6))
        kinds = "".join(random.choice(("H", "H", random.choice("TAGI"))) for _ in range(count))
        players = []
        for kind, usual in zip(kinds, default_names(kinds), strict=True):
            name = usual
            if random.random() < 0.3:
                length = random.randint(1, NAME_WIDTH[count - 1])
                name = "".join(random.choices(ascii_uppercase + "0123456789", k=length))
            players.append(Player(kind, name))
        seed = random.choice(SEEDS) if random.random() < 0.05 else random.randrange(10**8)
        options = {}
        if random.random() < 0.1:
            options[WARM_UP] = str(random.randrange(10**8))
        if "H" not in kinds and random.random() < 0.5:
            options[BLANK_SEED] = "yes"
        if random.random() < 0.2:
            detours = ("instructions", "log off and on", "wrong keys", BY_THE_TITLE)
            options[DETOUR] = random.choice(detours)
        if options.get(DETOUR) == BY_THE_TITLE:
            options.setdefault(WARM_UP, str(random.randrange(10**8)))
        if random.random() < 0.25:
            options[SETTINGS] = "\n".join(settings(random))
        elif BLANK_SEED not in options and random.random() < 0.08:
            options[TROUBLE] = random.choice(TROUBLES)
        return Setup(seed, tuple(players), options)

    def files(self, setup: Setup) -> Files:
        """The settings file, if the setup has one of its own; an empty one is no file at all."""
        if SETTINGS not in setup.options:
            return {}
        return {SETTINGS_FILE: setup.options[SETTINGS].splitlines() or None}

    def opening(self, setup: Setup) -> Sequence[Step]:
        """Title: play log on under its default name, play; players, names, seed."""
        detour = setup.options.get(DETOUR)
        wrong = [Type("X7 ")] if detour == "wrong keys" else []
        steps: list[Step] = [Until(self.title), *wrong]
        if detour == "instructions":
            steps += self._instructions()
        if detour == "log off and on":
            steps += [Type("4\n"), Until("4 PLAY LOG: ON"), Type("4"), Until("4 PLAY LOG: OFF")]
        return [*steps, *self.log_on(setup), *self._players(setup, wrong)]

    def _instructions(self) -> Sequence[Step]:
        """All pages and back, the high scores and back."""
        pages = [step for _ in range(PAGES) for step in (Type(" "), Wait(PAGE))]
        return [Type("2"), Wait(PAGE), *pages, Until(self.title), *HIGH_SCORES]

    def _players(self, setup: Setup, wrong: Sequence[Step] = ()) -> Sequence[Step]:
        """From the title to the match's first key."""
        steps = [Type("1"), Until("HOW MANY PLAYERS"), *wrong, Type(str(len(setup.players)))]
        kinds = "".join(player.kind for player in setup.players)
        for player, usual in zip(setup.players, default_names(kinds), strict=True):
            typed = "" if player.name == usual else player.name
            steps += [Until("WHO PLAYS?"), *wrong, Type(f"{player.kind}{typed}\n")]
        return [*steps, *self.seed(setup)]

    def again(self, setup: Setup) -> Sequence[Step]:
        """Yes, play again; another seed. Or no, and the long way round."""
        if setup.options.get(DETOUR) == BY_THE_TITLE:
            back = [Until(AGAIN), Type("N"), Until(self.title), *self._instructions()]
            return [*back, *self._players(setup)]
        return super().again(setup)

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """The scorepad (names in lower-case codes and `NAME_DIGITS`) and the points of the roll."""
        numbers: dict[str, object] = {}
        count = len(setup.players)
        width = NAME_WIDTH[count - 1]
        for seat in range(count):
            start = FIRST_COLUMN[count - 1] - 1 + seat * (width + 1)
            column = [row[start : start + width].strip().upper() for row in rows]
            name = rows[0][start : start + width].strip()
            numbers[f"name of player {seat + 1}"] = name.translate(NAME_DIGITS).upper()
            numbers[f"total of player {seat + 1}"] = column[TOTAL_ROW - 1]
            for row in TURN_ROWS:
                numbers[f"row {row} of player {seat + 1}"] = column[row - 1]
        status = re.search(r"roll *(\d+) *keep *(\d+) *sum *(\d+)", rows[STATUS_ROW - 1])
        numbers["roll, keep, sum"] = status.groups() if status else None
        return numbers

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What must be there: totals, each turn in the row of its round, the roll on the table."""
        seats = range(1, len(setup.players) + 1)
        numbers: dict[str, object] = {}
        for seat, player in zip(seats, setup.players, strict=True):
            numbers[f"name of player {seat}"] = player.name
        player_now, rounds, row = 0, 0, 0
        for event in events:
            if event.kind == "TURN":
                player_now = int(event.args[0])
                if player_now == 1:
                    row = TURN_ROWS[rounds % len(TURN_ROWS)]
                    rounds += 1
                    after = TURN_ROWS[rounds % len(TURN_ROWS)]
                    for empty in (row, after):
                        numbers.update({f"row {empty} of player {seat}": "" for seat in seats})
            elif event.kind in POINTS:
                shown = POINTS[event.kind] or event.args[0]
                numbers[f"row {row} of player {player_now}"] = shown
                if event.kind == "BANK":
                    numbers[f"total of player {player_now}"] = event.args[1]
        return numbers | self._roll(events)

    @staticmethod
    def _roll(events: Sequence[Event]) -> dict[str, object]:
        """Points of the roll, points that stay and points of the turn, while a choice is open."""
        roll = keep = bank = ""
        for event in events:
            match event.kind:
                case "SCORE":
                    roll, bank = event.args
                case "KEEP":
                    keep = event.args[0]
        open_choice = events and events[-1].kind in ("KEEP", "REFUSED", "NEED")
        return {"roll, keep, sum": (roll, keep, bank)} if open_choice and _rolled(events) else {}


def _rolled(events: Sequence[Event]) -> bool:
    """Tell whether the turn that is on has had its first roll."""
    for event in reversed(events):
        if event.kind in ("ROLL", "TURN"):
            return event.kind == "ROLL"
    return False
