"""Where variables lie: the most used words in registers and in the scratch pad, the rest in memory.

Workspace >8320: R0-R5 are for calculations, R10 is the stack of GOSUB, R11 the link.
"""

from __future__ import annotations

from collections import Counter

from ti99tools.compiler import ir
from ti99tools.compiler.kinds import CELL, WORD, Kinds

REGISTERS = (6, 7, 8, 9, 12, 13, 14, 15)
"""Those that hold variables: nothing else changes them."""
PAD = (*range(0x8302, 0x8320, 2), *range(0x8340, 0x8348, 2), *range(0x83AC, 0x83C0, 2))
"""Words of the scratch pad that the console's routines leave alone."""
HOT = 8
"""How much more a use counts with each loop around it."""


class Places:
    """The operand of every variable and array."""

    def __init__(self, code: ir.Code, kinds: Kinds) -> None:
        self.kinds = kinds
        self.registers: dict[str, int] = {}
        self.operands: dict[str, str] = {}
        self.labels: list[tuple[str, int]] = []
        """Label and bytes of each variable in memory."""
        self._uses(code)
        self.arrays: dict[str, str] = {}
        self.array_sizes: list[tuple[str, int]] = []
        for array in {a.name: a for a in code.arrays.values()}.values():
            label = f"A{len(self.arrays)}"
            self.arrays[array.name] = label
            width = 2 if kinds.array(array.name) == WORD else 8
            self.array_sizes.append((label, array.size * width))

    def _uses(self, code: ir.Code) -> None:
        weight: Counter[str] = Counter()
        for block in code.blocks.values():
            for action in (*block.body, block.end):
                for name in _names(action):
                    weight[name] += HOT**block.depth
        words = [name for name, _ in weight.most_common() if self.kinds.of(name) == WORD]
        cells = [name for name, _ in weight.most_common() if self.kinds.of(name) == CELL]
        pad = [f">{at:04X}" for at in PAD]
        for name in words:
            if len(self.registers) < len(REGISTERS):
                self.registers[name] = REGISTERS[len(self.registers)]
                self.operands[name] = f"R{self.registers[name]}"
            elif pad:
                self.operands[name] = f"@{pad.pop(0)}"
            else:
                self.operands[name] = f"@{self._label(2)}"
        for name in cells:
            place = _four(pad)
            self.operands[name] = f"@{place or self._label(8)}"

    def _label(self, size: int) -> str:
        label = f"V{len(self.labels)}"
        self.labels.append((label, size))
        return label

    def operand(self, name: str) -> str:
        """How an instruction names a variable: R7, @>8302, @V3."""
        if name not in self.operands:
            self.operands[name] = f"@{self._label(2 if self.kinds.of(name) == WORD else 8)}"
        return self.operands[name]

    def address(self, name: str) -> str:
        """A variable's address as an expression of the assembler."""
        operand = self.operand(name)
        return f"WS+{2 * self.registers[name]}" if operand[0] == "R" else operand[1:]


def _four(pad: list[str]) -> str:
    """Take four words of the pad that lie one after the other; "" if there are none."""
    for at in range(len(pad) - 3):
        first = int(pad[at][1:], 16)
        if pad[at : at + 4] == [f">{first + 2 * n:04X}" for n in range(4)]:
            del pad[at : at + 4]
            return f">{first:04X}"
    return ""


def _names(action: ir.Action | ir.End | None) -> list[str]:
    found: list[str] = []
    expressions: tuple[ir.Expr, ...] = ()
    match action:
        case ir.Assign(target, value):
            found, expressions = [target], (value,)
        case ir.Store(_, positions, value):
            expressions = (*positions, value)
        case ir.Do(_, args):
            found, expressions = list(action.results), args
        case ir.Branch(condition):
            expressions = (condition,)
        case ir.Switch(selector):
            expressions = (selector,)
    for expr in expressions:
        found += [part.data for part in ir.walk(expr) if part.op == "var"]
    return found
