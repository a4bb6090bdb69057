"""Which programs need to know where their strings lie in video memory.

POS with a start above 256 looks past the end of its string, and PEEK can read the pointers to
strings. Nothing else tells a program of Extended BASIC where they are, so all others do without.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.lines import Listing
from ti99tools.interp.compile.value_ranges import constant, entered
from ti99tools.source.prescan.sizes import MAX_STRING
from ti99tools.source.syntax.nodes import Binary, Expression, Function, Group
from ti99tools.source.syntax.statements import All, Call, Hash, WholeArray
from ti99tools.source.syntax.walk import parts

LAST_START = 256
"""The last start of POS that stays in its string."""

POINTERS = range(0x8318, 0x831E)
"""The CPU addresses of the pointers to strings."""

_POS = bytes((tk.POS,))
_PEEK = b"PEEK"


def placed(listing: Listing) -> bool:
    """Tell whether a program may find out where its strings lie."""
    return any(
        _looks(node)
        for line, tokens in enumerate(listing.tokens)
        if _POS in tokens or _PEEK in tokens
        for statement in entered(listing, line)
        for node in parts(statement)
    )


def _looks(node: object) -> bool:
    """Tell whether a POS may leave its string, or a PEEK reads the pointers."""
    if isinstance(node, Function):
        return node.token == tk.POS and not _stays(node.arguments[-1])
    return isinstance(node, Call) and node.name == "PEEK" and _reads_pointers(node)


def _reads_pointers(peek: Call) -> bool:
    """Tell whether a PEEK at a constant address reads a byte of the pointers."""
    arguments = peek.arguments or ()
    if not arguments or isinstance(arguments[0], Hash | All | WholeArray):
        return False
    address = constant(arguments[0])
    if address is None:
        return False
    first = address & 0xFFFF
    return first < POINTERS.stop and first + len(arguments) - 1 > POINTERS.start


def _stays(start: Expression) -> bool:
    highest = _highest(start)
    return highest is not None and highest <= LAST_START


def _highest(node: Expression) -> int | None:
    """The highest value that a start can have, as far as its text tells."""
    match node:
        case Group(inner):
            return _highest(inner)
        case Function(tk.LEN | tk.ASC):
            return MAX_STRING
        case Function(tk.POS, arguments) if _stays(arguments[-1]):
            return MAX_STRING
        case Binary(tk.PLUS, left, right):
            one, other = _highest(left), _highest(right)
            return None if one is None or other is None else one + other
    return constant(node)
