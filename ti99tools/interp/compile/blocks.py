"""What generated code and what runs it agree on: places, blocks, and the stack.

Generated code makes and looks at the frames of loops and subroutines all the time: they are plain
lists and tuples, and their layout stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Place = tuple[int, int]
"""A place in a program: index of its line, offset of a statement."""

Key = tuple[int, int, int]
"""An entry: line index, offset, phase (0; 1 and up are the blocks after a wait)."""

LOOP_BODY = 9
"""The phase of the block that runs a loop from the start of its body on, round and round."""

Counter = list[tuple[Place, str]]
"""The statements that are counted together, and what of each: see base.hits."""

Block = Callable[[], Any]
"""A basic block: runs and returns the block that comes next."""

ForFrame = list[Any]
"""A running loop: variable, last value, step, the block of its body, that block's place and phase
(LOOP_BODY if it runs the loop by itself)."""

VARIABLE, LIMIT, STEP, BODY, PLACE, PHASE = range(6)
"""Indexes in a ForFrame."""

GosubFrame = tuple[Block, Place]
"""A GOSUB that has not returned: where RETURN goes on."""
