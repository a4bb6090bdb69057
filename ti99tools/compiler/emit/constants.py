"""Constants of the code: cells, words, limits and texts, each with its label."""

from __future__ import annotations

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
