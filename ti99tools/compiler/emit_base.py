"""What all code generators share: the code made so far, labels, jumps, constants, temporaries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.compiler import ir
from ti99tools.compiler.kinds import Kinds, Places
from ti99tools.computer.numbers.forms import to_bytes
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW

FAR = 240
"""The distance in bytes that a short jump is sure to reach."""
_IMMEDIATE = frozenset({"LI", "AI", "ANDI", "ORI", "CI", "LWPI", "LIMI"})
INVERTED = {
    "JEQ": ("JNE",),
    "JNE": ("JEQ",),
    "JLT": ("JGT", "JEQ"),
    "JGT": ("JLT", "JEQ"),
    "JL": ("JHE",),
    "JHE": ("JL",),
    "JH": ("JLE",),
    "JLE": ("JH",),
    "JNO": (),
    "JNC": ("JOC",),
    "JOC": ("JNC",),
}
"""Jump → the jumps that together are its opposite; JNO has none."""


@dataclass(slots=True)
class AssemblyRow:
    """A label (no operation), an instruction, or a jump to a label."""

    label: str = ""
    operation: str = ""
    operands: str = ""
    comment: str = ""
    size: int = 0
    far: bool = False

    @property
    def jumps(self) -> bool:
        """Tell whether this is a jump whose length depends on where it goes."""
        return self.operation in INVERTED or self.operation == "JMP"


def size_of(operation: str, operands: str) -> int:
    """Bytes of an instruction or of data."""
    if operation == "DATA":
        return 2 * (operands.count(",") + 1)
    if operation == "BYTE":
        return operands.count(",") + 1
    return 2 + 2 * (operation in _IMMEDIATE) + 2 * operands.count("@")


class AssemblyListing:
    """Rows of assembly language."""

    def __init__(self) -> None:
        self.rows: list[AssemblyRow] = []

    def out(self, operation: str, operands: str = "", comment: str = "") -> None:
        """Add an instruction."""
        self.rows.append(
            AssemblyRow("", operation, operands, comment, size_of(operation, operands))
        )

    def label(self, name: str) -> None:
        """Add a label."""
        self.rows.append(AssemblyRow(name))

    def jump(self, operation: str, to: str) -> None:
        """Add a jump."""
        self.rows.append(AssemblyRow("", operation, to, "", 2))

    def relax(self) -> None:
        """Make the jumps long whose targets are out of reach."""
        # A jump that becomes long may push others out of reach; none becomes short again.
        while True:
            at, places = 0, {}
            for row in self.rows:
                if row.label:
                    places[row.label] = at
                at += row.size
            changed, at = False, 0
            for row in self.rows:
                if row.jumps and not row.far and abs(places.get(row.operands, 1 << 20) - at) > FAR:
                    row.far = changed = True
                    row.size = 4 if row.operation == "JMP" else 4 + 2 * len(INVERTED[row.operation])
                    if row.operation == "JNO":
                        row.size = 8
                at += row.size
            if not changed:
                return

    def text(self) -> str:
        """The rows as a source."""
        return "\n".join(line for row in self.rows for line in _lines(row)) + "\n"


def _lines(row: AssemblyRow) -> list[str]:
    if row.label:
        return [row.label]
    if not row.far:
        note = f"  {row.comment}" if row.comment else ""
        return [f"       {row.operation:<4} {row.operands}{note}"]
    if row.operation == "JMP":
        return [f"       B    @{row.operands}"]
    inverse = INVERTED[row.operation]
    if row.operation == "JNO":
        return ["       JNO  $+4", "       JMP  $+6", f"       B    @{row.operands}"]
    over = [f"       {jump:<4} $+{4 + 2 * (len(inverse) - n)}" for n, jump in enumerate(inverse)]
    return [*over, f"       B    @{row.operands}"]


NEAR = 150
"""Bytes of code after which the code that was put aside is written."""


def cell_bytes(value: Number) -> bytes:
    """The eight bytes of a cell: 1 is 0000 0001 …, 1.5 is 4001 3200 …"""
    if isinstance(value, int) and WORD_LOW <= value <= WORD_HIGH:
        return bytes(2) + (value & 0xFFFF).to_bytes(2, "big") + bytes(4)
    return to_bytes(value)


class Base:
    """The state of code generation."""

    def __init__(self, code: ir.Code, kinds: Kinds, places: Places) -> None:
        self.code = code
        self.kinds = kinds
        self.places = places
        self.listing = AssemblyListing()
        self.spot: ir.Spot = (0, 0)
        self.hot = False
        self.cells: dict[bytes, str] = {}
        """The eight bytes of a constant → its label."""
        self.words: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.used: set[str] = set()
        """Entries of the runtime that are called."""
        self.most_temps = self.most_words = 0
        self._temps = self._word_temps = 0
        self._labels = 0
        self._aside: list[tuple[str, ir.Spot, Callable[[], None]]] = []
        self._aside_since = 0
        self._size = 0
        self.marks: list[tuple[str, ir.Spot]] = []
        """Label → the statement whose code begins there, in the order of the code."""

    # -- output ---------------------------------------------------------------------------

    def out(self, operation: str, operands: str = "", comment: str = "") -> None:
        """Add an instruction."""
        self.listing.out(operation, operands, comment)
        self._size += self.listing.rows[-1].size

    def jump(self, operation: str, to: str) -> None:
        """Add a jump."""
        self.listing.jump(operation, to)
        self._size += 2

    def label(self, name: str) -> None:
        """Add a label."""
        self.listing.label(name)

    def fresh(self) -> str:
        """A new label."""
        self._labels += 1
        return f"J{self._labels}"

    def mark(self, spot: ir.Spot) -> None:
        """Note that the code of a statement begins here."""
        self.spot = spot
        if not self.marks or self.marks[-1][1] != spot:
            name = f"Q{len(self.marks)}"
            self.marks.append((name, spot))
            self.label(name)

    def call(self, entry: str, *data: str) -> None:
        """Call the runtime, with words of arguments after the call."""
        self.used.add(entry)
        self.out("BLWP", f"@{entry}")
        if data:
            self.out("DATA", ",".join(data))

    # -- code aside -----------------------------------------------------------------------

    def aside(self, work: Callable[[], None]) -> str:
        """Put code aside, to be written by `flush`; return its label."""
        name = self.fresh()
        if not self._aside:
            self._aside_since = self._size
        self._aside.append((name, self.spot, work))
        return name

    def failing(self, error: int) -> str:
        """Put code aside that ends the program with an error; return its label."""
        return self.aside(lambda: self.call("FAIL", f"M{error}"))

    def flush(self) -> None:
        """Write the code that was put aside. Nothing may fall through to this place."""
        back = self.spot
        while self._aside:
            waiting, self._aside = self._aside, []
            for name, spot, work in waiting:
                self.mark(spot)
                self.label(name)
                work()
        self.spot = back

    def flush_if_far(self) -> None:
        """Write the code that was put aside before jumps to it become long."""
        if self._aside and self._size - self._aside_since > NEAR:
            over, spot = self.fresh(), self.spot
            self.jump("JMP", over)
            self.flush()
            self.mark(spot)
            self.label(over)

    # -- constants and temporaries --------------------------------------------------------

    def cell_constant(self, value: Number) -> str:
        """The label of a constant cell."""
        return self.cells.setdefault(cell_bytes(value), f"K{len(self.cells)}")

    def word_constant(self, value: int) -> str:
        """The label of a constant word."""
        return self.words.setdefault(value & 0xFFFF, f"W{len(self.words)}")

    def text_constant(self, text: str) -> str:
        """The label of a constant text: its length, its bytes."""
        return self.texts.setdefault(text, f"X{len(self.texts)}")

    def temp(self) -> str:
        """A cell for an intermediate result of a statement."""
        self._temps += 1
        self.most_temps = max(self.most_temps, self._temps)
        return f"TC+{8 * (self._temps - 1)}"

    def word_temp(self) -> str:
        """A word for an intermediate result of a statement."""
        self._word_temps += 1
        self.most_words = max(self.most_words, self._word_temps)
        return f"TW+{2 * (self._word_temps - 1)}"

    def free_temps(self) -> None:
        """Free the temporaries of the last statement."""
        self._temps = self._word_temps = 0
