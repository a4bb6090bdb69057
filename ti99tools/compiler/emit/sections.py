"""The sections of a program's code: one in high memory, and one in each bank that has code.

A program that fits into high memory has that section only. Each has its constants: cells, words,
limits and texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import AssemblyListing
from ti99tools.computer.numbers.forms import to_bytes
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW


def cell_bytes(value: Number) -> bytes:
    """The eight bytes of a cell: 1 is 0000 0001 …, 1.5 is 4001 3200 …"""
    if isinstance(value, int) and WORD_LOW <= value <= WORD_HIGH:
        return bytes(2) + (value & 0xFFFF).to_bytes(2, "big") + bytes(4)
    return to_bytes(value)


class Constants:
    """Constants that lie together, each with its label; `suffix` ends the labels."""

    def __init__(self, suffix: str = "") -> None:
        self._suffix = suffix
        self.cells: dict[bytes, str] = {}
        """The eight bytes of a constant → its label."""
        self.words: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.limits: dict[tuple[int, int, int], str] = {}
        """Lowest, highest, error → the label of these words."""
        self._text_bytes = 0

    @property
    def size(self) -> int:
        """The bytes that they take."""
        others = 8 * len(self.cells) + 2 * len(self.words) + 6 * len(self.limits)
        return others + self._text_bytes

    def cell(self, value: Number) -> str:
        """The label of a constant cell."""
        return self.cells.setdefault(cell_bytes(value), f"K{len(self.cells)}{self._suffix}")

    def word(self, value: int) -> str:
        """The label of a constant word."""
        return self.words.setdefault(value & 0xFFFF, f"W{len(self.words)}{self._suffix}")

    def limit(self, low: int, high: int, error: int) -> str:
        """The label of the limits of a word, and the error beyond them."""
        return self.limits.setdefault((low, high, error), f"L{len(self.limits)}{self._suffix}")

    def text(self, text: str) -> str:
        """The label of a constant text: its length, its bytes."""
        if text not in self.texts:
            self.texts[text] = f"X{len(self.texts)}{self._suffix}"
            self._text_bytes += 1 + len(text) + (len(text) + 1) % 2
        return self.texts[text]


Spots = tuple[ir.Spot, ...]


class Mark(NamedTuple):
    """A label at which code of a statement begins, the variant (see `ir.Block`), and the DEFs, the
    innermost last.
    """

    label: str
    spot: ir.Spot
    variant: str
    inside: Spots


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
