"""How code goes on in another bank of the cartridge: by routines of the runtime, in high memory.

A bank is named by the address that selects it when it is written to. On the stack of GOSUB the
place in a bank takes two words, both from >8000 on and below >A000: the address, and the bank on
top. So numbers of loops are below, and addresses in high memory above.
"""

from __future__ import annotations

from ti99tools.compiler.emit.emission import Emission
from ti99tools.computer.console.compiledbanks import STACKED, selector

TABLES_BANK = 3
"""The bank with the tables of the code in high memory; the banks before it have what is copied to
high memory, and it has the rest of that, too. Those after it have code."""


def bank_of(section: int) -> int:
    """The bank in which a section lies; that of high memory has its tables there."""
    return TABLES_BANK + section


def section_selector(section: int) -> int:
    """The address that selects the bank of a section."""
    return selector(bank_of(section))


def go_across(e: Emission, to: str) -> None:
    """Go on at a block, wherever it is."""
    if e.near(to):
        e.out.jump("JMP", e.block_label(to))
        return
    e.out.op("BL", f"@{e.out.uses('FAR')}")
    e.out.op("DATA", f"{section_selector(e.home(to))},{e.block_label(to)}")


def stacked(e: Emission, block: str) -> list[str]:
    """The words of the stack of GOSUB that stand for a block, the last on top."""
    home, label = e.home(block), e.block_label(block)
    return [f"{label}+{STACKED}", f"{section_selector(home) + STACKED}"] if home else [label]
