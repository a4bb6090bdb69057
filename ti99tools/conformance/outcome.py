"""What came of a case: the differences found, and how they add up."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """One thing that differs: where (`final screen`, `file OUT`), and lines that show it."""

    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """A case held against the console.

    `passed` and `failed` count values: a case is one, a line of vectors has several.
    `inexact` counts vector values that pass by their displayed digits with other bits.
    """

    id: str
    area: str
    passed: int
    failed: int
    differences: tuple[Difference, ...] = ()
    inexact: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return self.failed == 0


@dataclass
class Summary:
    """Counts of many outcomes, by area, and what the list of known failures says of them."""

    known: dict[str, str]
    areas: dict[str, list[int]] = field(default_factory=dict)
    inexact: dict[str, int] = field(default_factory=dict)
    failures: list[Outcome] = field(default_factory=list)
    risen: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        counts = self.areas.setdefault(outcome.area, [0, 0])
        counts[0] += outcome.passed
        counts[1] += outcome.failed
        if outcome.inexact:
            self.inexact[outcome.area] = self.inexact.get(outcome.area, 0) + outcome.inexact
        if not outcome.ok:
            self.failures.append(outcome)
        elif outcome.id in self.known:
            self.risen.append(outcome.id)

    @property
    def passed(self) -> int:
        """Values that agree."""
        return sum(counts[0] for counts in self.areas.values())

    @property
    def failed(self) -> int:
        """Values that differ, listed or not."""
        return sum(counts[1] for counts in self.areas.values())

    @property
    def unexpected(self) -> list[Outcome]:
        """Failures that the list does not know."""
        return [outcome for outcome in self.failures if outcome.id not in self.known]
