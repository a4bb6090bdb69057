"""Which programs need to know where their strings lie in video memory.

POS with a start above 256 looks past the end of its string. No other statement tells where strings
are, so all other programs do without.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.lines import Listing
from ti99tools.interp.compile.value_ranges import constant, entered
from ti99tools.source.prescan.sizes import MAX_STRING
from ti99tools.source.syntax.nodes import Binary, Expression, Function, Group
from ti99tools.source.syntax.walk import parts

LAST_START = 256
"""The last start of POS that stays in its string."""

_POS = bytes((tk.POS,))


def looks_past(listing: Listing) -> bool:
    """Tell whether a program has a POS whose start is not certain to stay in its string."""
    return any(
        isinstance(node, Function) and node.token == tk.POS and not _stays(node.arguments[-1])
        for line, tokens in enumerate(listing.tokens)
        if _POS in tokens
        for statement in entered(listing, line)
        for node in parts(statement)
    )


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
