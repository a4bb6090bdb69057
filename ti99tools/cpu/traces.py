"""Traces: the instructions that are compiled together, followed from where a run arrives.

A trace goes straight on, past conditional jumps, and along jumps and calls to fixed addresses. It
ends at an instruction that only the interpreter executes, before a trap, at memory that cannot be
read as code, and before an instruction that lies in a workspace in use.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ti99tools.cpu.bus import Bus
from ti99tools.cpu.core import EVEN
from ti99tools.cpu.instructions import DECODED, Format, Instruction
from ti99tools.cpu.operations import displaced

LONGEST = 16
"""Instructions of a trace: short ones cost programs little that do not run long."""
INTERPRETED = {
    "X", "XOP", "LDCR", "STCR", "SBO", "SBZ", "TB", "IDLE", "RSET", "CKON", "CKOF", "LREX",
    "ILLEGAL",
}  # fmt: skip
"""Instructions that are left to the interpreter."""
LAST = {"LIMI", "BLWP", "RTWP"}
"""Instructions with which a trace ends."""
REGISTERS = 17
"""Words of a workspace that an instruction may reach: MPY and DIV use the word after R15."""
SYMBOLIC = 0x20
"""The general operand @ without index."""


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of a trace: its place, the workspace, its words, the place after it."""

    address: int
    wp: int
    row: Instruction
    words: tuple[int, ...]
    after: int


def trace(
    bus: Bus, pc: int, wp: int, traps: Collection[int], compiled: Collection[int] = ()
) -> list[Step]:
    """The trace from `pc` with workspace `wp`; empty when nothing can be compiled.

    Where one of the `compiled` begins (PC | WP << 16) it ends.
    """
    steps: list[Step] = []
    workspaces = _workspace(bus, wp)
    code: set[int] = set()
    seen: set[int] = set()
    while len(steps) < LONGEST and pc not in seen and pc not in traps and workspaces is not None:
        step = _step(bus, pc, wp)
        if step is None:
            break
        places = {bus.reads[address] for address in addresses(step)}
        if places & workspaces or -1 in places:
            break
        seen.add(pc)
        steps.append(step)
        code |= places
        if step.row.name == "LWPI":
            wp = step.words[1] & EVEN
            more = _workspace(bus, wp)
            if more is None or more & code:
                break
            workspaces |= more
        following = _following(step)
        if following is None or following | wp << 16 in compiled:
            break
        pc = following
    return steps


def addresses(step: Step) -> range:
    """The addresses of an instruction's words."""
    return range(step.address, step.address + 2 * len(step.words), 2)


def _workspace(bus: Bus, wp: int) -> set[int] | None:
    """The memory of a workspace; None when one of its words is no plain memory."""
    places = {bus.writes[(wp + 2 * number) & 0xFFFF] for number in range(REGISTERS)}
    return None if -1 in places else places


def _step(bus: Bus, pc: int, wp: int) -> Step | None:
    """The instruction at an address; None when it is not for the compiler."""
    index = bus.reads[pc]
    if index < 0:
        return None
    word = bus.words[index]
    row = DECODED[word]
    if row.name in INTERPRETED:
        return None
    size = 1 + _more(word, row)
    if pc + 2 * size > 0xFFFE:
        return None
    places = [bus.reads[address] for address in range(pc, pc + 2 * size, 2)]
    if min(places) < 0:
        return None
    return Step(pc, wp, row, tuple(bus.words[place] for place in places), pc + 2 * size)


def _more(word: int, row: Instruction) -> int:
    """How many words follow the instruction word."""
    if row.format in (Format.IMMEDIATE, Format.WORD):
        return 1
    fields = {Format.TWO: (word, word >> 6), Format.REGISTER: (word,), Format.ONE: (word,)}
    return sum(field & 0x30 == SYMBOLIC for field in fields.get(row.format, ()))


def _following(step: Step) -> int | None:
    """Where the trace goes on; None at its end."""
    name = step.row.name
    if name == "JMP":
        return displaced(step.after, step.words[0])
    if name in ("B", "BL"):
        return step.words[1] & EVEN if step.words[0] & 0x3F == SYMBOLIC else None
    return None if name in LAST else step.after
