"""Python source of an expression, with what is known about its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """Source text; `low` and `high` are bounds of a value that certainly is an int.

    `fraction` is a guess that it is none.
    """

    source: str
    low: int | None = None
    high: int | None = None
    fraction: bool = False

    def __str__(self) -> str:
        return self.source

    def within(self, low: int, high: int) -> bool:
        """Tell whether the value is certainly an int from `low` to `high`."""
        return (
            self.low is not None and self.high is not None and low <= self.low <= self.high <= high
        )

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Both bounds, if the value is certainly an int."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high
