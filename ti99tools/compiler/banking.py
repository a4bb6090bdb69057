"""Put code that does not fit into high memory into banks of the cartridge.

A long block has to fit into a bank, and is divided. After a CALL its statement ends with what it
takes back; that part lies with the CALL, so that no statement is counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.base.errors import TIError
from ti99tools.compiler import ir
from ti99tools.compiler.bankparts import BANK_END, MOST, BankFull, Berth, TooManyBanks
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.linking import HighMemory, Linked, TooLarge, link
from ti99tools.compiler.placing import Placing
from ti99tools.compiler.ranges import Ranges

SLACK = 1.12
"""Constants, tables of addresses and jumps to other banks, against the code alone."""
TRIES = 12
SPARE = 32
"""Bytes that are left over when something did not fit."""


@dataclass(frozen=True)
class Rooms:
    """The bytes of code that high memory and each bank get."""

    high: int
    bank: int


def in_banks(
    emit: Callable[[Mapping[str, int]], Emission],
    placing: Placing,
    berth: Berth,
    rooms: Rooms | None,
) -> Linked:
    """Link a program with code in banks; `emit` generates the code with each block in its section.

    Raises TIError where it does not fit.
    """
    rooms = rooms or _rooms(emit, placing, int((BANK_END - berth.first) / SLACK))
    homes = placing.homes(rooms.high, rooms.bank)
    spare = max(homes.values()) + 1
    full: TIError
    for _ in range(TRIES):
        if berth.bank + max(homes.values()) >= MOST:
            raise TooManyBanks
        try:
            return link(emit(homes), berth)
        except TooLarge as error:
            full = error
            rooms = Rooms(max(0, rooms.high - error.missing - SPARE), rooms.bank)
            homes = placing.homes(rooms.high, rooms.bank)
        except BankFull as error:
            full = error
            for section, missing in error.missing.items():
                placing.move_out(homes, section, missing + SPARE, spare, rooms.bank)
    raise full


def _rooms(emit: Callable[[Mapping[str, int]], Emission], placing: Placing, bank: int) -> Rooms:
    """What high memory has left if all code is in banks. Raises TooLarge if that is too little."""
    emission = emit(placing.homes(0, bank))
    high = HighMemory(emission)
    if high.missing > 0:
        raise TooLarge(emission, high)
    return Rooms(int(-high.missing / SLACK), bank)


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
