"""The time of what a statement has not done yet: it was charged when its segment began."""

from __future__ import annotations

import sys
from bisect import bisect_right
from types import FrameType

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.costs import COSTS
from ti99tools.interp.compile.unit import Unit

_REFUSING = {
    "asc": "ASC", "chr_": "CHR$", "cos": "COS", "log": "LOG", "pos": "POS", "rpt": "RPT$",
    "seg": "SEG$", "sin": "SIN", "sqr": "SQR", "tan": "TAN", "val": "VAL",
}  # fmt: skip
"""Function of Python → function of Extended BASIC that refuses its argument before it works."""


REFUSED = 108_000
"""Cycles that a device's refusal takes (fitted to the times of recorded programs)."""


def unspent(compiler: Compiler, error: XBError) -> int:
    """Cycles that an error has saved: those of the statements that were charged with the failed one
    and come after it, and of the function that refused its argument; less what a device's refusal
    takes."""
    return _charged(compiler, error) - (REFUSED if error.code == xb.IO_ERROR else 0)


def _charged(compiler: Compiler, error: XBError) -> int:
    traceback = error.__traceback__
    after = 0
    inside = False
    while traceback is not None:
        code = traceback.tb_frame.f_code
        unit = compiler.files.get(code.co_filename)
        if unit is not None and unit.code is code:
            inside = True
            after = after or _after(unit, traceback.tb_lineno)
        elif inside and code.co_name in _REFUSING:
            return after + COSTS[_REFUSING[code.co_name]]
        traceback = traceback.tb_next
    return after


def ahead(compiler: Compiler) -> int:
    """Cycles charged for statements after those that are running now, below the caller, less
    those that a block has added up and not given to the clock."""
    frame: FrameType | None = sys._getframe()
    cycles = 0
    while frame is not None:
        unit = compiler.unit_of(frame)
        if unit is not None:
            cycles += _after(unit, frame.f_lineno) - int(frame.f_locals.get("spent", 0))
        frame = frame.f_back
    return cycles


def _after(unit: Unit, line: int) -> int:
    """What the segment of a line has charged for statements after that line's own."""
    return _from(unit, line, 1)


def _from(unit: Unit, line: int, skipped: int) -> int:
    """The same from so many statements after that line's own on."""
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
    """Cycles charged for the statement that an exception stopped at its beginning, and for those
    that were charged with it and come after it."""
    traceback = stop.__traceback__
    while traceback is not None:
        unit = compiler.files.get(traceback.tb_frame.f_code.co_filename)
        if unit is not None and unit.code is traceback.tb_frame.f_code:
            return _from(unit, traceback.tb_lineno, 0)
        traceback = traceback.tb_next
    return 0
