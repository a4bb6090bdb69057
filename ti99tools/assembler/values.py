"""Values of symbols and expressions, places in memory, and the words that come out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Segment(Enum):
    """What addresses count from."""

    ABSOLUTE = "absolute"
    RELOCATABLE = "relocatable"
    DUMMY = "dummy"
    """Absolute addresses without any output (DORG)."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number, how often the start of relocatable code is in it, and an external symbol.

    `known` is False while a symbol in it is still to come (first pass).
    """

    number: int
    bases: int = 0
    external: str = ""
    known: bool = True

    @property
    def absolute(self) -> bool:
        """Tell whether it is a plain number."""
        return not self.bases and not self.external


@dataclass(frozen=True, slots=True)
class Word:
    """A word of output: its value, whether the start of the code is to be added, or a REF."""

    value: int
    relocatable: bool = False
    external: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """An address of a segment."""

    address: int
    segment: Segment

    @property
    def value(self) -> Value:
        """The spot as a value."""
        return Value(self.address, int(self.segment is Segment.RELOCATABLE))
