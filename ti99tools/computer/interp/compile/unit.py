"""One compiled function: places, blocks, and what has to be known of it when it runs.

What generated code and what runs it agree on: places, blocks, and the stack.

Generated code makes and looks at the frames of loops and subroutines all the time: they are plain
lists and tuples, and their layout stands here.

One compiled function, and what has to be known of it when it runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from ti99tools.language.prescan.symbols import ELEMENT, Scope, Shape, Symbol

Place = tuple[int, int]
"""A place in a program: index of its line, offset of a statement."""

Key = tuple[int, int, int]
"""An entry: line index, offset, phase (0; 1 and up are the blocks after a wait, or one of those
below)."""

LOOP_BODY = 9
"""The phase of the block that runs a loop from the start of its body on, round and round."""

SHORT, CHARGED = 7, 8
"""Phases of blocks of a single statement, which the program goes on with after a stop between two
statements: before its time was charged, or after that, before it has done anything."""

Counter = list[tuple[Place, str]]
"""The statements that are counted together, and what of each: see `base.counts`."""

Block = Callable[[], Any]
"""A basic block: runs and returns the block that comes next."""

ForFrame = list[Any]
"""A running loop: variable, last value, step, the block of its body, that block's place and phase
(LOOP_BODY if it runs the loop by itself)."""

VARIABLE, LIMIT, STEP, BODY, PLACE, PHASE = range(6)
"""Indexes in a ForFrame."""

GosubFrame = tuple[Block, Place]
"""A GOSUB that has not returned: where RETURN goes on."""


@dataclass(frozen=True, slots=True)
class Passed:
    """One argument: a variable, whole array or array element passed by reference, or a value.

    `source` is the source of the value, or of an element's position in the flat list of `symbol`.
    """

    symbol: Symbol | None
    source: str = ""

    @property
    def is_element(self) -> bool:
        """True if an array element is passed, be it by way of a parameter that stands for one."""
        return self.symbol is not None and (bool(self.source) or self.symbol.element)

    @property
    def shape(self) -> Shape:
        """What the SUB has to know of the argument."""
        if self.is_element:
            return ELEMENT
        return self.symbol.sizes if self.symbol is not None else None


@dataclass(frozen=True, slots=True)
class Site:
    """A CALL of a program's SUB: how its arguments are passed."""

    sub: Scope
    passed: tuple[Passed, ...]


@dataclass(slots=True, weakref_slot=True)
class Unit:
    """One compiled function: its code, what its free names mean, and its places.

    A free name is one of `blocks`, `symbols`, `sites` (SUBs called) or `makers` (functions that
    make the arguments of a built-in subprogram, once an activation); `constants` are globals.
    `depths` says of a function of DEF how many words of stack are taken where it is used.
    `sums`: lines of the source that add the times of statements, with the place and the cycles of
    each; `carried`: lines that give the clock what such lines have added up. `counters`: lines that
    count statements, with the number of the counter.
    """

    name: str
    key: Key
    careful: bool
    code: CodeType
    source: str
    filename: str
    marks: list[tuple[int, Place]]
    blocks: dict[str, Key] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    sites: dict[str, Site] = field(default_factory=dict)
    makers: dict[str, CodeType] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    is_function: bool = False
    numbers: list[int] = field(default_factory=list)
    sums: dict[int, list[tuple[Place, int]]] = field(default_factory=dict)
    carried: frozenset[int] = frozenset()
    counters: dict[int, int] = field(default_factory=dict)

    def number(self, place: Place) -> int:
        """The line number of a place in the listing that the unit was made from.

        After the last line, where RETURN NEXT may lead, it is the last one.
        """
        return self.numbers[min(place[0], len(self.numbers) - 1)]

    def place(self, line: int) -> Place:
        """The statement that a line of the Python source belongs to."""
        i = bisect_right(self.marks, line, key=lambda mark: mark[0]) - 1
        return self.marks[max(i, 0)][1]
