"""How code goes on in another bank of the cartridge: by routines of the runtime, in high memory.

A bank is named by the address that selects it when it is written to. On the stack of GOSUB the
place in a bank takes two words, both from >8000 on and below >A000: the address, and the bank on
top. So numbers of loops are below, and addresses in high memory above.
"""

from __future__ import annotations

from ti99tools.compiler.emit.emission import Emission
from ti99tools.computer.console.compiledbanks import STACKED


def go_across(e: Emission, to: str) -> None:
    """Go on at a block, wherever it is."""
    if e.near(to):
        e.out.jump("JMP", e.block_label(to))
        return
    e.out.op("BL", f"@{e.out.uses('FAR')}")
    e.out.op("DATA", f"{e.selector(e.home(to))},{e.block_label(to)}")


def stacked(e: Emission, block: str) -> list[str]:
    """The words of the stack of GOSUB that stand for a block, the last on top."""
    home, label = e.home(block), e.block_label(block)
    return [f"{label}+{STACKED}", f"{e.selector(home) + STACKED}"] if home else [label]
