"""A game as it is handed out, the circumstances of a match, and its keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from random import Random
from typing import Any

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.codes import CLEAR, KEY_NAMES, QUIT
from ti99tools.computer.console.keyscript import Press, Step, Type, Until
from ti99tools.games.models.model import Match
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify import loading
from ti99tools.games.verify.adapter import BLANK_SEED, TROUBLE, WARM_UP, Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.matches import Course, course_of, steps_of
from ti99tools.games.verify.scenario import TOO_MANY_KEYS, Scenario, greedy, make
from ti99tools.media.disk.geometry import SECTOR


class Start(StrEnum):
    """What the machine did before."""

    POWER = "power-on"
    DIRTY = "a program that leaves a mess"
    AFTER = "another game"


class Medium(StrEnum):
    """The disk that the game is on."""

    PLAIN = "its disk"
    FAST = "its fast disk"
    MENU = "the disk of all games"


class Trouble(StrEnum):
    """The trouble with the disk."""

    NONE = "none"
    OUT = "taken out and put back"
    PROTECTED = "write-protected"
    FULL = "full"
    FILLED = "full in mid-match"


ROOMS = (0, 1, 2, 5)
"""Numbers of free sectors on a full disk."""
_LENGTH = 1
"""Bytes of a line's length before it."""


@dataclass(frozen=True)
class DistributedGame:
    """A game as it is distributed: its disks, and its key in the menu of the disk of all games.

    `program` is its file on them. `folder` is where its adapter is found if the name is not enough.
    """

    game: str
    disks: Mapping[Medium, bytes]
    program: str = AUTOSTART
    menu_key: str = ""
    folder: str = ""

    def adapter(self) -> Adapter:
        """The game's adapter, loaded in this process."""
        return loading.adapter(self.folder or self.game)

    def key_on(self, medium: Medium) -> str:
        """The key that chooses the game in the menu of a disk; empty without a menu."""
        return self.menu_key if medium is Medium.MENU else ""


@dataclass(frozen=True)
class Situation:
    """How a match is reached, and what happens in it.

    `after` is the game that ran before; `room` the free sectors of a full disk; `clear`: FCTN-4 is
    pressed now and then; `busy`: keys are tapped even while the game is busy.
    """

    start: Start = Start.POWER
    medium: Medium = Medium.PLAIN
    trouble: Trouble = Trouble.NONE
    after: str = ""
    room: int = 0
    clear: bool = False
    busy: bool = True

    def __str__(self) -> str:
        before = self.after if self.start is Start.AFTER else self.start
        parts = [f"after {before}", f"from {self.medium}"]
        if self.trouble is Trouble.FULL:
            parts.append(f"full but for {self.room} sectors")
        elif self.trouble is not Trouble.NONE:
            parts.append(self.trouble)
        if self.clear:
            parts.append("FCTN-4")
        return ", ".join(parts)

    @property
    def parts(self) -> Iterator[str]:
        """The parts of the situation, as a report counts them."""
        yield f"after {self.after}" if self.start is Start.AFTER else f"after {self.start}"
        yield f"from {self.medium}"
        if self.trouble is not Trouble.NONE:
            yield f"disk {self.trouble}"
        if self.clear:
            yield "FCTN-4"

    def to_data(self) -> dict[str, Any]:
        """As JSON values; `from_data` reads them back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Situation:
        """Read what `to_data` gave. Raises ValueError, KeyError or TypeError for anything else."""
        start, medium = Start(data["start"]), Medium(data["medium"])
        trouble = Trouble(data["trouble"])
        return cls(**{**data, "start": start, "medium": medium, "trouble": trouble})

    def simpler(self) -> Iterator[Situation]:
        """The same with one of its parts removed, for each part."""
        if self.clear:
            yield replace(self, clear=False)
        if self.busy:
            yield replace(self, busy=False)
        if self.trouble is not Trouble.NONE:
            yield replace(self, trouble=Trouble.NONE)
        if self.medium is not Medium.PLAIN:
            yield replace(self, medium=Medium.PLAIN)
        if self.start is not Start.POWER:
            yield replace(self, start=Start.POWER)


_STEADY = (Trouble.NONE, Trouble.PROTECTED)
"""The troubles with which FCTN-4 is pressed. A game may log it; with any other trouble the disk
would then fail at a different moment."""
_ROUND = (
    Situation(Start.DIRTY, Medium.PLAIN, clear=True),
    Situation(Start.AFTER, Medium.FAST, Trouble.OUT),
    Situation(Start.DIRTY, Medium.MENU, Trouble.FILLED),
    Situation(Start.AFTER, Medium.PLAIN, Trouble.PROTECTED, clear=True),
    Situation(Start.AFTER, Medium.MENU, Trouble.FULL),
)
"""The first matches: each start, disk and trouble, and three other games that ran before. The rest
are random.
"""


def situation_of(
    number: int, random: Random, media: Sequence[Medium], others: Sequence[str]
) -> Situation:
    """The situation of match `number`, with the disks and the other games available."""
    after = number
    if number < len(_ROUND):
        situation = _ROUND[number]
        after = sum(before.start is Start.AFTER for before in _ROUND[:number])
    else:
        trouble = random.choice(tuple(Trouble))
        situation = Situation(
            random.choice((Start.DIRTY, Start.AFTER)),
            random.choice(media),
            trouble,
            clear=trouble in _STEADY and random.random() < 0.5,
        )
    return replace(
        situation,
        medium=situation.medium if situation.medium in media else Medium.PLAIN,
        after=others[after % len(others)] if situation.start is Start.AFTER else "",
        room=random.choice(ROOMS) if situation.trouble is Trouble.FULL else 0,
    )


MOST_KEYS = 45
"""The most keys of a match in this stage: the way to the match is what matters."""
TRIES, APART = 30, 7919
"""How many matches are made to find a short one, and the distance of their seeds."""
CLEARS = 3
"""How often FCTN-4 is among the keys of the match."""
ENDING = (CLEAR, QUIT)
"""Keys that end a program unless it disables them: FCTN-4 and FCTN-=."""
_DROPPED = (WARM_UP, BLANK_SEED, TROUBLE)
"""Options of a setup that this stage drops: it causes its own trouble, and a seed that the game
chooses depends on the moment of a key.
"""


@dataclass(frozen=True)
class RouteKey:
    """A key of the route, and the steps before it that are not keys.

    `match` is its number among the keys of the match, from 0; None before and after it.
    """

    before: tuple[Step, ...]
    key: str
    match: int | None = None


@dataclass(frozen=True)
class Route:
    """All keys from the first that the menu or the game waits for, and the steps after them."""

    course: Course
    keys: tuple[RouteKey, ...]
    rest: tuple[Step, ...]


def scenario_of(adapter: Adapter, seed: int, situation: Situation) -> Scenario:
    """A short match for a seed, adapted to a situation."""
    for number in range(TRIES):
        scenario, _ = make(adapter, seed + number * APART)
        if len(scenario.keys) <= MOST_KEYS and (scenario.keys or not number):
            break
    options = {k: v for k, v in scenario.setup.options.items() if k not in _DROPPED}
    if situation.trouble is Trouble.FULL:
        options[TROUBLE] = str(situation.room)
    elif situation.trouble is not Trouble.NONE:
        options[TROUBLE] = situation.trouble
    scenario = replace(scenario, setup=replace(scenario.setup, options=options))
    if not (situation.clear and scenario.keys):
        return scenario
    random = Random(f"{adapter.name} {seed} clear")
    keys = list(scenario.keys)
    for key in (*[CLEAR] * CLEARS, *[QUIT] * adapter.keeps_quit):
        keys.insert(random.randrange(len(keys)), key)
    return _whole(adapter, scenario.with_keys(keys))


def _whole(adapter: Adapter, scenario: Scenario) -> Scenario:
    """The match cut to the keys that it takes, or played on to its end if they are too few."""
    with MODELS:
        match = Match(adapter.model(scenario.setup))
        given = iter(scenario.keys)
        random = Random(scenario.setup.seed)
        keys: list[int] = []
        while match.ask is not None and len(keys) < TOO_MANY_KEYS:
            key = next(given, None)
            keys.append(greedy(match.ask, random) if key is None else key)
            match.press(keys[-1])
    return scenario.with_keys(keys)


def route_of(adapter: Adapter, scenario: Scenario, menu_key: str) -> Route:
    """The way through a match; `menu_key` is pressed first."""
    course = course_of(adapter, scenario)
    opening = _key_by_key(adapter.opening(scenario.setup))
    first = sum(isinstance(step, Press) for step in opening)
    pressed = 0
    keys = [RouteKey((), menu_key)] if menu_key else []
    before: list[Step] = []
    for step in _key_by_key(steps_of(adapter, course)):
        if not isinstance(step, Press):
            before.append(step)
            continue
        number = pressed - first
        inside = 0 <= number < len(scenario.keys)
        keys.append(RouteKey(tuple(before), step.key, number if inside else None))
        pressed += 1
        before = []
    return Route(course, tuple(keys), tuple(before))


def middle_of(log: PlayLog) -> int:
    """The free sectors of a disk that a log fills in mid-match: its descriptor, and half of it."""
    size = sum(len(line) + _LENGTH for line in log.lines())
    return 1 + size // (2 * SECTOR)


def leaving(adapter: Adapter) -> tuple[Step, ...]:
    """From the start of a game to its end: from its title, or by a short match if it has none."""
    scenario = scenario_of(adapter, 0, Situation())
    if Until(adapter.title) in adapter.opening(scenario.setup):
        return tuple(adapter.after_leaving())
    return steps_of(adapter, course_of(adapter, scenario))


def _key_by_key(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, Type):
            yield from (Press(character) for character in step.text)
        else:
            yield step


def is_ending(key: str) -> bool:
    """Tell whether a key is FCTN-4 or FCTN-=, which no game asks for."""
    return KEY_NAMES.get(key) in ENDING
