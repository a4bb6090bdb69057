"""What lies on the program's stack: loops, subroutines, subprograms, errors being handled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ti99tools.base.xberrors import XBError
    from ti99tools.interp.activation import Activation

Block = Callable[[], Any]
"""A basic block: runs and returns the block that comes next."""

Place = tuple[int, int]
"""A place in a program: index of its line, offset of a statement."""


LOOP_BODY = 9
"""The phase of the block that runs a loop from the start of its body on, round and round."""


ForFrame = list[Any]
"""A running loop: variable, last value, step, the block of its body, that block's place and phase
(LOOP_BODY if it runs the loop by itself). A plain list, because generated code makes and looks at
them all the time."""

VARIABLE, LIMIT, STEP, BODY, PLACE, PHASE = range(6)
"""Indexes in a ForFrame."""

GosubFrame = tuple[Block, Place]
"""A GOSUB that has not returned: where RETURN goes on. A plain tuple, because generated code makes
and looks at them all the time."""


class CallFrame:
    """A running SUB: who called it from which line, and where the caller goes on."""

    __slots__ = ("block", "caller", "line", "place")

    def __init__(self, caller: Activation, line: int, block: Block, place: Place) -> None:
        self.caller = caller
        self.line = line
        self.block = block
        self.place = place


class ErrorFrame:
    """An error that a handler works on: RETURN tries the statement again, RETURN NEXT goes on."""

    __slots__ = ("after", "error", "failed", "line")

    def __init__(self, error: XBError, line: int, failed: Place, after: Place) -> None:
        self.error = error
        self.line = line
        self.failed = failed
        self.after = after


Frame = ForFrame | GosubFrame | CallFrame | ErrorFrame
