"""Flaws of matches played as people play, and the verdict on all matches of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, zip_longest

from ti99tools.computer.console.keyscript import Step
from ti99tools.games.hosts.sight import Sight, mode_named
from ti99tools.games.verify.judging import NOTHING
from ti99tools.games.verify.result import plain_row
from ti99tools.games.verify.scenario import Scenario
from ti99tools.games.verify.shipped.person import Moment
from ti99tools.games.verify.shipped.situation import Situation
from ti99tools.hardware.machine.screen import COLUMNS

MOST_ROWS, MOST_SPRITES = 4, 3
"""The most rows of the screen, and sprites, that are reported."""


class FlawKind(StrEnum):
    """What can go wrong while a person plays."""

    RULES = "the match is not as the rules say"
    LOST = "a tap was lost"
    SURPRISE = "a key that was pressed while it was busy answered a later question"
    TWICE = "a tap counted twice"
    SCREEN = "it looks different than from a clean start"
    ENDED = "the program ended"
    BUSY = "it never waited for a key again"
    MENU = "the menu was unusable after the disk was out"
    LOG = "the play log is different"
    HOST = "the host failed"
    BEFORE = "the game that ran before did not end"


@dataclass(frozen=True)
class Flaw:
    """A fault: its kind, the key of the route before which it was found, and its details.

    `clean` is the moment expected before that key, `seen` the actual one.
    """

    kind: FlawKind
    number: int
    key: str
    details: tuple[str, ...]
    clean: Moment | None = None
    seen: Moment | None = None

    def lines(self) -> list[str]:
        """The flaw as text."""
        place = f"key {self.number + 1}" + (f", {self.key}" if self.key else "")
        return [f"{place}: {self.kind}", *(f"  {line}" for line in self.details)]


@dataclass
class Counts:
    """Numbers of keys and screens.

    `taps` had to have an effect; `lost` of them had none. `short` taps may be lost, `short_lost` of
    them were. `early` ones came while the game was busy and may be lost too; `ahead` of them
    answered the next question in a game that allows it. `clears` were FCTN-4 or FCTN-=, early or
    while a line was typed. `screens` were compared.
    """

    taps: int = 0
    lost: int = 0
    short: int = 0
    short_lost: int = 0
    early: int = 0
    ahead: int = 0
    clears: int = 0
    screens: int = 0

    def tap(self, short: bool) -> None:
        """Count a tap while the game waits."""
        self.short += short
        self.taps += not short

    def add(self, other: Counts) -> None:
        """Add other counts to these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def differences(clean: Sight, seen: Sight) -> Iterator[str]:
    """How a sight differs from that of the clean start, in words."""
    if clean.mode != seen.mode:
        yield f"the picture is in {mode_named(seen.mode)}, not in {mode_named(clean.mode)}"
    if clean.backdrop != seen.backdrop:
        yield f"the screen's colour is {seen.backdrop + 1}, not {clean.backdrop + 1}"
    differ = [a != b for a, b in zip(clean.cells, seen.cells, strict=True)]
    rows = [n for n in range(len(clean.text)) if any(differ[n * COLUMNS : (n + 1) * COLUMNS])]
    for row in rows[:MOST_ROWS]:
        columns = [n for n in range(COLUMNS) if differ[row * COLUMNS + n]]
        place = f"row {row + 1}, columns {_ranges(columns)}"
        if clean.text[row] == seen.text[row]:
            yield f"{place}: {_how(clean, seen, row * COLUMNS + columns[0])}"
        else:
            yield f"{place}: {plain_row(seen.text[row])!r}, not {plain_row(clean.text[row])!r}"
    if len(rows) > MOST_ROWS:
        yield f"and {len(rows) - MOST_ROWS} rows more"
    ours, theirs = ({sprite.number: sprite for sprite in sight.sprites} for sight in (clean, seen))
    both = sorted(ours.keys() | theirs.keys())
    numbers = [number for number in both if ours.get(number) != theirs.get(number)]
    for number in numbers[:MOST_SPRITES]:
        yield f"sprite #{number}: {theirs.get(number, 'none')}; not {ours.get(number, 'none')}"
    if len(numbers) > MOST_SPRITES:
        yield f"and {len(numbers) - MOST_SPRITES} sprites more"


def _how(clean: Sight, seen: Sight, at: int) -> str:
    """How a cell with the same character differs."""
    a, b = clean.cells[at], seen.cells[at]
    if a is None or b is None:
        return "shown in one only"
    changes = []
    if a.dots != b.dots:
        changes.append(f"dots {b.dots.hex()}, not {a.dots.hex()}")
    if (a.ink, a.paper) != (b.ink, b.paper):
        changes.append(f"colours {b.ink + 1} on {b.paper + 1}, not {a.ink + 1} on {a.paper + 1}")
    return ", ".join(changes)


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers from 0 on as text, counted from 1: `1–3, 7`."""
    ranges = []
    for _, group in groupby(enumerate(numbers, 1), lambda pair: pair[1] - pair[0]):
        run = [number + 1 for _, number in group]
        ranges.append(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}")
    return ", ".join(ranges)


def first_difference(clean: Sequence[bytes], seen: Sequence[bytes]) -> tuple[str, ...]:
    """The first line in which two logs differ, in words; empty if none does."""
    for number, (a, b) in enumerate(zip_longest(clean, seen), 1):
        if a != b:
            ours, theirs = (NOTHING if line is None else line.decode("latin-1") for line in (a, b))
            return (f"log line {number}: {theirs}; not {ours}",)
    return ()


@dataclass(frozen=True)
class StageMatch:
    """One match: `seed` and `situation` are enough to play it again.

    `left_out`: what the host cannot do, for a match that therefore was not played.
    """

    seed: int
    situation: Situation
    scenario: Scenario
    counts: Counts
    flaws: tuple[Flaw, ...]
    steps: tuple[Step, ...]
    seconds: float
    left_out: str = ""


@dataclass
class StageVerdict:
    """All matches of a game on a host; `not_run` says why there are none.

    `situations`: part of a situation → how often it was played. `failures` are matches with flaws,
    each in the simplest situation found. `left_out`: what the host cannot do → how many matches
    were not played for that; these are not among `matches`. `cut_off` says why the run ended before
    all matches were played.
    """

    game: str
    version: str
    host: str
    seed: int = 0
    not_run: str = ""
    broken: bool = False
    matches: int = 0
    failed: int = 0
    counts: Counts = field(default_factory=Counts)
    cut_off: str = ""
    situations: Counter[str] = field(default_factory=Counter)
    failures: list[StageMatch] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    machine_seconds: float = 0.0
    wall_seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Tell whether matches were played and none had a flaw."""
        return self.matches > 0 and self.failed == 0

    def add(self, match: StageMatch) -> None:
        """Count one match, and what it was about; one that was left out only with its reason."""
        if match.left_out:
            self.left_out[match.left_out] += 1
            return
        self.matches += 1
        self.failed += bool(match.flaws)
        self.counts.add(match.counts)
        self.situations.update(match.situation.parts)
        self.machine_seconds += match.seconds
