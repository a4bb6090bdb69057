"""Units of a tape: their form, and how to read them from a worn tape.

A unit is a leader, the number of blocks, and each block twice with its checksum. Each block is read
from the better of its copies, or put together from both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import product

from ti99tools.base.errors import ProgramError
from ti99tools.base.record import Record
from ti99tools.media.tape.biphase import UNKNOWN

BLOCK = 64
"""Data bytes of a block."""
LEADER = 768
"""Zero bytes before a unit."""
BLOCK_LEADER = 8
"""Zero bytes before a block."""
SILENCE = 0.5
"""Seconds of silence before, after and between units."""
SYNC = 0xFF
HEAD = 3
"""Bytes after the leader: the sync byte, and the number of blocks twice."""
MAX_BLOCKS = 255
"""Most blocks of a unit: one byte counts them."""
COPY = BLOCK_LEADER + 1 + BLOCK + 1
"""Bytes of one copy of a block on tape."""


def checksum(block: bytes) -> int:
    """The sum of a block's bytes modulo 256."""
    return sum(block) & 0xFF


def unit(data: bytes) -> bytes:
    """The bytes of a unit on tape, most significant bits first; zeros fill the last block.

    Raises ProgramError for no data, or more than 255 blocks of 64 bytes.
    """
    count = -(-len(data) // BLOCK)
    if not 0 < count <= MAX_BLOCKS:
        raise ProgramError(
            f"{len(data)} bytes do not go on a tape",
            remedy=f"use 1 to {MAX_BLOCKS * BLOCK} bytes",
        )
    tape = bytearray(LEADER) + bytes((SYNC, count, count))
    for start in range(0, len(data), BLOCK):
        block = data[start : start + BLOCK].ljust(BLOCK, b"\0")
        tape += 2 * (bytes(BLOCK_LEADER) + bytes((SYNC,)) + block + bytes((checksum(block),)))
    return bytes(tape)


_HEAD = re.compile("0{48}1{8}(?=[01?]{16})")
"""The end of a leader, and the byte FF that ends it."""
_BLOCK_BEGINS = re.compile("(?=[0?]{24}[1?]{8})")
_LEAD = 24
"""Bits of a block's leader that must be there."""
_SLIP = 48
"""Most bits by which a block may be early or late."""
_MOST_TRIED = 12
"""Most differing bytes of two copies for which all mixtures are tried: 4096 at 12."""


class State(Enum):
    """How a block was found."""

    GOOD = "good"
    """Both copies are right, or the first is."""
    SECOND = "second copy"
    MIXED = "both copies together"
    SUM = "checksum"
    """One byte was computed from the checksum."""
    DAMAGED = "damaged"


class TapeBlock(Record):
    """The 64 bytes of a block, and how they were found."""

    data: bytes
    state: State


class TapeUnit(Record):
    """A program or record of a tape."""

    blocks: tuple[TapeBlock, ...]

    @property
    def data(self) -> bytes:
        """The bytes of all blocks; a damaged block has those of its first copy, as far as read."""
        return b"".join(block.data for block in self.blocks)

    def numbers(self, state: State) -> list[int]:
        """The numbers, from 1, of the blocks found in this state."""
        return [n for n, block in enumerate(self.blocks, 1) if block.state is state]


class _Copy(Record):
    """One copy of a block; a byte with an unknown bit is None."""

    data: tuple[int | None, ...]
    sum: int | None

    @property
    def right(self) -> bool:
        known = bytes(byte for byte in self.data if byte is not None)
        return len(known) == BLOCK and self.sum == checksum(known)


def units(stretches: Iterable[str]) -> Iterator[TapeUnit]:
    """The units of stretches of bits (see `biphase.stretches`), in order."""
    for bits in stretches:
        at = 0
        while (head := _HEAD.search(bits, at)) is not None:
            first, second = (_byte(bits, head.end() + 8 * i) for i in range(2))
            # The count is on tape twice; if the copies differ, the blocks themselves tell.
            count = first if first == second else None
            unit, at = _unit(bits, head.end() + 16, count)
            if unit is not None:
                yield unit
            # At least past this head, so that a damaged unit cannot stop the search.
            at = max(at, head.end())


def _unit(bits: str, at: int, count: int | None) -> tuple[TapeUnit | None, int]:
    """The unit whose first block's leader begins at bit `at`, and where it ends.

    If `count` is None the number of blocks is unknown: all that follow one another belong to it.
    """
    blocks: list[TapeBlock] = []
    while count is None or len(blocks) < count:
        copies: list[_Copy] = []
        for _ in range(2):
            begin = _begin(bits, at)
            if begin is None:
                # Step over a lost copy, so that the next one is looked for in its place.
                at += 8 * COPY
                continue
            copies.append(_copy(bits, begin))
            # The checksum follows the block; the next leader begins after it.
            at = begin + 8 * (BLOCK + 1)
        if not copies and (count is None or at > len(bits) + 8 * COPY):
            break
        blocks.append(_block(copies))
    if count is not None:
        blocks += [TapeBlock(bytes(BLOCK), State.DAMAGED)] * (count - len(blocks))
    return (TapeUnit(tuple(blocks)) if blocks else None), min(at, len(bits))


def _begin(bits: str, at: int) -> int | None:
    """Where the data of a copy begins whose leader should begin at bit `at`; None if it is lost."""
    due = at + 8 * (COPY - BLOCK - 2) - _LEAD
    starts = [
        match.start()
        for match in _BLOCK_BEGINS.finditer(bits, max(due - _SLIP, 0), due + _SLIP + _LEAD + 8)
        if match.start() + _LEAD + 8 <= len(bits)
    ]
    if not starts:
        return None
    # A leader without unknown bits is more trustworthy than a nearer one with some.
    exact = [start for start in starts if UNKNOWN not in bits[start : start + _LEAD + 8]]
    best = min(exact or starts, key=lambda start: abs(start - due))
    return best + _LEAD + 8


def _copy(bits: str, begin: int) -> _Copy:
    data = tuple(_byte(bits, begin + 8 * index) for index in range(BLOCK))
    return _Copy(data, _byte(bits, begin + 8 * BLOCK))


def _byte(bits: str, at: int) -> int | None:
    text = bits[at : at + 8]
    # The last bit of a tape may be missing.
    return int(text, 2) if len(text) == 8 and UNKNOWN not in text else None


def _block(copies: list[_Copy]) -> TapeBlock:
    """The block made of its copies, of which there are up to two."""
    for copy, state in zip(copies, (State.GOOD, State.SECOND), strict=False):
        if copy.right:
            return TapeBlock(bytes(byte or 0 for byte in copy.data), state)
    if len(copies) == 2:
        mixed = _mixed(*copies)
        if mixed is not None:
            return mixed
    for copy in copies:
        summed = _summed(copy.data, copy.sum)
        if summed is not None:
            return TapeBlock(summed, State.SUM)
    first = copies[0].data if copies else (None,) * BLOCK
    return TapeBlock(bytes(byte or 0 for byte in first), State.DAMAGED)


def _mixed(first: _Copy, second: _Copy) -> TapeBlock | None:
    """A block whose bytes come from either copy, if exactly one mixture has the right checksum."""
    choices: list[tuple[int, ...]] = []
    missing = 0  # bytes that neither copy has
    for one, other in zip(first.data, second.data, strict=True):
        known = tuple(dict.fromkeys(byte for byte in (one, other) if byte is not None))
        missing += not known
        choices.append(known)
    sums = {total for total in (first.sum, second.sum) if total is not None}
    open_choices = sum(len(known) > 1 for known in choices)
    if missing == 1 and not open_choices and len(sums) == 1:
        only = tuple(known[0] if known else None for known in choices)
        summed = _summed(only, sums.pop())
        return None if summed is None else TapeBlock(summed, State.SUM)
    if missing or open_choices > _MOST_TRIED or not sums:
        return None
    # Two mixtures with the right sum would be a guess, so only a single one counts.
    right = {bytes(mix) for mix in product(*choices) if checksum(bytes(mix)) in sums}
    return TapeBlock(right.pop(), State.MIXED) if len(right) == 1 else None


def _summed(data: tuple[int | None, ...], total: int | None) -> bytes | None:
    """The block with its one missing byte computed from the checksum; None if more are missing."""
    if total is None or data.count(None) != 1:
        return None
    missing = (total - sum(byte for byte in data if byte is not None)) & 0xFF
    return bytes(missing if byte is None else byte for byte in data)
