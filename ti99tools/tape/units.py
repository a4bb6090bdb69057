"""Units of a tape: leader, number of blocks, and each block twice with its checksum."""

from __future__ import annotations

from ti99tools.base.errors import ProgramError

BLOCK = 64
"""Data bytes of a block."""
LEADER = 768
"""Zero bytes in front of a unit."""
BLOCK_LEADER = 8
"""Zero bytes in front of a block."""
SILENCE = 0.5
"""Seconds before, after and between units."""
SYNC = 0xFF
HEAD = 3
"""Bytes after the leader: the sync byte, and the number of blocks twice."""
MAX_BLOCKS = 255
"""A byte counts them."""
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
