"""What SIZE says: bytes free for the stack and for the program.

Symbols and values exist once a program has run, or a line without a number; before that only the
program's lines take room.
"""

from __future__ import annotations

from ti99tools.interp.run.execution import Execution
from ti99tools.program.program import Program
from ti99tools.source.prescan.sizes import HIGH_SPACE, VIDEO_SPACE


def free_memory(program: Program | None, execution: Execution | None) -> tuple[int, int]:
    """Bytes of stack free, and bytes of program space free."""
    lines = 0 if program is None else program.size
    if execution is None:
        return VIDEO_SPACE, HIGH_SPACE - lines
    return execution.heap.free, HIGH_SPACE - lines - execution.heap.taken.values
