"""Instructions as words: their shape, and the operands that differ from use to use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ti99tools.compiler.emit.assembly import AssemblyRow
from ti99tools.hardware.assembler.assembling import assemble

_MEMORY = re.compile(r"@([^,(]+)(\(R\d+\))?")
_WITH_VALUE = frozenset({"LI", "AI", "ANDI", "ORI", "CI"})
_OVER_A_CALL = 2
"""The distance of a jump in a template, in words: over the call that goes on with the next step."""
BLWP = ">0420"


class Shape(NamedTuple):
    """The words of a template; None: a word that comes from the bytes. `jumps`: a jump ends it."""

    words: tuple[str | None, ...]
    jumps: bool = False

    @property
    def holes(self) -> int:
        """How many words come from the bytes."""
        return self.words.count(None)


@dataclass(slots=True)
class Step:
    """One use of a shape: its operands, and the label that it may jump to."""

    shape: Shape
    operands: tuple[str, ...] = ()
    target: str = ""


@dataclass
class Table:
    """Words in memory that code reads: the ways of an ON."""

    label: str
    words: str


Piece = Step | str | Table
"""A step, a label, or a table."""


def pieces(rows: Iterable[AssemblyRow], labels: set[str]) -> Iterator[Piece]:
    """The steps of some rows, with the labels between them."""
    waiting = list(reversed(list(rows)))
    while waiting:
        row = waiting.pop()
        if row.label:
            after = waiting[-1] if waiting else None
            if after is not None and after.operation == "DATA":
                yield Table(row.label, waiting.pop().operands)
            else:
                yield row.label
        elif row.jumps or (row.operation == "B" and row.operands[1:] in labels):
            to = row.operands.removeprefix("@")
            yield Step(_jump("JMP" if row.operation == "B" else row.operation), (), to)
        elif row.operation == "BLWP":
            data: list[str] = []
            while waiting and waiting[-1].operation == "DATA":
                data += waiting.pop().operands.split(",")
            yield Step(Shape((BLWP, row.operands[1:], *[None] * len(data))), tuple(data))
        else:
            yield _instruction(row.operation, row.operands)


def _jump(operation: str) -> Shape:
    return Shape((_word(f"{operation:<4} $+{2 + 2 * _OVER_A_CALL}"),), True)


def _instruction(operation: str, operands: str) -> Step:
    found = tuple(each[0] for each in _MEMORY.findall(operands))
    plain = _MEMORY.sub(lambda each: f"@>1000{each[2] or ''}", operands)
    if operation in _WITH_VALUE:
        plain, _, value = operands.partition(",")
        found, plain = (value,), f"{plain},>1000"
    elif operation == "LIMI":
        found, plain = (operands,), ">1000"
    return Step(Shape((_word(f"{operation:<4} {plain}"), *[None] * len(found))), found)


@lru_cache(maxsize=4096)
def _word(instruction: str) -> str:
    """The first word of an instruction."""
    image = assemble(f"       AORG >A000\n       {instruction}\n       END\n").image()
    return f">{int.from_bytes(image.data[:2], 'big'):04X}"
