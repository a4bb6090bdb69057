"""Compilers that take over while a program is in memory: its names are gone, or its line numbers
have changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.lines import Listing
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import Taken


def nameless(compiler: Compiler) -> Compiler:
    """The same program as if its pre-scan had met no name, no DATA and no subprogram.

    Places in blocks of the previous compiler can still be found, and its counters count on.
    """
    listing, outline = compiler.listing, compiler.outline
    taken = Taken(tokens for _, tokens in listing)
    scan = Scan(taken=taken, later=compiler.scan.later)
    renewed = Compiler(listing, scan, stepping=outline.stepping, declared=outline.told)
    renewed.files = compiler.files
    renewed.outline.counters = outline.counters
    return renewed


def renumbered(compiler: Compiler, lines: Iterable[tuple[int, bytes]]) -> Compiler:
    """The same program after RES: `lines` with other numbers, and other numbers in them.

    All places stay, and so do the names of the pre-scan.
    """
    outline = compiler.outline
    listing = Listing(lines)
    return Compiler(
        listing,
        compiler.scan,
        watched=outline.watched,
        stepping=outline.stepping,
        declared=outline.told,
    )
