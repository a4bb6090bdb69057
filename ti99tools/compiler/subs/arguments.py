"""The table by which arguments come in and go out: see runtime/subio.a99.

A row has five words: how to take the argument and its number, where it goes, how many elements it
has, its lowest and highest value.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.compiler import ir
from ti99tools.compiler.kinds import CELL, TEXT, WORD
from ti99tools.compiler.subs.stub import Parameter
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW, Interval

OUT, FROM_1, UNREAD, CELLS, TEXTS = 0x8000, 0x4000, 0x2000, 0x1000, 0x0800
"""How to take an argument: it also goes out again; the first element of an array is number 1; the
SUB sets it before it reads it: it begins with the lowest value, and goes out if it has another; it
is a cell; it is a text, which goes out if it has another handle, or once the
heap was put in order."""
NO_CELL = -0x8000
"""The four words of a cell that no number has."""
_KINDS = {WORD: 0, CELL: CELLS, TEXT: TEXTS}
_WORDS = {WORD: 1, CELL: 4, TEXT: 1}


@dataclass(frozen=True)
class Passed:
    """A parameter that a SUB uses: where it goes, whether it is set, its lowest and highest value.

    `unread`: it is set before it is read; its lowest value is one that it does not get.
    """

    parameter: Parameter
    address: str
    is_set: bool
    limits: tuple[int, int]
    unread: bool = False
    kind: str = WORD

    @property
    def words(self) -> int:
        """Words that say what came in, where it goes out again."""
        return _WORDS[self.kind] * max(1, self.parameter.elements) * self.is_set


def rows(parameters: list[Passed], label: str, leave: str) -> list[str]:
    """The table of a SUB."""
    found = [label, f"       DATA {leave}"]
    for one in parameters:
        own = one.parameter
        how = own.number | OUT * one.is_set | FROM_1 * own.first | UNREAD * one.unread
        how |= _KINDS[one.kind]
        low, high = one.limits
        found.append(f"       DATA {how},{one.address},{max(1, own.elements)},{low},{high}")
    return [*found, "       DATA 0"]


def unused(found: Interval) -> int | None:
    """A word that a variable never has; None if it may have any."""
    if found.low > WORD_LOW:
        return int(found.low) - 1
    return int(found.high) + 1 if found.high < WORD_HIGH else None


def is_set(code: ir.Code, own: list[str], name: str) -> bool:
    """Tell whether a SUB may change a parameter."""
    for block in own:
        for one in code.blocks[block].body:
            match one:
                case ir.Assign(target) if target == name:
                    return True
                case ir.Store(array) if code.arrays[array].name == name:
                    return True
                case ir.Do() if name in one.results:
                    return True
    return False


LINK, ARGUMENT = 50_900, 29_000
"""Cycles of a LINK, and of each argument that is a variable (measured)."""
_FETCH = {WORD: 2_700, CELL: 2_700, TEXT: 5_500}
_FETCH_ELEMENT = 4_600
"""Cycles of taking an argument, or an element of an array, with what is done to it."""


def cost(arguments: int, passed: list[Passed]) -> int:
    """The cycles of a CALL without what the SUB does, and without what goes out again."""
    total = LINK + ARGUMENT * arguments
    for one in passed:
        if one.parameter.elements:
            total += _FETCH_ELEMENT * one.parameter.elements
        elif not one.unread:
            total += _FETCH[one.kind]
    return total
