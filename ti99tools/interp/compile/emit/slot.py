"""Something a statement assigns to, its subscripts evaluated."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """`load` is the source that reads it; without `good`, evaluating `load` raises the error."""

    load: str
    is_string: bool
    good: bool

    def store(self, source: str) -> str:
        """The line that assigns `source` to it."""
        if not self.good:
            return self.load
        return f"{self.load} = kept({source})" if self.is_string else f"{self.load} = {source}"
