"""Where SUBs have their memory, and what the generators of their code share.

Low memory is taken where that is free: CALL INIT leaves it from >24F4 on to machine code, up to the
names at its end. What the program's twins in machine code have there is known from their sources:
addresses of their own.

LINK may change >8390 to >83BF of the scratch pad (measured): a workspace and eight words. What lies
there is lost between two calls: so variables that a call may read before it sets them have a home
in memory, from which the call fetches them and to which it brings them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ti99tools.compiler import ir
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import Constants
from ti99tools.compiler.emit.writer import Writer
from ti99tools.compiler.kinds import REGISTERS, WIDTHS, WORD, Kinds, Places, used_most
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.computer.machinecode.addresses import ENTRY, FREE_AFTER_INIT, NAMES_END

HEAP_BYTES = 1024
"""The least bytes of the heap for texts where the source states none."""

Blocks = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Room:
    """Low memory for SUBs, up to `end`; `heap`: the bytes that the source states, or 0."""

    end: int = FREE_AFTER_INIT
    heap: int = 0


def room_below(addresses: Iterable[int], names: int, heap: int) -> Room:
    """The room below addresses that other code uses, and below so many names."""
    highest = NAMES_END - ENTRY * names
    end = min([highest, *(one for one in addresses if FREE_AFTER_INIT <= one < NAMES_END)])
    return Room(end & ~1, heap)


@dataclass(frozen=True)
class SubMemory:
    """The rows that reserve memory: `equates` for low memory, `blocks` within the code."""

    equates: str
    blocks: str
    low_end: int
    """Where the part in low memory ends; 0 if there is none."""
    lasting: int
    """Bytes that last from call to call."""
    heap: int

    @property
    def low_bytes(self) -> int:
        """The bytes of low memory that are taken."""
        return self.low_end - FREE_AFTER_INIT if self.low_end else 0


def laid_out(lasting: Blocks, scratch: Blocks, texts: bool, room: Room) -> SubMemory:
    """Lay out memory that lasts, memory that does not, and the heap for texts."""
    sizes = [sum(size + (size & 1) for _, size in blocks) for blocks in (lasting, scratch)]
    heap = (room.heap or HEAP_BYTES) if texts else 0
    heap += heap & 1
    left = room.end - FREE_AFTER_INIT
    if texts and not room.heap:
        heap = max(heap, left - sum(sizes))
    sections = (
        ("RAMBEG", lasting, "RAMEND", sizes[0]),
        ("SCRBEG", scratch, "SCREND", sizes[1]),
        ("HEAPLO", (), "HEAPHI", heap),
    )
    equates, blocks, at = "", "", FREE_AFTER_INIT
    for begin, own, end, size in sections:
        if at + size <= room.end:
            equates += f"{begin:<6} EQU  >{at:04X}\n"
            for label, one in own:
                equates += f"{label:<6} EQU  >{at:04X}\n"
                at += one + (one & 1)
            at = at if own else at + size
            equates += f"{end:<6} EQU  >{at:04X}\n"
        else:
            rows = own or ([("", size)] if size else [])
            blocks += f"{begin}\n" + "".join(map(_block, rows)) + f"{end}\n"
    return SubMemory(equates, blocks, at if at > FREE_AFTER_INIT else 0, sizes[0], heap)


def _block(memory: tuple[str, int]) -> str:
    label, size = memory
    return (f"{label}\n" if label else "") + f"       BSS  {size + (size & 1)}\n"


WORKSPACE = 0x8390
DEEPER = 2
"""How much more a use counts with each loop around it: most of what takes time lies in GOSUBs."""
PAD = range(0x83B0, 0x83C0, 2)
"""Words of the scratch pad besides the workspace."""


class SubPlaces(Places):
    """The operand of every variable and array of a SUB, whose blocks are its `own`."""

    def __init__(self, code: ir.Code, kinds: Kinds, own: list[str], suffix: str) -> None:
        self._own = [code.blocks[name] for name in own]
        super().__init__(code, kinds, suffix)

    def _share_out(self, code: ir.Code) -> None:
        used = _arrays(code, self._own)
        self._take(one for one in code.arrays.values() if one.name in used)
        quick = [f"R{r}" for r in REGISTERS] + [f"@>{at:04X}" for at in PAD]
        for name in used_most(self._own, DEEPER):
            kind = self.kinds.of(name)
            if kind == WORD and quick:
                operand = quick.pop(0)
                self.operands[name] = operand
                if operand[0] == "R":
                    self.registers[name] = int(operand[1:])
            else:  # a text's handle, too: the heap names the place of each
                self.operands[name] = f"@{self._label(WIDTHS[kind])}"


def _arrays(code: ir.Code, own: list[ir.Block]) -> set[str]:
    """The arrays that blocks use."""
    used: set[str] = set()
    for block in own:
        for one in (*block.body, block.end):
            if isinstance(one, ir.Store):
                used.add(code.arrays[one.array].name)
            for expr in ir.expressions(one):
                used |= {code.arrays[part.data].name for part in ir.walk(expr) if part.op == "elem"}
    return used


class SubWriter(Writer):
    """The code of a SUB as it is written; `suffix` ends its labels."""

    def __init__(self, suffix: str) -> None:
        super().__init__(suffix=suffix)
        self.section.constants = Constants(suffix)

    def fail(self, error: int) -> None:
        """End the LINK with an error."""
        self.op("BL", f"@{self.uses(f'X{error}')}")


class SubEmission(Emission):
    """The code of a SUB while it is generated."""

    def __init__(self, code: ir.Code, kinds: SubKinds, places: SubPlaces, suffix: str) -> None:
        super().__init__(code, kinds, places)
        self.suffix = suffix
        self.near_checks = True
        self.out: SubWriter = SubWriter(suffix)
        self.lookups: dict[bytes, str] = {}

    def lookup(self, data: bytes) -> str:
        """The label of a table of bytes."""
        return self.lookups.setdefault(data, f"T{len(self.lookups)}{self.suffix}")

    def block_label(self, name: str) -> str:
        """A block's label; no two blocks of the program have the same."""
        return super().block_label(name) + self.suffix
