"""THE CAVE: three jewels, a ghost and a lamp; the rules that cave.xb must keep.

Random numbers, in this order: the rooms of the jewels, each again while another is there, and that
of the ghost; after each step the ghost's way, and where it hides a jewel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.games.models.model import Ask, Flow, Model
from ti99tools.games.models.playlog import Event

JEWELS, OIL = 3, 40
STEPS = {"N": -4, "S": 4, "E": 1, "W": -1}
TAKE, KEEP, BACK = map(ord, "TPR")
ROOMS = Path(__file__).parent / "rooms.txt"


@dataclass
class Place:
    """What can be kept: the room, the oil, the jewels in the bag, where the others and the ghost
    are; 0 for one in the bag.
    """

    room: int = 1
    oil: int = OIL
    bag: int = 0
    jewels: list[int] = field(default_factory=list)
    ghost: int = 0

    def copy(self) -> Place:
        """The same, to be kept."""
        return Place(self.room, self.oil, self.bag, [*self.jewels], self.ghost)


class Cave(Model):
    """A match of THE CAVE."""

    game = "CAVE"
    version = "1.0"

    def play(self) -> Flow:
        """From the mouth of the cave to it, or to the end of the oil."""
        lines = ROOMS.read_text(encoding="ascii").splitlines()
        self.exits = {number: line.split()[0] for number, line in enumerate(lines, 1)}
        now = self.now = Place()
        for _ in range(JEWELS):
            room = self._somewhere()
            while room in now.jewels:
                room = self._somewhere()
            now.jewels.append(room)
        now.ghost = self._somewhere()
        self.say("START", *now.jewels, now.ghost)
        self.kept: Place | None = None
        while self.now.oil and not self._out:
            yield from self._turn()
        self.say("SCORE", 100 * JEWELS + self.now.oil if self._out else 20 * self.now.bag)

    @property
    def _out(self) -> bool:
        """Tell whether all jewels are at the mouth of the cave."""
        return self.now.room == 1 and self.now.bag == JEWELS

    def _somewhere(self) -> int:
        return self.rnd.below(11) + 2

    def _turn(self) -> Flow:
        """One key that is allowed, and what follows from it."""
        now = self.now
        ways = self.exits[now.room]
        allowed = [*map(ord, ways), KEEP, BACK]
        if now.room in now.jewels:
            allowed.append(TAKE)
        careful = TAKE if now.room in now.jewels else ord(self._towards())
        ask = Ask(0, tuple(allowed), safe=careful, bold=ord(ways[-1]), tempting=(TAKE,))
        while (key := (yield ask)) not in allowed:
            self.say("REFUSED", key)
        if key == KEEP:
            self.kept = now.copy()
            self.say("KEEP", 1)
        elif key == BACK:
            self.now = now if self.kept is None else self.kept.copy()
            known = int(self.kept is not None)
            self.say("BACK", known, self.now.room, self.now.oil, self.now.bag)
        elif key == TAKE:
            now.jewels[now.jewels.index(now.room)] = 0
            now.bag += 1
            self.say("TAKE", now.bag)
        else:
            self._go(chr(key))

    def _go(self, letter: str) -> None:
        """A step, and then one of the ghost's."""
        now = self.now
        now.room += STEPS[letter]
        now.oil -= 1
        self.say("GO", letter, now.room, now.oil)
        ways = self.exits[now.ghost]
        now.ghost += STEPS[ways[self.rnd.below(len(ways))]]
        if now.ghost == now.room and now.bag:
            last = max(at for at, room in enumerate(now.jewels) if not room)
            now.jewels[last] = self._somewhere()
            now.bag -= 1
            self.say("GHOST", now.jewels[last], now.bag)

    def _towards(self) -> str:
        """The first step of a shortest way to a jewel, or with all of them to the mouth."""
        goals = {1} if self.now.bag == JEWELS else set(self.now.jewels) - {0}
        ways = deque((self.now.room + STEPS[first], first) for first in self.exits[self.now.room])
        seen = {self.now.room}
        while ways:
            room, first = ways.popleft()
            if room in goals:
                return first
            if room not in seen:
                seen.add(room)
                ways.extend((room + STEPS[letter], first) for letter in self.exits[room])
        return self.exits[self.now.room][0]

    def keys_of(self, event: Event) -> Sequence[int]:
        """The key of a step, of a jewel taken, and those for the file."""
        match event.kind, event.args:
            case "GO", (letter, _, _):
                return (ord(letter),)
            case "TAKE", _:
                return (TAKE,)
            case "KEEP", _:
                return (KEEP,)
            case "BACK", _:
                return (BACK,)
        return super().keys_of(event)
