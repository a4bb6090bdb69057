"""What all generators of code share: the writer, constants, temporaries, places, kinds."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit.writer import Writer
from ti99tools.compiler.kinds import Kinds, Places
from ti99tools.computer.numbers.forms import to_bytes
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW


def cell_bytes(value: Number) -> bytes:
    """The eight bytes of a cell: 1 is 0000 0001 …, 1.5 is 4001 3200 …"""
    if isinstance(value, int) and WORD_LOW <= value <= WORD_HIGH:
        return bytes(2) + (value & 0xFFFF).to_bytes(2, "big") + bytes(4)
    return to_bytes(value)


class Constants:
    """The constants of a program, each with its label."""

    def __init__(self) -> None:
        self.cells: dict[bytes, str] = {}
        """The eight bytes of a constant → its label."""
        self.words: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.limits: dict[tuple[int, int, int], str] = {}
        """Lowest, highest, error → the label of these words."""

    def cell(self, value: Number) -> str:
        """The label of a constant cell."""
        return self.cells.setdefault(cell_bytes(value), f"K{len(self.cells)}")

    def word(self, value: int) -> str:
        """The label of a constant word."""
        return self.words.setdefault(value & 0xFFFF, f"W{len(self.words)}")

    def limit(self, low: int, high: int, error: int) -> str:
        """The label of the limits of a word, and the error beyond them."""
        return self.limits.setdefault((low, high, error), f"L{len(self.limits)}")

    def text(self, text: str) -> str:
        """The label of a constant text: its length, its bytes."""
        return self.texts.setdefault(text, f"X{len(self.texts)}")


class Temporaries:
    """Memory for intermediate results of a statement; `most_…`: how many a statement needs.

    Items are those of INPUT # from a DISPLAY file.
    """

    def __init__(self) -> None:
        self.most_cells = self.most_words = self.most_items = 0
        self._cells = self._words = 0

    def cell(self) -> str:
        """A cell for an intermediate result of a statement."""
        self._cells += 1
        self.most_cells = max(self.most_cells, self._cells)
        return f"TC+{8 * (self._cells - 1)}"

    def word(self) -> str:
        """A word for an intermediate result of a statement."""
        self._words += 1
        self.most_words = max(self.most_words, self._words)
        return f"TW+{2 * (self._words - 1)}"

    def free(self) -> None:
        """Free those of the last statement."""
        self._cells = self._words = 0


class Emission:
    """The code of a program while it is generated."""

    def __init__(self, code: ir.Code, kinds: Kinds, places: Places) -> None:
        self.code = code
        self.kinds = kinds
        self.places = places
        self.out = Writer()
        self.constants = Constants()
        self.temps = Temporaries()
        self.hot = False
        """Whether cells are calculated in place: in loops."""
        self._block_labels: dict[str, str] = {}

    def block_label(self, name: str) -> str:
        """A block's label; no two blocks have the same."""
        if name not in self._block_labels:
            label = "B_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name).upper()
            if label in self._block_labels.values():
                label = f"{label}_{len(self._block_labels)}"
            self._block_labels[name] = label
        return self._block_labels[name]

    def array_label(self, array: str) -> str:
        """The label of an array; a parameter's is that of the array that is passed."""
        return self.places.arrays[self.code.arrays[array].name]
