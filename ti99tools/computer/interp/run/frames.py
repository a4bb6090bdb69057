"""What lies on the program's stack: loops, subroutines, subprograms, errors being handled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles import CAUGHT, CAUGHT_PASSED, LOOP_DROPPED
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.unit import (
    BODY,
    PHASE,
    PLACE,
    STEP,
    VARIABLE,
    Block,
    ForFrame,
    GosubFrame,
    Place,
)
from ti99tools.computer.interp.run.activation import Activation
from ti99tools.computer.interp.run.signals import NoLoop
from ti99tools.computer.numbers.radix import LARGEST, Number
from ti99tools.hardware.machine.clock import Clock
from ti99tools.language.prescan.symbols import LOOP_FRAME, OTHER_FRAME, SUB_FRAME, Scope
from ti99tools.language.syntax.cursor import next_statement
from ti99tools.language.syntax.nodes import Variable
from ti99tools.language.syntax.parser import parse_from
from ti99tools.language.syntax.statements import For


class CallFrame:
    """A running SUB: who called it from which line, and where the caller goes on.

    `warning` is what ON WARNING had set before: SUBEND restores it (published listing of the ROM).
    """

    __slots__ = ("block", "caller", "line", "place", "warning")

    def __init__(
        self, caller: Activation, line: int, block: Block, place: Place, warning: str
    ) -> None:
        self.caller = caller
        self.warning = warning
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

    def begin(self, frames: list[Frame], half: ForFrame | None) -> int:
        """Push the frame, in place of an earlier error, after the loop that FOR left there.

        Returns the cycles that it takes.
        """
        if half is not None:
            frames.append(half)
        passed = sum(not isinstance(one, list) for one in frames)
        frames[:] = [one for one in frames if not isinstance(one, ErrorFrame)]
        frames.append(self)
        return CAUGHT + CAUGHT_PASSED * passed


Frame = ForFrame | GosubFrame | CallFrame | ErrorFrame


def after(tokens: bytes, place: Place) -> Place:
    """Where RETURN NEXT goes on after a statement: after the next `::`, or in the next line."""
    following = next_statement(tokens, place[1])
    return (place[0] + 1, 0) if following is None else (place[0], following)


def drop_loop(frames: list[Frame], clock: Clock, variable: str) -> None:
    """FOR: a running loop of the same variable leaves the stack, even from below subroutines.

    Those of the caller of a SUB stay.
    """
    for i in range(len(frames) - 1, -1, -1):
        frame = frames[i]
        if isinstance(frame, CallFrame):
            break
        if isinstance(frame, list) and frame[VARIABLE] == variable:
            del frames[i]
            clock.cycles += LOOP_DROPPED
            break


def half_loop(
    error: XBError, tokens: bytes, place: Place, scope: Scope, block: Block
) -> ForFrame | None:
    """What FOR leaves on the stack when it fails in its start, its limit or its step.

    Its NEXT finds a loop that has ended. (On the machine limit and step are what lay there, a tiny
    number: only a variable above 0 is past it. With others the machine goes astray.) Source: the
    published listing of the ROM.
    """
    at = place[1]
    if tokens[at : at + 1] != bytes((tk.FOR,)) or isinstance(error, NoLoop):
        return None
    node = parse_from(tokens, at)[0]
    if not isinstance(node, For) or node.start is None or error.code == xb.MEMORY_FULL:
        return None
    if not isinstance(node.variable, Variable):
        return None
    symbol = scope.symbols.get(node.variable.name)
    if symbol is None or symbol.dimensions or symbol.function is not None:
        return None
    return [symbol.name, LARGEST, 0, block, place, 0]


def find_loop(frames: list[Frame], variable: str) -> ForFrame:
    """NEXT: the variable's loop; inner loops that were left are dropped. NEXT WITHOUT FOR."""
    while frames:
        frame = frames[-1]
        if not isinstance(frame, list):
            break
        if frame[VARIABLE] == variable:
            return frame
        frames.pop()
    raise XBError(xb.NEXT_WITHOUT_FOR)


def bytes_of(frames: Iterable[object]) -> int:
    """Bytes that frames take."""
    kinds = list(map(type, frames))
    loops, subs = kinds.count(list), kinds.count(CallFrame)
    return LOOP_FRAME * loops + SUB_FRAME * subs + OTHER_FRAME * (len(kinds) - loops - subs)


def end_as(frames: list[Frame], before: Sequence[Frame], value: Callable[[str], Number]) -> None:
    """Make the stack end where it ended before a typed line, whatever the line has done to it.

    A loop of the program whose FOR was typed again was taken off from below, and in its place lies
    the typed loop, which has ended (its memory is recorded; that it has ended is an inference).
    `value` returns that of a variable.
    """
    end = bytes_of(before)
    while bytes_of(frames) > end:
        frames.pop()
    for frame in before:
        if isinstance(frame, list) and not any(frame is one for one in frames):
            variable = frame[VARIABLE]
            frames.append([variable, value(variable), *frame[STEP:PHASE], 0])
    if bytes_of(frames) != end:
        frames[:] = before


def renew(frames: list[Frame], activation: Activation, careful: bool) -> None:
    """Put blocks of the kind now in use in the place of those on the stack."""
    for i in range(len(frames) - 1, -1, -1):
        frame = frames[i]
        if isinstance(frame, CallFrame):
            activation = frame.caller
            frame.block = activation.block(frame.place, careful=careful)
        elif isinstance(frame, list):
            phase = 0 if careful else frame[PHASE]
            frame[BODY] = activation.block(frame[PLACE], phase, careful)
        elif isinstance(frame, tuple):
            frames[i] = (activation.block(frame[1], careful=careful), frame[1])
