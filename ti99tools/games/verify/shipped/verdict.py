"""The results of matches played as people play them: one match, and all of a game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ti99tools.computer.console.keyscript import Step
from ti99tools.games.verify.scenario import Scenario
from ti99tools.games.verify.shipped.judging import Counts, Flaw
from ti99tools.games.verify.shipped.situation import Situation


@dataclass(frozen=True)
class StageMatch:
    """One match: `seed` and `situation` are enough to play it again."""

    seed: int
    situation: Situation
    scenario: Scenario
    counts: Counts
    flaws: tuple[Flaw, ...]
    steps: tuple[Step, ...]
    seconds: float


@dataclass
class StageVerdict:
    """All matches of a game on a host; `not_run` says why there are none.

    `situations`: how often each part of one was played. `failures` are the matches with flaws, in a
    situation as simple as it could be made.
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
    situations: Counter[str] = field(default_factory=Counter)
    failures: list[StageMatch] = field(default_factory=list)
    machine_seconds: float = 0.0
    wall_seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Matches were played, and nothing was wrong."""
        return self.matches > 0 and self.failed == 0

    def add(self, match: StageMatch) -> None:
        """Count one match."""
        self.matches += 1
        self.failed += bool(match.flaws)
        self.counts.add(match.counts)
        self.situations.update(match.situation.parts)
        self.machine_seconds += match.seconds
