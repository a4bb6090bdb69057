"""What a match has to put up with: how the game is reached, from which disk, and what happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from random import Random
from typing import Any


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


ROOMS = (0, 1, 2, 5)
"""Sectors that a full disk has left."""


@dataclass(frozen=True)
class Situation:
    """How a match is reached, and what happens in it.

    `after` is the game that ran before; `room` the free sectors of a full disk; `clear`: FCTN-4 is
    pressed now and then; `busy`: keys are tapped while the game is busy, too.
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
        told = [f"after {before}", f"from {self.medium}"]
        if self.trouble is Trouble.FULL:
            told.append(f"full but for {self.room} sectors")
        elif self.trouble is not Trouble.NONE:
            told.append(self.trouble)
        if self.clear:
            told.append("FCTN-4")
        return ", ".join(told)

    @property
    def parts(self) -> Iterator[str]:
        """What a report counts."""
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
"""FCTN-4 goes with these: where it is logged, the disk would fail at another moment."""
_ROUND = (
    Situation(Start.DIRTY, Medium.PLAIN, clear=True),
    Situation(Start.AFTER, Medium.FAST, Trouble.OUT),
    Situation(Start.DIRTY, Medium.MENU),
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
        found = _ROUND[number]
        after = sum(before.start is Start.AFTER for before in _ROUND[:number])
    else:
        trouble = random.choice(tuple(Trouble))
        found = Situation(
            random.choice((Start.DIRTY, Start.AFTER)),
            random.choice(media),
            trouble,
            clear=trouble in _STEADY and random.random() < 0.5,
        )
    return replace(
        found,
        medium=found.medium if found.medium in media else Medium.PLAIN,
        after=others[after % len(others)] if found.start is Start.AFTER else "",
        room=random.choice(ROOMS) if found.trouble is Trouble.FULL else 0,
    )
