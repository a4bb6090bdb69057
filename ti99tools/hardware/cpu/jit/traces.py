"""Traces: the instructions that are compiled together, followed from where a run arrives.

A trace goes straight on, follows jumps, calls and context switches to fixed addresses, and returns
from such calls. At a conditional jump it follows both branches, as far as there is room. It ends at
an instruction that only the interpreter executes, before a trap, at memory that cannot be read as
code, and before an instruction that lies in a workspace in use. A trap that returns is part of it.
A trace that begins elsewhere ends before the cartridge, whose bank may be another the next time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ti99tools.hardware.cpu.bus import CARTRIDGE, Bus
from ti99tools.hardware.cpu.core import EVEN
from ti99tools.hardware.cpu.instructions import DECODED, Format, Instruction
from ti99tools.hardware.cpu.operations import CONDITIONS, displaced

LONGEST, MOST, DEEPEST = 16, 64, 8
"""Most instructions of one way and of all ways together, and most jumps taken on a way. Short
traces cost little in programs that do not run long."""
INTERPRETED = set("X XOP TB IDLE RSET CKON CKOF LREX ILLEGAL".split())
"""Instructions that are left to the interpreter."""
LAST = {"RTWP", "SBO", "SBZ"}
"""Instructions with which a trace ends."""
REGISTERS, LAST_REGISTER = 16, 15 << 6
"""Words of a workspace; the field of R15, with which MPY and DIV use a word after the workspace."""
SYMBOLIC = 0x20
"""The general operand @ without an index."""


RETURN = 0x045B
"""B *R11."""
BANKED = range(CARTRIDGE[0] >> 1, CARTRIDGE[1] >> 1)
"""Words of memory that change with the bank of the cartridge."""


@dataclass(slots=True)
class Step:
    """One instruction of a trace: its place, the workspace, its words, the place after it.

    `way` are the steps after a taken conditional jump, as far as they are known; `back` is where B
    *R11 is expected to go; `vector` is the workspace and place that a BLWP goes to, if it is fixed;
    `resumes` is where the trap there is expected to return to.
    """

    address: int
    wp: int
    row: Instruction
    words: tuple[int, ...]
    after: int
    way: list[Step] = field(default_factory=list)
    back: int | None = None
    vector: tuple[int, int] | None = None
    resumes: int | None = None


@dataclass(frozen=True, slots=True)
class _Fork:
    """A conditional jump, and what is known at the point where it is taken."""

    step: Step
    seen: frozenset[int]
    calls: tuple[int, ...]
    depth: int


class Tracer:
    """Follows the branches of one trace.

    `code` are the words of memory that it is made of, `calls` the traps of `returning` after which
    it goes on. `returning`: traps that return → the number of words after the call that they skip.
    """

    def __init__(
        self,
        bus: Bus,
        traps: Collection[int],
        loops: Collection[int],
        returning: Mapping[int, int],
    ) -> None:
        self.code: dict[int, int] = {}
        self.calls: dict[int, int] = {}
        self._bus = bus
        self._traps = traps
        self._returning = returning
        self._loops = loops
        self._workspaces: set[int] = set()
        self._forks: deque[_Fork] = deque()
        self._room = MOST
        self._closed: Collection[int] = ()
        """Words that the trace must not be made of."""

    def trace(self, pc: int, wp: int) -> list[Step]:
        """The trace from `pc` with workspace `wp`; empty when nothing can be compiled.

        It ends where one of the `loops` begins (PC | WP << 16).
        """
        workspace = _workspace(self._bus, wp)
        if workspace is None:
            return []
        self._workspaces = workspace
        self._closed = () if CARTRIDGE[0] <= pc < CARTRIDGE[1] else BANKED
        steps = self._way(pc, wp, frozenset(), (), 0)
        # First come, first served: branches near the start run more often than deep ones.
        while self._forks and self._room > 0:
            fork = self._forks.popleft()
            target = displaced(fork.step.after, fork.step.words[0])
            if target | fork.step.wp << 16 not in self._loops:
                fork.step.way = self._way(
                    target, fork.step.wp, fork.seen, fork.calls, fork.depth + 1
                )
        return steps

    def _way(
        self, pc: int, wp: int, before: frozenset[int], calls: tuple[int, ...], depth: int
    ) -> list[Step]:
        """The steps from a place until something ends them."""
        steps: list[Step] = []
        seen = set(before)
        while len(steps) < LONGEST and self._room > 0:
            # A place that was already on this branch would repeat it endlessly.
            step = None if pc in seen or pc in self._traps else _step(self._bus, pc, wp)
            if step is None or not self._take(step):
                break
            steps.append(step)
            seen.add(pc)
            following = self._following(step, calls)
            if following is None:
                break
            name = step.row.name
            if name == "BL":
                calls = (*calls, step.after)
            elif step.back is not None:
                calls = calls[:-1]
            elif name in CONDITIONS and depth < DEEPEST:
                self._forks.append(_Fork(step, frozenset(seen), calls, depth))
            pc, wp = following
            if pc | wp << 16 in self._loops:
                break
        return steps

    def _take(self, step: Step) -> bool:
        """Add a step, unless its code lies in a workspace."""
        places = [self._bus.reads[address] for address in addresses(step)]
        # Writes to registers are not watched, so code must not lie among them.
        if not self._usable(places):
            return False
        self.code.update(zip(places, step.words, strict=True))
        self._room -= 1
        return True

    def _usable(self, places: Sequence[int]) -> bool:
        """Tell whether the trace may be made of these words."""
        return (
            -1 not in places
            and self._workspaces.isdisjoint(places)
            and places[0] not in self._closed
            and places[-1] not in self._closed
        )

    def _following(self, step: Step, calls: tuple[int, ...]) -> tuple[int, int] | None:
        """Where the trace goes on: PC and WP; None at its end."""
        name, word = step.row.name, step.words[0]
        if name == "LWPI":
            wp = step.words[1] & EVEN
            return (step.after, wp) if self._open(wp) else None
        if name == "BLWP":
            return self._switched(step)
        if name == "JMP":
            return displaced(step.after, word), step.wp
        # B *R11 after a BL: the address that the BL left is known.
        if word == RETURN and calls:
            step.back = calls[-1]
            return step.back, step.wp
        if name in ("B", "BL"):
            return (step.words[1] & EVEN, step.wp) if word & 0x3F == SYMBOLIC else None
        return None if name in LAST else (step.after, step.wp)

    def _switched(self, step: Step) -> tuple[int, int] | None:
        """Where a BLWP with a fixed vector goes; the vector counts as code from then on."""
        if step.words[0] & 0x3F != SYMBOLIC:
            return None
        address = step.words[1] & EVEN
        places = [self._bus.reads[at & 0xFFFF] for at in (address, address + 2)]
        if not self._usable(places):
            return None
        wp, pc = (self._bus.words[place] & EVEN for place in places)
        # A vector inside its own new workspace would be overwritten by the switch.
        if not set(places).isdisjoint(_workspace(self._bus, wp) or places) or not self._open(wp):
            return None
        self.code.update((place, self._bus.words[place]) for place in places)
        step.vector = wp, pc
        if pc not in self._returning:
            return pc, wp
        self.calls[pc] = self._returning[pc]
        step.resumes = (step.after + 2 * self.calls[pc]) & EVEN
        return step.resumes, step.wp

    def _open(self, wp: int) -> bool:
        """Use another workspace, if it is plain memory without code in it."""
        workspace = _workspace(self._bus, wp)
        if workspace is None or not workspace.isdisjoint(self.code):
            return False
        self._workspaces |= workspace
        return True


def addresses(step: Step) -> range:
    """The addresses of an instruction's words."""
    return range(step.address, step.address + 2 * len(step.words), 2)


def _workspace(bus: Bus, wp: int) -> set[int] | None:
    """The memory of a workspace; None when one of its words is not plain memory."""
    places = {bus.writes[(wp + 2 * number) & 0xFFFF] for number in range(REGISTERS)}
    return None if -1 in places else places


def _step(bus: Bus, pc: int, wp: int) -> Step | None:
    """The instruction at an address; None when the compiler cannot take it."""
    index = bus.reads[pc]
    if index < 0:
        return None
    word = bus.words[index]
    row = DECODED[word]
    if row.name in INTERPRETED or (
        # MPY and DIV with R15 use the word after the workspace, which is not a register.
        row.name in ("MPY", "DIV") and word & LAST_REGISTER == LAST_REGISTER
    ):
        return None
    size = 1 + _more(word, row)
    # No wrapping round the end of memory: the interpreter does that.
    if pc + 2 * size > 0xFFFE:
        return None
    places = [bus.reads[address] for address in range(pc, pc + 2 * size, 2)]
    if min(places) < 0:
        return None
    return Step(pc, wp, row, tuple(bus.words[place] for place in places), pc + 2 * size)


def _more(word: int, row: Instruction) -> int:
    """The number of words that follow the instruction word."""
    if row.format in (Format.IMMEDIATE, Format.WORD):
        return 1
    if row.format in (Format.TWO, Format.REGISTER, Format.CRU, Format.ONE):
        more = word & 0x30 == SYMBOLIC
        return more + (row.format is Format.TWO and word >> 6 & 0x30 == SYMBOLIC)
    return 0
