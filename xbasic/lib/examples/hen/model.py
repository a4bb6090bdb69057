"""THE HEN: a hen crosses five roads; the rules that hen.xb must keep.

Each key is a step of the hen, then of all trucks. A truck's column at the start of a road is
8*INT(RND*32); nothing else is drawn.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from ti99tools.games.models.model import Ask, Flow, Model
from ti99tools.games.models.playlog import Event

HENS, GRAINS, COLUMNS = 3, 25, 16
UP, DOWN, LEFT, RIGHT, STAY = (ord(key) for key in "EXSD ")
MOVES = {UP: (0, 1), DOWN: (0, -1), LEFT: (-1, 0), RIGHT: (1, 0), STAY: (0, 0)}
"""Key → steps to the right, and up."""
WAITED = "W"
"""What the log has for the key SPACE."""
NEAR = 12
"""Dots between hen and truck at which they meet."""
ROADS = Path(__file__).parent / "roads.txt"


def lanes_of(line: str) -> list[int]:
    """How many dots the truck of each lane goes to the right in a step: `R1L2` gives 8, -16."""
    pairs = zip(line[::2], line[1::2], strict=True)
    return [8 * int(digit) * (1 if way == "R" else -1) for way, digit in pairs]


class Hen(Model):
    """A match of THE HEN."""

    game = "HEN"
    version = "1.0"

    def play(self) -> Flow:
        """Roads until all are crossed, or no hen is left."""
        hens, points = HENS, 0
        roads = ROADS.read_text(encoding="ascii").split()
        for number, line in enumerate(roads, 1):
            speeds = lanes_of(line)
            trucks = [8 * self.rnd.below(32) for _ in speeds]
            grains = None
            while hens and grains is None:
                self.say("HEN", number, hens)
                grains = yield from self._cross(trucks, speeds)
                hens -= grains is None
            if grains is None:
                break
            points += 10 * number + grains
            self.say("OVER", points)
        self.say("SCORE", points)

    def _cross(self, trucks: list[int], speeds: Sequence[int]) -> Generator[Ask, int, int | None]:
        """One hen on a road: the grains that are left on the other side; None if she is lost."""
        x, y = 8, 0
        for grains in range(GRAINS - 1, -1, -1):
            allowed = {
                key: (x + right, y + up)
                for key, (right, up) in MOVES.items()
                if 0 <= x + right < COLUMNS and y + up >= 0
            }
            while (key := (yield Ask(0, tuple(allowed), safe=UP, bold=STAY))) not in allowed:
                self.say("REFUSED", key)
            x, y = allowed[key]
            trucks[:] = [(at + by) % 256 for at, by in zip(trucks, speeds, strict=True)]
            self.say("STEP", WAITED if key == STAY else chr(key), x, y)
            if y > len(trucks):
                return grains
            if y and abs(16 * x - trucks[y - 1]) <= NEAR:
                self.say("HIT", y)
                return None
        self.say("HUNGRY")
        return None

    def keys_of(self, event: Event) -> Sequence[int]:
        """The key of a step."""
        match event.kind, event.args:
            case "STEP", (letter, _, _):
                return (STAY if letter == WAITED else ord(letter),)
        return super().keys_of(event)
