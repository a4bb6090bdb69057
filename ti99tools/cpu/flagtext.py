"""Python text for the status bits: kept as expressions until somebody asks for them.

The bits of a group are either in the variable `st`, or an expression of local variables that are
not assigned again. `packed` is an expression of the whole status register.
"""

from __future__ import annotations

from ti99tools.cpu.status import AGT, CARRY, EQ, LAE, LGT, OVERFLOW, PARITY

GENERIC = {
    "JLT": "not {0} & 0x6000", "JLE": "not {0} & 0x8000 or {0} & 0x2000", "JEQ": "{0} & 0x2000",
    "JHE": "{0} & 0xA000", "JGT": "{0} & 0x4000", "JNE": "not {0} & 0x2000",
    "JL": "not {0} & 0xA000", "JH": "{0} & 0xA000 == 0x8000",
}  # fmt: skip
"""Jump → its condition on status bits."""
ZERO = {
    "JLT": "{0} & 0x8000", "JLE": "not {0}", "JEQ": "not {0}", "JHE": "True",
    "JGT": "0 < {0} < 0x8000", "JNE": "{0}", "JL": "False", "JH": "{0}",
}  # fmt: skip
"""Jump → its condition after a comparison of a word with 0."""
PAIR = {
    "JLT": "{0} ^ 0x8000 < {1} ^ 0x8000", "JLE": "{0} <= {1}", "JEQ": "{0} == {1}",
    "JHE": "{0} >= {1}", "JGT": "{0} ^ 0x8000 > {1} ^ 0x8000", "JNE": "{0} != {1}",
    "JL": "{0} < {1}", "JH": "{0} > {1}",
}  # fmt: skip
"""Jump → its condition after a comparison of two words."""
SINGLE = {"JOC": (CARRY, ""), "JNC": (CARRY, "not "), "JNO": (OVERFLOW, "not "),
          "JOP": (PARITY, "")}  # fmt: skip


class Flags:
    """Where each group of status bits is, at one place of a trace."""

    def __init__(self) -> None:
        self._groups: dict[int, str] = {}
        self._condition: tuple[dict[str, str], tuple[str, ...]] = GENERIC, ("st",)

    def copy(self) -> Flags:
        """The same, to go on another way."""
        other = Flags()
        other._groups, other._condition = dict(self._groups), self._condition
        return other

    def zero(self, word: str) -> None:
        """L> A> EQ: a word compared with 0."""
        self._groups[LAE] = f"Z[{word}]"
        self._condition = ZERO, (word,)

    def pair(self, first: str, second: str) -> None:
        """L> A> EQ: two words compared."""
        self._groups[LAE] = (
            f"({EQ} if {first} == {second} else ({LGT} if {first} > {second} else 0)"
            f" | ({AGT} if {first} ^ 0x8000 > {second} ^ 0x8000 else 0))"
        )
        self._condition = PAIR, (first, second)

    def bits(self, variable: str) -> None:
        """L> A> EQ: in a variable, as bits."""
        self._groups[LAE] = variable
        self._condition = GENERIC, (variable,)

    def set(self, group: int, expression: str) -> None:
        """C, OV or OP: an expression of its bit."""
        self._groups[group] = expression

    def lae(self) -> str:
        """An expression of L> A> EQ."""
        return self._groups.get(LAE, f"(st & {LAE})")

    def condition(self, jump: str) -> str:
        """An expression that is true when a jump is taken."""
        if jump in SINGLE:
            group, negation = SINGLE[jump]
            return f"{negation}({self._groups.get(group, f'st & {group}')})"
        forms, values = self._condition
        return forms[jump].format(*values)

    def packed(self) -> str:
        """An expression of the status register."""
        if not self._groups:
            return "st"
        kept = 0xFFFF & ~sum(self._groups)
        return " | ".join([f"st & {kept}", *self._groups.values()])
