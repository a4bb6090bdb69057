"""Rows of assembly language; jumps out of reach become long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

FAR = 240
"""The distance in bytes that a short jump is sure to reach."""
ROWS_KEPT = 1 << 15
"""Rows that are kept as they were understood: more than a program of 64 KB has."""
_EVEN = -1
"""What stands for the bytes of EVEN, which depend on what comes before."""
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

    label: str
    operation: str = ""
    operands: str = ""
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


def row_of(operation: str, operands: str) -> AssemblyRow:
    """A row with an instruction or data, and its size."""
    return AssemblyRow("", operation, operands, size_of(operation, operands))


def bytes_of(source: str) -> int:
    """Bytes that a source of ours takes: labels begin a line, spaces go before operations."""
    size = 0
    for line in source.splitlines():
        own = _bytes_of_line(line)
        size += size & 1 if own == _EVEN else own
    return size


@lru_cache(maxsize=ROWS_KEPT)
def _bytes_of_line(line: str) -> int:
    """Bytes of a line, or `_EVEN`."""
    if line.startswith("*") or " " not in line:  # a remark, or a label of any length
        return 0
    operation, _, rest = line.partition(" ")[2].strip().partition(" ")
    match operation:
        case "EVEN":
            return _EVEN
        case "TEXT":
            return len(rest.strip()) - 2
        case "EQU" | "AORG" | "END":
            return 0
        case _:
            return size_of(operation, (rest.split() or [""])[0])


def byte_rows(data: Sequence[int]) -> list[str]:
    """Rows of sixteen bytes."""
    parts = (data[at : at + 16] for at in range(0, len(data), 16))
    return [f"       BYTE {','.join(map(str, part))}" for part in parts]


class AssemblyListing:
    """Rows of assembly language."""

    def __init__(self) -> None:
        self.rows: list[AssemblyRow] = []

    def out(self, operation: str, operands: str = "") -> None:
        """Add an instruction, with the size that it will have."""
        self.rows.append(row_of(operation, operands))

    def label(self, name: str) -> None:
        """Add a label, which names what comes next."""
        self.rows.append(AssemblyRow(name))

    def jump(self, operation: str, to: str) -> None:
        """Add a jump; `relax` makes it long where its target is out of reach."""
        self.rows.append(AssemblyRow("", operation, to, 2))

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
        return "\n".join([_line(row) for row in self.rows]) + "\n"


def _line(row: AssemblyRow) -> str:
    if row.label:
        return row.label
    if row.far:
        return "\n".join(_long_jump(row))
    return f"       {row.operation:<4} {row.operands}"


def _long_jump(row: AssemblyRow) -> list[str]:
    if row.operation == "JMP":
        return [f"       B    @{row.operands}"]
    inverse = INVERTED[row.operation]
    if row.operation == "JNO":
        return ["       JNO  $+4", "       JMP  $+6", f"       B    @{row.operands}"]
    over = [f"       {jump:<4} $+{4 + 2 * (len(inverse) - n)}" for n, jump in enumerate(inverse)]
    return [*over, f"       B    @{row.operands}"]
