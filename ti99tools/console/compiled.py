"""Compiled programs, kept while the process lives: the same program is compiled once."""

from __future__ import annotations

from functools import lru_cache

from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import Listing
from ti99tools.program.image import Line
from ti99tools.source.prescan import Prescan

KEPT = 16
"""Programs; a session of the console rarely has more."""


@lru_cache(maxsize=KEPT)
def compiler_of(lines: tuple[Line, ...], watched: bool = False) -> Compiler:
    """The compiler of a program, with what it has compiled so far.

    Scans the program first, as RUN does: raises the XBError that the scan finds. `watched` code
    notes which lines run.
    """
    listing = Listing((line.number, line.tokens) for line in lines)
    return Compiler(listing, Prescan(listing).program(), watched=watched)
