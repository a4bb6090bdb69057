"""Divide blocks, so that they can lie in different banks.

A long block has to fit into a bank. After a CALL its statement ends with what it takes back; that
part lies with the CALL, so that no statement is counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ti99tools.compiler import ir
from ti99tools.compiler.ranges import Ranges

MOST_ACTIONS = 30
"""Actions of a block from which on the next statement begins another one."""


def split_blocks(code: ir.Code, ranges: Ranges) -> None:
    """Divide the blocks of a program; `ranges` learns what holds where the new ones begin."""
    calls = (block.end for block in code.blocks.values())
    backs = {end.back: end.spot for end in calls if isinstance(end, ir.Enter)}
    blocks: dict[str, ir.Block] = {}
    for name, block in code.blocks.items():
        if name in ranges.before:
            pieces = list(_divided(block, _cuts(block, backs.get(name))))
            state = dict(ranges.before[name])
            for piece, after in pairwise(pieces):
                for action in piece.body:
                    ranges.act(action, state)
                ranges.before[after.name] = dict(state)
        else:
            pieces = [block]
        blocks |= {piece.name: piece for piece in pieces}
    code.blocks = blocks


def _cuts(block: ir.Block, begun: ir.Spot | None) -> Iterator[int]:
    """The actions of a block before which another one begins; `begun` is the statement whose CALL
    leads to it.
    """
    last = 0
    for at in range(1, len(block.body)):
        before, spot = block.body[at - 1].spot, block.body[at].spot
        if spot != before and (at - last >= MOST_ACTIONS or before == begun):
            last = at
            yield at


def _divided(block: ir.Block, cuts: Iterator[int]) -> Iterator[ir.Block]:
    """The pieces of a block; the first one has its name."""
    end, whole = block.end, block.body
    first, name = 0, block.name
    for number, cut in enumerate(cuts, 1):
        after = f"{block.name}/{number}"
        jump = ir.Jump(after, whole[cut - 1].spot)
        yield ir.Block(name, block.scope, whole[first:cut], jump, block.depth, block.variant)
        first, name = cut, after
    yield ir.Block(name, block.scope, whole[first:], end, block.depth, block.variant)
