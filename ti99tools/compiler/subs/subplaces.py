"""Where the variables of a SUB lie: registers, the scratch pad, memory within the code.

LINK may change >8390 to >83BF of the scratch pad (measured): a workspace and eight words. What lies
there is lost between two calls: so variables that a call may read before it sets them have a home
in memory, from which the call fetches them and to which it brings them back.
"""

from __future__ import annotations

from collections import Counter

from ti99tools.compiler import ir
from ti99tools.compiler.kinds import REGISTERS, WIDTHS, WORD, Kinds, Places, names_of

WORKSPACE = 0x8390
DEEPER = 2
"""How much more a use counts with each loop around it: most of what takes time lies in GOSUBs."""
PAD = range(0x83B0, 0x83C0, 2)
"""Words of the scratch pad besides the workspace."""


class SubPlaces(Places):
    """The operand of every variable and array of a SUB; `suffix` ends its labels."""

    def __init__(self, code: ir.Code, kinds: Kinds, own: list[str], suffix: str) -> None:
        self.suffix = suffix
        self.kinds = kinds
        self.registers = {}
        self.operands = {}
        self.labels = []
        self.arrays = {}
        self.array_sizes = []
        self._share_out(code, own)
        used = _arrays(code, own)
        for array in {a.name: a for a in code.arrays.values()}.values():
            if array.name in used:
                label = f"A{len(self.arrays)}{suffix}"
                self.arrays[array.name] = label
                width = WIDTHS[kinds.array(array.name)]
                self.array_sizes.append((label, array.size * width))

    def _share_out(self, code: ir.Code, own: list[str]) -> None:
        weight: Counter[str] = Counter()
        for name in own:
            block = code.blocks[name]
            for action in (*block.body, block.end):
                for variable in names_of(action):
                    weight[variable] += DEEPER**block.depth
        quick = [f"R{r}" for r in REGISTERS] + [f"@>{at:04X}" for at in PAD]
        for name, _ in weight.most_common():
            kind = self.kinds.of(name)
            if kind == WORD and quick:
                operand = quick.pop(0)
                self.operands[name] = operand
                if operand[0] == "R":
                    self.registers[name] = int(operand[1:])
            else:  # a text's handle, too: the heap names the place of each
                self.operands[name] = f"@{self._label(WIDTHS[kind])}"

    def _label(self, size: int) -> str:
        label = f"V{len(self.labels)}{self.suffix}"
        self.labels.append((label, size))
        return label

    def lasts(self, name: str) -> bool:
        """Tell whether a variable's place keeps its value until the next call."""
        return self.operand(name).startswith("@V")


def _arrays(code: ir.Code, own: list[str]) -> set[str]:
    """The arrays that blocks use."""
    used: set[str] = set()
    for name in own:
        block = code.blocks[name]
        for one in (*block.body, block.end):
            if isinstance(one, ir.Store):
                used.add(code.arrays[one.array].name)
            for expr in ir.expressions(one):
                used |= {code.arrays[part.data].name for part in ir.walk(expr) if part.op == "elem"}
    return used
