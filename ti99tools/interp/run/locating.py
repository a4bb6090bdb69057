"""Where in a program something happened, read off Python's own frames and tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import FrameType

from ti99tools.interp.compile.blocks import Place
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import COMMAND
from ti99tools.interp.compile.unit import Unit
from ti99tools.interp.run.frames import CallFrame, Frame
from ti99tools.interp.run.messages import Where
from ti99tools.source.prescan.symbols import Scope

Spot = tuple[Unit, Place]
"""A block or DEF that was running, and the statement it was at."""


ITSELF = "  UDF REFS ITSELF"
ASTRAY = 28264
"""The line that a message names where the machine mistakes its own ROM for the program."""


def spots_of(compiler: Compiler, error: BaseException) -> list[Spot]:
    """The block that an exception came out of, then the DEFs that were being evaluated in it."""
    found: list[tuple[FrameType, int]] = []
    traceback = error.__traceback__
    while traceback is not None:
        found.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return _spots(compiler, found)


def spots_now(compiler: Compiler) -> list[Spot]:
    """The same for code that is running now, below the caller."""
    found: list[tuple[FrameType, int]] = []
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        found.append((frame, frame.f_lineno))
        frame = frame.f_back
    return _spots(compiler, reversed(found))


def spot_now(compiler: Compiler) -> Spot | None:
    """The innermost of `spots_now`."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        unit = compiler.unit_of(frame)
        if unit is not None:
            return unit, unit.place(frame.f_lineno)
        frame = frame.f_back
    return None


def _spots(compiler: Compiler, frames: Iterable[tuple[FrameType, int]]) -> list[Spot]:
    return [(u, u.place(line)) for f, line in frames if (u := compiler.unit_of(f)) is not None]


def described(
    spots: Sequence[Spot], stack: Sequence[Frame], scope: Scope, pushed: str = ""
) -> Where:
    """What a message says of a place: line, DEFs and subprograms, as recorded.

    `scope` is where the program was. `pushed` is a variable whose entry lies on the stack above
    that of a SUB: the machine takes it for the SUB's, and goes astray.
    """
    if not spots:
        return Where()
    trail: list[str] = []
    sought: list[int] = []
    function = spots[-1][0].is_function
    for inner, outer in pairwise(reversed(spots)):
        if inner[0].key != outer[0].key or not outer[0].is_function:
            trail.append(f"  CALLED FROM {outer[0].number(outer[1])}")
            sought.append(outer[1][0] + 1)
        elif trail[-1:] != [ITSELF]:
            trail.append(ITSELF)
    calls = [frame for frame in stack if isinstance(frame, CallFrame)]
    if calls and pushed:
        trail += [f"  IN  {pushed}", f"  CALLED FROM  {ASTRAY}"]
        calls = []
    name = scope.name
    for frame in reversed(calls):
        trail.append(f"  IN  {name}" if frame is calls[-1] else f"  CALLED FROM  {name}")
        name = frame.caller.scope.name
    if calls:
        trail.append(f"  CALLED FROM  {calls[0].line}")
    return Where(line_of(spots[-1]), tuple(trail), function, tuple(sought))


def line_of(spot: Spot) -> int | None:
    """The number of the line where a spot is; None for a line typed without a number."""
    unit, place = spot
    number = unit.number(place)
    return None if number == COMMAND else number
