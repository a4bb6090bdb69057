"""The code of a program: all blocks in their order, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.compiler import ir
from ti99tools.compiler.emit import (
    cells,
    conditions,
    ends,
    handling,
    pacing,
    statements,
    texts,
    words,
)
from ti99tools.compiler.emit.actions import emit_action
from ti99tools.compiler.emit.emission import FIRST_BANK, NO_BANKS, Emission
from ti99tools.compiler.emit.ends import emit_end, go_across
from ti99tools.compiler.emit.handlertables import resume_table
from ti99tools.compiler.emit.sections import Section
from ti99tools.compiler.heat import Heat
from ti99tools.compiler.kinds import Kinds, Places
from ti99tools.language.analysis.fixpoint import State

GENERATORS = (
    cells, conditions, ends, handling, pacing, statements, texts, words,
)  # fmt: skip
"""The modules that enter functions for operations and actions."""


class Emitter:
    """Generates the code of a program; `emission` is the result."""

    def __init__(
        self,
        code: ir.Code,
        kinds: Kinds,
        places: Places,
        heat: Heat,
        hot_from: int,
        homes: Mapping[str, int] = NO_BANKS,
        bank: int = FIRST_BANK,
    ) -> None:
        """`hot_from`: the heat from which on code is quick rather than short; `homes`: block → the
        number of its section; `bank`: the first of its banks.
        """
        self.emission = Emission(code, kinds, places, homes, bank)
        self.heat = heat
        self.hot_from = hot_from

    @property
    def spot(self) -> ir.Spot:
        """The statement whose code is being generated."""
        return self.emission.out.spot

    def run(self) -> Emission:
        """Generate the code of all blocks, in their order."""
        e = self.emission
        for name in e.code.blocks:
            e.block_label(name)
        blocks = list(enumerate(e.code.blocks.values()))
        for number in range(max(e.homes.values(), default=0) + 1):
            if number:
                e.out.begin(Section(number))
            elif e.banked:
                go_across(e, e.code.first)
            self._section([each for each in blocks if e.home(each[1].name) == number])
        return e

    def _section(self, blocks: list[tuple[int, ir.Block]]) -> None:
        """Generate the code of some blocks, each with its number, which lie together."""
        e = self.emission
        for (at, block), (_, after) in zip(blocks, [*blocks[1:], (0, None)], strict=False):
            near = after is not None and after.scope == block.scope
            before = e.constants.size
            self._block(block, after.name if near and after is not None else None)
            e.out.section.constant_bytes[block.name] = e.constants.size - before
            if after is None or not near:
                e.out.flush()
                # The end of a scope: messages find out by it in which SUB an address lies.
                e.out.label(f"Z{at}")
                e.out.section.scopes.append((f"Z{at}", block.scope))
        section = e.out.section
        section.resumes += resume_table(e)
        if e.banked:
            e.out.label(section.ended)
        for name, label in section.ways.items():
            e.out.label(label)
            go_across(e, name)
        section.listing.relax()

    def _block(self, block: ir.Block, after: str | None) -> None:
        e = self.emission
        before = e.kinds.ranges.before
        e.out.label(e.block_label(block.name))
        e.out.variant = block.variant
        if block.name not in before:  # no value of any variable leads here
            e.out.op("B", "@DONE")
            return
        state: State = dict(before[block.name])
        if block.name == e.code.first and not e.code.whole:
            # From here on CLEAR stops the program: now its line is known.
            self._begin(next(part.spot for part in (*block.body, block.end) if part is not None))
            e.out.op("LIMI", "2")
        for action in block.body:
            self._begin(action.spot)
            emit_action(e, action, state)
            e.kinds.ranges.act(action, state)
            e.out.flush_if_far()
        assert block.end is not None
        self._begin(block.end.spot)
        if emit_end(e, block.end, state, after):
            e.out.flush()

    def _begin(self, spot: ir.Spot) -> None:
        """Begin the code of a statement, or a further part of it."""
        e = self.emission
        e.out.mark(spot)
        e.temps.free()
        e.hot = self.heat.get(spot, 0) >= self.hot_from
