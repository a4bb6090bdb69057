"""What generated code is written to: instructions, labels, code put aside, calls of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import AssemblyListing
from ti99tools.compiler.emit.sections import Mark, Section, Spots

NEAR = 150
"""Bytes of code after which the code that was put aside is written."""


class _Aside(NamedTuple):
    """Code that is put aside: its label, where it belongs, and what writes it."""

    name: str
    spot: ir.Spot
    variant: str
    inside: Spots
    work: Callable[[], None]


class Writer:
    """The code of a program as it is written."""

    def __init__(self, banked: bool = False, suffix: str = "") -> None:
        """`suffix` ends its own labels."""
        self._suffix = suffix
        self.section = Section(0, alone=not banked)
        """What is being written."""
        self.sections = [self.section]
        self.spot: ir.Spot = (0, 0)
        """The statement whose code is being written."""
        self.variant = ""
        """The variant that it belongs to: see `ir.Block`."""
        self.inside: Spots = ()
        """The DEFs whose code is being written, the innermost last."""
        self.used: set[str] = set()
        """Entries of the runtime that are called."""
        self._labels = self._marks = 0
        self._size = 0
        self._aside: list[_Aside] = []
        self._aside_since = 0
        self._failing: dict[tuple[ir.Spot, str, Spots, int], str] = {}
        """Statement, variant and error → the label of its code that is put aside."""

    @property
    def listing(self) -> AssemblyListing:
        """The code of the section."""
        return self.section.listing

    @property
    def size(self) -> int:
        """The bytes that have been written; more where jumps become long."""
        return self._size

    def begin(self, section: Section) -> None:
        """Go on with another section."""
        self.section = section
        self.sections.append(section)

    def op(self, operation: str, operands: str = "") -> None:
        """Add an instruction: mnemonic and operands."""
        self.listing.out(operation, operands)
        self._size += self.listing.rows[-1].size

    def jump(self, operation: str, to: str) -> None:
        """Add a jump to a label."""
        self.listing.jump(operation, to)
        self._size += 2

    def jump_if_over(self, to: str) -> None:
        """Jump if a sum is no word: JNO has no opposite, so it jumps over the jump."""
        good = self.fresh()
        self.jump("JNO", good)
        self.jump("JMP", to)
        self.label(good)

    def label(self, name: str) -> None:
        """Add a label, which names what comes next."""
        self.listing.label(name)

    def fresh(self) -> str:
        """A label that nothing else has."""
        self._labels += 1
        return f"J{self._labels}{self._suffix}"

    def mark(self, spot: ir.Spot) -> None:
        """Note that the code of a statement begins here."""
        self.spot = spot
        marks = self.section.marks
        known = marks[-1][1:] if marks else None
        if known != (spot, self.variant, self.inside):
            name = f"Q{self._marks}{self._suffix}"
            self._marks += 1
            marks.append(Mark(name, spot, self.variant, self.inside))
            self.label(name)

    @contextmanager
    def function(self, *spots: ir.Spot) -> Iterator[None]:
        """Inside, code of a DEF in that statement is written, or of several that use each other."""
        outer, self.inside = self.inside, (*self.inside, *spots)
        self.uses("INDEF")
        self.mark(self.spot)
        yield
        self.inside = outer
        self.mark(self.spot)

    # -- the runtime ----------------------------------------------------------------------

    def uses(self, entry: str) -> str:
        """Note that the program needs a label of the runtime; return it."""
        self.used.add(entry)
        return entry

    def call(self, entry: str, *data: str) -> None:
        """Call the runtime, with words of arguments after the call."""
        self.op("BLWP", f"@{self.uses(entry)}")
        if data:
            self.op("DATA", ",".join(data))

    # -- code aside -----------------------------------------------------------------------

    def aside(self, work: Callable[[], None]) -> str:
        """Put code aside, to be written by `flush`; return its label."""
        name = self.fresh()
        if not self._aside:
            self._aside_since = self._size
        self._aside.append(_Aside(name, self.spot, self.variant, self.inside, work))
        return name

    def failing(self, error: int) -> str:
        """Put code aside that ends the program with an error; return its label.

        A statement needs it once for each error.
        """
        key = self.spot, self.variant, self.inside, error
        if key not in self._failing:
            self._failing[key] = self.aside(lambda: self.fail(error))
        return self._failing[key]

    def fail(self, error: int) -> None:
        """End the program with an error."""
        self.call("FAIL", f"M{error}")

    def redo(self, label: str, work: Callable[[], None]) -> None:
        """Replace the code at a label that `aside` gave."""
        for at, one in enumerate(self._aside):
            if one.name == label:
                self._aside[at] = one._replace(work=work)

    def flush(self) -> None:
        """Write the code that was put aside. Nothing may fall through to this place."""
        back = self.spot, self.variant, self.inside
        self._failing.clear()
        while self._aside:
            waiting, self._aside = self._aside, []
            for one in waiting:
                self.variant, self.inside = one.variant, one.inside
                self.mark(one.spot)
                self.label(one.name)
                one.work()
        self.spot, self.variant, self.inside = back

    def flush_if_far(self) -> None:
        """Write the code that was put aside before jumps to it become long."""
        if self._aside and self._size - self._aside_since > NEAR:
            over, spot = self.fresh(), self.spot
            self.jump("JMP", over)
            self.flush()
            self.mark(spot)
            self.label(over)
