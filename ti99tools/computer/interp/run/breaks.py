"""What stops a program without an error: BREAK, breakpoints in front of lines, CLEAR."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ti99tools.base import xberrors as xb
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.lines import COMMAND, Listing
from ti99tools.computer.interp.run.locating import spots_of
from ti99tools.computer.interp.run.runtime import Marks
from ti99tools.computer.interp.run.signals import Breakpoint, ClearPressed
from ti99tools.language.syntax.cursor import next_statement


def mark_lines(
    marks: Marks,
    lines: tuple[int, ...],
    remove: bool,
    known: Collection[int],
    warn: Callable[[int], object],
) -> None:
    """BREAK and UNBREAK with lines; UNBREAK without any takes all away.

    Lines that are not `known` are warned of (recorded).
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


def locate(stop: Breakpoint, compiler: Compiler, listing: Listing) -> None:
    """Find out where a bare BREAK is: CON goes on after it only if its line ends there."""
    if stop.line:
        return
    unit, (line, at) = spots_of(compiler, stop)[0]
    stop.line = unit.number((line, at))
    if stop.line != COMMAND and next_statement(listing.tokens[line], at) is None:
        stop.continue_at = (line + 1, 0)


def cleared(pressed: ClearPressed, compiler: Compiler) -> Breakpoint:
    """Note that CLEAR was pressed: where that was, and that CON goes on there."""
    unit, place = spots_of(compiler, pressed)[0]
    number = unit.number(place)
    return Breakpoint(number, None if number == COMMAND else place, pressed.typing)
