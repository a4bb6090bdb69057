"""Where in a program something happened, where it stops, and the time charged ahead.

All of it is read off Python's frames and tracebacks. Time is charged when a segment of statements
begins, so an error or a stop within it leaves some of it unused. `compile/units` defines what
generated code provides for this: the code object of its unit, the lines that charge (`sums`), and
the local variable `SPENT`.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from types import CodeType, FrameType

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import BUILT_IN, COSTS, DEVICE_REFUSED
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.compiler import NAMED, Compiler
from ti99tools.computer.interp.compile.units import COMMAND, SPENT, Listing, StatementPlace, Unit
from ti99tools.computer.interp.run import library
from ti99tools.computer.interp.run.runtime import Marks, Where
from ti99tools.computer.interp.run.signals import BreakReached, ClearPressed, OutOfRange
from ti99tools.computer.interp.run.stack import CallFrame, Frame
from ti99tools.computer.interp.subprograms.keys_and_sound import sound
from ti99tools.computer.numbers import functions
from ti99tools.computer.numbers.forms import to_str
from ti99tools.computer.numbers.radix import Number
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax.cursor import next_statement

Spot = tuple[Unit, StatementPlace]
"""A block or DEF that was running, and the statement it was at."""


ITSELF = "  UDF REFS ITSELF"
ASTRAY = 28264
"""The line that a message names when the machine mistakes its own ROM for the program."""


def spots_of(compiler: Compiler, error: BaseException) -> list[Spot]:
    """The block from which an exception came, then the DEFs that were being evaluated in it."""
    frames: list[tuple[FrameType, int]] = []
    traceback = error.__traceback__
    while traceback is not None:
        frames.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return _spots(compiler, frames)


def spots_now(compiler: Compiler) -> list[Spot]:
    """The same for the code that is running now and has led to this call."""
    frames: list[tuple[FrameType, int]] = []
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        frames.append((frame, frame.f_lineno))
        frame = frame.f_back
    return _spots(compiler, reversed(frames))


def spot_now(compiler: Compiler) -> Spot | None:
    """The innermost of `spots_now`."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        # Most frames are of files, whose names begin otherwise: this is asked often.
        if frame.f_code.co_filename[:1] == NAMED[0]:
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
    """What a message says about a place: line, DEFs and subprograms, as recorded.

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
    """The number of the line of a spot; None for a line typed without a number."""
    unit, place = spot
    number = unit.number(place)
    return None if number == COMMAND else number


_REFUSING: dict[CodeType, int] = {
    library.asc.__code__: COSTS["ASC"],
    library.chr_.__code__: COSTS["CHR$"],
    functions.cos.__code__: COSTS["COS"],
    functions.log.__code__: COSTS["LOG"],
    library.pos.__code__: COSTS["POS"],
    library.rpt.__code__: COSTS["RPT$"],
    library.seg.__code__: COSTS["SEG$"],
    functions.sin.__code__: COSTS["SIN"],
    functions.sqr.__code__: COSTS["SQR"],
    functions.tan.__code__: COSTS["TAN"],
    sound.__code__: BUILT_IN["SOUND"],
}
"""Functions that refuse their arguments before they work → their cycles, charged before the call.
"""


def unspent(compiler: Compiler, error: XBError) -> int:
    """Cycles that an error has saved.

    These are the cycles of later statements charged together with the failed one, and of the
    function that refused its argument, less what a device's refusal takes.
    """
    return _charged(compiler, error) - (DEVICE_REFUSED if error.code == xb.IO_ERROR else 0)


def _charged(compiler: Compiler, error: XBError) -> int:
    traceback = error.__traceback__
    after = 0
    inside = False
    while traceback is not None:
        code = traceback.tb_frame.f_code
        unit = compiler.files.get(code.co_filename)
        if unit is not None and unit.code is code:
            inside = True
            # The outermost block counts: DEFs inside it are part of its statement.
            after = after or _after(unit, traceback.tb_lineno) + error.unspent
        # Called by the unit, and failed before it did its work.
        elif inside and code in _REFUSING:
            return after + _REFUSING[code]
        traceback = traceback.tb_next
    return after


def ahead(compiler: Compiler) -> int:
    """Cycles charged for statements after those now running above the caller, less those that a
    block has accumulated and not yet given to the clock.
    """
    frame: FrameType | None = sys._getframe()
    cycles = 0
    while frame is not None:
        unit = compiler.unit_of(frame)
        if unit is not None:
            cycles += _after(unit, frame.f_lineno) - int(frame.f_locals.get(SPENT, 0))
        frame = frame.f_back
    return cycles


def _after(unit: Unit, line: int) -> int:
    """What the segment of a line has charged for statements after that line's own."""
    return _from(unit, line, 1)


def _from(unit: Unit, line: int, skipped: int) -> int:
    """As `_after`, beginning `skipped` statements after that line's own."""
    lines = sorted(unit.sums)
    at = bisect_right(lines, line) - 1
    if at < 0:
        return 0
    charged = unit.sums[lines[at]]
    places = [place for place, _ in charged]
    place = unit.place(line)
    if place not in places:
        return 0
    return sum(cycles for _, cycles in charged[places.index(place) + skipped :])


def uncharged(compiler: Compiler, stop: BaseException) -> int:
    """Cycles charged for the statement that an exception stopped at its beginning, and for later
    statements charged together with it.
    """
    block = compiler.block_of(stop)
    return 0 if block is None else _from(*block, 0)


def mark_lines(
    marks: Marks,
    lines: tuple[int, ...],
    remove: bool,
    known: Collection[int],
    warn: Callable[[int], object],
) -> None:
    """BREAK and UNBREAK with lines; UNBREAK without lines removes all breakpoints.

    A line that is not `known` gets a warning (recorded).
    """
    if not lines:
        marks.breakpoints.clear()
    for line in lines:
        if line not in known:
            warn(xb.LINE_NOT_FOUND)
        elif remove:
            marks.breakpoints.discard(line)
        else:
            marks.breakpoints.add(line)


def locate(stop: BreakReached, compiler: Compiler, listing: Listing) -> None:
    """Fill in where a bare BREAK is. CON goes on after it only if its line ends there."""
    if stop.line:
        return
    unit, (line, at) = spots_of(compiler, stop)[0]
    stop.line, stop.offset = unit.number((line, at)), at
    if stop.line != COMMAND and next_statement(listing.tokens[line], at) is None:
        stop.continue_at = (line + 1, 0)


def cleared(pressed: ClearPressed, compiler: Compiler) -> BreakReached:
    """The break that CLEAR makes: where it was pressed, and where CON goes on."""
    unit, place = spots_of(compiler, pressed)[0]
    number = unit.number(place)
    stop = BreakReached(number, None if number == COMMAND else place, pressed.typing)
    stop.offset = place[1]
    return stop


def out_of_range(compiler: Compiler, number: int, value: Number) -> OutOfRange:
    """The error for a value that the statement under way gives to the variable of a RANGE."""
    limits = compiler.outline.declarations[number]
    gets, allowed = f"{limits.name} gets {to_str(value)}", f"{limits.low} TO {limits.high}"
    spot = spot_now(compiler)
    number_of_line = None if spot is None else spot[0].number(spot[1])
    line = "" if number_of_line is None else f" in line {number_of_line}"
    error = OutOfRange(
        f"{gets}{line}, its RANGE is {allowed}",
        remedy="correct the program, or its RANGE",
        place=limits.place,
    )
    error.held = f"{gets}, its RANGE at {limits.place} is {allowed}"
    if spot is not None:
        error.line, error.offset = number_of_line, spot[1][1]
    return error
