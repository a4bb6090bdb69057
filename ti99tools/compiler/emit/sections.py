"""The sections of a program's code: one in high memory, and one in each bank that has code.

A program that fits into high memory has that section only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import AssemblyListing
from ti99tools.compiler.emit.constants import Constants

Spots = tuple[ir.Spot, ...]


class Mark(NamedTuple):
    """A label at which code of a statement begins, the variant (see `ir.Block`), and the DEFs, the
    innermost last.
    """

    label: str
    spot: ir.Spot
    variant: str
    inside: Spots


def line_of(mark: Mark) -> int:
    """The line that messages name for the code at a mark."""
    return mark.inside[-1][0] if mark.inside else mark.spot[0]


@dataclass(frozen=True)
class ShortCode:
    """Byte code and its tables, as sources: see `compiler.short`."""

    code: str
    tables: str
    places: str
    """The table of places, which is in video memory."""
    texts: Mapping[str, str]
    """Constant texts that are in video memory, too, with their labels."""
    data: bool
    """Whether the items of DATA are there, too."""
    packed: bool
    """Whether texts and items are packed until the program begins."""
    index: str
    """The way to some of its entries, and the handlers of ON ERROR."""
    sizes: Mapping[str, int]
    """Mark → the bytes up to the next one."""


class Section:
    """Code that lies together; `number` 0: in high memory. `alone`: there is no other."""

    def __init__(self, number: int, alone: bool = False) -> None:
        self.number = number
        self.suffix = "" if alone else f"_{number}"
        """What ends the labels of its tables and constants."""
        self.end = f"LINES{self.suffix}" if number or alone else "CODEND"
        """The label where its code ends."""
        self.ended = self.end if alone else f"E{number}"
        """The label where code of statements ends."""
        self.listing = AssemblyListing()
        self.short: ShortCode | None = None
        """The code that is byte code: it follows the listing."""
        self.marks: list[Mark] = []
        """In the order of the code."""
        self.scopes: list[tuple[str, str]] = []
        """Label where code of a scope ends → the scope, in the order of the code."""
        self.ways: dict[str, str] = {}
        """Block of another bank → the label of the code that goes there."""
        self.resumes: list[str] = []
        """The table of where control goes on after an error."""
        self.constants = Constants(self.suffix)
        self.constant_bytes: dict[str, int] = {}
        """Block → the bytes of the constants that no block before it has."""
